// A rule: what should be an http or https address, alone or in the entries of a list.
import { catalog } from "../../../catalog/catalog.js";
import type { Json } from "../../../lib/json.js";
import type { Path } from "../../../settings.js";
import { childOf, type Node } from "../../read/tree.js";
import { objectsIn, type Finding, type FoundSetting, type Rule } from "./rule.js";

export const notAnAddress = {
  code: "not-an-address",
  severity: "error",
  meaning: "what should be an http or https address",
  find: (view) => [
    ...view
      .ofType("URL")
      .flatMap(({ path, entry, value }) => wrongAddress(path, entry.value, value)),
    ...view.settings.flatMap(addressesInItems),
  ],
} as const satisfies Rule;

function addressesInItems({ setting, path, entry, value }: FoundSetting): Finding[] {
  const type = setting.property?.type;
  if (typeof type !== "object") return [];
  const names = (catalog.objects[type.arrayOf] ?? []).filter((each) => each.type === "URL");
  return objectsIn(value).flatMap(([item, index]) =>
    names.flatMap(({ name }) => {
      const at = childOf(childOf(entry.value, index), name);
      return at ? wrongAddress([...path, index, name], at, item[name]) : [];
    }),
  );
}

function wrongAddress(path: Path, at: Node, value: Json | undefined): Finding[] {
  if (typeof value !== "string" || isAddress(value)) return [];
  const message = `"${String(path.at(-1))}" must be an http or https address, but it is ${JSON.stringify(value.slice(0, 80))}.`;
  return [{ path, at, message, help: helpFor(value) }];
}

export function isAddress(text: string): boolean {
  return /^https?:\/\/[^\s/?#]\S*$/i.test(text) && URL.canParse(text);
}

function helpFor(text: string): string {
  const trimmed = text.trim();
  if (trimmed !== text && isAddress(trimmed)) return `Remove the white space: ${trimmed}`;
  if (trimmed.startsWith("//") && isAddress(`https:${trimmed}`)) return `Write https:${trimmed}`;
  if (/^[\w-]+(\.[\w-]+)+([:/].*)?$/.test(trimmed)) return `Write https://${trimmed}`;
  return "Write the whole address, for example:\n  https://www.example.org/";
}
