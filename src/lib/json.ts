// JSON values, numbers to the last digit; how to compare them, point into them and write them as text.
import {
  compareNumber,
  isLosslessNumber,
  LosslessNumber,
  parse,
  splitNumber,
  stringify,
} from "lossless-json";

export type Json = null | boolean | number | ExactNumber | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A LosslessNumber: a number that JavaScript would write differently, such as 12345678901234567890, 1e400, 1.0 and -0. */
export interface ExactNumber {
  readonly isLosslessNumber: boolean;
  readonly value: string;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value)
  );
}

/** undefined for a text that is not JSON; no JSON text has that value. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/**
 * For what a portal wrote, also where it comes back from a state or a saved plan. Throws a SyntaxError for a name that
 * stands twice in one object with different values, and a RangeError for what is nested too deeply.
 */
export function parseExact(text: string): Json {
  return parse(text, undefined, exactNumber) as Json;
}

function exactNumber(text: string): number | ExactNumber {
  const number = Number(text);
  return String(number) === text ? number : new LosslessNumber(text);
}

function isExactNumber(value: unknown): value is ExactNumber {
  return isLosslessNumber(value);
}

/** Array.isArray forgets what a readonly list holds. */
export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** What stands there; undefined where nothing does. What objects inherit does not count. */
export function pointInto(
  value: Json | undefined,
  path: readonly (string | number)[],
): Json | undefined {
  return path.reduce<Json | undefined>((held, part) => {
    if (isJsonList(held)) return typeof part === "number" ? held[part] : undefined;
    return isJsonObject(held) && Object.hasOwn(held, part) ? held[part] : undefined;
  }, value);
}

/** The same value, with the keys of its objects in order. */
export function sortKeys(value: Json): Json {
  return rewrite(value, (leaf) => leaf);
}

/** One text for all the ways to write one value: keys in order, CR LF as LF, and numbers by what they are worth. */
export function canonicalText(value: Json): string {
  return printJson(
    rewrite(value, (leaf) => {
      if (typeof leaf !== "string") return plainNumber(leaf);
      return leaf.includes("\r\n") ? leaf.replaceAll("\r\n", "\n") : leaf;
    }),
  );
}

/** The same value in plain numbers; undefined where one of them would become another. */
export function withPlainNumbers(value: Json): Json | undefined {
  let isExact = true;
  const plain = rewrite(value, (leaf) => {
    const found = typeof leaf === "string" ? leaf : plainNumber(leaf);
    if (isExactNumber(found)) isExact = false;
    return found;
  });
  return isExact ? plain : undefined;
}

/** Key order and CR LF do not count, nor how a number is written. */
export function isEqual(left: Json, right: Json): boolean {
  // Mostly both are written alike, which is seen without making texts of them.
  return isWrittenAlike(left, right) || canonicalText(left) === canonicalText(right);
}

/** Whether both are written alike, down to the order of their keys. ExactNumbers count as alike only where they are the same object. */
export function isWrittenAlike(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (isJsonList(left)) {
    if (!isJsonList(right) || left.length !== right.length) return false;
    for (let at = 0; at < left.length; at++) if (!isWrittenAlike(left[at], right[at])) return false;
    return true;
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const others = Object.keys(right);
  let at = 0;
  for (const key of Object.keys(left)) {
    if (key !== others[at++] || !isWrittenAlike(left[key], right[key])) return false;
  }
  return at === others.length;
}

/** What JSON.stringify writes, with the digits of each ExactNumber. */
export function printJson(value: unknown, indent = 0): string {
  return stringify(value, undefined, indent) ?? "null";
}

/** With other texts and numbers; the keys in the order of their names. */
function rewrite(value: Json, leaf: (value: string | ExactNumber) => Json): Json {
  if (typeof value === "string" || isExactNumber(value)) return leaf(value);
  if (isJsonList(value)) return value.map((each) => rewrite(each, leaf));
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value).toSorted();
  return Object.fromEntries(keys.map((key) => [key, rewrite(value[key] ?? null, leaf)]));
}

/** The nearest number, which may be infinite; undefined for anything but a number. */
export function nearestNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return isExactNumber(value) ? Number(value.value) : undefined;
}

/** The same for every way to write one number: the JavaScript number where that is exact, else sign, digits and power of ten. */
function plainNumber({ value }: ExactNumber): number | ExactNumber {
  const nearest = Number(value);
  const isExact = Number.isFinite(nearest) && compareNumber(value, String(nearest)) === 0;
  if (isExact) return nearest || 0;
  const { sign, digits, exponent } = splitNumber(value);
  return new LosslessNumber(`${sign}${digits}e${exponent - digits.length + 1}`);
}
