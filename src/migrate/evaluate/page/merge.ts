// What a script hands to the functions of libraries that put objects together → what they make of it, as they do.
import { page } from "./ask.js";
import { isObject, pathOf } from "./known-path.js";

interface Merger {
  readonly paths: RegExp;
  run(given: unknown[]): unknown;
}

/** The functions of libraries that configuration files do use, as they work. */
export const MERGERS: readonly Merger[] = [
  {
    paths: /^(?:dojo|"dojo[^"]*lang")\.mixin$/,
    run: ([to, ...from]) => merged(to, from, "mixin"),
  },
  {
    paths: /^(?:\$|jQuery|_)\.extend$/,
    run: ([first, ...rest]) =>
      first === true ? merged(rest[0], rest.slice(1), "deep") : merged(first, rest, "extend"),
  },
];

function merged(to: unknown, from: readonly unknown[], how: "mixin" | "extend" | "deep"): unknown {
  const target = isObject(to) ? to : new page.realm.Object();
  for (const source of from) {
    if (!isObject(source)) continue;
    for (const key in source) {
      const value: unknown = Reflect.get(source, key);
      const old: unknown = Reflect.get(target, key);
      if (value === undefined && how !== "mixin") continue;
      const goesOn = how === "deep" && isPlain(value) && key !== "__proto__";
      Reflect.set(
        target,
        key,
        goesOn ? merged(isPlain(old) ? old : copyOf(value), [value], "deep") : value,
      );
    }
  }
  return target;
}

function isPlain(value: unknown): value is object {
  if (!isObject(value) || pathOf(value) !== undefined) return false;
  return Array.isArray(value) || Reflect.getPrototypeOf(value) === page.realm.Object.prototype;
}

function copyOf(value: object): object {
  const { Array: List, Object: Plain } = page.realm as unknown as typeof globalThis;
  return Array.isArray(value) ? new List() : new Plain();
}
