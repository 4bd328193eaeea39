// A script run as a browser would run it, which nothing but a test does → what it leaves of its configuration, as JSON.
import { createContext, runInContext } from "node:vm";
import type { Json } from "../../src/json.js";
import { readingOf, SURROUNDINGS } from "./surroundings.js";

interface Timer {
  readonly id: number;
  readonly due: number;
  readonly every?: number;
  readonly run: () => void;
}

/** Functions that wait for something are called at the end, as they would be sooner or later. */
export function inBrowser(text: string, url: string, global: string): Record<string, Json> {
  const listeners: { readonly event: string; readonly run: () => void }[] = [];
  let timers: Timer[] = [];
  let begun = 0;
  let now = 0;
  const timer =
    (isAgain: boolean) =>
    (work: unknown, delay: unknown, ...given: unknown[]) => {
      const every = Number(delay) || 0;
      const run = () => {
        if (typeof work === "function") Reflect.apply(work, undefined, given);
        else evaluate(String(work));
      };
      timers.push({ id: ++begun, due: now + every, run, ...(isAgain && { every }) });
      return begun;
    };
  const clear = (id: unknown) => {
    timers = timers.filter((each) => each.id !== id);
  };
  const events = {
    addEventListener: (event: string, run: () => void) => listeners.push({ event, run }),
    removeEventListener: (_event: string, run: () => void) => {
      const at = listeners.findIndex((each) => each.run === run);
      if (at >= 0) listeners.splice(at, 1);
    },
    dispatchEvent: ({ type }: { readonly type: string }) => {
      for (const { event, run } of listeners) if (event === type) run();
    },
  };
  const document = { ...documentAt(url, (code) => evaluate(code)), ...events };
  const sandbox: Record<string, unknown> = {
    ...windowAt(url),
    ...events,
    document,
    setTimeout: timer(false),
    setInterval: timer(true),
    clearTimeout: clear,
    clearInterval: clear,
  };
  sandbox["window"] = sandbox;
  const context = createContext(sandbox, { microtaskMode: "afterEvaluate" });
  const evaluate = runInContext("eval", context) as (code: string) => void;
  const run = (code: string) => {
    try {
      return runInContext(code, context, { timeout: 1000 }) as unknown;
    } catch {
      // A browser writes it to its console and goes on.
      return undefined;
    }
  };
  // Called from within, so that its limit and its promises are those of a script.
  let work = (): void => {};
  Object.defineProperty(sandbox, "the next job", { value: () => work() });
  const job = (each: () => void) => {
    work = each;
    run('this["the next job"]()');
  };
  const happen = (event: string) => {
    for (const each of listeners.filter((listener) => listener.event === event)) job(each.run);
  };

  run(NAMES);
  run(SURROUNDINGS);
  run(text);
  document.readyState = "interactive";
  happen("DOMContentLoaded");
  document.readyState = "complete";
  happen("load");
  for (let count = 0; timers.length > 0 && count < 1000; count++) {
    const [next] = timers.toSorted((a, b) => a.due - b.due || a.id - b.id);
    if (!next) break;
    now = next.due;
    clear(next.id);
    if (next.every !== undefined) timers.push({ ...next, due: now + Math.max(next.every, 1) });
    job(next.run);
  }
  const left = run(readingOf(global));
  return JSON.parse(typeof left === "string" ? left : "{}") as Record<string, Json>;
}

function windowAt(url: string): Record<string, unknown> {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: unknown) => stored.set(key, String(value)),
    removeItem: (key: string) => stored.delete(key),
  };
  return {
    location: locationAt(url),
    navigator: { language: "en", languages: ["en"], userAgent: "Mozilla/5.0", onLine: true },
    screen: { width: 1280, height: 720 },
    localStorage: storage,
    sessionStorage: storage,
    console: { log: () => {} },
    atob,
    Event,
    URL,
    URLSearchParams,
  };
}

function locationAt(url: string) {
  const { protocol, host, hostname, port, origin, pathname, search, hash, href } = new URL(url);
  return { protocol, host, hostname, port, origin, pathname, search, hash, href };
}

function documentAt(url: string, evaluate: (code: string) => void) {
  const add = (script: { readonly text?: string; readonly textContent?: string }) =>
    evaluate(script.text ?? script.textContent ?? "");
  const parent = { appendChild: add, insertBefore: add };
  const own = { src: new URL("config.js", url).href, parentNode: parent };
  const link = {
    set href(given: string) {
      Object.defineProperty(this, "href", { value: new URL(given, url).href });
    },
  };
  return {
    location: locationAt(url),
    cookie: "",
    referrer: "",
    readyState: "loading",
    head: parent,
    getElementById: () => null,
    getElementsByTagName: (name: string) => (name === "script" ? [own] : [parent]),
    createElement: (name: string) => (name === "a" ? link : {}),
    write: (markup: string) => {
      for (const [, code = ""] of markup.matchAll(/<script>([^]*?)<.script>/g)) evaluate(code);
    },
  };
}

/** The window under its names; what of it stays as it is, and what turns everything into text; and its handler. */
const NAMES = `window = self = globalThis = frames = top = parent = this;
(function (window) {
  var texts = { status: "", name: "" };
  Object.keys(texts).forEach(function (each) {
    Object.defineProperty(window, each, {
      get: function () { return texts[each]; },
      set: function (given) { texts[each] = String(given); },
    });
  });
  Object.defineProperty(window, "closed", { get: function () { return false; } });
  document.defaultView = window;
  ["window", "document", "location", "top"].forEach(function (each) {
    Object.defineProperty(window, each, { value: window[each], writable: false });
  });
  // A function that is declared as onload hides the handler, and is none. Here it is assigned.
  var handler = null;
  Object.defineProperty(window, "onload", {
    get: function () { return handler; },
    set: function (given) { handler = given; },
  });
  window.addEventListener("load", function () {
    if (handler && !/^function onload\\b/.test(handler)) handler();
  });
})(this);`;
