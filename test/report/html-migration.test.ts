// The page of a migration, in a browser: it can be read by everybody, and nothing of an old file runs in it.
import { expect, test } from "vitest";
import { EXIT } from "../../src/failure.js";
import { htmlMigration, type PropertyShown } from "../../src/report/html/migration.js";
import { describeInBrowser, faultsOf, keepPicture, sideways } from "../support/browser.js";
import { MADE, open } from "./open.js";

const HARM = "</code></td><script>window.canary = 1</script><img src=x onerror='canary = 1'>";
const place = { file: "config.js", line: 13, column: 5 };
const ROWS: readonly PropertyShown[] = [
  { name: "tokenExpiration", outcome: "migrated", value: 30, place },
  { name: "httpsDomains", outcome: "migrated", value: ["a.example.org", HARM], place },
  { name: "surveyUrl", outcome: "not-understood", place },
  { name: HARM, outcome: "no-counterpart", place: { ...place, file: HARM } },
  { name: "x".repeat(100_000), outcome: "no-counterpart", place },
];
const outcome = { command: "migrate", exit: EXIT.invalid, diagnostics: [], files: ["config.js"] };

describeInBrowser("in a browser", () => {
  test.each([
    [320, "dark"],
    [1440, "light"],
  ] as const)("at %i pixels, %s", async (width, colorScheme) => {
    const { page, strange } = await open(htmlMigration(ROWS, outcome, MADE), {
      width,
      colorScheme,
    });
    expect(await page.locator("tbody tr").count()).toBe(ROWS.length);
    expect(await page.locator("h1").textContent()).toBe("Migration");
    expect(await page.evaluate("window.canary")).toBe(undefined);
    expect(await sideways(page)).toEqual([0]);
    expect(await faultsOf(page)).toEqual([]);
    expect(strange).toEqual([]);
    await keepPicture(page, `report-migration-${width}-${colorScheme}`);
  });
});
