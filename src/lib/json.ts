// JSON values with exact numbers: parsing, comparing, pointing into and printing them.
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

/** Undefined for a text that is not JSON; no JSON text has that value. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/**
 * For text from a portal, also when it comes back from a state or a saved plan. Throws a SyntaxError if an object has a
 * name twice with different values, and a RangeError for values that are nested too deeply.
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

/** Array.isArray loses the type of a readonly list. */
export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value at the path; undefined if there is none. Inherited properties do not count. */
export function pointInto(
  value: Json | undefined,
  path: readonly (string | number)[],
): Json | undefined {
  return path.reduce<Json | undefined>((held, part) => {
    if (isJsonList(held)) return typeof part === "number" ? held[part] : undefined;
    return isJsonObject(held) && Object.hasOwn(held, part) ? held[part] : undefined;
  }, value);
}

/** The same value, with sorted keys. */
export function sortKeys(value: Json): Json {
  return rewrite(value, (leaf) => leaf);
}

/** The same text for equal values: sorted keys, CR LF as LF, and normalised numbers. */
export function canonicalText(value: Json): string {
  return printJson(
    rewrite(value, (leaf) => {
      if (typeof leaf !== "string") return plainNumber(leaf);
      return leaf.includes("\r\n") ? leaf.replaceAll("\r\n", "\n") : leaf;
    }),
  );
}

/** The same value with plain numbers; undefined if that would change a number. */
export function withPlainNumbers(value: Json): Json | undefined {
  let isExact = true;
  const plain = rewrite(value, (leaf) => {
    const found = typeof leaf === "string" ? leaf : plainNumber(leaf);
    if (isExactNumber(found)) isExact = false;
    return found;
  });
  return isExact ? plain : undefined;
}

/** Ignores key order, CR LF and the notation of numbers. */
export function isEqual(left: Json, right: Json): boolean {
  // Usually both have the same notation, which is faster to compare.
  return isWrittenAlike(left, right) || canonicalText(left) === canonicalText(right);
}

/** Whether notation and key order are the same, too. ExactNumbers are the same only as one object. */
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

/** Like JSON.stringify, with all digits of each ExactNumber. */
export function printJson(value: unknown, indent = 0): string {
  return stringify(value, undefined, indent) ?? "null";
}

/** Replaces texts and numbers, and sorts the keys. */
function rewrite(value: Json, leaf: (value: string | ExactNumber) => Json): Json {
  if (typeof value === "string" || isExactNumber(value)) return leaf(value);
  if (isJsonList(value)) return value.map((each) => rewrite(each, leaf));
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value).toSorted();
  return Object.fromEntries(keys.map((key) => [key, rewrite(value[key] ?? null, leaf)]));
}

/** The nearest number, which may be infinite; undefined for other values. */
export function nearestNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return isExactNumber(value) ? Number(value.value) : undefined;
}

/** The same for every notation of a number: the JavaScript number if it is exact, else sign, digits and exponent. */
function plainNumber({ value }: ExactNumber): number | ExactNumber {
  const nearest = Number(value);
  const isExact = Number.isFinite(nearest) && compareNumber(value, String(nearest)) === 0;
  if (isExact) return nearest || 0;
  const { sign, digits, exponent } = splitNumber(value);
  return new LosslessNumber(`${sign}${digits}e${exponent - digits.length + 1}`);
}
