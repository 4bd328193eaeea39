// Noun: JSON values; how to compare them, point into them, digest them and write them as text.
import { createHash } from "node:crypto";
import { isNumeral, numeralsPrinted, plainest, textOfNumeral, type Numeral } from "./numeral.js";

export type Json = null | boolean | number | Numeral | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isNumeral(value);
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
      if (typeof leaf !== "string") return plainest(leaf);
      return leaf.includes("\r\n") ? leaf.replaceAll("\r\n", "\n") : leaf;
    }),
  );
}

/** The same value in plain numbers; undefined where one of them would become another. */
export function withPlainNumbers(value: Json): Json | undefined {
  let isExact = true;
  const plain = rewrite(value, (leaf) => {
    const found = typeof leaf === "string" ? leaf : plainest(leaf);
    if (isNumeral(found)) isExact = false;
    return found;
  });
  return isExact ? plain : undefined;
}

/** Key order and CR LF do not count, nor how a number is written. */
export function isEqual(left: Json, right: Json): boolean {
  return left === right || canonicalText(left) === canonicalText(right);
}

/** SHA-256 of the canonical text, in hexadecimal; equal values have equal digests. */
export function digest(value: Json): string {
  return createHash("sha256").update(canonicalText(value)).digest("hex");
}

/** What JSON.stringify writes, but for numerals, which are written as they were read. */
export function printJson(value: unknown, indent = 0): string {
  const before = numeralsPrinted();
  const text = JSON.stringify(value, undefined, indent);
  return numeralsPrinted() === before ? text : exactText(value as Json, indent);
}

/** The same with the keys in the order in which they were read; slower. */
export function exactText(value: Json, indent = 0): string {
  const pieces: string[] = [];
  write(value, "\n");
  return pieces.join("");

  function write(held: Json | undefined, newline: string): void {
    const below = newline + " ".repeat(indent);
    const lineEnd = indent > 0 ? newline : "";
    const lineStart = indent > 0 ? below : "";
    if (isNumeral(held)) pieces.push(textOfNumeral(held));
    else if (isJsonList(held)) {
      held.forEach((each, at) => {
        pieces.push(at === 0 ? "[" : ",", lineStart);
        write(each, below);
      });
      pieces.push(held.length > 0 ? `${lineEnd}]` : "[]");
    } else if (isJsonObject(held)) {
      const keys = keysOf(held).filter((key) => held[key] !== undefined);
      keys.forEach((key, at) => {
        pieces.push(at === 0 ? "{" : ",", lineStart, JSON.stringify(key), indent > 0 ? ": " : ":");
        write(held[key], below);
      });
      pieces.push(keys.length > 0 ? `${lineEnd}}` : "{}");
    } else pieces.push(JSON.stringify(held ?? null));
  }
}

const ORDER = Symbol("order");

/** Remembers in which order the keys were read, where JavaScript puts numbers first. A spread takes it along. */
export function rememberOrder(value: JsonObject, keys: readonly string[]): void {
  Object.assign(value, { [ORDER]: keys });
}

function keysOf(value: JsonObject): readonly string[] {
  const keys = Object.keys(value);
  const order = (value as { readonly [ORDER]?: readonly string[] })[ORDER];
  if (!order) return keys;
  const known = new Set(order);
  return [
    ...order.filter((key) => Object.hasOwn(value, key)),
    ...keys.filter((key) => !known.has(key)),
  ];
}

/** The value itself where nothing of it changes, as is so with most: copies of all were a thirtieth of what a plan throws away. */
function rewrite(value: Json, leaf: (value: string | Numeral) => Json): Json {
  if (typeof value === "string" || isNumeral(value)) return leaf(value);
  if (isJsonList(value)) {
    const items = value.map((each) => rewrite(each, leaf));
    return items.every((each, at) => each === value[at]) ? value : items;
  }
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value);
  const sorted = keys.every((key, at) => at === 0 || (keys[at - 1] ?? "") < key)
    ? keys
    : keys.toSorted();
  const held = sorted.map((key) => rewrite(value[key] ?? null, leaf));
  if (sorted === keys && held.every((each, at) => each === value[keys[at] ?? ""])) return value;
  return Object.fromEntries(sorted.map((key, at) => [key, held[at] ?? null]));
}
