// Runs inside the engine beside the scripts: opens a page for a world, records what the scripts do, and reports it.
import type { Given, Look, Report } from "../protocol.js";
import { lookAtConfiguration } from "./configuration.js";
import { computed, entered, moments, operand, result, test, visited } from "./decide.js";
import { failed, guarded, isObject, page, parts, pathOf, standIn, type Realm } from "./outside.js";
import { expectEval, inspected, makeWindow } from "./window.js";

export { failed };

const looks: Look[] = [];
let evaluate: (text: string) => unknown;

export function open(realm: Realm, given: Given, files: readonly string[]): void {
  const prototypes = {
    date: realm.Date.prototype,
    pattern: realm.RegExp.prototype,
    object: realm.Object.prototype,
    set: realm.Set.prototype,
    map: realm.Map.prototype,
  };
  const { usual, lexical } = given;
  const configuration = () => {
    const own = Reflect.getOwnPropertyDescriptor(realm, usual);
    return own?.get || lexical.includes(usual) ? read(usual) : own?.value;
  };
  Object.assign(page, { realm, given, files, prototypes, configuration });
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

const discriminants = new Map<number, unknown>();
const HOOKS = {
  s: (id: number, value: unknown) => (entered.add(id), value),
  o: operand,
  r: result,
  /** A property that is there is the same wherever the object is. */
  m: (id: number, count: number, value: unknown) =>
    result(id, count, value, value === undefined ? undefined : true),
  /** A list or an object that is taken apart. */
  a: (id: number, count: number, value: unknown) => result(id, count, value, false),
  /** What a computed key chooses from several values. */
  c: (id: number, count: number, value: unknown) =>
    result(id, count, value, pathOf(value) !== undefined),
  t: test,
  /** Around what a switch compares, and around its cases. */
  l: (id: number, value: unknown) => (discriminants.set(id, value), value),
  v(id: number, of: number, value: unknown): unknown {
    const compared = discriminants.get(of);
    const is = computed(id, [compared, value], compared === value);
    return is === (compared === value) ? value : is === true ? compared : HOOKS;
  },
  e: inspected,
  d: expectEval,
  p: (value: unknown) => value,
  /** A name that another script may define. */
  get n() {
    return standIn("names");
  },
  /** Data in a text of the page. */
  get eval() {
    return standIn("eval()");
  },
};

export function look(): void {
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
let ran = 0;

/** Runs the next timer or handler; false where none is left. */
export function runNext(): boolean {
  if (ran >= Math.min(MOST_WAITING, page.waiting.length)) return false;
  guarded(page.waiting[ran++] ?? (() => undefined));
  return true;
}

export function report(): string {
  const made: Omit<Report, "steps"> = {
    looks,
    asked: [...page.asked],
    visited: visited(),
    moments,
    entered: [...entered],
    notes: page.notes,
  };
  return JSON.stringify(made);
}
