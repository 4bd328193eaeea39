// Writes a value as YAML: plain if that is safe, else as JSON, which is valid YAML.
import { beginsReference } from "../read/references.js";
import { isJsonList, isJsonObject, type Json } from "../../lib/json.js";
import { maskLogCommands } from "../../lib/log-commands.js";
import { misleading, visible } from "../../lib/text.js";

/** The lines to add to a file for a key; a list has one line for each item. */
export function yamlLines(key: string, value: Json, step = "  ", beside = ""): string[] {
  if (!isJsonList(value) || value.length === 0)
    return [`${keyText(key)}: ${flowText(value)}${beside}`];
  return [`${keyText(key)}:${beside}`, ...value.map((item) => `${step}- ${flowText(item)}`)];
}

export function keyText(key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) && !WORDS.test(key) ? key : quoted(key);
}

/** On one line. */
export function flowText(value: Json): string {
  if (typeof value === "string") return isPlain(value) ? value : quoted(value);
  if (isJsonList(value)) return `[${value.map(flowText).join(", ")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, held]) => `${keyText(key)}: ${flowText(held)}`);
  return entries.length > 0 ? `{ ${entries.join(", ")} }` : "{}";
}

/** Words that some YAML version reads as another type than text. */
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n|nan|inf)$/i;

function isPlain(text: string): boolean {
  return (
    /^[A-Za-z\p{L}][\p{L}\p{N} _./:?=;~()+@-]*$/u.test(text) &&
    !/:(?:\s|$)|\s$|\s#/.test(text) &&
    text.length <= 200 &&
    isLegible(text) &&
    maskLogCommands(text) === text &&
    !WORDS.test(text)
  );
}

/** JSON on one line, with invisible characters and log commands escaped. */
export function quoted(value: Json): string {
  return maskLogCommands(JSON.stringify(value).replace(misleading(), escaped), "json");
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
}

/** Whether a text is readable in a style without escapes. */
export function isLegible(text: string): boolean {
  return visible(text) === text;
}

/** A comment on one line, without characters that YAML forbids, and with invisible ones named. */
export function oneLine(text: string): string {
  return visible(text.replace(/[\p{Cc}\u2028\u2029\ufeff\ud800-\udfff]+/gu, " "));
}

/** Escapes the texts of a value so that they contain no references. */
export function asLiteral(value: Json): Json {
  if (typeof value === "string") return literalText(value);
  if (isJsonList(value)) return value.map(asLiteral);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, asLiteral(held)]));
}

/** Doubles a dollar before a reference or shell variable, or before another doubled one. */
function literalText(text: string): string {
  return text.replace(/\$\{/g, (sign, at: number) => {
    const isReference = beginsReference(text.slice(at)) || text.charAt(at - 1) === "$";
    return isReference ? `$${sign}` : sign;
  });
}
