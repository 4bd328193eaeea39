// The report in a browser: what people see, choose, open and are spared.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { check } from "../../src/document/check/check.js";
import { readSource } from "../../src/document/read/bytes.js";
import { outcomeOfCheck } from "../../src/outcome.js";
import { htmlReport } from "../../src/report/html/html.js";
import { describeInBrowser, faultsOf, keepPicture, sideways } from "../support/browser.js";
import { PROJECT } from "../support/run.js";
import { EVERY_KIND } from "./every-kind.js";
import { fallen, fleetOf, held } from "./fleet.js";
import { MADE, PLAN } from "./made.js";
import { open, openAll } from "./open.js";
import { named, resultOfStory, STORIES } from "./results.js";

const stories = () => [
  ...STORIES.map((story) => named(resultOfStory(story), story)),
  fallen("fallen"),
  named(held(resultOfStory("drifted-banner")), "held"),
];

/** Also those whose names are folded below the row of several that are alike. */
const shownNames = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll("#matrix [data-at]:not([hidden]) bdi")]
    .map(({ textContent }) => textContent)
    .toSorted()`);
const shownPortals = async (page: Page) => (await shownNames(page)).length;

const LOOKS = [
  { width: 1440, height: 900, colorScheme: "light" },
  { width: 1440, height: 900, colorScheme: "dark" },
  { width: 320, height: 640, colorScheme: "light" },
  { width: 320, height: 640, colorScheme: "dark" },
] as const;

describeInBrowser("in a browser", () => {
  test.each(LOOKS)(
    "at $width pixels, $colorScheme, axe finds nothing and nothing scrolls sideways",
    async (looking) => {
      const look = `${looking.width}-${looking.colorScheme}`;
      const { page, strange } = await open(htmlReport(stories(), PLAN, MADE), looking);
      await keepPicture(page, `report-${look}`);
      expect(await faultsOf(page)).toEqual([]);
      expect(await sideways(page)).toEqual([0]);
      await openAll(page);
      for (const name of ["banner-off-after-the-day", "drifted-banner", "shrink-list", "held"]) {
        await page.getByRole("link", { name, exact: true }).click();
        await keepPicture(page, `report-${look}-${name}`);
      }
      expect(await faultsOf(page)).toEqual([]);
      expect(await sideways(page)).toEqual([0]);
      expect(strange).toEqual([]);
    },
  );

  test.each(LOOKS)(
    "so for one portal and for files with errors, at $width, $colorScheme",
    async (looking) => {
      const look = `${looking.width}-${looking.colorScheme}`;
      const file = "test/invalid/fifteen.yaml";
      const { diagnostics } = check(file, readSource({ file, cwd: PROJECT }), {
        cwd: PROJECT,
        env: {},
      });
      const pages = {
        one: htmlReport([EVERY_KIND], PLAN, MADE),
        check: htmlReport([], outcomeOfCheck("validate", [file, "portal.yaml"], diagnostics), MADE),
      };
      for (const [name, text] of Object.entries(pages)) {
        const { page, strange } = await open(text, looking);
        await keepPicture(page, `report-${name}-${look}`);
        expect(await faultsOf(page)).toEqual([]);
        expect(await sideways(page)).toEqual([0]);
        expect(strange).toEqual([]);
      }
    },
  );

  test("rows are chosen by status, parameter and text, and their details with them", async () => {
    const { page, strange } = await open(htmlReport(fleetOf(60), PLAN, MADE));
    const [status, parameter, search] = [
      page.getByLabel("Status", { exact: true }),
      page.getByLabel("Changes in"),
      page.getByLabel("Search"),
    ];
    expect(await shownPortals(page)).toBe(60);
    await status.selectOption("failed");
    expect(await shownPortals(page)).toBe(2);
    expect(await shownNames(page)).toEqual(["customer-0008", "customer-0049"]);
    expect(await page.locator("details.portal:visible").count()).toBe(2);
    await page.getByText("2 of 60 portals").waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await page.getByText("60 portals", { exact: true }).waitFor();

    await parameter.selectOption("blockBetaApps");
    expect(await shownPortals(page)).toBe(14);
    await status.selectOption("guarded");
    expect(await shownNames(page)).toEqual(["customer-0004"]);
    expect(await page.locator("details.portal:visible h3").allInnerTexts()).toEqual([
      "customer-0004",
      "The same 4 changes on 14 portals",
      "The same change on 44 portals",
    ]);
    await keepPicture(page, "report-filtered");
    expect(await faultsOf(page)).toEqual([]);

    await page.getByRole("button", { name: "Show all" }).click();
    await search.fill("READ-ONLY customer-001");
    expect(await shownNames(page)).toEqual([
      "customer-0011",
      "customer-0012",
      "customer-0015",
      "customer-0016",
      "customer-0019",
    ]);
    await search.fill("no such words");
    expect(await shownPortals(page)).toBe(0);
    await page.getByText("0 of 60 portals").waitFor();
    expect(strange).toEqual([]);
  });

  test("the keyboard reaches a row, opens its details, and opens the request inside", async () => {
    const { page, strange } = await open(htmlReport(fleetOf(8), PLAN, MADE));
    const focused = () =>
      page.evaluate<string>("document.activeElement.textContent.trim().replace(/\\s+/g, ' ')");
    await page.getByRole("link", { name: "customer-0004" }).focus();
    await page.keyboard.press("Enter");
    const portal = page
      .locator("details.portal[open]")
      .filter({ hasText: "customer-0004" })
      .first();
    await portal.waitFor();
    // The details open with the click; the focus comes to them when the address has changed, a moment later.
    await page.locator("summary:focus", { hasText: /^\s*customer-0004\s+with changes/ }).waitFor();
    // What others have too is told of it as well.
    expect(await page.locator("details.portal[open] h3").allInnerTexts()).toEqual([
      "customer-0004",
      "The same change on 5 portals",
    ]);
    await page.keyboard.press("Tab");
    expect(await focused()).toMatch(/^Request/);
    await page.keyboard.press("Enter");
    await portal.getByText('"blockBetaApps": false').waitFor();
    await keepPicture(page, "report-opened");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Space");
    expect(await page.locator("details.portal[open]").count()).toBe(1);
    expect(strange).toEqual([]);
  });

  test("on paper everything that is chosen is open, dark on white, without controls", async () => {
    const { page } = await open(htmlReport(fleetOf(12), PLAN, MADE), {
      colorScheme: "dark",
      width: 760,
    });
    await page.getByLabel("Status", { exact: true }).selectOption("changes");
    await page.emulateMedia({ media: "print" });
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await page.locator("details.portal:visible").count()).toBe(
      await page.locator("details.portal[open]").count(),
    );
    expect(await page.getByLabel("Search").isVisible()).toBe(false);
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(
      "rgb(255, 255, 255)",
    );
    expect(await sideways(page)).toEqual([0]);
    await keepPicture(page, "report-print");
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(await page.locator("details.portal[open]").count()).toBe(0);
  });

  test("with scripts switched off it is read all the same", async () => {
    const text = htmlReport(fleetOf(16), PLAN, MADE).replace(/script-src [^;]*;/, "");
    const { page } = await open(text);
    expect(await page.locator("#filters").isVisible()).toBe(false);
    expect(await shownPortals(page)).toBe(16);
    const name = page.getByText("customer-0013", { exact: true });
    expect(await name.isVisible()).toBe(false);
    await page.locator("#matrix summary").last().click();
    expect(await name.isVisible()).toBe(true);
    await page.locator("details.portal > summary").last().click();
    await page.locator("details.portal[open] .words").first().waitFor();
  });

  test("a thousand portals open at once and filter without delay", async () => {
    const text = htmlReport(fleetOf(1_000), PLAN, MADE);
    const { page, strange } = await open(text);
    const opened = await page.evaluate<number>(
      "performance.getEntriesByType('navigation')[0].loadEventEnd",
    );
    const times = await page.evaluate<number[]>(`(() => {
      const find = (id) => document.getElementById(id);
      const choices = [["text", "customer-09"], ["text", "read-only"], ["state", "failed"], ["state", ""], ["text", ""], ["parameter", "1"], ["text", "sunday"], ["parameter", ""], ["text", ""]];
      return choices.map(([id, value]) => {
        const begun = performance.now();
        find(id).value = value;
        find(id).dispatchEvent(new Event("input", { bubbles: true }));
        // What was shown or hidden is laid out before the clock is read.
        document.body.getBoundingClientRect();
        return performance.now() - begun;
      });
    })()`);
    const [median, most] = [
      times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Infinity,
      Math.max(...times),
    ];
    const figures = {
      bytes: Buffer.byteLength(text),
      openedMs: Math.round(opened),
      medianFilterMs: Math.round(median),
      slowestFilterMs: Math.round(most),
    };
    mkdirSync(join(PROJECT, "test-output"), { recursive: true });
    writeFileSync(
      join(PROJECT, "test-output/report-figures.json"),
      `${JSON.stringify(figures, null, 2)}\n`,
    );
    console.log(`A report over 1,000 portals: ${JSON.stringify(figures)}`);
    await keepPicture(page, "report-thousand");
    expect(await shownPortals(page)).toBe(1_000);
    expect(median).toBeLessThan(300);
    expect(strange).toEqual([]);
  });
});
