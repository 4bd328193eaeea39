// What the engine is given beside the scripts: it opens a page for a world, hears from the hooks what the script does, and tells of it.
import type { Given, Look, Report } from "../seam.js";
import { keysMade, look } from "./look.js";
import {
  FORCED,
  failed,
  guarded,
  isForced,
  isObject,
  page,
  parts,
  pathOf,
  standIn,
  type Realm,
} from "./outside.js";
import { expectEval, inspected, makeWindow, textOf } from "./window.js";

export { failed };

const looks: Look[] = [];
const came = new Map<number, Set<string>>();
const placed: Record<string, number> = {};
let evaluate: (text: string) => unknown;

export function open(realm: Realm, given: Given, files: readonly string[]): void {
  Object.assign(page, { realm, given, files });
  evaluate = realm.eval;
  const make = evaluate(MIXERS) as (others: unknown) => Record<string, unknown>;
  for (const [path, mixer] of Object.entries(make(standIn("extend")))) parts.set(path, () => mixer);
  makeWindow();
  Object.defineProperty(realm, given.hooks, {
    value: Object.freeze(HOOKS),
    configurable: true,
  });
}

/** A name whose declaration was not come to cannot even be asked for. */
function read(name: string): unknown {
  try {
    return evaluate(`typeof ${name} === "undefined" ? undefined : ${name}`);
  } catch {
    return undefined;
  }
}

/** The functions of libraries that configuration files do use, as they work; what merges more than one level is left to others. */
const MIXERS = `(function (others) {
  function mixin(to) {
    for (var at = 1; at < arguments.length; at++) for (var k in arguments[at]) to[k] = arguments[at][k];
    return to;
  }
  function extend(to) {
    if (to === true) return others.apply(this, arguments);
    for (var at = 1; at < arguments.length; at++)
      for (var k in arguments[at]) if (arguments[at][k] !== undefined) to[k] = arguments[at][k];
    return to;
  }
  return { "dojo.mixin": mixin, '"dojo/_base/lang".mixin': mixin, '"dojo/lang".mixin': mixin, "$.extend": extend, "jQuery.extend": extend, "_.extend": mixin };
})`;

const MOST_WAYS = 40;

function come(id: number, way: string): void {
  const ways = came.get(id) ?? new Set();
  came.set(id, ways);
  if (ways.size < MOST_WAYS) ways.add(way);
}

/** A loop that is forced to go on comes to an end. */
const MOST_FORCED = 12;
const counts = new Map<number, number>();

function forced(id: number): string | undefined {
  const way = page.given.forced[id];
  if (way === undefined) return undefined;
  const count = (counts.get(id) ?? 0) + 1;
  counts.set(id, count);
  return count <= MOST_FORCED ? way : undefined;
}

function decide(id: number, is: boolean, value: unknown, other: () => unknown): unknown {
  const way = forced(id) ?? (is ? "1" : "0");
  come(id, way);
  return way === (is ? "1" : "0") ? value : other();
}

const discriminants = new Map<number, unknown>();
const HOOKS = {
  /** A statement is come to. */
  s(id: number): void {
    if (page.given.probed !== undefined) probe(id);
    come(id, "1");
    if (forced(id) === "throw") throw new page.realm.Error("forced");
  },
  /** A condition, or what may be null or undefined, and which way it goes. */
  t(id: number, value: unknown, isNullish?: boolean): unknown {
    const is = isNullish ? (value ?? undefined) !== undefined : Boolean(value);
    return decide(id, is, value, () =>
      typeof value === "boolean" ? !value : is ? undefined : standIn(FORCED),
    );
  },
  /** What a switch goes by, and its cases. */
  l: (id: number, value: unknown) => (discriminants.set(id, value), value),
  v(id: number, of: number, value: unknown): unknown {
    const asked = discriminants.get(of);
    return decide(id, asked === value, value, () => (asked === value ? HOOKS : asked));
  },
  /** A key of what is written. */
  k: (id: number, key: unknown): unknown => {
    const path = pathOf(key);
    const text = path !== undefined ? `zq[${path}]` : isObject(key) ? "" : String(key);
    keysMade.add(text);
    come(id, text.slice(0, 80));
    return forced(id) ?? key;
  },
  /** An object that may be missing in a run that goes another way. */
  g: (value: unknown) =>
    isForced() && (value ?? undefined) === undefined ? standIn(FORCED) : value,
  /** What a statement throws that depends on the outside, where the way that is gone may not fit the values. */
  x(error: unknown): void {
    const { TypeError: One, ReferenceError: Other } = page.realm;
    const isDoubtful = error instanceof One || error instanceof Other;
    if (!isForced() || page.given.forced[0] === "0" || !isDoubtful) throw error;
    come(0, "thrown");
  },
  /** A function that the script makes, or what holds some. */
  f: (value: unknown) => (page.functions.push(value), value),
  e: inspected,
  d: expectEval,
  /** What a text of the outside holds that is data. */
  get o() {
    return standIn("eval()");
  },
};

const MOST_FUNCTIONS = 2_000;

/** Functions that nobody called: each is called, and what that changes is looked at. */
export function callOthers(): void {
  const called = new Set(page.given.called);
  if (called.size === 0) return;
  const all = page.functions.slice(0, MOST_FUNCTIONS).flatMap((each): unknown[] => {
    const holders = typeof each === "function" ? [each, each.prototype as unknown] : [each];
    const own = holders.filter(isObject).map((one) => Object.getOwnPropertyDescriptors(one));
    return [
      each,
      ...own.flatMap((some) =>
        Object.values(some).flatMap((one): unknown[] => [one.value, Reflect.get(one, "set")]),
      ),
    ];
  });
  for (const each of all) {
    if (typeof each !== "function") continue;
    const id = Number(new RegExp(`${page.given.hooks}\\.s\\((\\d+)\\)`).exec(textOf(each))?.[1]);
    if (!called.delete(id)) continue;
    guarded(() => call(each));
    while (goOn());
    take({ called: id });
  }
}

/** A generator does nothing before it is asked. */
function call(each: object & { length: number }): void {
  const given = Array.from({ length: each.length }, () => standIn("given"));
  const result: unknown = textOf(each).startsWith("class")
    ? Reflect.construct(each as () => unknown, given)
    : Reflect.apply(each as () => unknown, page.realm, given);
  const next: unknown =
    isObject(result) && pathOf(result) === undefined && Reflect.get(result, "next");
  if (typeof next === "function") Reflect.apply(next, result, []);
}

export function lookNow(): void {
  // What the last statement changed is seen here.
  if (page.given.probed !== undefined) probe(last);
  take();
}

function take(called?: { readonly called: number }): void {
  page.isOnline = true;
  looks.push({ ...look(read), ...called });
  page.isOnline = false;
}

/** What the page calls by name when it has loaded. */
export function load(): void {
  const settings = read("dojoConfig") ?? read("djConfig");
  const ready = isObject(settings) ? Reflect.get(settings, "addOnLoad") : undefined;
  for (const [each, self] of [
    [ready, settings],
    [Reflect.get(page.realm, "onload"), page.realm],
  ])
    if (typeof each === "function") page.waiting.push(() => void Reflect.apply(each, self, []));
}

/** More than any page needs, and fewer than a timer that sets itself again would like. */
const MOST_WAITING = 300;
const MOST_LOOKS = 30;
let ran = 0;

/** Runs the next of what waits; false where nothing does. */
export function goOn(): boolean {
  if (ran >= Math.min(MOST_WAITING, page.waiting.length)) return false;
  guarded(page.waiting[ran++] ?? (() => undefined));
  // In another order each of them may be the last.
  if (ran < MOST_LOOKS) take();
  return true;
}

export function report(): string {
  const told: Report = {
    looks,
    asked: [...page.asked],
    came: [...came].map(([id, ways]) => [id, [...ways]]),
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
