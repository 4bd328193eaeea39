// Noun: JSON values; how to compare them, point into them and digest them.
import { createHash } from "node:crypto";

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
  return rewrite(value, (text) => text);
}

/** One text for all the ways to write one value: keys in order, and CR LF as LF. */
export function canonicalText(value: Json): string {
  return JSON.stringify(
    rewrite(value, (text) => (text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text)),
  );
}

/** Key order and CR LF do not count. */
export function isEqual(left: Json, right: Json): boolean {
  return left === right || canonicalText(left) === canonicalText(right);
}

/** SHA-256 of the canonical text, in hexadecimal; equal values have equal digests. */
export function digest(value: Json): string {
  return createHash("sha256").update(canonicalText(value)).digest("hex");
}

/** The value itself where nothing of it changes, as is so with most: copies of all were a thirtieth of what a plan throws away. */
function rewrite(value: Json, text: (text: string) => string): Json {
  if (typeof value === "string") return text(value);
  if (isJsonList(value)) {
    const items = value.map((each) => rewrite(each, text));
    return items.every((each, at) => each === value[at]) ? value : items;
  }
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value);
  const sorted = keys.every((key, at) => at === 0 || (keys[at - 1] ?? "") < key)
    ? keys
    : keys.toSorted();
  const held = sorted.map((key) => rewrite(value[key] ?? null, text));
  if (sorted === keys && held.every((each, at) => each === value[keys[at] ?? ""])) return value;
  return Object.fromEntries(sorted.map((key, at) => [key, held[at] ?? null]));
}
