// The report in a browser: how it looks, opens, prints, and withstands harmful texts.
import { expect, test } from "vitest";
import { check } from "../../src/document/check/check.js";
import { readSource } from "../../src/document/read/bytes.js";
import { EXIT } from "../../src/failure.js";
import type { JsonObject } from "../../src/lib/json.js";
import { outcomeOfCheck, type Outcome } from "../../src/outcome.js";
import type { PortalResult } from "../../src/plan/result.js";
import { htmlReport } from "../../src/report/html-report.js";
import { describeInBrowser, faultsOf, keepPicture, sideways } from "../support/browser.js";
import { PROJECT } from "../support/run.js";
import { EVERY_KIND } from "./every-kind.js";
import { fallen, fleetOf, held } from "./fleet.js";
import { MADE, PLAN } from "./made.js";
import { open, openAll } from "./open.js";
import { changeOf, named, planOf, resultOf, resultOfStory, STORIES } from "./results.js";

const stories = () => [
  ...STORIES.map((story) => named(resultOfStory(story), story)),
  fallen("fallen"),
  named(held(resultOfStory("drifted-banner")), "held"),
];

/** Each width and each colour scheme once: a layout has one width, a contrast one scheme. */
const LOOKS = [
  { width: 1440, height: 900, colorScheme: "light" },
  { width: 320, height: 640, colorScheme: "dark" },
] as const;

describeInBrowser("in a browser", () => {
  test.each(LOOKS)(
    "at $width pixels, $colorScheme, axe finds nothing and nothing scrolls sideways",
    async (looking) => {
      const look = `${looking.width}-${looking.colorScheme}`;
      const { page, strange } = await open(htmlReport(stories(), PLAN, MADE), looking);
      await keepPicture(page, `report-${look}`);
      expect(await faultsOf(page)).toEqual([]);
      expect(await sideways(page)).toEqual([0]);
      await openAll(page);
      for (const name of ["banner-off-after-the-day", "drifted-banner", "shrink-list", "held"]) {
        await page.locator("#matrix a", { hasText: name }).first().click();
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
        one: htmlReport([EVERY_KIND], PLAN, MADE),
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

  test("a link in the table opens its section, and several portals that are alike have one", async () => {
    const { page, strange } = await open(htmlReport(fleetOf(16), PLAN, MADE));
    expect(await page.locator("details.portal[open]").count()).toBe(0);
    await page.getByRole("link", { name: "customer-0004" }).focus();
    await page.keyboard.press("Enter");
    await page.locator("summary:focus", { hasText: /customer-0004/ }).waitFor();
    expect(await page.locator("details.portal[open]").count()).toBe(1);
    const rows = await page.locator("#matrix tbody th").allInnerTexts();
    expect(rows[0]).toMatch(/^customer-0004/);
    expect(rows.filter((text) => text.startsWith("4 portals"))).toHaveLength(2);
    const name = page.locator("#matrix li", { hasText: "customer-0013" });
    expect(await name.isVisible()).toBe(false);
    await page.locator("#matrix tr", { hasText: "customer-0013" }).locator("summary").click();
    expect(await name.isVisible()).toBe(true);
    await keepPicture(page, "report-opened");
    expect(strange).toEqual([]);
  });

  test("on paper every section is open, dark on white, without controls", async () => {
    const { page } = await open(htmlReport(fleetOf(12), PLAN, MADE), {
      colorScheme: "dark",
      width: 760,
    });
    await page.emulateMedia({ media: "print" });
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await page.locator("details.portal:visible").count()).toBe(
      await page.locator("details.portal[open]").count(),
    );
    expect(await page.locator("#folds").isVisible()).toBe(false);
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(
      "rgb(255, 255, 255)",
    );
    expect(await sideways(page)).toEqual([0]);
    await keepPicture(page, "report-print");
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(await page.locator("details.portal[open]").count()).toBe(0);
  });

  test("without scripts every section can be read", async () => {
    const text = htmlReport(fleetOf(16), PLAN, MADE).replace(/script-src [^;]*;/, "");
    const { page } = await open(text);
    expect(await page.locator("#folds").isVisible()).toBe(false);
    await page.locator("details.portal > summary").nth(1).click();
    await page.locator("details.portal[open] .words").first().waitFor();
  });

  test("a thousand portals open at once", async () => {
    const { page, strange } = await open(htmlReport(fleetOf(1_000), PLAN, MADE));
    expect(await page.locator("#matrix tbody tr").count()).toBeGreaterThan(10);
    await keepPicture(page, "report-thousand");
    expect(strange).toEqual([]);
  });
});

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
    hold: {
      since: text,
      by: text,
      why: text,
      isByHand: false,
      until: null,
      isAgreed: false,
      isOlder: false,
      inBase: null,
      inWindow: null,
      isUnsettled: false,
    },
    failure: { code: "portal-refused", message: text, help: `${text}\n  ${text}` },
  });
  // Alike, so that their names stand below one row.
  const failed = Array.from({ length: 5 }, () => ({
    ...result,
    plan: null,
    status: "failed" as const,
  }));
  return [result, ...failed];
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

describeInBrowser("harmful texts", () => {
  test.each(HARM.map((harm) => [harm]))("%j does nothing", async (harm) => {
    const { page, strange } = await open(rudePage(harm));
    await openAll(page);
    for (const link of await page.locator("a").all()) {
      expect(await link.getAttribute("href")).toMatch(/^#p\d$/);
    }
    expect(await page.evaluate("window.canary")).toBeUndefined();
    expect(strange).toEqual([]);
  });

  test("100 kB of them in every field leave the layout whole, narrow and wide", async () => {
    const { page, strange } = await open(rudePage(ENDLESS));
    await openAll(page);
    await page.locator("#matrix summary").first().click();
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await keepPicture(page, `report-hostile-${width}`);
      expect(await sideways(page)).toEqual([0]);
      expect(await faultsOf(page)).toEqual([]);
    }
    expect(await page.evaluate("window.canary")).toBeUndefined();
    expect(strange).toEqual([]);
  });
});
