// A report in a file of its own, opened in a browser; both gone when the test ends.
import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { EXIT } from "../../src/failure.js";
import type { Outcome } from "../../src/outcome.js";
import type { Made } from "../../src/report/html/page.js";
import { openPage, type Looking, type Watched } from "../support/browser.js";
import { folderOf } from "../support/run.js";

export const MADE: Made = {
  toolVersion: "0.1.0",
  at: "2026-06-15T08:30:00.000Z",
  commit: "4f1c2d3e4f1c2d3e4f1c2d3e4f1c2d3e4f1c2d3e",
  job: "https://ci.example.com/jobs/1234",
};

export const PLAN: Outcome = { command: "plan", exit: EXIT.done, diagnostics: [] };

export async function open(text: string, looking: Looking = {}): Promise<Watched> {
  const folder = folderOf({ "report.html": text });
  onTestFinished(() => folder.remove());
  return await openPage(`file://${folder.path}/report.html`, looking);
}

export async function openAll(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Open all" }).click();
}
