// The report in a browser: what people see, choose, open and are spared.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { check } from "../../src/document/check.js";
import { readSource } from "../../src/document/read.js";
import { EXIT } from "../../src/failure.js";
import type { JsonObject } from "../../src/json.js";
import { outcomeOfCheck, type Outcome } from "../../src/outcome.js";
import type { PortalResult } from "../../src/plan/result.js";
import { htmlReport } from "../../src/report/html.js";
import {
  faultsOf,
  HAS_BROWSER,
  keepPicture,
  NEEDS_BROWSER,
  openPage,
  sideways,
  type Looking,
} from "../support/browser.js";
import { folderOf, PROJECT } from "../support/run.js";
import { fallen, fleetOf, held } from "./fleet.js";
import { changeOf, named, planOf, resultOf, resultOfStory, STORIES } from "./results.js";

const MADE = {
  toolVersion: "0.1.0",
  at: "2026-06-15T08:30:00.000Z",
  commit: "4f1c2d3e4f1c2d3e4f1c2d3e4f1c2d3e4f1c2d3e",
  job: "https://ci.example.com/jobs/1234",
};
const PLAN: Outcome = { command: "plan", exit: EXIT.done, diagnostics: [] };

async function open(text: string, looking: Looking = {}) {
  const folder = folderOf({ "report.html": text });
  onTestFinished(() => folder.remove());
  return await openPage(`file://${folder.path}/report.html`, looking);
}

const stories = () => [
  ...STORIES.map((story) => named(resultOfStory(story), story)),
  fallen("fallen"),
  named(held(resultOfStory("drifted-banner")), "held"),
];

const openAll = (page: Page) => page.getByRole("button", { name: "Open all" }).click();
const shownRows = (page: Page) => page.locator("#matrix tbody tr:visible").count();
const shownNames = async (page: Page) =>
  (await page.locator("#matrix tbody tr:visible th").allTextContents()).map((name) => name.trim());

const LOOKS = [
  { width: 1440, height: 900, colorScheme: "light" },
  { width: 1440, height: 900, colorScheme: "dark" },
  { width: 320, height: 640, colorScheme: "light" },
  { width: 320, height: 640, colorScheme: "dark" },
] as const;

describe.skipIf(!HAS_BROWSER)(`in a browser${NEEDS_BROWSER}`, () => {
  test.each(LOOKS)(
    "at $width pixels, $colorScheme, axe finds nothing and nothing scrolls sideways",
    async (looking) => {
      const look = `${looking.width}-${looking.colorScheme}`;
      const { page, strange } = await open(htmlReport(stories(), PLAN, MADE), looking);
      await keepPicture(page, `report-${look}`);
      expect(await faultsOf(page)).toEqual([]);
      expect(await sideways(page)).toEqual([0]);
      await openAll(page);
      for (const name of ["banner-off-after-the-day", "lists", "shrink-list", "held"]) {
        const portal = page.locator("details.portal", {
          has: page.getByRole("heading", { name, exact: true }),
        });
        if ((await portal.count()) === 0) continue;
        await portal.scrollIntoViewIfNeeded();
        await keepPicture(page, `report-${look}-${name}`);
      }
      expect(await faultsOf(page)).toEqual([]);
      expect(await sideways(page)).toEqual([0]);
      expect(strange).toEqual([]);
    },
  );

  test.each(LOOKS)(
    "so for one portal and for files with errors, at $width, $colorScheme",
    async (looking) => {
      const look = `${looking.width}-${looking.colorScheme}`;
      const file = "test/invalid/fifteen.yaml";
      const { diagnostics } = check(file, readSource({ file, cwd: PROJECT }), {
        cwd: PROJECT,
        env: {},
      });
      const pages = {
        one: htmlReport([resultOf(planOf(EVERY_KIND, { request: REQUEST }))], PLAN, MADE),
        check: htmlReport([], outcomeOfCheck("validate", [file, "portal.yaml"], diagnostics), MADE),
      };
      for (const [name, text] of Object.entries(pages)) {
        const { page, strange } = await open(text, looking);
        await keepPicture(page, `report-${name}-${look}`);
        expect(await faultsOf(page)).toEqual([]);
        expect(await sideways(page)).toEqual([0]);
        expect(strange).toEqual([]);
      }
    },
  );

  test("rows are chosen by status, parameter and text, and their details with them", async () => {
    const { page, strange } = await open(htmlReport(fleetOf(60), PLAN, MADE));
    const [status, parameter, search] = [
      page.getByLabel("Status", { exact: true }),
      page.getByLabel("Changes in"),
      page.getByLabel("Search"),
    ];
    expect(await shownRows(page)).toBe(60);
    await status.selectOption("failed");
    expect(await shownRows(page)).toBe(2);
    expect(await shownNames(page)).toEqual(["customer-0008", "customer-0049"]);
    expect(await page.locator("details.portal:visible").count()).toBe(2);
    await page.getByText("2 of 60 portals").waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await page.getByText("60 portals", { exact: true }).waitFor();

    await parameter.selectOption("blockBetaApps");
    expect(await shownRows(page)).toBe(14);
    await status.selectOption("guarded");
    expect(await shownNames(page)).toEqual(["customer-0004"]);
    await keepPicture(page, "report-filtered");
    expect(await faultsOf(page)).toEqual([]);

    await page.getByRole("button", { name: "Show all" }).click();
    await search.fill("READ-ONLY customer-001");
    expect(await shownNames(page)).toEqual([
      "customer-0011",
      "customer-0012",
      "customer-0015",
      "customer-0016",
      "customer-0019",
    ]);
    await search.fill("no such words");
    expect(await shownRows(page)).toBe(0);
    await page.getByText("0 of 60 portals").waitFor();
    expect(strange).toEqual([]);
  });

  test("the keyboard reaches a row, opens its details, and opens the request inside", async () => {
    const { page, strange } = await open(htmlReport(fleetOf(8), PLAN, MADE));
    const focused = () =>
      page.evaluate<string>("document.activeElement.textContent.trim().replace(/\\s+/g, ' ')");
    await page.getByRole("link", { name: "customer-0003" }).focus();
    await page.keyboard.press("Enter");
    const portal = page.locator("details.portal[open]");
    await portal.waitFor();
    expect(await focused()).toMatch(/^customer-0003 with changes/);
    expect(await portal.count()).toBe(1);
    await page.keyboard.press("Tab");
    expect(await focused()).toMatch(/^Request/);
    await page.keyboard.press("Enter");
    await portal.getByText('"blockBetaApps": false').waitFor();
    await keepPicture(page, "report-opened");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Space");
    expect(await portal.count()).toBe(0);
    expect(strange).toEqual([]);
  });

  test("on paper everything that is chosen is open, dark on white, without controls", async () => {
    const { page } = await open(htmlReport(fleetOf(12), PLAN, MADE), {
      colorScheme: "dark",
      width: 760,
    });
    await page.getByLabel("Status", { exact: true }).selectOption("changes");
    await page.emulateMedia({ media: "print" });
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await page.locator("details.portal:visible").count()).toBe(
      await page.locator("details.portal[open]").count(),
    );
    expect(await page.getByLabel("Search").isVisible()).toBe(false);
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(
      "rgb(255, 255, 255)",
    );
    expect(await sideways(page)).toEqual([0]);
    await keepPicture(page, "report-print");
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(await page.locator("details.portal[open]").count()).toBe(0);
  });

  test("with scripts switched off it is read all the same", async () => {
    const text = htmlReport(fleetOf(8), PLAN, MADE).replace(/script-src [^;]*;/, "");
    const { page } = await open(text);
    expect(await page.locator("#filters").isVisible()).toBe(false);
    expect(await shownRows(page)).toBe(8);
    await page.locator("details.portal > summary").nth(1).click();
    await page.locator("details.portal[open] .words").first().waitFor();
  });

  test("a thousand portals open at once and filter without delay", async () => {
    const text = htmlReport(fleetOf(1_000), PLAN, MADE);
    const { page, strange } = await open(text);
    const opened = await page.evaluate<number>(
      "performance.getEntriesByType('navigation')[0].loadEventEnd",
    );
    const times = await page.evaluate<number[]>(`(() => {
      const find = (id) => document.getElementById(id);
      const choices = [["text", "customer-09"], ["text", "read-only"], ["state", "failed"], ["state", ""], ["text", ""], ["parameter", "1"], ["text", "sunday"], ["parameter", ""], ["text", ""]];
      return choices.map(([id, value]) => {
        const begun = performance.now();
        find(id).value = value;
        find(id).dispatchEvent(new Event("input", { bubbles: true }));
        // What was shown or hidden is laid out before the clock is read.
        document.body.getBoundingClientRect();
        return performance.now() - begun;
      });
    })()`);
    const [median, most] = [
      times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Infinity,
      Math.max(...times),
    ];
    const figures = {
      bytes: Buffer.byteLength(text),
      openedMs: Math.round(opened),
      medianFilterMs: Math.round(median),
      slowestFilterMs: Math.round(most),
    };
    mkdirSync(join(PROJECT, "test-output"), { recursive: true });
    writeFileSync(
      join(PROJECT, "test-output/report-figures.json"),
      `${JSON.stringify(figures, null, 2)}\n`,
    );
    console.log(`A report over 1,000 portals: ${JSON.stringify(figures)}`);
    await keepPicture(page, "report-thousand");
    expect(await shownRows(page)).toBe(1_000);
    expect(median).toBeLessThan(300);
    expect(strange).toEqual([]);
  });
});

const LONG =
  "This portal is for members of Example Organisation and their guests. By entering you agree to its terms.";
const REQUEST = {
  parameters: ["informationalBanner", "anonymousAccessNotice"],
  settings: {
    informationalBanner: {
      text: "Read-only on Saturday.",
      bgColor: "#b30000",
      fontColor: "white",
      enabled: true,
    },
    anonymousAccessNotice: {
      title: "Terms of use",
      text: LONG,
      buttons: "acceptAndDecline",
      enabled: true,
    },
  },
};
const EVERY_KIND = [
  changeOf("anonymousAccessNotice.title", "Terms", "Terms of use"),
  changeOf("anonymousAccessNotice.text", LONG.replace("guests", "partners"), LONG),
  changeOf("anonymousAccessNotice.buttons", "okOnly", "acceptAndDecline"),
  changeOf("informationalBanner.text", null, "Read-only on Saturday."),
  changeOf("informationalBanner.bgColor", "#0d5f63", "#b30000", {
    notes: [
      {
        code: "drift",
        message: 'The portal was changed since the last apply, when it showed "#b30000".',
      },
    ],
  }),
  changeOf(
    "portalConfigProperties.footerLinks",
    [
      { title: "Terms", url: "https://www.example.org/terms" },
      { title: "Old", url: "https://www.example.org/old" },
      { title: "Help", url: "https://www.example.org/help" },
    ],
    [
      { title: "Terms", url: "https://www.example.org/terms-of-use" },
      { title: "Help", url: "https://www.example.org/help" },
      { title: "Contact", email: "gis@example.org", type: "contactUs" },
    ],
  ),
  changeOf("portalConfigProperties.tokenExpiration", 60, 120, { action: "default" }),
  changeOf("blockBetaApps", false, false, { action: "adopt" }),
  changeOf("aiAssistantsEnabled", true, true, {
    action: "release",
    place: null,
    notes: [
      {
        code: "undo",
        message:
          'It is left as it is and is no longer managed. To put the documented default back, write under "aiAssistantsEnabled":\n  enabled: !default',
      },
    ],
  }),
] as const;

const HARM = [
  "<script>window.canary = 1</script>",
  `<img src="http://127.0.0.1:9/x" onerror="window.canary = 1">`,
  `"><svg onload="window.canary = 1">`,
  "' autofocus onfocus='window.canary = 1' x='",
  "</title></style></textarea></script></details></table><script>window.canary = 1</script>",
  "]]><!-- --> <iframe srcdoc='<script>parent.canary = 1</script>'>",
  "javascript:window.canary = 1",
  "java\nscript:window.canary=1",
  "\u202eevil\u202c \u2066x\u2069 \u0007 \u001b[31m \u200b \u2028",
  "#p1 .x, [href] { display: none }",
];
const ENDLESS = `${HARM.join(" ")} ${"x".repeat(100_000)} ${"y ".repeat(5_000)}`;

/** In every field that a file, a portal or a pipeline fills. */
function rude(text: string): PortalResult[] {
  const settings: JsonObject = {
    informationalBanner: { text, bgColor: text, fontColor: text, enabled: true },
    anonymousAccessNotice: { title: text, text, buttons: text, enabled: true },
    [text]: text,
  };
  const changes = [
    changeOf("informationalBanner.text", "x", text, { notes: [{ code: "drift", message: text }] }),
    changeOf("informationalBanner.bgColor", "red", text),
    changeOf("informationalBanner.fontColor", text, "white"),
    changeOf("anonymousAccessNotice.title", text, `${text} `),
    changeOf("anonymousAccessNotice.text", `${text} a b`, text),
    changeOf(
      "portalConfigProperties.footerLinks",
      [{ title: text, url: text }],
      [{ title: text, url: "x" }, text],
    ),
    {
      ...changeOf("x", text, { [text]: text }),
      path: [text, text],
      place: { file: text, line: 1, column: 1 },
    },
  ];
  const guard = { name: "shrink-list", path: [text], message: text } as const;
  const opening = { by: "file", path: null, until: text, reason: text } as const;
  const plan = planOf(changes, {
    target: text,
    deployment: text,
    request: { parameters: Object.keys(settings), settings },
    guards: [
      { ...guard, isOpen: false, openedBy: null },
      { ...guard, isOpen: true, openedBy: opening },
    ],
    notes: [{ path: [text], code: "undo", message: text }],
    reason: { code: "no-state", message: text, help: `${text}\n  ${text}` },
  });
  const result = resultOf(plan, {
    file: text,
    portal: { name: text, url: text, id: text },
    hold: { since: text, by: text, why: text },
    failure: { code: "portal-refused", message: text, help: `${text}\n  ${text}` },
  });
  return [result, { ...result, plan: null, status: "failed" }];
}

function rudePage(text: string): string {
  const place = {
    file: text,
    line: 1,
    column: 1,
    endLine: 1,
    endColumn: 2,
    excerpt: { text, from: 0, to: 3 },
  };
  const said = {
    message: text,
    help: text,
    file: text,
    place,
    related: [{ place, message: text }],
  };
  const outcome: Outcome = {
    command: text,
    exit: EXIT.invalid,
    files: [text],
    diagnostics: [{ code: "unknown-key", severity: "error", ...said }],
    failure: { code: "portal-refused", message: text, help: text },
  };
  return htmlReport(rude(text), outcome, { toolVersion: text, at: text, commit: text, job: text });
}

describe.skipIf(!HAS_BROWSER)(`harmful texts${NEEDS_BROWSER}`, () => {
  test.each(HARM.map((harm) => [harm]))("%j does nothing", async (harm) => {
    const { page, strange } = await open(rudePage(harm));
    await openAll(page);
    await page.getByLabel("Search").fill(harm);
    await page.getByLabel("Search").fill("");
    for (const link of await page.locator("a").all()) {
      expect(await link.getAttribute("href")).toMatch(/^#p\d$/);
    }
    expect(await page.evaluate("window.canary")).toBeUndefined();
    expect(strange).toEqual([]);
  });

  test.each([320, 1440])(
    "100 kB of them in every field leave the layout whole at %d pixels",
    async (width) => {
      const { page, strange } = await open(rudePage(ENDLESS), { width });
      await openAll(page);
      await keepPicture(page, `report-hostile-${width}`);
      expect(await sideways(page)).toEqual([0]);
      expect(await faultsOf(page)).toEqual([]);
      expect(await page.evaluate("window.canary")).toBeUndefined();
      expect(strange).toEqual([]);
    },
  );
});
