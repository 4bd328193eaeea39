// Writes a value as YAML: plain where that is safe, else as JSON, which YAML always reads.
import { beginsReference } from "../read/references.js";
import { isJsonList, isJsonObject, type Json } from "../../lib/json.js";
import { maskLogCommands } from "../../lib/log-commands.js";
import { misleading, visible } from "../../lib/text.js";

/** Lines below a key, as they would be added to a file; a list has a line for each item. */
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

/** Words that YAML, or older readers of it, take for something other than a text. */
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

/** JSON on one line: invisible letters, and those that would command a pipeline's log, are written by their number. */
export function quoted(value: Json): string {
  return maskLogCommands(JSON.stringify(value).replace(misleading(), escaped), "json");
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
}

/** Whether a text can be read as it stands, in a style without escapes. */
export function isLegible(text: string): boolean {
  return visible(text) === text;
}

/** A comment on one line: without what YAML forbids, and with invisible letters named. */
export function oneLine(text: string): string {
  return visible(text.replace(/[\p{Cc}\u2028\u2029\ufeff\ud800-\udfff]+/gu, " "));
}

/** As a desired-state file writes it, so that nothing in its texts is taken for a reference. */
export function asLiteral(value: Json): Json {
  if (typeof value === "string") return literalText(value);
  if (isJsonList(value)) return value.map(asLiteral);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, asLiteral(held)]));
}

/** A dollar is doubled where a reference or a shell variable would begin, or where it was doubled already. */
function literalText(text: string): string {
  return text.replace(/\$\{/g, (sign, at: number) => {
    const isReference = beginsReference(text.slice(at)) || text.charAt(at - 1) === "$";
    return isReference ? `$${sign}` : sign;
  });
}
