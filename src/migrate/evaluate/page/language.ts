// The language's own clock, chance, hidden code and ways to compare texts → questions to the world outside, and guesses.
import { MARK } from "../seam.js";
import { guess, guessKeys, matched, questionOf } from "./guess.js";
import { ask, askFor, isForced, note, page, valueAt } from "./outside.js";

type Made = (...given: unknown[]) => unknown;

let runIndirectly: Made = () => undefined;

let print: Made = String;

/** The text of a function as it runs. */
export const textOf = (fn: unknown) => String(Reflect.apply(print, fn, []));

export function runText(text: unknown): unknown {
  return runIndirectly(inspected(String(text)));
}

export function makeLanguage(): void {
  const { realm } = page;
  runIndirectly = realm.eval as Made;
  const clock = () => (ask("time"), page.given.now);
  const OwnDate = watched(realm, "Date", {
    construct(target, given, own) {
      ask("time");
      return Reflect.construct(target, given.length > 0 ? given : [clock()], own) as object;
    },
    apply: (target) => String(Reflect.construct(target, [clock()])),
    get: (target, key) => (key === "now" ? clock : (Reflect.get(target, key) as unknown)),
  });
  OwnDate.prototype["constructor"] = OwnDate;
  let drawn = 0;
  realm.Math.random = () => (askFor("random", 0.37) + drawn++ * 0.618) % 1;
  for (const { prototype } of [realm.Date, realm.Number, realm.String, realm.Array]) {
    for (const key of Object.getOwnPropertyNames(prototype))
      if (/^(?:toLocale|localeCompare$)/.test(key))
        Reflect.set(prototype, key, () => valueAt(`${key}()`));
  }
  for (const name of ["$1", "$2", "$3", "lastMatch", "leftContext", "rightContext"])
    Object.defineProperty(realm.RegExp, name, { get: () => valueAt(`RegExp.${name}`) });
  watched(realm.JSON, "parse", {
    apply(target, self, given: unknown[]) {
      // Nothing but an answer is empty.
      const key = given[0] === "" && isForced() ? "text" : questionOf(given[0]);
      const isData = key !== undefined && !askFor(`${key}~JSON`, false);
      return isData ? valueAt("JSON.parse()") : Reflect.apply(target, self, given);
    },
  });
  watched(realm.RegExp.prototype, "exec", {
    apply: (target, self, given: unknown[]) =>
      Reflect.apply(target, self, given) ?? matched(self, given[0]),
  });
  const made = (target: Made, given: unknown[]) =>
    Reflect.construct(
      target,
      given.map((each) => inspected(each)),
    ) as object;
  const OwnFunction = watched(realm, "Function", {
    apply: (target, _, given: unknown[]) => made(target, given),
    construct: made,
  });
  OwnFunction.prototype["constructor"] = OwnFunction;
  const own = new RegExp(`/\\*${page.given.hooks}\\*/.*?/\\*${page.given.hooks}\\*/`, "g");
  print = OwnFunction.prototype["toString"] as Made;
  // A script may read its own text, which has no hooks in it.
  watched(OwnFunction.prototype, "toString", {
    apply: (target, self) => String(Reflect.apply(target, self, [])).replace(own, ""),
  });
  listen(realm.String, "indexOf lastIndexOf includes startsWith endsWith split", (self, given) => {
    guess(self, given);
    if (typeof self === "string" && typeof given === "string") guess(self, given + self);
  });
  listen(realm.Object, "hasOwnProperty", (self, given) => guessKeys(given, self));
  listen(realm.Array, "indexOf includes", (self, given) => {
    if (Array.isArray(self)) for (const each of self.slice(0, 20) as unknown[]) guess(given, each);
  });
}

/** Methods that hold a text against something tell what would fit. */
function listen(of: object, names: string, hear: (self: unknown, given: unknown) => void): void {
  for (const name of names.split(" ")) {
    watched((of as { prototype: object }).prototype, name, {
      apply(target, self, given: unknown[]) {
        hear(self, given[0]);
        return Reflect.apply(target, self, given);
      },
    });
  }
}

function watched(holder: object, name: string, handler: ProxyHandler<Made>) {
  const real = Reflect.get(holder, name) as Made & { prototype: Record<string, unknown> };
  const value = new Proxy(real, handler) as typeof real;
  Object.defineProperty(holder, name, { value });
  return value;
}

/** How data were read before browsers knew JSON: eval("(" + text + ")"). */
const DATA = /^\s*\(.*\)\s*;?\s*$/s;
const BRANCHES =
  /\b(?:if|for|while|switch|try|function|class|[gs]et|in|typeof|location|document|navigator|screen|Date|random|\w+Storage)\b|=>|[?<>!]|==|&&|\|\|/;

/** What was written into a text for the script to run: nothing looks at the conditions in it. */
export function inspected(text: unknown, mayBeOutside?: unknown): unknown {
  if (typeof text !== "string") return text;
  const answers = Object.values(page.given.answers).map((each) =>
    each.is === "value" ? each.value : "",
  );
  const isAnswer = (each: unknown) =>
    typeof each === "string" && each.length > 2 && text.includes(each);
  const isOutside = MARK.test(text) || answers.some(isAnswer);
  if (isOutside && DATA.test(text)) return `${page.given.hooks}.d("eval()")`;
  if (isOutside || (mayBeOutside === true && !DATA.test(text)) || BRANCHES.test(text))
    note("hidden", text);
  return text;
}
