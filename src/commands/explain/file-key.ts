// Describes a key of a desired-state file, such as signIn.method, from its schema.
import { catalog } from "../../catalog/catalog.js";
import { lenientSchema } from "../../catalog/schema.js";
import { RULE_CODES } from "../../document/check/rules/all.js";
import { GUARDS } from "../../guard.js";
import { isJsonList, isJsonObject, printJson, type Json, type JsonObject } from "../../lib/json.js";
import type { KeyDocument } from "../documents.js";
import type { Styles } from "../../report/styles.js";
import { inColumns, wrap } from "../../report/text-layout.js";
import { done } from "../../cli/result.js";
import type { Result } from "../command.js";
import type { Sayable } from "./in-file.js";

interface Key {
  readonly path: string;
  readonly about: JsonObject;
}

/** All but those of settings, which the reference explains. */
const KEYS: readonly Key[] = keysIn(
  lenientSchema(catalog, { rules: RULE_CODES, guards: GUARDS }),
  "",
);

export const FILE_KEYS: readonly string[] = KEYS.map(({ path }) => path);

export function meaningOfKey(path: string): string {
  const found = KEYS.find((each) => each.path === path);
  return found ? textIn(found.about, "description") : "";
}

function keysIn(held: JsonObject, before: string): Key[] {
  return Object.entries(propertiesOf(held)).flatMap(([name, about]): Key[] => {
    if (!isJsonObject(about)) return [];
    const path = `${before}${name}`;
    const isListed = path === "settings" || path === "rules";
    return [{ path, about }, ...(isListed ? [] : keysIn(about, `${path}.`))];
  });
}

/** Those of an object, or of each entry of a list or of a map by name. */
function propertiesOf(about: JsonObject): JsonObject {
  const held = [about["items"], about["additionalProperties"], about].find(isJsonObject) ?? {};
  return isJsonObject(held["properties"]) ? held["properties"] : {};
}

export function findKey(path: string): Sayable<KeyDocument> | undefined {
  const found = KEYS.find((each) => each.path === path);
  if (!found) return undefined;
  const { about } = found;
  const below = KEYS.filter((each) => each.path.startsWith(`${path}.`));
  const facts = {
    path,
    meaning: textIn(about, "description"),
    type: typeOf(about, below.length > 0),
    values: valuesOf(about),
    default: about["default"] ?? null,
    example: firstOf(about["examples"]),
    keys: below.map((each) => each.path),
  };
  const text = (styles: Styles) => keyText(facts, below, styles);
  return { path, places: [path.split(".")], facts, text };
}

export function explainKey({ facts, text }: Sayable<KeyDocument>): Result {
  return done("explain", { key: facts }, text);
}

function keyText(
  { path, meaning, type, values, default: usual, example }: KeyDocument,
  below: readonly Key[],
  styles: Styles,
): string {
  const rows = [
    ["  type", type],
    ["  values", values?.map((each) => shown(each)).join(", ")],
    ["  default", usual === null ? undefined : shown(usual)],
    ["  example", example === null ? undefined : shown(example)],
  ].flatMap(([name = "", text]) => (text ? [[name, text] as const] : []));
  const keys = below.map(
    (each) => [`  ${each.path}`, textIn(each.about, "description").split("\n")[0] ?? ""] as const,
  );
  return [
    styles.bold(path),
    ...meaning
      .split("\n\n")
      .flatMap((each) => wrap(each, styles.width - 2))
      .map((line) => `  ${line}`),
    "",
    ...inColumns(rows, styles),
    ...(keys.length > 0 ? ["", ...inColumns(keys, styles)] : []),
    "",
  ].join("\n");
}

function textIn(about: JsonObject, key: string): string {
  const text = about[key];
  return typeof text === "string" ? text : "";
}

function valuesOf(about: JsonObject): readonly Json[] | null {
  const values = about["enum"];
  return isJsonList(values) ? values : null;
}

function typeOf(about: JsonObject, hasKeys: boolean): string {
  const type = about["type"];
  if (type === "object") return hasKeys ? "keys below" : "names, each with a value";
  if (about["$ref"] !== undefined) return "keys as under settings";
  if (typeof type === "string") return TYPES[type] ?? type;
  return valuesOf(about) ? "text" : "text or list of texts";
}

/** As people call them. */
const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  array: "list",
};

function firstOf(examples: Json | undefined): Json {
  return isJsonList(examples) ? (examples.at(-1) ?? null) : null;
}

function shown(value: Json): string {
  return typeof value === "string" ? value : printJson(value);
}
