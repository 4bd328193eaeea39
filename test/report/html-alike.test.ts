// Portals that are alike, in a browser: one row that opens, and a word where the table goes on.
import { expect, test } from "vitest";
import { htmlReport } from "../../src/report/html/html.js";
import { describeInBrowser } from "../support/browser.js";
import { fleetOf } from "./fleet.js";
import { MADE, PLAN } from "./made.js";
import { open } from "./open.js";

describeInBrowser("in a browser", () => {
  test("portals that are alike are one row, which opens, and a search names whom it finds", async () => {
    const { page, strange } = await open(htmlReport(fleetOf(16), PLAN, MADE));
    const rows = async () =>
      (await page.locator("#matrix tbody tr:visible th").allInnerTexts()).map((text) =>
        text.trim(),
      );
    expect((await rows()).slice(-2)).toEqual(["4 portals", "4 portals"]);
    expect((await rows())[0]).toMatch(/^customer/);
    const link = page.getByRole("link", { name: "customer-0011" });
    expect(await link.isVisible()).toBe(false);
    await page.getByLabel("Search").fill("customer-0011");
    expect(await rows()).toEqual(["1 of 4 portals"]);
    expect(await link.isVisible()).toBe(true);
    expect(await page.locator("details.portal:visible h3").allInnerTexts()).toEqual([
      "The same change on 4 portals",
      "The same change on 11 portals",
    ]);
    await link.click();
    expect(await page.locator("details.portal[open]").count()).toBe(2);
    await page.getByRole("button", { name: "Show all" }).click();
    await page.getByText("16 portals", { exact: true }).waitFor();
    expect(await link.isVisible()).toBe(false);
    expect(strange).toEqual([]);
  });

  test.each([360, 500, 768, 1440])(
    "at %d pixels a table that goes on to the right says so, and no other does",
    async (width) => {
      const { page } = await open(htmlReport(fleetOf(16), PLAN, MADE), { width });
      const isWider = await page.evaluate<boolean>(
        "document.querySelector('.box').scrollWidth > document.querySelector('.box').clientWidth",
      );
      expect(await page.getByText("The table goes on to the right").isVisible()).toBe(isWider);
      expect(isWider).toBe(width < 1000);
    },
  );
});
