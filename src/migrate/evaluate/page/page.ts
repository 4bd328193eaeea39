// What the engine is given beside the scripts: it opens a page for a world, hears from the hooks what the script does, and tells of it.
import { MARK, type Given, type Look, type Report } from "../seam.js";
import { guess, guessKeys, guesses } from "./guess.js";
import { inspected, runText } from "./language.js";
import { failed, goOn, guarded } from "./later.js";
import { keysMade, look } from "./look.js";
import {
  ask,
  isForced,
  isObject,
  isOwn,
  page,
  parts,
  pathOf,
  standIn,
  valueAt,
  type Realm,
} from "./outside.js";
import { assertNotDry, callEach } from "./others.js";
import { makeWindow } from "./window.js";

export { failed, goOn };

export function callOthers(): void {
  const names = Reflect.ownKeys(page.realm).filter((each) => !builtIn.has(each));
  const all = [...names, ...page.given.lexical].map((name) => read(String(name)));
  callEach([...all, ...page.handed], read(page.given.usual), (called) => take({ called }));
}

const looks: Look[] = [];
const came = new Map<number, Set<string>>();
const placed: Record<string, number> = {};
/** What is there without the script. */
let builtIn = new Set<PropertyKey>();

export function open(realm: Realm, given: Given, files: readonly string[]): void {
  Object.assign(page, { realm, given, files });
  evaluate = realm.eval;
  makeWindow();
  Object.defineProperty(realm, given.hooks, { value: Object.freeze(HOOKS) });
  // By a key that is put together, it is found under this name.
  Object.defineProperty(realm, `${given.hooks}.eval`, { value: runText });
  const mixers = evaluate(MIXERS) as Record<string, unknown>;
  for (const [path, mixer] of Object.entries(mixers)) parts.set(path, () => mixer);
  builtIn = new Set(Reflect.ownKeys(realm));
}

let evaluate: (text: string) => unknown;

/** A name whose declaration was not come to cannot even be asked for. */
function read(name: string): unknown {
  try {
    return evaluate(`typeof ${name} === "undefined" ? undefined : ${name}`);
  } catch {
    return undefined;
  }
}

/** The functions of libraries that configuration files do use, as they work. */
const MIXERS = `(function () {
  function isPlain(x) { return Array.isArray(x) || (!!x && typeof x === "object" && Object.getPrototypeOf(x) === Object.prototype); }
  function mix(isDeep, to, all, at) {
    for (; at < all.length; at++) for (var k in all[at]) {
      var v = all[at][k], old = to[k];
      if (v === undefined && isDeep !== undefined) continue;
      to[k] = isDeep && isPlain(v) && k !== "__proto__" ? mix(true, isPlain(old) ? old : Array.isArray(v) ? [] : {}, [v], 0) : v;
    }
    return to;
  }
  function mixin(to) { return mix(undefined, to, arguments, 1); }
  function extend(to) { return to === true ? mix(true, arguments[1], arguments, 2) : mix(false, to, arguments, 1); }
  return { "dojo.mixin": mixin, '"dojo/_base/lang".mixin': mixin, '"dojo/lang".mixin': mixin, "$.extend": extend, "jQuery.extend": extend, "_.extend": extend };
})()`;

const MOST_WAYS = 40;
const LONGEST = 80;

function come(id: number, way: string): void {
  const ways = came.get(id) ?? new Set();
  came.set(id, ways);
  if (ways.size < MOST_WAYS) ways.add(way.slice(0, LONGEST));
}

/** A loop that is forced to go on comes to an end. */
const MOST_FORCED = 12;
const counts = new Map<number, number>();

function forced(id: number): string | undefined {
  if (page.given.forced[id] === undefined) return undefined;
  const count = (counts.get(id) ?? 0) + 1;
  counts.set(id, count);
  return count <= MOST_FORCED ? page.given.forced[id] : undefined;
}

const orElse = (value: unknown) =>
  isForced() && (value ?? undefined) === undefined ? standIn("forced") : value;

function decide(id: number, is: boolean, value: unknown, other: () => unknown): unknown {
  const way = forced(id) ?? (is ? "1" : "0");
  come(id, way);
  return way === (is ? "1" : "0") ? value : other();
}

const left = new Map<number, unknown>();
const HOOKS = {
  /** A statement is come to. */
  s(id: number): void {
    assertNotDry(id);
    if (page.given.probed !== undefined) probe(id);
    come(id, "1");
    if (forced(id) === "throw") throw new page.realm.Error("forced");
  },
  /** A condition, or what may be null or undefined, and which way it goes. */
  t(id: number, value: unknown, isNullish?: boolean): unknown {
    const path = pathOf(value);
    if (path !== undefined) ask(path, "isUsed");
    const is = isNullish ? (value ?? undefined) !== undefined : Boolean(value);
    const other = () => (typeof value === "boolean" ? !value : is ? undefined : standIn("forced"));
    return decide(id, is, value, other);
  },
  /** What is compared, or looked into by a key. */
  l: (id: number, value: unknown) => (left.set(id, value), value),
  o: (id: number, value: unknown) => (left.set(id, value), orElse(value)),
  /** What it is compared with. */
  r(id: number, value: unknown): unknown {
    const other = left.get(id);
    guessKeys(other, value);
    guess(other, value);
    guess(value, other);
    return value;
  },
  /** A case of a switch. */
  v(id: number, of: number, value: unknown): unknown {
    const asked = left.get(of);
    guess(asked, value);
    return decide(id, asked === value, value, () => (asked === value ? HOOKS : asked));
  },
  /** What a loop goes through. */
  i(id: number, value: unknown, isOf: boolean): unknown {
    if (pathOf(value) !== undefined) return value;
    const is = isOf ? !isObject(value) || Reflect.get(value, "length") !== 0 : hasKeys(value);
    const one = { forced: standIn("forced[]") };
    const { values, assign } = page.realm.Object;
    return decide(id, is, value, () =>
      is ? values({}) : isOf ? values(one) : assign({ __proto__: null }, one),
    );
  },
  /** A key that is computed. */
  k(id: number, key: unknown): unknown {
    const [holder, path] = [left.get(id), pathOf(key)];
    guessKeys(key, holder);
    const text = path !== undefined ? `zq[${path}]` : isObject(key) ? "" : String(key);
    if (MARK.test(text)) keysMade.add(text);
    come(id, text);
    if (!came.has(-id) && isOwn(holder))
      for (const each of Object.keys(holder).slice(0, MOST_WAYS)) come(-id, each);
    return (
      forced(id) ?? (key === "eval" && holder === page.realm ? `${page.given.hooks}.eval` : key)
    );
  },
  /** An object that may be missing in a run that goes another way. */
  g: orElse,
  /** What a statement throws that depends on the outside: the engine's own errors, not the script's. */
  x(error: unknown): void {
    const { Error: Own } = page.realm;
    const isThrown = !(error instanceof Own) || Reflect.getPrototypeOf(error) === Own.prototype;
    if (!isForced() || isThrown) throw error;
    come(0, "thrown");
  },
  /** A function that is handed to what depends on the outside. */
  f: (value: unknown) => (page.handed.push(value), value),
  e: inspected,
  j: runText,
  d: valueAt,
};

function hasKeys(value: unknown): boolean {
  for (const _ in value as object) return true;
  return false;
}

export function lookNow(): void {
  // What the last statement changed is seen here.
  if (page.given.probed !== undefined) probe(last);
  take();
}

function take(called?: { readonly called: number }): void {
  page.isLooking = true;
  looks.push({ ...look(read), ...called });
  page.isLooking = false;
}

/** What the page calls by name when it has loaded. */
export function load(): void {
  const settings = read("dojoConfig") ?? read("djConfig");
  const ready = isObject(settings) ? Reflect.get(settings, "addOnLoad") : undefined;
  for (const [each, self] of [
    [Reflect.get(page.realm, "onload"), page.realm],
    [ready, settings],
  ])
    if (typeof each === "function") guarded(() => void Reflect.apply(each, self, []));
}

export function report(): string {
  const told: Report = {
    looks,
    asked: [...page.asked],
    came: [...came].map(([id, ways]) => [id, [...ways]]),
    guesses: [...guesses.values()],
    notes: page.notes,
    placed,
  };
  return JSON.stringify(told);
}

let last = 0;
let probes = 0;
const before = new Map<string, unknown>();
const MOST_PROBES = 20_000;

/** Called before each statement: what has changed since was changed by the one before. */
function probe(id: number): void {
  const { probed = "", settings } = page.given;
  const config: unknown = Reflect.getOwnPropertyDescriptor(page.realm, probed)?.value;
  for (const name of isObject(config) && ++probes <= MOST_PROBES ? settings : []) {
    const own = Reflect.getOwnPropertyDescriptor(config as object, name);
    const value: unknown = own ? own.value : before;
    if (!Object.is(before.has(name) ? before.get(name) : before, value)) placed[name] = last;
    before.set(name, value);
  }
  last = id;
}
