// A path into the world outside, such as dojo.config.locale → something that stands in for it: it can be called, read and written.
import { ask, note, page, type Answer } from "./ask.js";
import { isObject, madeOf, pathOf } from "./known-path.js";
import { guarded, later } from "./later.js";
import { MERGERS } from "./merge.js";

/** What browsers do have, by path. */
export const parts = new Map<string, () => unknown>();

const byPath = new Map<string, object>();

/** Whoever goes from parent to parent comes to an end. */
const DEEPEST = 9;
const LONGEST = 200;

/** What the world says that it is; something, where it says nothing. */
export function valueAt(path: string): unknown {
  if (path.split(/[.(]/).length > DEEPEST || path.length > LONGEST) return undefined;
  const answer = ask(path);
  return answer || !MAY_LACK.test(path) ? valueOf(answer, path) : undefined;
}

/** Browsers have few of the things that scripts look for there. */
const MAY_LACK = /^(?:navigator|screen)\.[^.]+$/;

export function valueOf(answer: Answer | undefined, path: string): unknown {
  if (answer?.is === "undefined") return undefined;
  return answer?.is === "value" ? answer.value : standIn(path);
}

export function standIn(path: string): object {
  const known = byPath.get(path);
  if (known) return known;
  const made = new Proxy(TARGET, handlerOf(path));
  madeOf.set(made, path);
  byPath.set(path, made);
  return made;
}

/** Unlike a plain function, a bound one has no property that a stand-in would have to show. */
const TARGET = Object.bind(undefined) as () => void;

function handlerOf(path: string): ProxyHandler<() => void> {
  const held = new Map<PropertyKey, PropertyDescriptor>();
  const prototype = page.realm.Object.prototype;
  const listed = (): PropertyKey[] => {
    const question = ask(path) ?? { is: "something" };
    mark(path, "isListed");
    const names = question.is === "settings" ? page.world.settings : [];
    return [...new Set([...held.keys(), ...names])];
  };
  const read = (key: PropertyKey): unknown => {
    const own = held.get(key);
    const getter: unknown = own && Reflect.get(own, "get");
    if (typeof getter === "function") return Reflect.apply(getter, made(), []);
    if (own) return own.value;
    if (typeof key === "symbol") return symbolOf(key, path);
    const part = parts.get(`${path}.${key}`);
    if (part) return part();
    // A promise would wait for it.
    if (key === "then" || key === "toJSON") return undefined;
    if (key === "toString" || key === "valueOf") return () => primitive(path, "string");
    if (key === "call") return (self: unknown, ...given: unknown[]) => called(path, self, given);
    if (key === "apply") {
      return (self: unknown, given?: unknown[]) => called(path, self, [...(given ?? [])]);
    }
    if (key === "hasOwnProperty") return (name: PropertyKey) => has(name);
    return valueAt(`${path}.${key}`);
  };
  const has = (key: PropertyKey): boolean =>
    held.has(key) ||
    (typeof key === "string" &&
      (parts.has(`${path}.${key}`) || ask(`${path}.${key}`)?.is !== "undefined"));
  const made = () => byPath.get(path) ?? {};
  return {
    get: (_, key) => read(key),
    has: (_, key) => has(key),
    set(_, key, value) {
      // What an element makes of an address is asked for.
      if (key !== "href" && key !== "src") {
        held.set(key, { value, writable: true, enumerable: true, configurable: true });
      }
      written(path, key, value);
      return true;
    },
    defineProperty(_, key, descriptor) {
      held.set(key, { ...descriptor, configurable: true });
      written(path, key, descriptor.value);
      return true;
    },
    deleteProperty: (_, key) => held.delete(key) || true,
    ownKeys: () => [...listed()] as (string | symbol)[],
    getOwnPropertyDescriptor(_, key) {
      const own = held.get(key);
      if (own) return own;
      if (typeof key === "symbol" || !has(key)) return undefined;
      return { value: read(key), writable: true, enumerable: true, configurable: true };
    },
    getPrototypeOf: () => prototype,
    setPrototypeOf: () => true,
    preventExtensions: () => false,
    apply: (_, self, given) => called(path, self, given),
    construct(_, given) {
      const result = called(`new ${path}`, undefined, given);
      return isObject(result) ? result : standIn(`new ${path}()`);
    },
  };
}

function mark(path: string, what: "isConverted" | "isListed"): void {
  const question = page.asked.get(path);
  if (question) question[what] = true;
}

function symbolOf(key: symbol, path: string): unknown {
  if (key === Symbol.toPrimitive) return (hint: string) => primitive(path, hint);
  if (key !== Symbol.iterator) return undefined;
  return function* () {
    ask(path);
    mark(path, "isListed");
    yield valueAt(`${path}[]`);
  };
}

/** As no text and no number of a script would be. */
function primitive(path: string, hint: string): string | number {
  ask(path);
  mark(path, "isConverted");
  return hint === "number" ? Number.NaN : `[${path}]`;
}

/** What is called has everything that it is handed. */
function called(path: string, self: unknown, given: readonly unknown[]): unknown {
  const merge = MERGERS.find(({ paths }) => paths.test(path));
  if (merge) return merge.run([...given]);
  const functions = given.filter(
    (each): each is () => void => typeof each === "function" && pathOf(each) === undefined,
  );
  for (const [at, each] of functions.entries()) {
    const run = () => {
      const own = Array.from({ length: each.length }, (_, nth) =>
        valueAt(`${path}(#${at}.${nth})`),
      );
      Reflect.apply(each, undefined, own);
    };
    if (ask(`callback:${path}`)?.is === "value") guarded(run);
    else later("loaded", run);
  }
  // Methods of what the script itself holds may be lent to others.
  for (const each of [self, ...given]) {
    if (!isObject(each) || typeof each === "function" || pathOf(each) !== undefined) continue;
    if (each === page.realm || QUIET.test(path)) continue;
    if (ask(`change:${path}`)?.is === "value") change(each, 0);
  }
  for (const each of given) suspect(path, each);
  return valueAt(`${path}()`);
}

/** They show what they are handed, and leave it as it is. */
const QUIET = /^console\./;

function change(value: object, depth: number): void {
  if (depth > 2) return;
  for (const key of Reflect.ownKeys(value).slice(0, 200)) {
    const old = Reflect.getOwnPropertyDescriptor(value, key);
    if (!old || !("value" in old) || key === "length") continue;
    if (isObject(old.value) && typeof old.value !== "function") change(old.value, depth + 1);
    else Reflect.set(value, key, "changed elsewhere");
  }
  Reflect.set(
    value,
    Array.isArray(value) ? value.length : (page.world.settings[0] ?? ""),
    "changed",
  );
  for (const name of Array.isArray(value) || depth > 0 ? [] : page.world.settings) {
    Reflect.set(value, name, "changed elsewhere");
  }
}

function written(path: string, key: PropertyKey, value: unknown): void {
  if (typeof key !== "string" || path === page.world.usual) return;
  // It may be the configuration, under another name.
  if (page.world.settings.includes(key)) note("foreign", key);
  if (typeof value === "function" && key.startsWith("on")) {
    const run = value as () => void;
    later("loaded", () => Reflect.apply(run, standIn(path), [standIn("event")]));
  }
  suspect(path, value);
}

/** A text about the configuration that others are handed may be run as code. */
export function suspect(path: string, value: unknown): void {
  if (typeof value !== "string" || QUIET.test(path) || !/[=(]/.test(value)) return;
  const isAbout =
    value.includes("GeowConfig") || page.world.settings.some((each) => value.includes(each));
  if (isAbout) note("hidden", value);
}
