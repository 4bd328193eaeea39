// Stands in for what a page holds beside the scripts: an object for a path such as dojo.config.locale, which can be called, read and written.
import { MAY_LACK, type At, type Given, type Note, type Primitive } from "../protocol.js";

/** The realm of the scripts, whose objects are not those of this one. */
export type Realm = Record<string, unknown> & typeof globalThis;

export const page = {
  realm: {} as Realm,
  given: {} as Given,
  /** Reads the configuration under its usual name. */
  configuration: (): unknown => undefined,
  files: [] as readonly string[],
  asked: new Map<string, At>(),
  notes: [] as Note[],
  /** Timers, event handlers and callbacks that run after the scripts. */
  waiting: [] as ((() => void) | undefined)[],
  /** What the functions and objects that were handed to define return. */
  modules: [] as unknown[],
  /** While the configuration is read, a question is not the script's. */
  isReading: false,
  /** As they were before the scripts ran. */
  prototypes: {} as Readonly<Record<"date" | "pattern" | "object" | "set" | "map", object>>,
  proxies: new WeakSet<object>(),
  /** Dates that were made from the clock. */
  clocks: new WeakSet<object>(),
};

/** Stands for a value that a condition asks for on a forced way. */
export const FORCED = "forced";

const paths = new WeakMap<object, string>();

/** The path that a value stands in for, if it does. */
export function pathOf(value: unknown): string | undefined {
  return isObject(value) ? paths.get(value) : undefined;
}

export function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** The line of the script that runs now. */
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
  if (!page.isReading && !page.asked.has(key)) page.asked.set(key, here());
  return page.given.answers[key];
}

/** Computed by path; with an equals sign, receives a value that is written there. */
export const parts = new Map<string, (value?: unknown) => unknown>();

/** A path from parent to parent ends here. */
const DEEPEST = 9;
const LONGEST = 200;
const SCRIPT = "document.createElement(script)";

/** The world's answer, or an object that stands in for one. */
export function valueAt(path: string): unknown {
  const part = parts.get(path);
  if (part) return part();
  if (path.split(/[.(]/).length > DEEPEST || path.length > LONGEST) return undefined;
  const answer = ask(path);
  if (answer !== undefined || !MAY_LACK.test(path)) return answer ?? standIn(path);
  if (page.given.names.includes(path)) return standIn(path);
  return path.endsWith(")") ? null : undefined;
}

const known = new Map<string, object>();

export function standIn(path: string): object {
  // Unlike a plain function, a bound one has no property that a proxy must show.
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
    // A promise would wait for a "then".
    if (typeof key === "symbol" || key === "toJSON") return undefined;
    if (key === "then" && !PROMISES.test(path)) return undefined;
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
    // Another script's configuration may hold any setting, or none.
    (typeof key === "string" &&
      (path !== page.given.usual || page.given.isBusy) &&
      read(target, key) !== undefined);
  return {
    get: read,
    has,
    set(target, key, value, receiver) {
      const name = String(key);
      // An object that inherits from it gets a property of its own.
      if (pathOf(receiver) !== path) return Reflect.set({}, key, value, receiver);
      const part = parts.get(`${path}.${name}=`);
      if (part) part(value);
      else if (path === SCRIPT && name === "src") note("script-error", String(value));
      // An element resolves an address that is written to it.
      else if (name !== "href" && name !== "src" && !parts.has(`${path}.${name}`)) {
        Reflect.set(target, key, value);
        // It may be the configuration, under another name.
        if (path !== page.given.usual && path !== FORCED && page.given.settings.includes(name))
          note("foreign", name);
        noteCode(path, value);
      }
      return true;
    },
    ownKeys(target) {
      ask("others");
      // Another script's object may hold any setting.
      const { isBusy, usual, settings, keys } = page.given;
      const isListed = isBusy || path === FORCED;
      const more = isListed ? [...settings, ...(path === usual ? [] : keys)] : [];
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

/** What a server answers comes later. */
const PROMISES =
  /^(?:fetch|(?:\$|jQuery|axios)\.(?:ajax|get|getJSON|post)|dojo\.xhr\w*)\(\)(?:\.(?:then|catch|finally)\(\))*$/;

/** A text or a number that no script holds by chance. */
function primitive(path: string, hint: string): unknown {
  const part = parts.get(`${path}.href`);
  ask(path);
  if (part) return part();
  ask("others");
  if (page.given.isBusy && path.endsWith(".length")) return 2;
  if (page.given.isBusy) return hint === "number" ? 4731 : "4731";
  return hint === "number" ? Number.NaN : `zq[${path}]`;
}

/** Leaves what it is handed as it is. */
const QUIET = /^console\./;
/** Calls what it is handed after the scripts. */
const LATER =
  /^(?:define|(?:document\.)?addEventListener:(?:DOMContentLoaded|readystatechange|load|pageshow))\b/;

/** A function of other scripts may call and change all that it is handed. */
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
    noteCode(path, each);
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

/** Other scripts may run a text about the configuration as code. */
function noteCode(path: string, value: unknown): void {
  if (typeof value !== "string" || QUIET.test(path) || !/[=(]/.test(value)) return;
  const words = ["GeowConfig", ...page.given.settings];
  if (words.some((each) => value.includes(each))) note("hidden", value);
}

/** As in a browser, an error of one function stops no other. */
export function guarded(run: () => void): void {
  try {
    run();
  } catch (error) {
    failed(error);
  }
}

/** Calls no getter, which would run code of the script. */
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
  // The engine's memory and stack are smaller than a browser's.
  for (const { InternalError: made } of [page.realm, globalThis as unknown as Realm])
    if (typeof made === "function" && error instanceof made) note("limit", read("message"));
  note("thrown", `${read("name")}: ${read("message")}`, here(read("stack")));
}
