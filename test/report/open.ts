// A report in a file of its own, opened in a browser; both gone when the test ends.
import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { openPage, type Looking, type Watched } from "../support/browser.js";
import { folderOf } from "../support/run.js";

export async function open(text: string, looking: Looking = {}): Promise<Watched> {
  const folder = folderOf({ "report.html": text });
  onTestFinished(() => folder.remove());
  return await openPage(`file://${folder.path}/report.html`, looking);
}

export async function openAll(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Open all" }).click();
}
