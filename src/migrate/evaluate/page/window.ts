// Makes the window of a world, and the parts of the language that differ between pages or browsers.
import { MARK, MAY_LACK, questionOf } from "../protocol.js";
import { ask, note, page, parts, pathOf, standIn, valueAt } from "./outside.js";

const get = (part: string) => String(ask(`location.${part}`));
const hostname = () => get("host").replace(/:\d+$/, "");
const origin = () => `${get("protocol")}//${get("host")}`;
const href = () => origin() + get("pathname") + get("search") + get("hash");
const nothing = () => undefined;
let cookies = "";

/** Computed from the world's answers. */
const PARTS: Readonly<Record<string, (value?: unknown) => unknown>> = {
  "location.origin": origin,
  "location.href": href,
  "location.hostname": hostname,
  "location.port": () => /:(\d+)$/.exec(get("host"))?.[1] ?? "",
  "location.toString": () => (ask("location"), href),
  "document.location": () => standIn("location"),
  "document.defaultView": () => page.realm,
  "document.URL": href,
  "document.baseURI": href,
  "document.domain": hostname,
  "document.cookie": () => [ask("document.cookie"), cookies].filter(Boolean).join("; "),
  "document.cookie=": (value) => {
    cookies = [cookies, String(value).split(";")[0]].filter(Boolean).join("; ");
  },
  "navigator.languages": () => page.realm.Object.freeze([valueAt("navigator.language")]),
};

/** Every browser has them. */
const STAND_INS =
  "navigator screen console localStorage sessionStorage Intl addEventListener removeEventListener dispatchEvent alert";

export function makeWindow(): void {
  const { realm, given } = page;
  for (const [path, part] of Object.entries(PARTS)) parts.set(path, part);
  for (const path of Object.keys(given.answers)) {
    const [holder, name] = path.split(".");
    if (holder === "window" && name) fix(name, () => ask(path));
  }
  for (const name of ["window", "top"]) fix(name, () => realm);
  for (const name of ["location", "document"]) fix(name, () => standIn(name));
  fix("closed", () => false);
  for (const name of ["name", "status"]) {
    let text: string | undefined;
    const write = (value: unknown) => void (text = String(value));
    fix(name, () => text ?? ask(`window.${name}`), write);
  }
  for (const name of STAND_INS.split(" ")) set(name, standIn(name));
  for (const name of ["setTimeout", "setInterval", "requestAnimationFrame", "requestIdleCallback"])
    set(name, timer);
  for (const name of ["clearTimeout", "clearInterval", "cancelAnimationFrame"]) set(name, forget);
  for (const name of ["self", "parent", "frames"]) set(name, realm);
  set("onload", null);
  set("opener", given.names.includes("opener") ? standIn("opener") : null);
  makeLanguage();
  for (const name of given.names) makeName(name);
}

const timed = new Set<unknown>();

function timer(run: unknown, _after?: unknown, ...given: unknown[]): number {
  const id = page.waiting.push(
    () => void (typeof run === "function" ? Reflect.apply(run, page.realm, given) : runText(run)),
  );
  timed.add(id);
  return id;
}

function forget(id: unknown): void {
  if (timed.delete(id)) page.waiting[Number(id) - 1] = undefined;
}

/** A name of the page itself, which scripts can neither define nor write. */
function fix(name: string, read: () => unknown, write: (value: unknown) => void = nothing): void {
  const configurable = !["window", "top", "location", "document"].includes(name);
  const how = { get: read, set: write, enumerable: true, configurable };
  Object.defineProperty(page.realm, name, how);
}

function set(name: string, value: unknown, enumerable = false): void {
  const how = { value, enumerable, writable: true, configurable: true };
  Object.defineProperty(page.realm, name, how);
}

/** A name that other scripts define. */
function makeName(name: string): void {
  if (name in page.realm || MAY_LACK.test(name)) return;
  const how = {
    get: () => valueAt(name),
    set: (value: unknown) => (ask(name), set(name, value, true)),
  };
  Object.defineProperty(page.realm, name, { ...how, enumerable: true, configurable: true });
}

const MATCHED =
  "$1 $2 $3 $4 $5 $6 $7 $8 $9 $_ $& $` $' $+ input lastMatch lastParen leftContext rightContext".split(
    " ",
  );

type Made = (...given: unknown[]) => unknown;

let runIndirectly: Made = nothing;
/** The next read of eval is for a call that sees the variables around it. */
let isDirect = false;

const runText = (text: unknown) => runIndirectly(inspected(text));

export const expectEval = () => (isDirect = true);

function makeLanguage(): void {
  const { realm, given } = page;
  runIndirectly = realm.eval as Made;
  const evalHere = () => {
    const found = isDirect ? runIndirectly : runText;
    isDirect = false;
    return found;
  };
  fix("eval", evalHere, (value) => set("eval", value));
  const clock = () => (ask("time"), page.given.now);
  const OwnDate = watched(realm, "Date", {
    construct(target, given, own) {
      ask("time");
      if (given.length > 0) return Reflect.construct(target, given, own) as object;
      const now = Reflect.construct(target, [clock()], own) as object;
      page.clocks.add(now);
      return now;
    },
    apply: (target) => String(Reflect.construct(target, [clock()])),
    get: (target, key) => (key === "now" ? clock : (Reflect.get(target, key) as unknown)),
  });
  OwnDate.prototype["constructor"] = OwnDate;
  let drawn = 0;
  // Another world draws the same number each time, so that conditions go one way.
  realm.Math.random = () =>
    (Number(ask("random")) + (given.answers["random"] === 0.37 ? drawn++ * 0.618 : 0)) % 1;
  for (const { prototype } of [realm.Date, realm.Number, realm.String, realm.Array]) {
    for (const key of Object.getOwnPropertyNames(prototype))
      if (/^(?:toLocale|localeCompare$)/.test(key))
        Reflect.set(prototype, key, () => valueAt(`${key}()`));
  }
  for (const name of MATCHED)
    Object.defineProperty(realm.RegExp, name, { get: () => valueAt(`RegExp.${name}`) });
  // A text of the page may be data or not.
  watched(realm.JSON, "parse", {
    apply(target, self, given: unknown[]) {
      const [text] = given;
      const isOpen = pathOf(text) !== undefined || MARK.test(String(text));
      if (!isOpen) return Reflect.apply(target, self, given);
      if (page.given.isBusy) return Reflect.apply(target, self, [""]);
      return standIn(questionOf(String(text), page.given.answers) ?? "JSON.parse()");
    },
  });
  // Each engine compares in its own order.
  watched(realm.Array.prototype, "sort", {
    apply(target, self: unknown[], given: unknown[]) {
      if (typeof given[0] === "function") ask("others");
      if (page.given.isBusy && self.length > 1)
        Reflect.apply(target, realm.Array.of(self[0], self[1]), given);
      return Reflect.apply(target, self, given);
    },
  });
  watched(realm, "Proxy", {
    construct(target, given) {
      const proxy = Reflect.construct(target, given) as object;
      page.proxies.add(proxy);
      return proxy;
    },
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
  // Functions print without hooks.
  watched(OwnFunction.prototype, "toString", {
    apply: (target, self) => String(Reflect.apply(target, self, [])).replace(own, ""),
  });
}

function watched(holder: object, name: string, handler: ProxyHandler<Made>) {
  const real = Reflect.get(holder, name) as Made & { prototype: Record<string, unknown> };
  const value = new Proxy(real, handler) as typeof real;
  Object.defineProperty(holder, name, { value });
  return value;
}

/** How data was read before JSON: eval("(" + text + ")"). */
const DATA = /^\s*\(.*\)\s*;?\s*$/s;
/** Where the page holds none. */
const MISSING = /^\s*\(\s*(?:undefined|null)?\s*\)\s*;?\s*$/;
const BRANCHES =
  /\b(?:if|for|while|switch|try|function|class|[gs]et|in|typeof|location|document|navigator|screen|Date|random|\w+Storage)\b|=>|[?<>!]|==|&&|\|\|/;

/** Code in a text has no hooks around its conditions. */
export function inspected(text: unknown, mayBeOutside?: unknown): unknown {
  if (typeof text !== "string") return text;
  const isOutside = MARK.test(text) || text.includes("4731");
  const isMissing = mayBeOutside === true && MISSING.test(text);
  if (isMissing || (isOutside && DATA.test(text))) return `${page.given.hooks}.eval`;
  if (isOutside || (mayBeOutside === true && !DATA.test(text)) || BRANCHES.test(text))
    note("hidden", text);
  return text;
}
