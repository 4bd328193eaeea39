// A JSON value → the data it must be, key by key; throws a TypeError that names the place of the first thing that is wrong.
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../json.js";
import type { Path } from "../settings.js";

export type Shape<T> = (value: Json, at: string) => T;

/** Of a key that may be left out. */
export type OptionalShape<T> = Shape<T> & { readonly isOptional: true };

/** What a shape makes of a value. */
export type Held<S> = S extends Shape<infer T> ? T : never;

type OptionalKey<S> = { [K in keyof S]: S[K] extends { isOptional: true } ? K : never }[keyof S];
type ObjectOf<S> = { readonly [K in Exclude<keyof S, OptionalKey<S>>]: Held<S[K]> } & {
  readonly [K in OptionalKey<S>]?: Held<S[K]>;
};

export const anything: Shape<Json> = (value) => value;
export const text = held<string>(isText, "not a text");
export const name = held<string>((value) => isText(value) && value !== "", "empty, or not a text");
/** A SHA-256, or an HMAC made with it. */
export const hexDigest = held<string>(
  (value) => isText(value) && /^[0-9a-f]{64}$/.test(value),
  "not 64 hexadecimal digits",
);
export const count = held<number>(
  (value) => Number.isSafeInteger(value) && (value as number) > 0,
  "not a whole number from 1 on",
);
export const mapping = held<JsonObject>(isJsonObject, "not an object");
/** A moment in UTC. */
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

export function list<T>(shape: Shape<T>): Shape<readonly T[]> {
  return (value, at) => {
    if (!isJsonList(value)) throw wrong(at, "not a list");
    return value.map((each, index) => shape(each, `${at}[${index}]`));
  };
}

export function optional<T>(shape: Shape<T>): OptionalShape<T> {
  return Object.assign((value: Json, at: string) => shape(value, at), {
    isOptional: true,
  } as const);
}

/** A key that is not listed is wrong too: it would be lost with the next write. */
export function object<S extends Readonly<Record<string, Shape<unknown>>>>(
  shapes: S,
): Shape<ObjectOf<S>> {
  return (value, at) => {
    const below = (key: string) => (at ? `${at}.${key}` : key);
    const found = mapping(value, at);
    const stranger = Object.keys(found).find((key) => !Object.hasOwn(shapes, key));
    if (stranger !== undefined) throw wrong(below(stranger), "not known");
    const read = Object.entries(shapes).flatMap(([key, shape]) => {
      const each = Object.hasOwn(found, key) ? found[key] : undefined;
      if (each !== undefined) return [[key, shape(each, below(key))] as const];
      if ("isOptional" in shape) return [];
      throw wrong(below(key), "missing");
    });
    return Object.fromEntries(read) as ObjectOf<S>;
  };
}

function held<T extends Json>(isFit: (value: Json) => boolean, what: string): Shape<T> {
  return (value, at) => {
    if (!isFit(value)) throw wrong(at, what);
    return value as T;
  };
}

function isText(value: Json): value is string {
  return typeof value === "string";
}

function wrong(at: string, what: string): TypeError {
  return new TypeError(`"${at}" is ${what}`);
}
