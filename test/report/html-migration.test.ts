// The page of a migration, in a browser: it can be read by everybody, and nothing of an old file runs in it or is told that may be a key.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { catalog } from "../../src/catalog/catalog.js";
import { aboutFile } from "../../src/diagnostic.js";
import { EXIT } from "../../src/failure.js";
import { ADVANCED, spellingsOf } from "../../src/catalog/catalog.js";
import { htmlMigration } from "../../src/report/html-migration.js";
import type { PropertyReport } from "../../src/report/migration-report.js";
import { describeInBrowser, faultsOf, keepPicture, sideways } from "../support/browser.js";
import { PROJECT, folderOf, lintel } from "../support/run.js";
import { MADE } from "./made.js";
import { open, openAll } from "./open.js";

const HARM = "</code></td><script>window.canary = 1</script><img src=x onerror='canary = 1'>";
const place = { file: "config.js", line: 13, column: 5 };
const problem = { ...aboutFile("invalid-value", HARM, HARM, HARM), code: HARM };
const RUDE: readonly PropertyReport[] = [
  { name: "tokenExpiration", outcome: "migrated", value: 30, place, diagnostics: [] },
  { name: HARM, outcome: "migrated", value: [HARM, "a".repeat(9_000)], place, diagnostics: [] },
  { name: "surveyUrl", outcome: "not-understood", place, diagnostics: [] },
  { name: HARM, outcome: "invalid", place, diagnostics: [problem, problem] },
  { name: HARM, outcome: "no-counterpart", place: { ...place, file: HARM }, diagnostics: [] },
  { name: "x".repeat(100_000), outcome: "no-counterpart", place, diagnostics: [] },
];
const outcome = { command: "migrate", exit: EXIT.invalid, diagnostics: [problem], files: [HARM] };

const SECRET = "AhSecretKey0123456789";

/** All that portals were shipped with and all that can be set, each of a kind that it is not; and a slip. */
const SETTINGS = (catalog.objects[ADVANCED] ?? []).map(({ name }) => spellingsOf(name).at(-1));
const HEAVY = `window.esriGeowConfig = {
${SETTINGS.map((name) => `  ${name}: { apiKey: "${SECRET}" },\n`).join("")}
  footerLinks: [{ title: "Help", apiKey: "${SECRET}", url: "https://www.example.org" }],
${catalog.oldNames.map((name) => `  ${name}: "${SECRET}",\n`).join("")}
  tokenExpiraton: "${SECRET}"
};
`;

/** A real run of the command, which writes the file and the page. */
async function pageOf(text: string) {
  const folder = folderOf({ "config.js": text });
  onTestFinished(() => folder.remove());
  const words = ["migrate", "config.js", "--target", "11.0", "--out", "portal.yaml"];
  const outputs = ["--output", "html=page.html", "--output", "text=report.txt"];
  await lintel([...words, ...outputs], { cwd: folder.path });
  const read = (name: string) => readFileSync(join(folder.path, name), "utf8");
  return { page: read("page.html"), report: read("report.txt") };
}

const stock = readFileSync(join(PROJECT, "test/migrate/files/00a-stock-10.9.js"), "utf8");
const PAGES: Readonly<Record<string, () => Promise<string>>> = {
  rude: async () =>
    htmlMigration(
      { properties: RUDE, outcome, ending: HARM, steps: [{ text: HARM, command: HARM }] },
      MADE,
    ),
  stock: async () => (await pageOf(stock)).page,
  heavy: async () => (await pageOf(HEAVY)).page,
  nothing: async () => (await pageOf("window.esriGeowConfig = {};")).page,
};

describeInBrowser("in a browser", () => {
  const looks = (["light", "dark"] as const).flatMap((colorScheme) =>
    [360, 1280].map((width) => ({ width, colorScheme })),
  );
  test.each(Object.keys(PAGES))(
    "%s, narrow and wide, light and dark: axe finds nothing, nothing scrolls sideways, nothing runs",
    async (name) => {
      const { page, strange } = await open((await PAGES[name]?.()) ?? "", looks[0]);
      expect(await page.locator("h1").textContent()).toMatch(/^\s*Migration( lintel-\w+)?\s*$/);
      expect(await faultsOf(page)).toEqual([]);
      if (await page.locator("#folds").isVisible()) await openAll(page);
      for (const { width, colorScheme } of looks) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        await keepPicture(page, `report-migration-${name}-${width}-${colorScheme}`);
        expect(await sideways(page)).toEqual([0]);
        expect(await faultsOf(page)).toEqual([]);
      }
      expect(await page.evaluate("window.canary")).toBe(undefined);
      expect(strange).toEqual([]);
    },
  );

  test("what is to be decided is open and stands above the rest, which is folded; without scripts too", async () => {
    const { page: text, report } = await pageOf(HEAVY);
    const { page } = await open(text.replace(/script-src [^;]*;/, ""));
    expect(await page.locator("h2").allTextContents()).toEqual(["Next", "Properties"]);
    const groups = await page
      .locator("details")
      .evaluateAll((all) => all.map((each) => [each.id, (each as { open?: boolean }).open]));
    expect(groups).toEqual([
      ["to-decide", true],
      ["to-check", true],
      ["left-out", false],
    ]);
    expect(await page.locator("#to-decide li.change").count()).toBe(SETTINGS.length);
    expect(await page.locator("#folds").isVisible()).toBe(false);
    await page.locator("#left-out summary").click();
    expect(await page.locator("#left-out li.change:visible").count()).toBe(catalog.oldNames.length);
    const commands = await page.locator(".copy").allTextContents();
    expect(commands).toEqual(["lintel validate portal.yaml"]);
    for (const command of commands) expect(report).toContain(`  ${command}\n`);
    expect(text).not.toContain(SECRET);
  });
});
