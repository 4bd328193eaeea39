// Runs an old file as config.js of a portal's page in Chromium, and reads the configuration that it leaves.
import type { Json } from "../../src/lib/json.js";
import { connect } from "../support/browser.js";
import { readerOf, SURROUNDINGS } from "./surroundings.js";

export interface Visit {
  readonly url: string;
  readonly language: string;
  readonly userAgent?: string;
  readonly cookie?: { readonly name: string; readonly value: string };
}

type Configuration = Readonly<Record<string, Json>>;

export interface Left {
  /** When the script has ended. */
  readonly atEnd: Configuration;
  /** When load handlers, promises and timers have run, too. */
  readonly later: Configuration;
}

export interface Visitor {
  visit(text: string, global: string): Promise<Left>;
  close(): Promise<void>;
}

/** No timer of a hazard waits longer. */
const LATER_MS = 50;
const MARK = "the configuration: ";

/** One file after another, in one tab. No request leaves the browser. */
export async function openVisitor(visit: Visit): Promise<Visitor> {
  const { url, language, userAgent, cookie } = visit;
  const browser = await connect();
  const context = await browser.newContext({
    locale: language,
    timezoneId: "UTC",
    ...(userAgent !== undefined && { userAgent }),
  });
  if (cookie) await context.addCookies([{ ...cookie, url }]);
  const page = await context.newPage();
  const address = url.replace(/#.*/, "");
  const script = new URL("config.js", url).href;
  let bodies: Readonly<Record<string, string>> = {};
  await page.route("**/*", async (route) => {
    const asked = route.request().url().replace(/#.*/, "");
    const body = bodies[asked];
    const contentType = `text/${asked === script ? "javascript" : "html"}; charset=utf-8`;
    await route.fulfill(body === undefined ? { status: 404 } : { contentType, body });
  });
  return {
    async visit(text, global) {
      bodies = { [address]: pageWith(global), [script]: text };
      const reported = page.waitForEvent("console", {
        predicate: (message) => message.text().startsWith(MARK),
      });
      // From the page itself, an address with a hash leads nowhere.
      if (url !== address) await page.goto("about:blank", { waitUntil: "commit" });
      await page.goto(url, { waitUntil: "commit" });
      return JSON.parse((await reported).text().slice(MARK.length)) as Left;
    },
    close: () => context.close(),
  };
}

/** The first script keeps what the last one needs, because the file may replace it. */
function pageWith(global: string): string {
  return `<!doctype html>
<html>
<head>
<script>
window.name = "";
(function () {
  var report = console.log.bind(console),
    later = setTimeout,
    add = addEventListener,
    read = ${readerOf(global)};
  Object.defineProperty(window, "the test reads", {
    value: function () {
      var atEnd = read();
      add.call(window, "load", function () {
        later.call(window, function () {
          report('${MARK}{"atEnd":' + atEnd + ',"later":' + read() + "}");
        }, ${LATER_MS});
      });
    },
  });
})();
</script>
<script>${SURROUNDINGS}</script>
<script src="config.js"></script>
<script>window["the test reads"]();</script>
</head>
<body></body>
</html>
`;
}
