// Shows every page of the dashboard with invented data: serves them, or with "pictures" takes screenshots and runs axe.
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { PROJECT } from "../../support/run.js";
import { serveSamples } from "./sample-server.js";
import { NOW, PAGES } from "./views/sample.js";

const { origin, close } = await serveSamples();
if (process.argv[2] === "pictures") {
  await takePictures(process.argv[3] ?? "");
  close();
} else {
  for (const path of Object.keys(PAGES)) console.log(origin + path);
}

async function takePictures(only: string): Promise<void> {
  const folder = join(PROJECT, "test-output/pages");
  mkdirSync(folder, { recursive: true });
  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    chromiumSandbox: process.getuid?.() !== 0,
  });
  for (const [width, colorScheme] of [
    [1440, "light"],
    [1440, "dark"],
    [800, "light"],
    [400, "light"],
    [400, "dark"],
  ] as const) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    for (const path of Object.keys(PAGES).filter((each) => each.includes(only))) {
      const page = await context.newPage();
      const strange: string[] = [];
      page.on("pageerror", ({ message }) => strange.push(message));
      page.on("console", (message) => strange.push(message.text()));
      await page.clock.setFixedTime(NOW);
      await page.goto(origin + path);
      await page.getByText("Live", { exact: true }).waitFor();
      const name = path.replaceAll(/\W+/g, "-").replace(/^-/, "");
      const file = join(folder, `${name}-${width}-${colorScheme}.png`);
      await page.screenshot({ path: file, fullPage: true, animations: "disabled" });
      const sideways = await page.evaluate<number>(
        "document.documentElement.scrollWidth - innerWidth",
      );
      await page.evaluate(axe);
      const faults = await page.evaluate<string[]>(`axe
        .run(document, { iframes: false, resultTypes: ["violations"] })
        .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
          nodes.map(({ target }) => id + " at " + target.join(" "))))`);
      console.log(
        file,
        sideways > 0 ? `scrolls ${sideways} px sideways` : "",
        ...faults,
        ...strange,
      );
      await page.close();
    }
    await context.close();
  }
  await browser.close();
}
