// The dashboard in a browser: list, search, live changes, login, and text that means harm.
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Actions } from "../../../src/serve/dashboard/source.js";
import type { Activity } from "../../../src/serve/events/event-store.js";
import type { Snapshot } from "../../../src/serve/snapshot.js";
import type { Event } from "../../../src/serve/events/event.js";
import {
  connect,
  describeInBrowser,
  faultsOf,
  keepPicture,
  openPage,
  sideways,
} from "../../support/browser.js";
import { fleet, NOW, openBoard, seen } from "./open.js";
import { DRIFT } from "./views/sample.js";

/** Each width and each colour scheme once: a layout has one width, a contrast one scheme. */
const LOOKS = [
  { width: 1440, height: 900, colorScheme: "light" },
  { width: 360, height: 900, colorScheme: "dark" },
] as const;

describeInBrowser("in a browser", () => {
  test.each(LOOKS)(
    "at $width pixels, $colorScheme, axe finds nothing and nothing scrolls sideways",
    async (looking) => {
      const { url } = await openBoard();
      const { page, strange } = await openPage(url, { ...looking, atMs: NOW });
      const name = `${looking.width}-${looking.colorScheme}`;
      await page.getByText("Live", { exact: true }).waitFor();
      await page.getByRole("link", { name: "Harbour" }).waitFor();
      await keepPicture(page, `serve-portals-${name}`);
      expect(await faultsOf(page)).toEqual([]);
      await page.getByRole("link", { name: "Northern district" }).click();
      await page.getByRole("heading", { name: "History" }).waitFor();
      await page.frameLocator("iframe.home").first().getByRole("button", { name: "OK" }).waitFor();
      await page.locator("#apply-2 summary").click();
      await page.screenshot({ path: `test-output/pages/serve-portal-${name}.png`, fullPage: true });
      expect(await faultsOf(page)).toEqual([]);
      expect((await sideways(page)).filter((each) => each > 0)).toEqual([]);
      expect(strange).toEqual([]);
    },
  );

  test.each(LOOKS)(
    "rollout, activity, calendar and workers at $width pixels, $colorScheme: axe finds nothing",
    async (looking) => {
      const { url } = await openBoard(undefined, {}, {}, undefined, { activity: activityOf() });
      const { page, strange } = await openPage(url, { ...looking, atMs: NOW });
      for (const [name, text] of [
        ["Rollout", "24 of 24 portals have"],
        ["Activity", "The banner was changed."],
        ["Calendar", "Elections"],
        ["Workers", "No queue is used"],
      ] as const) {
        await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name }).click();
        await page.getByText(text).filter({ visible: true }).first().waitFor();
        await page.getByText("Live", { exact: true }).waitFor();
        await page.screenshot({
          path: `test-output/pages/serve-${name}-${looking.width}-${looking.colorScheme}.png`,
          fullPage: true,
        });
        expect([name, await faultsOf(page)]).toEqual([name, []]);
        expect((await sideways(page)).filter((each) => each > 0)).toEqual([]);
      }
      expect(strange).toEqual([]);
    },
  );

  test("status, search and pool select portals, and the address stays a link to what is shown", async () => {
    const { url } = await openBoard();
    const { page, strange } = await openPage(url);
    const found = async (count: string) => {
      await page.locator("#count", { hasText: new RegExp(`^${count}$`) }).waitFor();
    };
    await page.getByText("Live", { exact: true }).waitFor();
    await found("24 portals");
    await page.getByRole("link", { name: "1 Drifted" }).click();
    await found("1 portal");
    expect(page.url()).toBe(`${url}/?status=drifted`);
    const drifted = page.getByRole("link", { name: "1 Drifted" });
    expect(await drifted.getAttribute("aria-current")).toBe("true");
    await page.getByRole("link", { name: "Show all" }).click();
    const search = page.getByLabel("Search");
    for (const [text, count] of [
      ["district-1*", "10 portals"],
      ["NORTH", "1 portal"],
      ["host:gis.example.com", "24 portals"],
      ["setting:blockBetaApps", "2 portals"],
      ["setting:surveyurl northern", "1 portal"],
      ["commit:0123456", "24 portals"],
      ["author:ana", "24 portals"],
      ["author:nobody", "0 portals"],
    ] as const) {
      await search.fill(text);
      await found(count);
    }
    await page.getByText("No portal matches.").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await search.fill("");
    await page.getByLabel("Pool").selectOption("outside");
    await found("1 portal");
    expect(page.url()).toBe(`${url}/?pool=outside`);
    await page.reload();
    await found("1 portal");
    expect(await page.getByRole("row").count()).toBe(2);
    expect(strange).toEqual([]);
  });

  test("a change is on the list without a reload: row, order, figures, focus, and a word for screen readers", async () => {
    const board = await openBoard();
    const { page, strange } = await openPage(board.url);
    await page.getByText("Live", { exact: true }).waitFor();
    const link = page.getByRole("link", { name: "district-20", exact: true });
    await link.focus();
    board.change(20, { status: "invalid", failure: failed("The disk is full.") });
    await page.getByText("The disk is full.").waitFor();
    const names = await page.getByRole("row").getByRole("link").allTextContents();
    expect(names.slice(0, 2).toSorted()).toEqual(["Harbour", "district-20"]);
    await page.getByRole("link", { name: "2 Invalid" }).waitFor();
    expect(await link.evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true);
    await page.locator("#announcement", { hasText: "List of portals" }).waitFor();
    board.set(board.portals().filter(({ id }) => id !== "portal-20"));
    await page.locator("#count", { hasText: "23 portals" }).waitFor();
    expect(await link.count()).toBe(0);
    expect(strange).toEqual([]);
  });

  test("the page of one portal updates, and leaves open sections open", async () => {
    const board = await openBoard();
    const { page, strange } = await openPage(`${board.url}/portals/gis.example.com-portal-8`);
    await page.getByText("Live", { exact: true }).waitFor();
    await page.locator("#apply-2 summary").click();
    board.change(8, { status: "drifted", drift: DRIFT });
    await page.locator("#drift del", { hasText: "Saturday" }).first().waitFor();
    // In the banner's own colours, which the page did not know when it was made.
    const ground =
      "getComputedStyle(document.querySelector('#drift figure .banner')).backgroundColor";
    expect(await page.evaluate(ground)).toBe("rgb(13, 95, 99)");
    expect(await page.locator("#apply-2").getAttribute("open")).toBe("");
    await page.frameLocator("iframe.home").first().getByText("on Sunday from 18:00").waitFor();
    board.change(8, { status: "in-sync", drift: [] });
    await page.locator("#drift").waitFor({ state: "hidden" });
    board.set(board.portals().slice(0, 3));
    await page.getByText("There is nothing at this address.").waitFor();
    expect(strange.filter((each) => !each.includes("404"))).toEqual([]);
  });

  test("the result of an action stays while the page is updated, and is gone after a reload", async () => {
    const refresh = () => Promise.resolve({ message: "Checked. Status: Drifted.", isDone: true });
    const board = await openBoard(
      undefined,
      { isBehindTls: true, isBehindAuthProxy: true, publicUrl: PUBLIC },
      { LINTEL_PROXY_SECRET: PROXY_SECRET },
      undefined,
      {
        roles: { operators: { admins: ["*"] } },
        allowed: ["refresh"],
        actions: { ...NO_ACTIONS, refresh },
      },
    );
    const { page, strange } = await openPage(
      `${await openProxy(board.url)}/portals/gis.example.com-portal-8`,
    );
    await page.getByText("Signed in as ana, operator of all portals").waitFor();
    await page.getByText("Operators may use: refresh.").waitFor();
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.locator("#result", { hasText: "Checked. Status: Drifted." }).waitFor();
    expect(await page.evaluate("scrollY")).toBe(0);
    await page.getByText("Live", { exact: true }).waitFor();
    board.change(8, { status: "drifted", drift: DRIFT });
    await page.locator("#drift").waitFor();
    expect(await page.locator("#result").count()).toBe(1);
    await page.reload();
    await page.locator("#drift").waitFor();
    expect(await page.locator("#result").count()).toBe(0);
    expect(strange).toEqual([]);
  });

  test("the token is entered once, and a link from another site leads to what it names", async () => {
    const token = "0123456789abcdef0123456789abcdef";
    const { url } = await openBoard(undefined, {}, { LINTEL_SERVE_TOKEN: token });
    const { page } = await openPage(`${url}/?status=held`);
    await keepPicture(page, "serve-token");
    expect(await faultsOf(page)).toEqual([]);
    await page.getByLabel("Token of this dashboard").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("This is not the token.").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByLabel("Token of this dashboard").fill(token);
    await page.keyboard.press("Enter");
    await page.locator("#count", { hasText: /^1 portal$/ }).waitFor();
    expect(await page.evaluate("document.cookie")).toBe("");
    const other = createServer((_, response) => {
      response.setHeader("content-type", "text/html");
      response.end(`<!doctype html><a href="${url}/portals/gis.example.com-portal-2">Harbour</a>`);
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    await page.goto(`http://localhost:${(other.address() as AddressInfo).port}/`);
    await page.getByRole("link", { name: "Harbour" }).click();
    await page.getByRole("heading", { name: "Harbour" }).waitFor();
  });

  test("names, messages and settings that mean harm do none", async () => {
    const harm = '<script>window.canary = 1</script><img src=x onerror="window.canary = 1">';
    const board = await openBoard([
      seen(1, {
        name: harm,
        pool: harm,
        status: "invalid",
        file: harm,
        url: harm,
        failure: failed(harm),
      }),
    ]);
    const { page, strange } = await openPage(board.url);
    await page.getByText("Live", { exact: true }).waitFor();
    board.change(1, {
      drift: [
        { path: "informationalBanner.text", proven: harm, live: harm.repeat(3), managed: true },
        {
          path: "informationalBanner.bgColor",
          proven: `red } </style>${harm}`,
          live: "url(https://evil.example.com/x)",
          managed: true,
        },
      ],
      waiting: [
        { path: harm, action: "set", cause: "file", window: null, before: null, after: harm },
      ],
      windows: [{ name: harm, fromMs: NOW, untilMs: NOW * 2 }],
    });
    await page.locator("#portals").getByText("window.canary").first().waitFor();
    await page.goto(`${board.url}/portals/gis.example.com-portal-1`);
    await page.frameLocator("iframe.home").first().getByText("window.canary").first().waitFor();
    const ran = page.frames().map((frame) => frame.evaluate("window.canary === 1"));
    expect(await Promise.all(ran)).not.toContain(true);
    expect(strange).toEqual([]);
  });

  test("a page reports that its server is away", async () => {
    const { url } = await openBoard();
    const { page } = await openPage(url);
    await page.getByText("Live", { exact: true }).waitFor();
    await page.route("**/events?*", (route) => route.abort());
    await page.reload();
    await page.getByText("Not live: the server does not answer").waitFor();
  });

  test("10,000 portals come in pages, and search finds any of them", async () => {
    const board = await openBoard(fleet(10_000));
    const { page, strange } = await openPage(board.url);
    await page.getByText("Live", { exact: true }).waitFor();
    await page.locator("#count", { hasText: "1 to 100 of 10,000 portals" }).waitFor();
    expect(await page.getByRole("row").count()).toBe(101);
    await page.getByRole("link", { name: "Next" }).click();
    await page.locator("#count", { hasText: "101 to 200 of 10,000 portals" }).waitFor();
    expect(page.url()).toBe(`${board.url}/?page=2`);
    await page.getByLabel("Search").fill("district-4321");
    await page.locator("#count", { hasText: /^1 portal$/ }).waitFor();
    expect(await page.getByRole("row").getByRole("link").allTextContents()).toEqual([
      "district-4321",
    ]);
    expect(strange).toEqual([]);
  });

  test("without a script the list can be read and searched", async () => {
    const { url } = await openBoard();
    const browser = await connect();
    const context = await browser.newContext({ javaScriptEnabled: false });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(url);
    expect(await page.getByRole("row").count()).toBe(25);
    expect(await page.getByText("2026-06-15 11:59 UTC").first().isVisible()).toBe(true);
    await page.getByLabel("Search").fill("northern");
    await page.keyboard.press("Enter");
    await page.locator("#count", { hasText: /^1 portal$/ }).waitFor();
  });
});

function failed(message: string): NonNullable<Snapshot["failure"]> {
  return { code: "file-invalid", message, help: null, sinceMs: NOW };
}

const PUBLIC = "https://lintel.example.com";
const PROXY_SECRET = "proxy-secret-0123456789abcdef";
const NOTHING = () => Promise.resolve({ message: "Nothing.", isDone: false });
const NO_ACTIONS: Actions = {
  refresh: NOTHING,
  apply: NOTHING,
  hold: NOTHING,
  unhold: NOTHING,
  planAfterUnhold: NOTHING,
};

/** A proxy that signs in ana, an operator, and is reached without TLS. */
async function openProxy(url: string): Promise<string> {
  const own = {
    host: new URL(PUBLIC).host,
    "x-lintel-proxy-secret": PROXY_SECRET,
    "x-forwarded-user": "ana",
    "x-forwarded-groups": "admins",
  };
  const server = createServer((asked, answer) => {
    const { method, url: path = "/", headers } = asked;
    const origin = headers.origin && { origin: PUBLIC };
    const to = request(url + path, { method, headers: { ...headers, ...origin, ...own } });
    to.on("response", (from) => {
      answer.writeHead(from.statusCode ?? 502, from.headers);
      from.pipe(answer);
    });
    to.on("error", () => answer.destroy());
    answer.on("close", () => to.destroy());
    asked.pipe(to);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Two days with an event each. */
function activityOf(): Activity {
  const event = (day: string): Event => ({
    kind: "drift",
    id: day,
    key: "gis.example.com-portal-1",
    about: {
      portal: { name: "Northern district", url: "https://gis.example.com", id: "portal-1" },
      file: "portals/district-1.yaml",
    },
    timeMs: Date.parse(`${day}T10:00:00Z`),
    message: "The banner was changed.",
    isProblem: true,
  });
  return {
    days: () => Promise.resolve(["2026-06-15", "2026-06-12"]),
    eventsOn: (day) => Promise.resolve([event(day)]),
  };
}
