// An old file as a script of a portal's page, and who visits it → what real Chromium leaves of the configuration, at the end of the script and later.
import type { CDPSession, Frame, Page, Route } from "playwright-core";
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

export interface Case {
  readonly text: string;
  /** What is read when it has run. */
  readonly global: string;
}

export interface Visitor {
  /** Undefined where the page never gets to its end. */
  visit(given: Case, limitMs: number): Promise<Left | undefined>;
  /**
   * Each case in a frame of its own at the address of the visit: to open a page takes longer than its script. For files
   * that share nothing with other frames. One that never ends leaves nothing of any.
   */
  visitFrames(cases: readonly Case[]): Promise<readonly Left[] | undefined>;
  close(): Promise<void>;
}

const FRAMES_LIMIT_MS = 60_000;

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
  const page = url.replace(/#.*/, "");
  let fileFor: FileFor = () => undefined;
  // The network is never asked.
  await context.route("**/*", (route) => answer(route, fileFor));
  let tab = await openTab(await context.newPage());

  async function open(at: string, count: number, limitMs: number) {
    const told = await tab.open(at, count, limitMs);
    if (told !== undefined) return told.map((each) => JSON.parse(each) as Left & { at: number });
    await tab.close();
    tab = await openTab(await context.newPage());
    return undefined;
  }

  return {
    async visit({ text, global }, limitMs) {
      await context.clearCookies();
      if (cookie) await context.addCookies([{ ...cookie, url }]);
      fileFor = (asked) =>
        asked === page ? pageWith(global) : asked === script ? text : undefined;
      const [left] = (await open(url, 1, limitMs)) ?? [];
      return left && { atEnd: left.atEnd, later: left.later };
    },
    async visitFrames(cases) {
      await context.clearCookies();
      if (cookie) await context.addCookies([{ ...cookie, url }]);
      const parent = new URL("frames.html", url).href;
      // The frames are alike: each takes the next case when it first asks.
      const taken = new Map<Frame, number>();
      fileFor = (asked, frame) => {
        if (asked === parent) return pageOfFrames(url, cases.length);
        const at = taken.get(frame) ?? taken.size;
        taken.set(frame, at);
        const { text, global = "" } = cases[at] ?? {};
        return asked === page ? pageWith(global, at) : asked === script ? text : undefined;
      };
      const left = await open(parent, cases.length, FRAMES_LIMIT_MS);
      return left
        ?.toSorted((one, other) => one.at - other.at)
        .map(({ atEnd, later }) => ({ atEnd, later }));
    },
    close: () => context.close(),
  };
}

type FileFor = (url: string, frame: Frame) => string | undefined;

async function answer(route: Route, fileFor: FileFor): Promise<void> {
  const request = route.request();
  const url = request.url().replace(/#.*/, "");
  const body = fileFor(url, request.frame());
  const kind = url.endsWith(".js") ? "text/javascript" : "text/html";
  await route.fulfill(
    body === undefined ? { status: 404 } : { contentType: `${kind}; charset=utf-8`, body },
  );
}

interface Tab {
  /** As many texts as are awaited, or undefined after the limit. */
  open(url: string, count: number, limitMs: number): Promise<readonly string[] | undefined>;
  close(): Promise<void>;
}

async function openTab(page: Page): Promise<Tab> {
  const session: CDPSession = await page.context().newCDPSession(page);
  let tell = (_told: string): void => {};
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
    async open(url, count, limitMs) {
      let giveUp = (): void => {};
      const told = new Promise<readonly string[] | undefined>((resolve) => {
        const texts: string[] = [];
        tell = (text) => {
          if (texts.push(text) === count) resolve(texts);
        };
        giveUp = () => resolve(undefined);
      });
      const limit = setTimeout(giveUp, limitMs);
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

/** Each as large as a page though nobody paints it, and sent from nowhere. */
function pageOfFrames(url: string, count: number): string {
  const frame = `<iframe src="${url}" width="1280" height="720" style="visibility: hidden" referrerpolicy="no-referrer"></iframe>\n`;
  return `<!doctype html>\n<html>\n<body>\n${frame.repeat(count)}</body>\n</html>\n`;
}

/** The browser's own ways to wait and to tell are kept before the file can change them. */
function pageWith(global: string, at = 0): string {
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
        tell('{"at":${at},"atEnd":' + atEnd + ',"later":' + read() + "}");
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
