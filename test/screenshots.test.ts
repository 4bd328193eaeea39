// Takes the screenshots of the manual from real pages, light and dark; UPDATE_GOLDEN=1 writes them.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openPreview } from "./preview/open.js";
import { NOW, openBoard } from "./serve/dashboard/open.js";
import { describeInBrowser, openPage } from "./support/browser.js";
import { PROJECT } from "./support/run.js";

const WIDTH = 1000;
const MOST_BYTES = 100_000;

const PAGES = {
  dashboard: { open: openBoard, shows: "Harbour", height: 800 },
  preview: { open: openPreview, shows: "Visitor", height: 600 },
} as const;

const CASES = Object.entries(PAGES).flatMap(([name, page]) =>
  (["light", "dark"] as const).map((colorScheme) => ({ name, colorScheme, ...page })),
);

describeInBrowser("screenshots of the manual", () => {
  test.each(CASES)("$name, $colorScheme", async ({ name, colorScheme, open, shows, height }) => {
    const { url } = await open();
    const { page } = await openPage(url, { width: WIDTH, height, colorScheme, atMs: NOW });
    await page.getByText(shows).first().waitFor();
    const taken = await page.screenshot({ animations: "disabled" });
    const path = join(PROJECT, `docs/pictures/${name}-${colorScheme}.png`);
    if (process.env["UPDATE_GOLDEN"]) writeFileSync(path, taken);
    expect(existsSync(path)).toBe(true);
    const stored = readFileSync(path);
    expect(sizeOf(stored)).toEqual({ width: WIDTH, height });
    expect(stored.length).toBeLessThan(MOST_BYTES);
    // Fonts differ between machines, so pixels do; a page that broke looks much simpler.
    expect(taken.length / stored.length).toBeGreaterThan(0.5);
  });
});

/** From the header of a PNG. */
function sizeOf(picture: Buffer) {
  return { width: picture.readUInt32BE(16), height: picture.readUInt32BE(20) };
}
