// The language's own clock, chance and hidden code → the same as questions to the world outside.
import { MARK, ask, askFor, note, page } from "./ask.js";
import { set } from "./window.js";
import { standIn, valueAt } from "./stand-in.js";

type Constructor = new (...given: unknown[]) => object;

let runIndirectly: (text: string) => unknown = () => undefined;

export function runText(text: unknown): unknown {
  return runIndirectly(String(inspected(text)));
}

export function makeLanguage(): void {
  const { realm } = page;
  runIndirectly = realm["eval"] as typeof runIndirectly;
  makeClock();
  const math = realm["Math"] as Record<string, unknown>;
  let drawn = 0;
  math["random"] = () => (askFor("random", 0.37) + drawn++ * 0.618) % 1;
  set("Intl", standIn("Intl"));
  for (const name of ["Date", "Number", "String", "Array"]) {
    const { prototype } = realm[name] as { prototype: Record<string, unknown> };
    for (const key of Reflect.ownKeys(prototype)) {
      if (typeof key !== "string" || !/^toLocale|^localeCompare$/.test(key)) continue;
      prototype[key] = () => valueAt(`${key}()`);
    }
  }
  for (const name of ["$1", "$2", "$3", "lastMatch", "leftContext", "rightContext"]) {
    Object.defineProperty(realm["RegExp"], name, { get: () => valueAt(`RegExp.${name}`) });
  }
  const json = realm["JSON"] as { parse: (...given: unknown[]) => unknown };
  const parse = json.parse;
  json.parse = (...given) =>
    typeof given[0] === "string" && MARK.test(given[0])
      ? valueAt("JSON.parse()")
      : Reflect.apply(parse, json, given);
  const made = realm["Function"] as { prototype: Record<string, unknown> };
  const watched = new Proxy(made as unknown as Constructor & ((...given: unknown[]) => object), {
    apply: (target, _, given: unknown[]) => Reflect.construct(target, given.map(inspected)),
    construct: (target, given: unknown[]) => Reflect.construct(target, given.map(inspected)),
  });
  set("Function", watched);
  made.prototype["constructor"] = watched;
  const { counters } = page.world;
  const own = new RegExp(`/\\*${counters}\\*/.*?/\\*${counters}\\*/`, "g");
  const print = made.prototype["toString"] as (this: unknown) => string;
  // A script may read its own text, which has no counters in it.
  made.prototype["toString"] = function toString(this: unknown) {
    return Reflect.apply(print, this, []).replace(own, "");
  };
}

function makeClock(): void {
  const RealDate = page.realm["Date"] as Constructor & { prototype: Record<string, unknown> };
  const now = () => {
    ask("time");
    return page.world.now;
  };
  const clock = new Proxy(RealDate as unknown as Constructor & (() => string), {
    construct(target, given, own) {
      ask("time");
      return Reflect.construct(target, given.length > 0 ? given : [now()], own) as object;
    },
    apply: (target) => (new target(now()) as Date).toString(),
    get: (target, key) => (key === "now" ? now : (Reflect.get(target, key) as unknown)),
  });
  RealDate.prototype["constructor"] = clock;
  set("Date", clock);
}

/** What was written into a text for the script to run: nothing counts the branches in it. */
export function inspected(text: unknown): unknown {
  if (typeof text !== "string") return text;
  const answers = Object.values(page.world.answers).map((each) =>
    each.is === "value" ? each.value : "",
  );
  const isOutside = answers.some(
    (each) => typeof each === "string" && each.length > 2 && text.includes(each),
  );
  if (isOutside || MARK.test(text)) {
    // eval("(" + text + ")"): how data were read before browsers knew JSON.
    if (/^\s*\(.*\)\s*;?\s*$/s.test(text)) return `${page.world.counters}.s("eval()")`;
    note("hidden", text);
  } else if (BRANCHES.test(text)) note("hidden", text);
  return text;
}

export const BRANCHES =
  /\b(?:if|for|while|switch|try|function|class|[gs]et|in|typeof|location|document|navigator|screen|Date|random|\w+Storage)\b|=>|[?<>!]|==|&&|\|\|/;
