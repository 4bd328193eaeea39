// Measures the list of many portals in a real browser, and what the server works for it.
import { performance } from "node:perf_hooks";
import { chromium, type Browser, type Page } from "playwright-core";
import { fleet, startBoard } from "./board.js";

export interface PageFigures {
  readonly portals: number;
  readonly htmlBytes: number;
  /** From the request to the first contentful styles, as the browser measures it. */
  readonly firstPaintMs: number;
  /** From a key in the search to the list that fits. */
  readonly searchMs: number;
  /** From a change of one portal to its row. */
  readonly changeMs: number;
  /** From a change of a tenth of all portals to the first row of them. */
  readonly burstMs: number;
  /** Processor time of the server for one list, one search, and the list after each portal has changed. */
  readonly listCpuMs: number;
  readonly searchCpuMs: number;
  readonly changedCpuMs: number;
  readonly metricsCpuMs: number;
  readonly apiCpuMs: number;
}

export async function measurePages(sizes: readonly number[]): Promise<readonly PageFigures[]> {
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    // Chromium runs without its sandbox only where it is root.
    chromiumSandbox: process.getuid?.() !== 0,
  });
  try {
    const figures: PageFigures[] = [];
    for (const portals of sizes) figures.push(await measurePage(browser, portals));
    return figures;
  } finally {
    await browser.close();
  }
}

type Board = Awaited<ReturnType<typeof startBoard>>;

async function measurePage(browser: Browser, portals: number): Promise<PageFigures> {
  const board = await startBoard(fleet(portals), {}, {}, undefined, { isMetricsPerPortal: true });
  try {
    const cpu = await measureServer(board);
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    // What is measured is the page, and not the start of a browser.
    await page.goto(`${board.url}/healthz`);
    await page.goto(board.url);
    const firstPaintMs = await page.evaluate<number>(`new Promise((done) => {
      new PerformanceObserver((list) => {
        const [styles] = list.getEntriesByName("first-contentful-styles");
        if (styles) done(styles.startTime);
      }).observe({ type: "styles", buffered: true });
    })`);
    await page.locator("body.is-live").waitFor();
    const searchMs = await timed(async () => {
      await page.fill("#q", `district-${portals - 1}`);
      await shown(page, `district-${portals - 1}`);
    });
    await page.fill("#q", "");
    await shown(page, "Harbour");
    const changeMs = await timed(async () => {
      board.change(9, { name: "Changed", status: "invalid" });
      await shown(page, "Changed");
    });
    const tenth = board
      .portals()
      .map((each, at) =>
        at % 10 === 0 ? { ...each, name: `Burst ${at}`, status: "invalid" as const } : each,
      );
    const burstMs = await timed(async () => {
      board.set(tenth);
      await shown(page, "Burst 0");
    });
    const htmlBytes = (await (await fetch(board.url)).arrayBuffer()).byteLength;
    await page.close();
    return { portals, htmlBytes, firstPaintMs, searchMs, changeMs, burstMs, ...cpu };
  } finally {
    await board.close();
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begunMs = performance.now();
  await work();
  return Math.round(performance.now() - begunMs);
}

async function shown(page: Page, name: string): Promise<void> {
  await page.locator(`#portals bdi:text-is("${name}")`).waitFor({ state: "attached" });
}

const TIMES = 30;

/** Of this process, which is the client of these requests, too. */
async function measureServer(board: Board) {
  const get = async (path: string) => void (await (await fetch(board.url + path)).arrayBuffer());
  const cpuOf = async (work: (time: number) => Promise<void>) => {
    await work(0);
    const before = process.cpuUsage();
    for (let time = 1; time <= TIMES; time++) await work(time);
    const { user, system } = process.cpuUsage(before);
    return Math.round((user + system) / TIMES / 10) / 100;
  };
  return {
    listCpuMs: await cpuOf(() => get("/")),
    searchCpuMs: await cpuOf((time) => get(`/?q=district-${time}*+host:gis`)),
    changedCpuMs: await cpuOf(async (time) => {
      board.set(board.portals().map((each) => ({ ...each, lastApply: time })));
      await get("/");
    }),
    metricsCpuMs: await cpuOf(() => get("/metrics")),
    apiCpuMs: await cpuOf(() => get("/api/portals")),
  };
}
