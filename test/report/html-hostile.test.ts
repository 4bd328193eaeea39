// Texts that mean harm, in every field of a report, in a browser: nothing of them runs, and the layout stands.
import { expect, test } from "vitest";
import { EXIT } from "../../src/failure.js";
import type { JsonObject } from "../../src/lib/json.js";
import type { Outcome } from "../../src/outcome.js";
import type { PortalResult } from "../../src/plan/result.js";
import { htmlReport } from "../../src/report/html/html.js";
import { describeInBrowser, faultsOf, keepPicture, sideways } from "../support/browser.js";
import { open, openAll } from "./open.js";
import { changeOf, planOf, resultOf } from "./results.js";

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
    await page.getByLabel("Search").fill(harm);
    await page.getByLabel("Search").fill("");
    for (const link of await page.locator("a").all()) {
      expect(await link.getAttribute("href")).toMatch(/^#[pg]\d$/);
    }
    expect(await page.evaluate("window.canary")).toBeUndefined();
    expect(strange).toEqual([]);
  });

  test("100 kB of them in every field leave the layout whole, narrow and wide", async () => {
    const { page, strange } = await open(rudePage(ENDLESS));
    await openAll(page);
    await page.locator("#matrix summary").click();
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
