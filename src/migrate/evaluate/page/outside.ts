// A path into the world outside, such as dojo.config.locale → what this world answers: something that stands in for it, and can be called, read and written.
import type { Answer, Given, Note, Question } from "../seam.js";
import { guarded, later } from "./later.js";

/** The realm of the script, whose objects are not those of this one. */
export type Realm = Record<string, unknown> & typeof globalThis;

export const page = {
  realm: {} as Realm,
  given: {} as Given,
  files: [] as readonly string[],
  asked: new Map<string, Question>(),
  notes: [] as Note[],
  /** What others have been handed, who may call it. */
  handed: [] as unknown[],
  /** While the script is not running, nothing that is asked is its question. */
  isLooking: false,
};

const paths = new WeakMap<object, string>();

/** The path that a value stands in for, if it does. */
export function pathOf(value: unknown): string | undefined {
  return isObject(value) ? paths.get(value) : undefined;
}

export function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** An object of the script's own. */
export function isOwn(value: unknown): value is object {
  return isObject(value) && !paths.has(value) && value !== page.realm;
}

/** Where the script is just now. */
export function here(stack = new Error("here").stack ?? ""): { file: string; line: number } {
  for (const [, file = "", line] of stack.matchAll(/\(?([^()\n]+):(\d+):\d+\)?$/gm)) {
    const own = page.files.find((each) => file.endsWith(each));
    if (own !== undefined) return { file: own, line: Number(line) };
  }
  return { file: page.files[0] ?? "", line: 1 };
}

export function note(kind: Note["kind"], text: string, at = here()): void {
  if (page.notes.length < 100) page.notes.push({ kind, text: text.slice(0, 300), ...at });
}

export function ask(key: string, what?: "isUsed" | "isListed"): Answer | undefined {
  const question: Question = page.asked.get(key) ?? here();
  if (!page.isLooking) page.asked.set(key, what ? { ...question, [what]: true } : question);
  return page.given.answers[key];
}

export function askFor<T>(key: string, plain: T): T {
  const answer = ask(key);
  return answer?.is === "value" ? (answer.value as T) : plain;
}

/** Such a run goes ways that the answers do not lead to; contradictions are no reason to end there. */
export const isForced = () => Object.keys(page.given.forced).length > 0;

/** What browsers do have, by path; with an equals sign, what becomes of a value that is written there. */
export const parts = new Map<string, (value?: unknown) => unknown>();

/** Whoever goes from parent to parent comes to an end. */
const DEEPEST = 9;
const LONGEST = 200;
/** Browsers have few of the things that scripts look for there. */
const MAY_LACK =
  /^(?:(?:navigator|screen|localStorage|sessionStorage)\.[^.]+|document\.(?:all|attachEvent|documentMode))$/;

/** What the world says that it is; something, where it says nothing. */
export function valueAt(path: string): unknown {
  if (path.split(/[.(]/).length > DEEPEST || path.length > LONGEST) return undefined;
  const answer = ask(path);
  if (answer?.is === "undefined" || (!answer && MAY_LACK.test(path))) return undefined;
  return answer?.is === "value" ? answer.value : standIn(path);
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
    if (key === Symbol.iterator) return () => listed(path);
    const part = parts.get(`${path}.${String(key)}`);
    if (part) return part();
    // A promise would wait for it.
    if (typeof key === "symbol" || key === "then" || key === "toJSON") return undefined;
    if (key === "toString" || key === "valueOf") return () => primitive(path, "string");
    if (key === "call") return (self: unknown, ...all: unknown[]) => called(path, self, all);
    if (key === "apply")
      return (self: unknown, all?: unknown[]) => called(path, self, [...(all ?? [])]);
    if (key === "hasOwnProperty") return (name: PropertyKey) => has(target, name);
    return valueAt(`${path}.${key}`);
  };
  const has = (target: object, key: PropertyKey): boolean =>
    Reflect.getOwnPropertyDescriptor(target, key) !== undefined ||
    (typeof key === "string" &&
      (parts.has(`${path}.${key}`) || ask(`${path}.${key}`, "isUsed")?.is !== "undefined"));
  return {
    get: read,
    has,
    set(target, key, value) {
      const part = parts.get(`${path}.${String(key)}=`);
      if (part) part(value);
      // What an element makes of an address is asked for.
      else if (key !== "href" && key !== "src" && !parts.has(`${path}.${String(key)}`)) {
        Reflect.set(target, key, value);
        written(path, key, value);
      }
      return true;
    },
    ownKeys(target) {
      const isFull = ask(path, "isListed")?.is === "settings";
      return [...new Set([...Reflect.ownKeys(target), ...(isFull ? page.given.settings : [])])];
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

function* listed(path: string): Generator {
  ask(path, "isListed");
  yield valueAt(`${path}[]`);
}

/** As no text and no number of a script would be. */
function primitive(path: string, hint: string): unknown {
  const part = parts.get(`${path}.href`);
  if (part) return part();
  ask(path, "isUsed");
  return hint === "number" ? Number.NaN : `zq[${path}]`;
}

/** They show what they are handed, and leave it as it is. */
const QUIET = /^console\./;

/** What the functions and objects that were handed to define give. */
export const modules: unknown[] = [];

/** What is called has everything that it is handed, and so has whoever lends it a method. */
function called(path: string, self: unknown, given: readonly unknown[]): unknown {
  const isLoader = path === "define" || path === "require";
  const needed = given.find((each) => Array.isArray(each)) as unknown[] | undefined;
  const names = needed ?? ["require", "exports", "module"];
  for (const [at, each] of given.entries()) {
    if (typeof each !== "function" || !isOwn(each)) continue;
    const run = () => {
      const own = Array.from({ length: each.length }, (_, nth) =>
        isLoader ? standIn(`"${String(names[nth])}"`) : valueAt(`${path}(#${at}.${nth})`),
      );
      const result: unknown = Reflect.apply(each, undefined, own);
      if (path === "define") modules.push(result);
    };
    if (askFor(`callback:${path}`, false)) guarded(run);
    else later("loaded", run);
  }
  if (isLoader) modules.push(...given);
  for (const each of isLoader ? [] : [self, ...given]) {
    suspect(path, each);
    if (!isOwn(each) || typeof each === "function" || QUIET.test(path)) continue;
    page.handed.push(each);
    if (!askFor(`change:${path}`, false)) continue;
    const keys = Array.isArray(each) ? [each.length] : page.given.settings;
    for (const key of [...Reflect.ownKeys(each), ...keys].slice(0, 300))
      if (key !== "length") Reflect.set(each, key, "changed elsewhere");
  }
  return valueAt(`${path}()`);
}

function written(path: string, key: PropertyKey, value: unknown): void {
  if (typeof key !== "string" || path === page.given.usual) return;
  // It may be the configuration, under another name.
  if (page.given.settings.includes(key)) note("foreign", key);
  page.handed.push(value);
  if (typeof value === "function" && key.startsWith("on"))
    later("loaded", () => void Reflect.apply(value, standIn(path), [standIn("event")]));
  suspect(path, value);
}

/** A text about the configuration that others are handed may be run as code. */
function suspect(path: string, value: unknown): void {
  if (typeof value !== "string" || QUIET.test(path) || !/[=(]/.test(value)) return;
  const words = ["GeowConfig", ...page.given.settings];
  if (words.some((each) => value.includes(each))) note("hidden", value);
}
