// A world → its window: what a script finds there, and what of it is asked for.
import { makeLanguage, runText } from "./language.js";
import { forget, later } from "./later.js";
import { askFor, isObject, note, page, parts, standIn, valueAt } from "./outside.js";

type Given = readonly unknown[];

/** Getters that are not the script's. */
export const ours = new WeakSet<() => unknown>();

const nothing = () => undefined;
const get = (part: string) => askFor(`location.${part}`, "");
const hostname = () => get("host").replace(/:\d+$/, "");
const origin = () => `${get("protocol")}//${get("host")}`;
const href = () => origin() + get("pathname") + get("search") + get("hash");
let cookies = "";

/** What is the same in every world, and what follows from what is asked. */
const PARTS: Readonly<Record<string, (value?: unknown) => unknown>> = {
  "location.origin": origin,
  "location.href": href,
  "location.hostname": hostname,
  "location.port": () => /:(\d+)$/.exec(get("host"))?.[1] ?? "",
  "location.toString": () => href,
  "document.location": () => standIn("location"),
  "document.defaultView": () => page.realm,
  "document.URL": href,
  "document.baseURI": href,
  "document.domain": hostname,
  "document.cookie": () => [askFor("document.cookie", ""), cookies].filter(Boolean).join("; "),
  "document.cookie=": (value) => {
    cookies = [cookies, String(value).split(";")[0]].filter(Boolean).join("; ");
  },
  "document.write": () => write,
  "document.writeln": () => write,
  "navigator.languages": () => page.realm.Object.freeze([valueAt("navigator.language")]),
};

export function makeWindow(): void {
  const { realm, given } = page;
  for (const [path, part] of Object.entries(PARTS)) parts.set(path, part);
  for (const name of ["assign", "replace", "reload"]) parts.set(`location.${name}`, () => nothing);
  for (const name of ["log", "warn", "error", "info", "debug"])
    parts.set(`console.${name}`, () => nothing);
  for (const path of Object.keys(given.answers)) {
    const [holder, name] = path.split(".");
    const read = () => valueAt(path);
    if (name !== undefined && !parts.has(path)) parts.set(path, read);
    if (holder === "window" && name) fix(name, read, (value) => set(name, value));
  }
  for (const name of ["window", "top"]) fix(name, () => realm);
  for (const name of ["location", "document"]) fix(name, () => standIn(name));
  fix("closed", () => false);
  const texts: Record<string, string> = { name: "", status: "" };
  for (const name of Object.keys(texts))
    fix(
      name,
      () => texts[name],
      (value) => void (texts[name] = String(value)),
    );
  for (const name of ["navigator", "screen", "console", "localStorage", "sessionStorage", "Intl"])
    set(name, standIn(name));
  const plain = {
    self: realm,
    parent: realm,
    frames: realm,
    alert: nothing,
    opener: null,
    onload: null,
  };
  for (const [name, value] of Object.entries({ ...plain, ...TIMERS, ...EVENTS })) set(name, value);
  for (const [name, does] of Object.entries(EVENTS)) parts.set(`document.${name}`, () => does);
  for (const name of ["localStorage", "sessionStorage"]) fillStorage(name);
  makeLanguage();
  for (const name of given.names) makeName(name);
}

/** As a page's own names are: they can be neither defined anew nor written. */
function fix(name: string, read: () => unknown, write: (value: unknown) => void = nothing): void {
  const configurable = !["window", "top", "location", "document"].includes(name);
  Object.defineProperty(page.realm, name, {
    get: read,
    set: write,
    enumerable: true,
    configurable,
  });
}

function set(name: string, value: unknown, enumerable = false): void {
  const how = { value, enumerable, writable: true, configurable: true };
  Object.defineProperty(page.realm, name, how);
}

/** What others define: it is known when it is asked for. */
function makeName(name: string): void {
  if (name in page.realm || page.given.answers[name]?.is === "undefined") return;
  const read = () => valueAt(name);
  ours.add(read);
  const how = { get: read, set: (value: unknown) => set(name, value, true) };
  Object.defineProperty(page.realm, name, { ...how, enumerable: true, configurable: true });
}

function write(...given: Given): void {
  const text = given.map(String).join("");
  if (!/<script/i.test(text)) return;
  note("written-script", text);
  if (!/<script[^>]*\bsrc\s*=/i.test(text) || text.includes("GeowConfig")) note("hidden", text);
}

function timer(run: unknown, after: unknown = 0, ...given: Given): number {
  const go = () =>
    void (typeof run === "function" ? Reflect.apply(run, page.realm, given) : runText(run));
  return later("afterwards", go, Number(after) || 0);
}

const TIMERS = {
  setTimeout: timer,
  setInterval: timer,
  requestAnimationFrame: (run: unknown) => timer(run, 16, 16),
  requestIdleCallback: (run: unknown) => timer(run, 16, 16),
  clearTimeout: forget,
  clearInterval: forget,
  cancelAnimationFrame: forget,
};

/** Listeners for what the script makes happen itself, if it does. */
const waiting: (() => void)[] = [];
const EVENTS = {
  addEventListener(type: unknown, run: unknown): void {
    const handle: unknown = isObject(run) && "handleEvent" in run ? run.handleEvent : run;
    if (typeof handle !== "function") return;
    const go = () => void Reflect.apply(handle, page.realm, [standIn("event")]);
    if (/^(?:DOMContentLoaded|readystatechange|load|pageshow)$/.test(String(type)))
      return void later("loaded", go, type === "load" ? 1 : 0);
    page.handed.push(handle);
    waiting.push(go);
  },
  removeEventListener: nothing,
  dispatchEvent(): void {
    if (askFor("callback:dispatchEvent", false)) for (const go of waiting) go();
  },
};

/** What was stored before is asked for; what this script stores is remembered. */
function fillStorage(name: string): void {
  const stored = new Map<string, string | null>();
  const read = (key: string) =>
    stored.has(key) ? stored.get(key) : askFor(`${name}.${key}`, null);
  const methods = {
    getItem: (key: unknown) => read(String(key)),
    setItem: (key: unknown, value: unknown) => void stored.set(String(key), String(value)),
    removeItem: (key: unknown) => void stored.set(String(key), null),
  };
  for (const [key, method] of Object.entries(methods)) parts.set(`${name}.${key}`, () => method);
}
