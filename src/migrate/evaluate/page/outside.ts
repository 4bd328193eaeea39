// A path into the world outside, such as dojo.config.locale → what this world answers: something that stands in for it, and can be called, read and written.
import type { At, Given, Note, Primitive } from "../seam.js";

/** The realm of the script, whose objects are not those of this one. */
export type Realm = Record<string, unknown> & typeof globalThis;

export const page = {
  realm: {} as Realm,
  given: {} as Given,
  files: [] as readonly string[],
  asked: new Map<string, At>(),
  notes: [] as Note[],
  /** What is to run when the script is over. */
  waiting: [] as ((() => void) | undefined)[],
  /** What the functions and objects that were handed to define give. */
  modules: [] as unknown[],
  /** Functions that the script has made, and objects with some: others may come to each of them. */
  functions: [] as unknown[],
  /** While the script is not running, nothing that is asked is its question. */
  isOnline: false,
};

/** What stands in for something that is not there, where a way is gone that it does not lead to. */
export const FORCED = "forced";

const paths = new WeakMap<object, string>();

/** The path that a value stands in for, if it does. */
export function pathOf(value: unknown): string | undefined {
  return isObject(value) ? paths.get(value) : undefined;
}

export function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** Where the script is just now. */
export function here(stack = new Error("here").stack ?? ""): At {
  for (const [, file = "", line] of stack.matchAll(/\(?([^()\n]+):(\d+):\d+\)?$/gm)) {
    const own = page.files.find((each) => file.endsWith(each));
    if (own !== undefined) return { file: own, line: Number(line) };
  }
  return { file: page.files[0] ?? "", line: 1 };
}

export function note(kind: Note["kind"], text: string, at = here()): void {
  if (page.notes.length < 100) page.notes.push({ kind, text: text.slice(0, 300), ...at });
}

export function ask(key: string): Primitive | undefined {
  if (!page.isOnline && !page.asked.has(key)) page.asked.set(key, here());
  return page.given.answers[key];
}

/** Such a run goes ways that the answers do not lead to; contradictions are no reason to end there. */
export const isForced = () => Object.keys(page.given.forced).length > 0;

/** What browsers do have, by path; with an equals sign, what becomes of a value that is written there. */
export const parts = new Map<string, (value?: unknown) => unknown>();

/** Whoever goes from parent to parent comes to an end. */
const DEEPEST = 9;
const LONGEST = 200;
/** Browsers have few of the things that scripts look for there, and what is stored was not before. */
const MAY_LACK =
  /^(?:(?:navigator|screen|\w+Storage)\.(?!(?:[gs]et|remove)Item|clear|key)[^.(]+|document\.(?:all|attachEvent|documentMode)|\w+Storage\.getItem\(\))$/;
const SCRIPT = "document.createElement(script)";

/** What the world says that it is; something, where it says nothing. */
export function valueAt(path: string): unknown {
  const part = parts.get(path);
  if (part) return part();
  if (path.split(/[.(]/).length > DEEPEST || path.length > LONGEST) return undefined;
  const answer = ask(path);
  if (answer !== undefined || !MAY_LACK.test(path)) return answer ?? standIn(path);
  ask("others");
  return page.given.isBusy ? standIn(path) : path.endsWith(")") ? null : undefined;
}

const known = new Map<string, object>();

export function standIn(path: string): object {
  // Unlike a plain function, a bound one has no property that must show.
  const target = Object.bind(undefined) as () => void;
  for (const key of Reflect.ownKeys(target)) Reflect.deleteProperty(target, key);
  const found = known.get(path) ?? new Proxy(target, handlerOf(path));
  known.set(path, found);
  paths.set(found, path);
  return found;
}

function handlerOf(path: string): ProxyHandler<() => void> {
  const read = (target: object, key: PropertyKey): unknown => {
    if (Reflect.getOwnPropertyDescriptor(target, key)) return Reflect.get(target, key);
    if (key === Symbol.toPrimitive) return (hint: string) => primitive(path, hint);
    if (key === Symbol.iterator) return () => [valueAt(`${path}[]`)].values();
    // A promise would wait for it.
    if (typeof key === "symbol" || key === "then" || key === "toJSON") return undefined;
    const part = parts.get(`${path}.${key}`);
    if (part) return part();
    if (key === "toString" || key === "valueOf") return () => primitive(path, "string");
    if (key === "call") return (self: unknown, ...all: unknown[]) => called(path, self, all);
    if (key === "apply")
      return (self: unknown, all?: unknown[]) => called(path, self, [...(all ?? [])]);
    return valueAt(`${path}.${key}`);
  };
  const has = (target: object, key: PropertyKey): boolean =>
    Reflect.getOwnPropertyDescriptor(target, key) !== undefined ||
    // What a configuration holds that was there before nobody knows.
    (typeof key === "string" &&
      (path !== page.given.usual || page.given.isBusy) &&
      read(target, key) !== undefined);
  return {
    get: read,
    has,
    set(target, key, value, receiver) {
      const name = String(key);
      // What is made after it has properties of its own.
      if (pathOf(receiver) !== path) return Reflect.set({}, key, value, receiver);
      const part = parts.get(`${path}.${name}=`);
      if (part) part(value);
      else if (path === SCRIPT && name === "src") note("script-error", String(value));
      // What an element makes of an address is asked for.
      else if (name !== "href" && name !== "src" && !parts.has(`${path}.${name}`)) {
        Reflect.set(target, key, value);
        // It may be the configuration, under another name.
        if (path !== page.given.usual && path !== FORCED && page.given.settings.includes(name))
          note("foreign", name);
        suspect(path, value);
      }
      return true;
    },
    ownKeys(target) {
      ask("others");
      const more = page.given.isBusy ? page.given.settings : [];
      return [...new Set([...Reflect.ownKeys(target), ...more])];
    },
    getOwnPropertyDescriptor(target, key) {
      const own = Reflect.getOwnPropertyDescriptor(target, key);
      if (own || typeof key === "symbol" || !has(target, key)) return own;
      return { value: read(target, key), writable: true, enumerable: true, configurable: true };
    },
    getPrototypeOf: () => page.realm.Object.prototype,
    preventExtensions: () => false,
    apply: (_, self, given) => called(path, self, given),
    construct(_, given) {
      const result = called(`new ${path}`, undefined, given);
      return isObject(result) ? result : standIn(`new ${path}()`);
    },
  };
}

/** As no text and no number of a script would be; elsewhere it is a number. */
function primitive(path: string, hint: string): unknown {
  const part = parts.get(`${path}.href`);
  ask(path);
  if (part) return part();
  ask("others");
  if (page.given.isBusy) return hint === "number" ? 4731 : "4731";
  return hint === "number" ? Number.NaN : `zq[${path}]`;
}

/** They show what they are handed, and leave it as it is. */
const QUIET = /^console\./;
/** They call what they are handed when the script is over. */
const LATER =
  /^(?:define|(?:document\.)?addEventListener:(?:DOMContentLoaded|readystatechange|load|pageshow))\b/;

/** What is called has everything that it is handed, and so has whoever lends it a method. */
function called(path: string, self: unknown, given: readonly unknown[]): unknown {
  const isLoader = path === "define" || path === "require";
  const names = given.find((each) => Array.isArray(each)) as unknown[] | undefined;
  for (const each of given) {
    if (typeof each !== "function" || paths.has(each)) continue;
    const run = () => {
      const own = Array.from({ length: each.length }, (_, nth) =>
        standIn(isLoader ? `"${String((names ?? LOADED)[nth])}"` : `${path}()`),
      );
      const result: unknown = Reflect.apply(each, page.realm, own);
      if (path === "define") page.modules.push(result);
    };
    ask("others");
    if (page.given.isBusy && !LATER.test(`${path}:${String(given[0])}`)) guarded(run);
    else page.waiting.push(run);
  }
  if (isLoader) page.modules.push(...given);
  for (const each of isLoader || QUIET.test(path) ? [] : [self, ...given]) {
    suspect(path, each);
    const of = pathOf(each);
    const isPlain = of === undefined ? typeof each !== "function" : of === page.given.usual;
    if (!isObject(each) || !isPlain || each === page.realm) continue;
    ask("others");
    const keys = Array.isArray(each) ? [each.length] : page.given.settings;
    for (const key of page.given.isBusy ? [...Reflect.ownKeys(each), ...keys].slice(0, 300) : [])
      if (key !== "length") Reflect.set(each, key, standIn(`${path}()`));
  }
  if (path.startsWith("document.write")) wrote(given.map(String).join(""));
  const isScript = path === "document.createElement" && /^script$/i.test(String(given[0]));
  return isScript ? standIn(SCRIPT) : valueAt(`${path}()`);
}

const LOADED = ["require", "exports", "module"];

function wrote(text: string): void {
  if (!/<script/i.test(text)) return;
  note("script-error", text);
  if (!/<script[^>]*\bsrc\s*=/i.test(text) || text.includes("GeowConfig")) note("hidden", text);
}

/** A text about the configuration that others are handed may be run as code. */
function suspect(path: string, value: unknown): void {
  if (typeof value !== "string" || QUIET.test(path) || !/[=(]/.test(value)) return;
  const words = ["GeowConfig", ...page.given.settings];
  if (words.some((each) => value.includes(each))) note("hidden", value);
}

/** What a function throws goes to the browser's console and stops nothing else. */
export function guarded(run: () => void): void {
  try {
    run();
  } catch (error) {
    failed(error);
  }
}

/** A getter would be the script's, and a browser calls none. */
export function failed(error: unknown): void {
  const read = (name: string, at: unknown = error): string => {
    if (!isObject(at)) return "";
    try {
      const own = Reflect.getOwnPropertyDescriptor(at, name);
      if (!own) return read(name, Reflect.getPrototypeOf(at));
      return typeof own.value === "string" ? own.value : "";
    } catch {
      return "";
    }
  };
  if (!isObject(error)) return note("thrown", `${typeof error}: ${String(error)}`);
  // No browser throws that so early: this engine has less memory, and less of a stack.
  for (const { InternalError: made } of [page.realm, globalThis as unknown as Realm])
    if (typeof made === "function" && error instanceof made) note("limit", read("message"));
  note("thrown", `${read("name")}: ${read("message")}`, here(read("stack")));
}
