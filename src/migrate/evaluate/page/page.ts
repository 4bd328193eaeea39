// Runs inside the engine beside the scripts: opens a page for a world, records what the scripts do, and reports it.
import type { Given, Look, Report } from "../protocol.js";
import { lookAtConfiguration } from "./configuration.js";
import { FORCED, failed, guarded, isObject, page, parts, standIn, type Realm } from "./outside.js";
import { expectEval, inspected, makeWindow } from "./window.js";

export { failed };

const looks: Look[] = [];
const taken = new Map<number, Set<string>>();
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

/** Reading a name throws where its declaration has not run. */
function read(name: string): unknown {
  try {
    return evaluate(`typeof ${name} === "undefined" ? undefined : ${name}`);
  } catch {
    return undefined;
  }
}

/** The library functions that configuration files use. A deep merge is left to the stand-in. */
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

function take(id: number, way: string): void {
  const ways = taken.get(id) ?? new Set();
  taken.set(id, ways.add(way));
}

const counts = new Map<number, number>();

function decide(id: number, is: boolean, value: unknown, other: () => unknown): unknown {
  const count = (counts.get(id) ?? 0) + 1;
  counts.set(id, count);
  const forced = page.given.forced[id];
  const isForced = forced && count >= forced.first && count <= forced.last;
  const way = isForced ? forced.way : is ? "1" : "0";
  take(id, way);
  return way === (is ? "1" : "0") ? value : other();
}

const discriminants = new Map<number, unknown>();
const HOOKS = {
  /** Before a statement. */
  s(id: number): void {
    if (page.given.probed !== undefined) probe(id);
    take(id, "1");
  },
  /** Around a condition, or a value that may be null or undefined. */
  t(id: number, value: unknown, isNullish?: boolean): unknown {
    const is = isNullish ? (value ?? undefined) !== undefined : Boolean(value);
    return decide(id, is, value, () =>
      typeof value === "boolean" ? !value : is ? undefined : standIn(FORCED),
    );
  },
  /** Around what a switch compares, and around its cases. */
  l: (id: number, value: unknown) => (discriminants.set(id, value), value),
  v(id: number, of: number, value: unknown): unknown {
    const compared = discriminants.get(of);
    return decide(id, compared === value, value, () => (compared === value ? HOOKS : compared));
  },
  e: inspected,
  d: expectEval,
  /** Data in a text of the page. */
  get o() {
    return standIn("eval()");
  },
};

export function look(): void {
  if (page.given.probed !== undefined) probe(last);
  page.isReading = true;
  looks.push(lookAtConfiguration(read));
  page.isReading = false;
}

/** The page has loaded. */
export function load(): void {
  const settings = read("dojoConfig") ?? read("djConfig");
  const ready = isObject(settings) ? Reflect.get(settings, "addOnLoad") : undefined;
  for (const [each, self] of [
    [ready, settings],
    [Reflect.get(page.realm, "onload"), page.realm],
  ])
    if (typeof each === "function") page.waiting.push(() => void Reflect.apply(each, self, []));
}

/** More than a page needs; a timer that sets itself again comes to an end. */
const MOST_WAITING = 300;
const MOST_LOOKS = 30;
let ran = 0;

/** Runs the next timer or handler; false where none is left. */
export function runNext(): boolean {
  if (ran >= Math.min(MOST_WAITING, page.waiting.length)) return false;
  guarded(page.waiting[ran++] ?? (() => undefined));
  // In another order, each of them may be the last.
  if (ran < MOST_LOOKS) look();
  return true;
}

export function report(): string {
  const made: Omit<Report, "steps"> = {
    looks,
    asked: [...page.asked],
    taken: [...taken].map(([id, ways]) => [id, [...ways]]),
    visits: [...counts].filter(([, count]) => count > 1),
    notes: page.notes,
    placed,
  };
  return JSON.stringify(made);
}

let last = 0;
let probes = 0;
const before = new Map<string, unknown>();
const MOST_PROBES = 20_000;

/** What has changed since the last statement was changed by it. */
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
