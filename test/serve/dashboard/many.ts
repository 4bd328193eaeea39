// A page of many portals in a real browser → how long it takes to open, to filter, and until a change is on it.
import { performance } from "node:perf_hooks";
import { chromium, type Browser, type Page } from "playwright-core";
import { fleet, startBoard } from "./board.js";

export interface PageFigures {
  readonly portals: number;
  readonly htmlBytes: number;
  /** From the call for the page to a list that can be used. */
  readonly openMs: number;
  /** What the browser itself worked for that, whatever else the machine was at. */
  readonly openWorkMs: number;
  /** The longest of several filters, from a key to what the screen shows. */
  readonly filterMs: number;
  /** What the browser worked for all of them. */
  readonly filtersWorkMs: number;
  /** From a change on the board to its row. */
  readonly changeMs: number;
  /** The same where a tenth of all changes at once. */
  readonly burstMs: number;
}

/** The page of so many portals each. */
export async function measurePages(sizes: readonly number[]): Promise<readonly PageFigures[]> {
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    // The sandbox of the browser itself refuses to run for root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: ["--disable-dev-shm-usage"],
  });
  try {
    const figures: PageFigures[] = [];
    for (const portals of sizes) figures.push(await measurePage(browser, portals));
    return figures;
  } finally {
    await browser.close();
  }
}

async function measurePage(browser: Browser, portals: number): Promise<PageFigures> {
  const board = await startBoard(fleet(portals));
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    // Warm: what is measured is the page, and not the start of a browser.
    await page.goto(`${board.url}/healthz`);
    const worked = await openWorkClock(page);
    const begunMs = performance.now();
    await page.goto(board.url, { waitUntil: "commit" });
    await page.locator("#filters").waitFor();
    await shown(page);
    const openMs = performance.now() - begunMs;
    const openWorkMs = await worked();
    await page.locator("body.is-live").waitFor();
    await worked();
    const filterMs = Math.max(
      await filter(page, "#name", "district-4*"),
      await filter(page, "#name", "district-4*7"),
      await filter(page, "#name", ""),
      await filter(page, "#text", "informationalBanner"),
      await filter(page, "#text", ""),
    );
    const filtersWorkMs = await worked();
    const changeMs = await seenAfter(
      page,
      () => board.change(9, { name: "Changed", status: "invalid" }),
      "Changed",
    );
    const tenth = board
      .portals()
      .map((each, at) =>
        at % 10 === 0 ? { ...each, name: `Burst ${at}`, status: "invalid" as const } : each,
      );
    const last = `Burst ${Math.floor((portals - 1) / 10) * 10}`;
    const burstMs = await seenAfter(page, () => board.set(tenth), last);
    const htmlBytes = (await (await fetch(board.url)).arrayBuffer()).byteLength;
    await page.close();
    return {
      portals,
      htmlBytes,
      openMs,
      openWorkMs,
      filterMs,
      filtersWorkMs,
      changeMs,
      burstMs,
    };
  } finally {
    await board.close();
  }
}

/** What the thread of the page has worked since it was asked last, in milliseconds. */
async function openWorkClock(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  let before = 0;
  const worked = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    const now = metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
    const sinceMs = Math.round((now - before) * 1000);
    before = now;
    return sinceMs;
  };
  await worked();
  return worked;
}

/** Until the screen shows what is there now. */
async function shown(page: Page): Promise<void> {
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
}

async function filter(page: Page, field: string, value: string): Promise<number> {
  return page.evaluate<number>(`new Promise((done) => {
    const field = document.querySelector("${field}");
    const begunMs = performance.now();
    field.value = "${value}";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(performance.now() - begunMs))));
  })`);
}

async function seenAfter(page: Page, change: () => void, name: string): Promise<number> {
  const begunMs = performance.now();
  change();
  await page.locator(`#portals bdi:text-is("${name}")`).waitFor({ state: "attached" });
  return performance.now() - begunMs;
}
