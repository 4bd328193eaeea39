// The page of all portals and that of one, in a browser: what people see, choose and are told.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Seen } from "../../../src/serve/known.js";
import {
  connect,
  describeInBrowser,
  faultsOf,
  keepPicture,
  openPage,
  sideways,
} from "../../support/browser.js";
import { DRIFT, fleet, NOW, openBoard, seen } from "./open.js";

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
      await page.frameLocator("#home").getByRole("button", { name: "OK" }).waitFor();
      await page.locator("#apply-2 summary").click();
      await page.screenshot({ path: `test-output/pages/serve-portal-${name}.png`, fullPage: true });
      expect(await faultsOf(page)).toEqual([]);
      expect((await sideways(page)).filter((each) => each > 0)).toEqual([]);
      expect(strange).toEqual([]);
    },
  );

  test("state, name, pool and text choose among the portals, and the address remembers what was chosen", async () => {
    const { url } = await openBoard();
    const { page, strange } = await openPage(url);
    const found = async (count: string) => {
      await page.locator("#found", { hasText: new RegExp(`^${count}$`) }).waitFor();
    };
    await found("24 portals");
    const drifted = page.getByRole("button", { name: "1 Drifted" });
    await drifted.click();
    await found("1 of 24 portals");
    expect(await drifted.getAttribute("aria-pressed")).toBe("true");
    await drifted.click();
    await page.getByLabel("Name").fill("district-1*");
    await found("10 of 24 portals");
    await page.getByLabel("Name").fill("north");
    await found("1 of 24 portals");
    await page.getByLabel("Name").fill("");
    await page.getByLabel("Pool").selectOption("outside");
    await found("1 of 24 portals");
    await page.getByRole("button", { name: "Show all" }).click();
    await found("24 portals");
    // What stands in the row, and what does not, such as the file.
    await page.getByLabel("Text").fill("REFUSED district-3.yaml");
    await found("1 of 24 portals");
    await page.reload();
    await found("1 of 24 portals");
    expect(await page.getByRole("row").count()).toBe(2);
    await page.getByLabel("Text").fill("nothing of the kind");
    await page.getByText("No portal is like that.").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect(strange).toEqual([]);
  });

  test("what changes is on the page without being asked for: its row, its place, the figures, and a word for who listens", async () => {
    const board = await openBoard();
    const { page, strange } = await openPage(board.url);
    await page.getByText("Live", { exact: true }).waitFor();
    const link = page.getByRole("link", { name: "district-20", exact: true });
    await link.focus();
    board.change(20, { status: "invalid", failure: failed("The disk is full.") });
    await page.getByText("The disk is full.").waitFor();
    expect(await page.getByRole("row").nth(1).getByRole("link").textContent()).toBe("district-20");
    await page.getByText("6 of 24 portals may need somebody").waitFor();
    await page.getByRole("button", { name: "2 Failed" }).waitFor();
    expect(await link.evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true);
    await page.locator("#said", { hasText: "district-20: Failed." }).waitFor();
    board.set(board.portals().filter(({ id }) => id !== "portal-20"));
    await page.getByText("5 of 23 portals may need somebody").waitFor();
    expect(await link.count()).toBe(0);
    board.set(fleet(25));
    await page.getByText("5 of 25 portals may need somebody").waitFor();
    expect(await page.getByRole("row").last().getByRole("link").textContent()).toBe("district-25");
    expect(strange).toEqual([]);
  });

  test("the page of one portal takes in what is new, and leaves what somebody has opened", async () => {
    const board = await openBoard();
    const { page, strange } = await openPage(`${board.url}/portals/gis.example.com-portal-8`);
    await page.getByText("Live", { exact: true }).waitFor();
    await page.locator("#apply-2 summary").click();
    await page.getByRole("radio", { name: "member" }).check();
    board.change(8, { status: "drifted", drift: DRIFT });
    await page.getByRole("heading", { name: "What somebody else changed" }).waitFor();
    await page.locator("#drift del", { hasText: "Saturday" }).first().waitFor();
    // As applied and now, in the banner's own colours, which the page did not know when it was made.
    const banners = page.locator("#drift figure .banner");
    expect(await banners.allTextContents()).toEqual([
      expect.stringContaining("on Saturday from 18:00"),
      expect.stringContaining("on Sunday from 18:00"),
    ]);
    const ground =
      "getComputedStyle(document.querySelector('#drift figure .banner')).backgroundColor";
    expect(await page.evaluate(ground)).toBe("rgb(13, 95, 99)");
    await page.locator("#said", { hasText: "What somebody else changed" }).waitFor();
    expect(await page.locator("#apply-2").getAttribute("open")).toBe("");
    await page.frameLocator('#home[title$="member"]').getByText("on Sunday from 18:00").waitFor();
    board.change(8, { status: "in-sync", drift: [] });
    await page.locator("#drift").waitFor({ state: "hidden" });
    board.set(board.portals().slice(0, 3));
    await page.getByText("There is nothing at this address.").waitFor();
    expect(strange.filter((each) => !each.includes("404"))).toEqual([]);
  });

  test("the token is entered once, and a link from another site leads to what it names", async () => {
    const token = "0123456789abcdef0123456789abcdef";
    const { url } = await openBoard(undefined, {}, { LINTEL_SERVE_TOKEN: token });
    const { page } = await openPage(`${url}/?state=held`);
    await keepPicture(page, "serve-token");
    expect(await faultsOf(page)).toEqual([]);
    await page.getByLabel("Token of this page").fill("wrong");
    await page.getByRole("button", { name: "Show the page" }).click();
    await page.getByText("This is not the token.").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByLabel("Token of this page").fill(token);
    await page.keyboard.press("Enter");
    await page.locator("#found", { hasText: "1 of 24 portals" }).waitFor();
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
    await page.frameLocator("#home").getByText("window.canary").first().waitFor();
    const ran = page.frames().map((frame) => frame.evaluate("window.canary === 1"));
    expect(await Promise.all(ran)).not.toContain(true);
    expect(strange).toEqual([]);
  });

  test("a page whose server is away says so", async () => {
    const { url } = await openBoard();
    const { page } = await openPage(url);
    await page.getByText("Live", { exact: true }).waitFor();
    await page.route("**/events?*", (route) => route.abort());
    await page.reload();
    await page.getByText("Not up to date").waitFor();
  });

  test("5,000 portals are all there to be found, and a change touches what has changed alone", async () => {
    const board = await openBoard(fleet(5_000));
    const { page, strange } = await openPage(board.url);
    await page.getByText("Live", { exact: true }).waitFor();
    expect(await page.locator("#found").textContent()).toBe("5,000 portals");
    expect(await page.evaluate("document.querySelectorAll('#portals tbody tr').length")).toBe(
      5_000,
    );
    // By the browser's own search, also far below what the screen shows.
    expect(await page.evaluate("find('district-4321')")).toBe(true);
    await page.getByLabel("Name").fill("district-4321");
    await page.locator("#found", { hasText: "1 of 5,000 portals" }).waitFor();
    expect(await page.getByRole("row").count()).toBe(2);
    await page.evaluate(`(() => {
      window.touched = 0;
      const watch = new MutationObserver((all) => {
        for (const { addedNodes, removedNodes } of all) touched += addedNodes.length + removedNodes.length;
      });
      for (const body of document.querySelectorAll("tbody")) watch.observe(body, { childList: true });
    })()`);
    board.change(4321, { status: "invalid", failure: failed("The disk is full.") });
    await page.getByText("The disk is full.").waitFor();
    expect(await page.evaluate("touched")).toBe(2);
    expect(strange).toEqual([]);
  });

  test("without a script all portals are there to be read", async () => {
    const { url } = await openBoard();
    const browser = await connect();
    const context = await browser.newContext({ javaScriptEnabled: false });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(url);
    expect(await page.getByRole("row").count()).toBe(25);
    expect(await page.getByText("2026-06-15 11:59 UTC").first().isVisible()).toBe(true);
  });
});

function failed(message: string): NonNullable<Seen["failure"]> {
  return { code: "file-invalid", message, help: null, sinceMs: NOW };
}
