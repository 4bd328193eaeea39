// What the engine is given beside the scripts: it opens a page for a world, hears what the script does, and tells of it.
import { page, type Note, type Question, type Realm, type World } from "./ask.js";
import { guarded, runNext, type Phase } from "./later.js";
import { look, type Look } from "./look.js";
import { isObject, pathOf } from "./known-path.js";
import { suspect, valueAt } from "./stand-in.js";
import { describeThrown } from "./thrown.js";
import { BRANCHES, inspected, runText } from "./language.js";
import { makeWindow } from "./window.js";

export interface Report {
  /** At the end of the scripts, when the page has loaded, and afterwards. */
  readonly looks: readonly Look[];
  readonly asked: readonly (readonly [string, Question])[];
  readonly hits: readonly number[];
  /** By place, the computed keys that were written. */
  readonly keys: readonly (readonly [number, string])[];
  readonly notes: readonly Note[];
  /** By setting, the statement that gave it its value. */
  readonly placed: Readonly<Record<string, number>>;
}

const looks: Look[] = [];
const keys = new Map<number, string>();
const placed: Record<string, number> = {};
let readGlobal: (name: string) => unknown = () => undefined;

export function open(realm: Realm, world: World, files: readonly string[]): void {
  Object.assign(page, { realm, world, files });
  const evaluate = realm["eval"] as (text: string) => unknown;
  readGlobal = (name) => {
    try {
      return evaluate(`typeof ${name} === "undefined" ? undefined : ${name}`);
    } catch {
      // A name whose declaration was not come to cannot even be asked for.
      return undefined;
    }
  };
  makeWindow();
  const { hits } = page;
  Object.defineProperty(realm, world.counters, {
    value: Object.freeze({
      // A condition, and which way it went.
      t: (id: number, value: unknown) => (hits.add(2 * id + (value ? 0 : 1)), value),
      n: (id: number, value: unknown) => {
        hits.add(2 * id + (value === null || value === undefined ? 1 : 0));
        return value;
      },
      // A computed key: of one that comes from outside nobody knows what it is.
      k(id: number, key: unknown) {
        if (pathOf(key) !== undefined) hits.add(2 * id);
        keys.set(
          id,
          `${keys.get(id) ?? ""} ${typeof key === "symbol" ? "" : String(key)}`.slice(0, 2_000),
        );
        return key;
      },
      // A place that was come to.
      c: (id: number) => void hits.add(2 * id),
      e: inspected,
      h(text: unknown) {
        if (typeof text === "string" && BRANCHES.test(text)) suspect("", text);
        return text;
      },
      i: runText,
      s: valueAt,
      p: probe,
    }),
  });
}

export const failed = describeThrown;

export function lookNow(): void {
  // What the last statement changed is seen here.
  if (page.world.probed !== undefined) probe(last);
  looks.push(look(readGlobal));
}

/** False where nothing is left to do in this phase. */
export function goOn(phase: Phase): boolean {
  return runNext(phase);
}

/** What the page calls by name when it has loaded. */
export function load(): void {
  const onload: unknown = Reflect.get(page.realm, "onload");
  if (typeof onload === "function") guarded(() => void Reflect.apply(onload, page.realm, []));
  const settings = readGlobal("dojoConfig") ?? readGlobal("djConfig");
  const ready = isObject(settings) ? Reflect.get(settings, "addOnLoad") : undefined;
  if (typeof ready === "function") guarded(() => void Reflect.apply(ready, settings, []));
}

export function report(): string {
  const { asked, hits, notes } = page;
  const told: Report = {
    looks,
    asked: [...asked],
    hits: [...hits],
    keys: [...keys],
    notes,
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
  if (++probes <= MOST_PROBES) {
    const { probed = "", settings } = page.world;
    const config: unknown = Reflect.getOwnPropertyDescriptor(page.realm, probed)?.value;
    for (const name of isObject(config) ? settings : []) {
      const own = Reflect.getOwnPropertyDescriptor(config as object, name);
      const value: unknown = own ? own.value : before;
      if (!Object.is(before.has(name) ? before.get(name) : before, value)) placed[name] = last;
      before.set(name, value);
    }
  }
  last = id;
}
