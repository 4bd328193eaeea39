// A rule: what should be an http or https address, by itself or in the entries of a list.
import { catalog } from "../../../catalog/catalog.js";
import type { Path } from "../../../settings.js";
import { childOf, type Node } from "../../read/tree.js";
import { objectsIn, type Finding, type FoundSetting, type Rule } from "./rule.js";

export const notAnAddress = {
  code: "not-an-address",
  severity: "error",
  meaning: "what should be an http or https address",
  find: (view) =>
    view.settings.flatMap(addressesIn).flatMap(({ path, at, text }): Finding[] => {
      if (isAddress(text)) return [];
      const message = `"${String(path.at(-1))}" must be an http or https address, but it is ${JSON.stringify(text.slice(0, 80))}.`;
      return [{ path, at, message, help: helpFor(text) }];
    }),
} as const satisfies Rule;

interface Address {
  readonly path: Path;
  readonly at: Node;
  readonly text: string;
}

function addressesIn({ setting, path, entry, value }: FoundSetting): Address[] {
  const type = setting.property?.type;
  if (type === "URL" && typeof value === "string") return [{ path, at: entry.value, text: value }];
  if (typeof type !== "object") return [];
  const names = (catalog.objects[type.arrayOf] ?? []).filter((each) => each.type === "URL");
  return objectsIn(value).flatMap(([item, index]) =>
    names.flatMap(({ name }): Address[] => {
      const text = item[name];
      const at = childOf(childOf(entry.value, index), name);
      return at && typeof text === "string" ? [{ path: [...path, index, name], at, text }] : [];
    }),
  );
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
