// A script run as a browser would run it, which nothing but a test does → what it leaves of its configuration, as JSON.
import { createContext, runInContext, type Context } from "node:vm";
import type { Json } from "../../src/json.js";

/** Functions that wait for something are called at the end, as they would be sooner or later. */
export function inBrowser(text: string, url: string, global: string): Record<string, Json> {
  const { protocol, host, hostname, port, origin, pathname, search, hash, href } = new URL(url);
  const location = { protocol, host, hostname, port, origin, pathname, search, hash, href };
  const window: Record<string, unknown> = {
    location,
    document: { location, cookie: "" },
    navigator: { language: "en", onLine: true, length: 0 },
    compute: () => 7,
    make: (given: unknown) => given,
    other: () => "https://other.example.org",
    log: () => {},
    register: (given: unknown) => Array.isArray(given) && given.push("registered"),
    overrides: { tokenExpiration: 99 },
    ELSEWHERE: "https://elsewhere.example.org",
    dojo: { mixin: Object.assign, baseUrl: "/js" },
  };
  const later: unknown[] = [];
  window["setTimeout"] = (given: unknown) => later.push(given);
  window["window"] = window["self"] = window["globalThis"] = window["frames"] = window;
  window["esriGeowConfig"] = { fromElsewhere: true };
  const context = createContext(window);
  const run = (code: string) => {
    try {
      runInContext(code, context, { timeout: 1000 });
    } catch {
      // A browser writes it to its console and goes on.
    }
  };
  run("window = self = globalThis = frames = top = parent = this;");
  run(PAGE);
  run(text);
  for (const each of later) {
    if (typeof each === "function") (each as () => void)();
    else run(String(each));
  }
  run("if (typeof onload === 'function') onload();");
  run("if (typeof dojoConfig === 'object' && dojoConfig.addOnLoad) dojoConfig.addOnLoad();");
  const keys = `typeof ${global} === "object" && ${global} ? Object.keys(${global}) : []`;
  const names = JSON.parse(String(runInContext(`JSON.stringify(${keys})`, context))) as string[];
  return Object.fromEntries(
    names.map((name) => [
      name,
      plain(`JSON.stringify(${global}[${JSON.stringify(name)}])`, context),
    ]),
  );
}

/** What keeps or converts the values that it is given, and what runs text. */
const PAGE = `(function (window) {
  var texts = { status: "", name: "" };
  Object.keys(texts).forEach(function (each) {
    Object.defineProperty(window, each, {
      get: function () { return texts[each]; },
      set: function (given) { texts[each] = String(given); },
    });
  });
  Object.defineProperty(window, "closed", { get: function () { return false; } });
  document.defaultView = window;
  document.createElement = function () { return {}; };
  document.head = { appendChild: function (made) { (0, eval)(made.text); } };
  document.write = function (markup) {
    var code = /<script>([^]*)<.script>/.exec(markup);
    if (code) (0, eval)(code[1]);
  };
})(this);`;

/** A getter may never end, so that it is read with a limit as well. */
function plain(code: string, context: Context): Json {
  try {
    const text = runInContext(code, context, { timeout: 200 }) as string | undefined;
    return text === undefined ? null : (JSON.parse(text) as Json);
  } catch {
    return "not JSON";
  }
}
