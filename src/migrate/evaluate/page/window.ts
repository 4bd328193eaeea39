// A world → its window: what a script finds there, and what of it is asked for.
import { ask, askFor, note, page } from "./ask.js";
import { makeLanguage, runText } from "./language.js";
import { forget, later, type Phase } from "./later.js";
import { isObject } from "./known-path.js";
import { parts, standIn, valueOf } from "./stand-in.js";

type Given = readonly unknown[];

/** Getters that are not the script's. */
export const ours = new WeakSet<() => unknown>();

/** What the functions that were handed to define gave back. */
export const modules: unknown[] = [];

const AGENT =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/** Asked for by these names, and answered so in the plain world. */
const ASKED: Readonly<Record<string, string | number | boolean>> = {
  "document.referrer": "",
  "document.title": "",
  "navigator.language": "en-US",
  "navigator.userAgent": AGENT,
  "navigator.platform": "Win32",
  "navigator.vendor": "Google Inc.",
  "navigator.onLine": true,
  "navigator.cookieEnabled": true,
  "screen.width": 1920,
  "screen.height": 1080,
  "screen.availWidth": 1920,
  "screen.availHeight": 1040,
  "screen.colorDepth": 24,
  "window.innerWidth": 1920,
  "window.innerHeight": 960,
  "window.outerWidth": 1920,
  "window.outerHeight": 1040,
  "window.devicePixelRatio": 1,
};

const nothing = () => undefined;

export function makeWindow(): void {
  const { realm } = page;
  for (const [path, plain] of Object.entries(ASKED)) {
    const get = () => askFor(path, plain);
    parts.set(path, get);
    const [holder, name = ""] = path.split(".");
    if (holder === "window") fix(name, get, (value) => set(name, value));
  }
  for (const name of ["window", "top"]) fix(name, () => realm);
  for (const name of ["self", "parent", "frames"]) set(name, realm);
  const location = makeLocation();
  fix("location", () => location);
  const document = makeDocument(location);
  fix("document", () => document);
  for (const name of ["name", "status"]) {
    let text = "";
    fix(
      name,
      () => text,
      (value) => void (text = String(value)),
    );
  }
  fix("closed", () => false);
  const agent = () => askFor("navigator.userAgent", AGENT);
  parts.set("navigator.appVersion", () => agent().replace("Mozilla/", ""));
  parts.set("navigator.appName", () => "Netscape");
  parts.set("navigator.languages", () =>
    realm.Object.freeze([askFor("navigator.language", "en-US")]),
  );
  for (const name of ["log", "warn", "error", "info", "debug"])
    parts.set(`console.${name}`, () => nothing);
  for (const name of ["localStorage", "sessionStorage"]) fillStorage(name);
  for (const name of ["navigator", "screen", "console", "localStorage", "sessionStorage", "Intl"])
    set(name, standIn(name));
  const plain = {
    alert: nothing,
    opener: null,
    onload: null,
    addEventListener: listen,
    removeEventListener: nothing,
  };
  for (const [name, value] of Object.entries(plain)) set(name, value);
  makeTimers();
  makeLanguage();
  for (const name of page.world.names) makeName(name);
}

/** As a page's own names are: they can be neither defined anew nor written. */
function fix(name: string, get: () => unknown, write: (value: unknown) => void = nothing): void {
  const configurable = !["window", "top", "location", "document"].includes(name);
  Object.defineProperty(page.realm, name, { get, set: write, enumerable: true, configurable });
}

export function set(name: string, value: unknown, enumerable = false): void {
  Object.defineProperty(page.realm, name, {
    value,
    enumerable,
    writable: true,
    configurable: true,
  });
}

/** What others define: it is known when it is asked for. */
function makeName(name: string): void {
  if (name in page.realm || page.world.answers[name]?.is === "undefined") return;
  const loader = LOADERS.get(name);
  const get = () => (ask(name), loader ?? valueOf(page.world.answers[name], name));
  ours.add(get);
  const write = (value: unknown) => set(name, value, true);
  Object.defineProperty(page.realm, name, {
    get,
    set: write,
    enumerable: true,
    configurable: true,
  });
}

/** Modules do nothing; whether they come at once or when the page has loaded is a question. */
const LOADERS = new Map<string, unknown>([
  ["define", Object.assign(define, { amd: {} })],
  ["require", require],
]);

function define(...given: Given): void {
  const names = given.find((each) => Array.isArray(each)) as Given | undefined;
  const made = given.at(-1);
  load("define", names ?? ["require", "exports", "module"], (found) => {
    modules.push(typeof made === "function" ? Reflect.apply(made, undefined, found) : made);
  });
}

function require(names: unknown, run?: unknown): unknown {
  if (typeof run !== "function") return standIn(`"${String(names)}"`);
  load("require", [names].flat(), (found) => void Reflect.apply(run, undefined, found));
  return standIn("require()");
}

function load(name: string, names: Given, run: (found: object[]) => void): void {
  const found = names.map((each) => standIn(`"${String(each)}"`));
  if (ask(`callback:${name}`)?.is === "value") run(found);
  else later("loaded", () => run(found));
}

function makeLocation(): object {
  const part = (name: string) => askFor(`location.${name}`, "");
  const origin = () => `${part("protocol")}//${part("host")}`;
  const href = () => origin() + ["pathname", "search", "hash"].map(part).join("");
  const made = new page.realm.Object();
  const getters: Record<string, () => unknown> = {
    origin,
    href,
    hostname: () => part("host").replace(/:\d+$/, ""),
    port: () => /:(\d+)$/.exec(part("host"))?.[1] ?? "",
    toString: () => href,
  };
  for (const name of ["protocol", "host", "pathname", "search", "hash"])
    getters[name] = () => part(name);
  for (const name of ["assign", "replace", "reload"]) getters[name] = () => nothing;
  for (const [name, get] of Object.entries(getters)) {
    Object.defineProperty(made, name, { get, set: nothing, enumerable: true });
  }
  return made;
}

function makeDocument(location: object): object {
  let cookies = "";
  const write = (...given: Given) => {
    const text = given.map(String).join("");
    if (!/<script/i.test(text)) return;
    note("written-script", text);
    if (!/<script[^>]*\bsrc\s*=/i.test(text) || text.includes("GeowConfig")) note("hidden", text);
  };
  const href = () => Reflect.get(location, "href") as string;
  const own: Record<string, () => unknown> = {
    location: () => location,
    defaultView: () => page.realm,
    readyState: () => "loading",
    addEventListener: () => listen,
    removeEventListener: () => nothing,
    write: () => write,
    writeln: () => write,
    URL: href,
    documentURI: href,
    baseURI: href,
    domain: () => askFor("location.host", "").replace(/:\d+$/, ""),
    cookie: () => [askFor("document.cookie", ""), cookies].filter(Boolean).join("; "),
    all: nothing,
    attachEvent: nothing,
    documentMode: nothing,
  };
  for (const [name, get] of Object.entries(own)) parts.set(`document.${name}`, get);
  return new Proxy(standIn("document"), {
    set(target, key, value) {
      const isCookie = key === "cookie";
      if (isCookie) cookies = [cookies, String(value).split(";")[0]].filter(Boolean).join("; ");
      return isCookie || key === "location" || key === "title" || Reflect.set(target, key, value);
    },
  });
}

const AT = new Map<unknown, Phase>(
  ["DOMContentLoaded", "load", "readystatechange", "pageshow"].map((type) => [type, "loaded"]),
);

function listen(type: unknown, run: unknown): void {
  const phase = AT.get(type);
  const handle = isObject(run) && "handleEvent" in run ? run.handleEvent : run;
  if (!phase || typeof handle !== "function") return;
  later(
    phase,
    () => void Reflect.apply(handle, page.realm, [standIn("event")]),
    type === "load" ? 1 : 0,
  );
}

/** What was stored before is asked for; what this script stores is remembered. */
function fillStorage(name: string): void {
  const stored = new Map<string, unknown>();
  const get = (key: unknown) => {
    if (stored.has(String(key))) return stored.get(String(key));
    const answer = ask(`${name}.${String(key)}`);
    return answer?.is === "value" ? answer.value : null;
  };
  parts.set(`${name}.getItem`, () => get);
  parts.set(
    `${name}.setItem`,
    () => (key: unknown, value: unknown) => void stored.set(String(key), String(value)),
  );
  parts.set(`${name}.removeItem`, () => (key: unknown) => void stored.set(String(key), null));
}

function makeTimers(): void {
  const timer = (run: unknown, after: unknown = 0, ...given: Given) => {
    const go = () =>
      void (typeof run === "function" ? Reflect.apply(run, page.realm, given) : runText(run));
    return later("afterwards", go, Number(after) || 0);
  };
  for (const name of ["setTimeout", "setInterval"]) set(name, timer);
  for (const name of ["requestAnimationFrame", "requestIdleCallback"])
    set(name, (run: unknown) => timer(run, 16, 16));
  for (const name of ["clearTimeout", "clearInterval", "cancelAnimationFrame"]) set(name, forget);
}
