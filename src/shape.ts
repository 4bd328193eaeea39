// Noun: a JSON value → the data it must be, key by key; throws a TypeError that names the place of the first thing that is wrong.
import { isJsonObject, type Json, type JsonObject } from "./json.js";
import type { Path } from "./settings.js";

export interface Shape<T> {
  (value: Json, at: string): T;
  /** The key may be left out. */
  readonly isOptional?: true;
}

export const text: Shape<string> = (value, at) => {
  if (typeof value !== "string") throw wrong(at, "no text");
  return value;
};

export const name: Shape<string> = (value, at) => {
  if (text(value, at) === "") throw wrong(at, "empty");
  return value as string;
};

/** A moment in UTC. */
export const time: Shape<string> = (value, at) => {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text(value, at));
  if (!isTime || Number.isNaN(Date.parse(value as string))) throw wrong(at, "no time");
  return value as string;
};

export const count: Shape<number> = (value, at) => {
  if (!Number.isSafeInteger(value) || (value as number) < 1) throw wrong(at, "no number from 1");
  return value as number;
};

export const anything: Shape<Json> = (value) => value;

export const mapping: Shape<JsonObject> = (value, at) => {
  if (!isJsonObject(value)) throw wrong(at, "no object");
  return value;
};

export const path: Shape<Path> = (value, at) => {
  const isPart = (part: Json) =>
    typeof part === "string" || (Number.isSafeInteger(part) && (part as number) >= 0);
  if (!Array.isArray(value) || value.length === 0 || !value.every(isPart))
    throw wrong(at, "no path");
  return value as Path;
};

export function oneOf<const T extends string>(words: readonly T[]): Shape<T> {
  return (value, at) => {
    if (!words.includes(value as T)) throw wrong(at, `none of ${words.join(", ")}`);
    return value as T;
  };
}

export function list<T>(shape: Shape<T>): Shape<readonly T[]> {
  return (value, at) => {
    if (!Array.isArray(value)) throw wrong(at, "no list");
    return value.map((each: Json, index) => shape(each, `${at}[${index}]`));
  };
}

export function optional<T>(shape: Shape<T>): Shape<T> {
  return Object.assign((value: Json, at: string) => shape(value, at), {
    isOptional: true as const,
  });
}

/** A key that is not listed is wrong too: it would be lost with the next write. */
export function object<T extends object>(shapes: {
  readonly [K in keyof T]-?: Shape<T[K]>;
}): Shape<T> {
  const known = Object.entries(shapes) as [string, Shape<unknown>][];
  return (value, at) => {
    const held = mapping(value, at);
    const stranger = Object.keys(held).find((key) => !Object.hasOwn(shapes, key));
    if (stranger !== undefined) throw wrong(below(at, stranger), "not known");
    const read = known.flatMap(([key, shape]): [string, unknown][] => {
      const found = Object.hasOwn(held, key) ? held[key] : undefined;
      if (found !== undefined) return [[key, shape(found, below(at, key))]];
      if (shape.isOptional) return [];
      throw wrong(below(at, key), "missing");
    });
    return Object.fromEntries(read) as T;
  };
}

function below(at: string, key: string): string {
  return at ? `${at}.${key}` : key;
}

function wrong(at: string, what: string): TypeError {
  return new TypeError(`"${at}" is ${what}`);
}
