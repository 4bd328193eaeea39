// Noun: JSON values, numbers to the last digit; how to compare them, point into them and write them as text.

export type Json = null | boolean | number | Numeral | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isNumeral(value);
}

/** undefined for a text that is not JSON; no JSON text has that value. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
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
  // Mostly both are written alike, which is seen without making texts of them.
  return isWrittenAlike(left, right) || canonicalText(left) === canonicalText(right);
}

/** Whether both are written alike, down to the order of their keys. Numerals are not looked into, and alike only where they are one. */
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

/** What JSON.stringify writes, but for numerals, which are written as they were read. */
export function printJson(value: unknown, indent = 0): string {
  const before = numeralsPrinted;
  const text = JSON.stringify(value, undefined, indent);
  return numeralsPrinted === before ? text : exactText(value as Json, indent);
}

/** The same with the keys in the order in which they were read; slower. */
export function exactText(value: Json, indent = 0): string {
  const pieces: string[] = [];
  write(value, "\n");
  return pieces.join("");

  function write(held: Json | undefined, newline: string): void {
    const below = newline + " ".repeat(indent);
    const [lineStart, lineEnd] = indent > 0 ? [below, newline] : ["", ""];
    if (isNumeral(held)) pieces.push(held[SOURCE]);
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

/** The value itself where nothing in it changes, as with most: a copy of each would cost memory for nothing. */
function rewrite(value: Json, leaf: (value: string | Numeral) => Json): Json {
  if (typeof value === "string") return leaf(value);
  if (typeof value !== "object" || value === null) return value;
  if (isJsonList(value)) {
    let items: Json[] | undefined;
    for (const [at, each] of value.entries()) {
      const held = rewrite(each, leaf);
      if (held !== each) (items ??= [...value])[at] = held;
    }
    return items ?? value;
  }
  if (isNumeral(value)) return leaf(value);
  const keys = Object.keys(value);
  let isSame = keys.every((key, at) => at === 0 || (keys[at - 1] ?? "") < key);
  const held = (isSame ? keys : keys.toSorted()).map((key) => {
    const each = value[key] ?? null;
    const rewritten = rewrite(each, leaf);
    if (rewritten !== value[key]) isSame = false;
    return [key, rewritten] as const;
  });
  return isSame ? value : Object.fromEntries(held);
}

const SOURCE = Symbol("source");

/**
 * A number of which the text says more than a JavaScript number holds, such as 12345678901234567890, 1e400, 1.0 and
 * -0. Made by `numberFrom` alone, and frozen, so that two places may hold the same one.
 */
export interface Numeral {
  readonly [SOURCE]: string;
}

let numeralsPrinted = 0;

/** JSON.stringify can write a numeral only as a text in quotes; from the count `printJson` learns that it met one. */
function toJSON(this: Numeral): string {
  numeralsPrinted++;
  return this[SOURCE];
}

/** What a number's JSON text means: a plain number where that is written in the same way again. */
export function numberFrom(text: string): number | Numeral {
  const number = Number(text);
  return String(number) === text ? number : Object.freeze({ [SOURCE]: text, toJSON });
}

export function isNumeral(value: unknown): value is Numeral {
  return typeof value === "object" && value !== null && SOURCE in value;
}

/** The nearest number, which may be infinite; undefined for anything but a number. */
export function nearestNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return isNumeral(value) ? Number(value[SOURCE]) : undefined;
}

/** The same for every way to write one number: the plain number where there is one, else its shortest numeral. */
function plainest(numeral: Numeral): number | Numeral {
  const shortest = shortestText(numeral[SOURCE]);
  const number = Number(numeral[SOURCE]);
  if (Number.isFinite(number) && shortest === shortestText(String(number))) return number || 0;
  return numberFrom(shortest);
}

/** A number's sign, its digits without zeros at either end, and the power of ten that they are multiplied by. */
function shortestText(text: string): string {
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]\+?(-?\d+))?$/.exec(text) ?? [];
  const all = (whole + fraction).replace(/^0+/, "");
  const digits = all.replace(/0+$/, "");
  if (digits === "") return "0e0";
  const dropped = all.length - digits.length - fraction.length;
  return `${sign}${digits}e${BigInt(power) + BigInt(dropped)}`;
}
