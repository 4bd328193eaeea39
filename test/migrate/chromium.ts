// An old file as a script of a portal's page, and who visits it → what real Chromium leaves of the configuration, at the end of the script and later.
import type { CDPSession, Page, Route } from "playwright-core";
import type { Json } from "../../src/lib/json.js";
import { connect } from "../support/browser.js";
import { readingOf, SURROUNDINGS } from "./surroundings.js";

export interface Visit {
  readonly url: string;
  readonly language: string;
  readonly userAgent?: string;
  readonly cookie?: { readonly name: string; readonly value: string };
}

export interface Left {
  readonly atEnd: Record<string, Json>;
  readonly later: Record<string, Json>;
}

export interface Visitor {
  /** Undefined where the page never gets to its end. */
  visit(text: string, global: string): Promise<Left | undefined>;
  close(): Promise<void>;
}

/** A browser takes some tenths of a second. */
const LIMIT_MS = 6_000;

/** In the page's own time, which runs ahead as soon as nothing is left to do: no test waits for it. */
const LATER_MS = 600_000;
const AHEAD = { policy: "pauseIfNetworkFetchesPending", budget: 2 * LATER_MS } as const;

/** One page after the other in one tab, in which nothing is left of the page before. */
export async function openVisitor({ url, language, userAgent, cookie }: Visit): Promise<Visitor> {
  const browser = await connect();
  const context = await browser.newContext({
    locale: language,
    timezoneId: "UTC",
    ...(userAgent !== undefined && { userAgent }),
  });
  const script = new URL("config.js", url).href;
  let files: Record<string, string> = {};
  // The network is never asked.
  await context.route("**/*", (route) => answer(route, files));
  let tab = await openTab(await context.newPage());

  return {
    async visit(text, global) {
      await context.clearCookies();
      if (cookie) await context.addCookies([{ ...cookie, url }]);
      const page = new URL(url);
      page.hash = "";
      files = { [page.href]: pageWith(global), [script]: text };
      const told = await tab.open(url);
      if (told !== undefined) return JSON.parse(told) as Left;
      await tab.close();
      tab = await openTab(await context.newPage());
      return undefined;
    },
    close: () => context.close(),
  };
}

async function answer(route: Route, files: Record<string, string>): Promise<void> {
  const url = route.request().url();
  const body = files[url.replace(/#.*/, "")];
  const kind = url.endsWith(".js") ? "text/javascript" : "text/html";
  await route.fulfill(
    body === undefined ? { status: 404 } : { contentType: `${kind}; charset=utf-8`, body },
  );
}

interface Tab {
  open(url: string): Promise<string | undefined>;
  close(): Promise<void>;
}

async function openTab(page: Page): Promise<Tab> {
  const session: CDPSession = await page.context().newCDPSession(page);
  let tell = (_told: string | undefined): void => {};
  await session.send("Runtime.enable");
  await session.send("Runtime.addBinding", { name: TELL });
  session.on("Runtime.bindingCalled", ({ payload }) => {
    tell(payload);
  });
  const goAhead = () => session.send("Emulation.setVirtualTimePolicy", AHEAD);
  let isWaiting = false;
  // It may have been used up before there was anything to wait for.
  session.on("Emulation.virtualTimeBudgetExpired", () => {
    if (isWaiting) void goAhead();
  });
  return {
    async open(url) {
      const told = new Promise<string | undefined>((resolve) => {
        tell = resolve;
      });
      const limit = setTimeout(() => {
        tell(undefined);
      }, LIMIT_MS);
      isWaiting = true;
      // From the page itself, an address with a hash leads nowhere.
      if (url.includes("#")) await page.goto("about:blank", { waitUntil: "commit" });
      await page.goto(url, { waitUntil: "commit" });
      await goAhead();
      const result = await told;
      clearTimeout(limit);
      isWaiting = false;
      return result;
    },
    async close() {
      // Ends a script that would keep the page from closing.
      await session.send("Runtime.terminateExecution");
      await page.close();
    },
  };
}

const TELL = "tell the test";

/** The browser's own ways to wait and to tell are kept before the file can change them. */
function pageWith(global: string): string {
  return `<!doctype html>
<html>
<head>
<script>
window.name = "";
localStorage.clear();
sessionStorage.clear();
(function () {
  var tell = window[${JSON.stringify(TELL)}],
    later = setTimeout,
    add = addEventListener;
  delete window[${JSON.stringify(TELL)}];
  window["told"] = function (read) {
    var atEnd = read();
    add.call(window, "load", function () {
      later.call(window, function () {
        tell('{"atEnd":' + atEnd + ',"later":' + read() + "}");
      }, ${LATER_MS});
    });
  };
  Object.defineProperty(window, "told", { enumerable: false, writable: false, configurable: false });
})();
</script>
<script>${SURROUNDINGS}</script>
<script src="config.js"></script>
<script>window["told"](function () { return ${readingOf(global)}; });</script>
</head>
<body></body>
</html>
`;
}
