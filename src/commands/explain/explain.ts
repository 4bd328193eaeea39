// lintel explain: describes a setting, guard, rule, code or option.
import type { CommandSpec, Run } from "../command.js";
import {
  SETTING_PATHS,
  SETTINGS,
  catalog,
  findParameter,
  findSetting,
  referenceName,
  spellingsOf,
  type Setting,
} from "../../catalog/catalog.js";
import type { Property } from "../../catalog/facts.js";
import type { SettingDocument } from "../documents.js";
import type { Styles } from "../../report/styles.js";
import { inColumns, wrap } from "../../report/text-layout.js";
import { done } from "../../cli/result.js";

export const spec = {
  operands: "[NAME…]",
  options: {
    file: {
      value: "FILE",
      description: "Also show the line in this file.",
    },
  },
  formats: ["text", "json"],
  examples: [
    ["lintel explain", "list every setting"],
    ["lintel explain tokenExpiration", "show type, default and versions"],
    ["lintel explain tokenExpiration --file portal.yaml", "show its line"],
    ["lintel explain footer link", "search by words"],
    ["lintel explain shrink-list", "describe a guard"],
    ["lintel explain plan-stale", "describe a problem or an exit status"],
  ],
  offers: async () => {
    const { NAMES } = await import("./guard-or-rule.js");
    const { FILE_KEYS } = await import("./file-key.js");
    const { CODES } = await import("./code.js");
    return [[...SETTING_PATHS, ...FILE_KEYS, ...NAMES, ...CODES]];
  },
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, call) => {
  const asked = call.operands.length > 0 ? call.operands.join(" ") : undefined;
  const file = call.options.file;
  const found = asked === undefined ? SETTINGS : findAsked(asked);
  if (!found) {
    const { explainOther } = await import("./other.js");
    return explainOther(asked ?? "", file, io);
  }
  if (file !== undefined) {
    const { explainInFile, sayable } = await import("./in-file.js");
    return explainInFile(file, "settings", found.map(sayable), io);
  }
  const [only] = found;
  const isSingle = asked !== undefined && found.length === 1 && only !== undefined;
  return done("explain", { settings: found.map(factsOf) }, (styles) =>
    isSingle ? singleText(only, styles) : listText(found, styles),
  );
};

/** A full path, a parameter, or a property's bare name, with or without the file's "settings." before it. */
function findAsked(asked: string): readonly Setting[] | undefined {
  const path = asked.replace(/^settings\./, "").split(".");
  const [first = ""] = path;
  const exact = findSetting(path);
  if (exact) return [exact];
  if (path.length === 1) {
    if (findParameter(first)) return SETTINGS.filter(({ parameter }) => parameter.name === first);
    const name = referenceName(first);
    const named = SETTINGS.filter(({ property }) => property?.name === name);
    if (named.length > 0) return named;
  }
  return undefined;
}

export function factsOf({ path, parameter, property }: Setting): SettingDocument {
  return {
    path,
    type: typeOf(property),
    values: property?.values ?? null,
    default: property?.default ?? null,
    hasDocumentedDefault: property?.default !== undefined,
    introduced: (property ? property.introduced : undefined) ?? parameter.introduced ?? null,
    deprecated: property?.deprecated ?? null,
    alsoSpelled: property ? (spellingsOf(property.name)[1] ?? null) : null,
    meaning: property?.meaning ?? parameter.meaning,
    example: property?.example ?? null,
    fields: fieldsOf(property).map((each) => ({
      name: each.name,
      type: typeOf(each),
      values: each.values ?? null,
      meaning: each.meaning,
    })),
  };
}

function listText(settings: readonly Setting[], styles: Styles): string {
  const parameters = [...new Set(settings.map(({ parameter }) => parameter))];
  const told = parameters.map((parameter) => {
    const held = settings.filter((each) => each.parameter === parameter);
    const since = parameter.introduced ? styles.dim(` since ${parameter.introduced}`) : "";
    const rows = held.flatMap(({ path, property }) => {
      if (!property) return [];
      const old = property.deprecated && `deprecated ${property.deprecated}`;
      const about = [typeOf(property), property.introduced, old].filter(Boolean).join(", ");
      return [[`  ${path}`, about] as const];
    });
    const meaning = wrap(plain(parameter.meaning), styles.width - 2).map((line) => `  ${line}`);
    const lines = [styles.bold(parameter.name) + since, ...meaning, ...inColumns(rows, styles)];
    return `${lines.join("\n")}\n`;
  });
  return `${told.join("\n")}\n${MORE}`;
}

export const MORE = "More on one of them:\n  lintel explain NAME\n";

export function singleText({ path, parameter, property }: Setting, styles: Styles): string {
  const row = (name: string, text: string | undefined) =>
    text === undefined ? [] : [`  ${styles.dim(name.padEnd(13))}${text}`];
  const also = property ? spellingsOf(property.name)[1] : undefined;
  const example = property && exampleOf(path, property);
  return [
    styles.bold(path),
    ...wrap(plain(property?.meaning ?? parameter.meaning), styles.width - 6).map(
      (line) => `  ${line}`,
    ),
    "",
    ...row("type", typeOf(property)),
    ...row("values", property?.values?.join(", ")),
    ...row("default", defaultOf(property)),
    ...row("introduced", property?.introduced ?? parameter.introduced ?? "not documented"),
    ...row("deprecated", property?.deprecated),
    ...row("deployments", parameter.deployments?.join(", ") ?? "not documented"),
    ...row("also spelled", also),
    ...row("set by", property?.setBy && `the software's ${property.setBy}`),
    ...entryLines(property, styles),
    ...(example ? ["", "  Example", ...example.map((line) => `    ${line}`)] : []),
    "",
  ].join("\n");
}

/** What each entry of a list holds. */
function entryLines(property: Property | undefined, styles: Styles): string[] {
  const fields = fieldsOf(property);
  if (fields.length === 0) return [];
  const rows = fields.map(({ name, meaning, values }) => {
    const one = values ? ` One of: ${values.join(", ")}.` : "";
    return [`    ${name}`, plain(meaning) + one] as const;
  });
  return ["", "  Each entry", ...inColumns(rows, styles)];
}

function fieldsOf(property: Property | undefined): readonly Property[] {
  const type = property?.type;
  return typeof type === "object" ? (catalog.objects[type.arrayOf] ?? []) : [];
}

/** The reference marks names the way Markdown does. */
export function plain(text: string): string {
  return text.replaceAll("`", '"');
}

function typeOf(property: Property | undefined): string {
  if (!property) return "boolean";
  return typeof property.type === "object"
    ? `array of ${property.type.arrayOf}`
    : property.type.replaceAll("`", "");
}

function defaultOf(property: Property | undefined): string {
  if (property?.default !== undefined) return JSON.stringify(property.default);
  return property?.defaultInWords
    ? `${property.defaultInWords} (not reproduced in the reference)`
    : "not documented";
}

function exampleOf(path: string, property: Property): string[] {
  const [parameter, name] = path.split(".");
  return ["settings:", `  ${parameter}:`, `    ${name}: ${JSON.stringify(property.example)}`];
}
