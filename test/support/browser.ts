// A browser's page for a test: what went wrong in it, what it asked for, what axe finds, and a picture to look at.
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium, type Browser, type Frame, type Page } from "playwright-core";
import { describe, inject, onTestFinished, type TestOptions } from "vitest";
import { PROJECT } from "./run.js";

const endpoint = inject("browser");

/** Without a browser these tests say so in their names and are skipped. */
export function describeInBrowser(
  name: string,
  tests: () => void,
  options: Pick<TestOptions, "tags"> = {},
): void {
  const hasBrowser = endpoint !== "";
  const suffix = hasBrowser ? "" : " (skipped: there is no browser here)";
  describe.skipIf(!hasBrowser)(`${name}${suffix}`, options, () => {
    tests();
  });
}

const PICTURES = join(PROJECT, "test-output/pages");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export interface Looking {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: "light" | "dark";
  /** What the browser's clock shows, standing still. */
  readonly atMs?: number;
}

export interface Watched {
  readonly page: Page;
  /** Errors, warnings of the console, dialogs, and requests to anywhere but the page's own origin. */
  readonly strange: string[];
}

let browser: Promise<Browser> | undefined;

/** The one browser of the run. */
export function connect(): Promise<Browser> {
  browser ??= chromium.connect(endpoint);
  return browser;
}

export async function openPage(
  url: string,
  { width = 1440, height = 900, colorScheme = "light", atMs }: Looking = {},
): Promise<Watched> {
  const browser = await connect();
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(45_000);
  const page = await context.newPage();
  if (atMs !== undefined) await page.clock.setFixedTime(atMs);
  const strange: string[] = [];
  const { origin } = new URL(url);
  page.on("request", (request) => {
    const asked = new URL(request.url());
    const isOwn =
      asked.origin === origin &&
      (asked.protocol !== "file:" || asked.pathname === new URL(url).pathname);
    if (!isOwn && asked.protocol !== "about:") strange.push(`asked for ${request.url()}`);
  });
  page.on("pageerror", (error) => strange.push(error.message));
  page.on("console", (message) => strange.push(message.text()));
  page.on("dialog", (dialog) => {
    strange.push(`asked "${dialog.message()}"`);
    void dialog.dismiss();
  });
  await page.goto(url);
  return { page, strange };
}

/** Whatever axe finds in the page and in its frames, of any impact. */
export async function faultsOf(page: Page): Promise<string[]> {
  const found = await Promise.all(page.frames().map(faultsOfFrame));
  return found.flat();
}

async function faultsOfFrame(frame: Frame): Promise<string[]> {
  if (
    !frame.url().startsWith("http") &&
    !frame.url().startsWith("file:") &&
    frame.url() !== "about:srcdoc"
  )
    return [];
  // As a script text, because the page's policy keeps a script element out.
  await frame.evaluate(AXE);
  return await frame.evaluate(`axe
    .run(document, { iframes: false, resultTypes: ["violations"] })
    .then(({ violations }) => violations.flatMap(({ id, impact, nodes }) =>
      nodes.map(({ target }) => id + " (" + impact + ") at " + target.join(" "))))`);
}

/** How many pixels the page and its frames would scroll sideways. */
export async function sideways(page: Page): Promise<number[]> {
  return await Promise.all(
    page
      .frames()
      .map((frame) => frame.evaluate<number>("document.documentElement.scrollWidth - innerWidth")),
  );
}

export async function keepPicture(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: "disabled" });
}
