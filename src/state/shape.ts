// Converts a JSON value to typed data, key by key. Throws a TypeError that names the place of the first error.
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../lib/json.js";
import type { Path } from "../settings.js";

export type Shape<T> = (value: Json) => T;

/** For a key that may be missing. */
export type OptionalShape<T> = Shape<T> & { readonly isOptional: true };

/** The type that a shape produces. */
export type Held<S> = S extends Shape<infer T> ? T : never;

type OptionalKey<S> = { [K in keyof S]: S[K] extends { isOptional: true } ? K : never }[keyof S];
type ObjectOf<S> = { readonly [K in Exclude<keyof S, OptionalKey<S>>]: Held<S[K]> } & {
  readonly [K in OptionalKey<S>]?: Held<S[K]>;
};

export const anything: Shape<Json> = (value) => value;
export const text = held<string>(isText, "not a text");
export const name = held<string>((value) => isText(value) && value !== "", "empty, or not a text");
/** A SHA-256 digest, or an HMAC with it. */
export const hexDigest = held<string>(
  (value) => isText(value) && /^[0-9a-f]{64}$/.test(value),
  "not 64 hexadecimal digits",
);
/** A digest of a permanent value, or of a window: from/until/digest/name, or every/rule/digest/name. */
export const timedDigest = held<string>(
  (value) =>
    isText(value) &&
    /^(?:[0-9a-f]{64}|(?:[-\dT:.]+Z\/[-\dT:.]+Z|every\/[\w%.~-]+)\/[0-9a-f]{64}\/.+)$/s.test(value),
  "neither 64 hexadecimal digits, nor the times of a window with such digits and a name",
);
export const count = held<number>(
  (value) => Number.isSafeInteger(value) && (value as number) > 0,
  "not a whole number of at least 1",
);
/** Leaves room for a million writes: a larger number could not be increased exactly. */
const HIGHEST_SERIAL = Number.MAX_SAFE_INTEGER - 1_000_000;
export const serial = held<number>(
  (value) =>
    Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= HIGHEST_SERIAL,
  `not a whole number from 1 to ${HIGHEST_SERIAL}`,
);
export const mapping = held<JsonObject>(isJsonObject, "not an object");
export const time = held<string>(
  (value) =>
    isText(value) &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value) &&
    !Number.isNaN(Date.parse(value)),
  "not a time in UTC",
);
export const path = held<Path>(
  (value) =>
    isJsonList(value) &&
    value.length > 0 &&
    value.every((part) => isText(part) || (Number.isSafeInteger(part) && (part as number) >= 0)),
  "not a path",
);

export function oneOf<const T extends string>(words: readonly T[]): Shape<T> {
  return held<T>((value) => words.includes(value as T), `none of ${words.join(", ")}`);
}

/** Returns the same list if nothing in it changes, as in all states that Lintel wrote. */
export function list<T>(shape: Shape<T>): Shape<readonly T[]> {
  return (value) => {
    if (!isJsonList(value)) throw new Misfit("", "not a list");
    let at = 0;
    let isSame = true;
    try {
      const read: T[] = [];
      for (; at < value.length; at++) {
        const held = shape(value[at] ?? null);
        if (held !== value[at]) isSame = false;
        read.push(held);
      }
      return isSame ? (value as readonly T[]) : read;
    } catch (error) {
      throw below(`[${at}]`, error);
    }
  };
}

export function optional<T>(shape: Shape<T>): OptionalShape<T> {
  return Object.assign((value: Json) => shape(value), { isOptional: true } as const);
}

/** Refuses unknown keys, because the next write would lose them. Returns the same object if nothing in it changes. */
export function object<S extends Readonly<Record<string, Shape<unknown>>>>(
  shapes: S,
): Shape<ObjectOf<S>> {
  const known = Object.entries(shapes);
  return (value) => {
    const found = mapping(value);
    const names = Object.keys(found);
    const read: unknown[] = [];
    let isSame = true;
    let next = 0;
    for (const [key, shape] of known) {
      // No inherited property has one of these names.
      const each = found[key];
      if (each === undefined && !("isOptional" in shape)) throw new Misfit(key, "missing");
      const held = each === undefined ? undefined : readBelow(key, shape, each);
      if (held !== each) isSame = false;
      read.push(held);
      // In states that Lintel wrote, the keys are in this order.
      if (held !== undefined && names[next++] !== key) isSame = false;
    }
    if (isSame && next === names.length) return found as unknown as ObjectOf<S>;
    const strange = names.find((key) => !Object.hasOwn(shapes, key));
    if (strange !== undefined) throw new Misfit(strange, "not known");
    const pairs = known.map(([key], at) => [key, read[at]] as const);
    return Object.fromEntries(pairs.filter(([, held]) => held !== undefined)) as ObjectOf<S>;
  };
}

function held<T extends Json>(isFit: (value: Json) => boolean, what: string): Shape<T> {
  return (value) => {
    if (!isFit(value)) throw new Misfit("", what);
    return value as T;
  };
}

function isText(value: Json): value is string {
  return typeof value === "string";
}

/** Collects the place on the way up, so that valid values cost nothing. */
class Misfit extends TypeError {
  readonly at: string;
  readonly what: string;

  constructor(at: string, what: string) {
    super(`"${at}" is ${what}`);
    this.at = at;
    this.what = what;
  }
}

function readBelow(key: string, shape: Shape<unknown>, value: Json): unknown {
  try {
    return shape(value);
  } catch (error) {
    throw below(key, error);
  }
}

function below(key: string, error: unknown): unknown {
  if (!(error instanceof Misfit)) return error;
  const isJoined = error.at === "" || error.at.startsWith("[");
  return new Misfit(`${key}${isJoined ? "" : "."}${error.at}`, error.what);
}
