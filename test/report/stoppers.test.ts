// Every report of plans counts what stops them alike.
import { expect, test } from "vitest";
import { ALL } from "../../src/cli/all.js";
import type { Guard } from "../../src/plan/guard.js";
import { portalEntry } from "../../src/report/portal-entry.js";
import { htmlReport } from "../../src/report/html-report.js";
import { markdownReport } from "../../src/report/markdown-report.js";
import { planReport } from "../../src/report/plan-report.js";
import { NOTHING_TO_DO, statusReport } from "../../src/report/status-report.js";
import { PLAIN } from "../../src/report/styles.js";
import { pathOf } from "../plan/inputs.js";
import { held } from "./fleet.js";
import { MADE, PLAN } from "./made.js";
import { changeOf, named, planOf, resultOf, portalsJson } from "./results.js";

const closed = (name: Guard["name"], path: string): Guard => ({
  name,
  path: pathOf(path),
  message: `"${path}" is stopped.`,
  isOpen: false,
  openedBy: null,
});
const guards = [
  closed("overwrite-drift", "informationalBanner.text"),
  closed("overwrite-drift", "informationalBanner.bgColor"),
  closed("disable-notice", "informationalBanner"),
];
const plan = planOf([changeOf("informationalBanner.text", "a", "b")], { guards });
const free = planOf([changeOf("blockBetaApps", false, true)]);
/** Two guards at three places; the same on hold; a policy; nothing. */
const RESULTS = [
  named(resultOf(plan), "two"),
  named(held(resultOf(plan)), "both"),
  named(resultOf(free, { policies: ["hosts"] }), "policy"),
  named(resultOf(free), "none"),
];
const GUARDED = ["overwrite-drift", "disable-notice"];
const STOPPERS = [GUARDED, ["hold", ...GUARDED], ["policy/hosts"], []];

test("by portal", () => {
  expect(portalsJson(RESULTS).portals.map(({ stoppedBy }) => stoppedBy)).toEqual(STOPPERS);
  expect(RESULTS.map((each) => portalEntry(each).stoppers)).toEqual(STOPPERS);
  const comment = markdownReport(RESULTS);
  const page = htmlReport(RESULTS, PLAN, MADE).replace(/\s+/g, " ");
  for (const [at, { portal }] of RESULTS.entries()) {
    const stoppers = STOPPERS[at] ?? [];
    const codes = stoppers.map((name) => `\`${name}\``).join(", ");
    expect(comment).toMatch(new RegExp(`\\| \`${portal.name}\` \\|.*\\| ${codes} \\|\n`));
    const [, reason = ""] =
      new RegExp(`<bdi>${portal.name}</bdi>.*?<td class="why">(.*?)</td>`).exec(page) ?? [];
    expect(reason.replace(/<[^>]*>/g, "")).toBe(stoppers.join(", "));
    expect(statusOf(at)).toContain(
      at < 2 ? "; stopped by overwrite-drift, disable-notice\n" : "changes     1 to set\n",
    );
  }
});

test("over all portals", () => {
  const sentence =
    "Stopped by overwrite-drift on 2 portals, disable-notice on 2 portals and policy/hosts on 1 portal.";
  const page = htmlReport(RESULTS, PLAN, MADE);
  for (const report of [planReport(RESULTS, PLAIN), markdownReport(RESULTS), page]) {
    expect(report.replace(/\s+/g, " ")).toContain(sentence);
  }
  expect(portalsJson(RESULTS).summary).toMatchObject({ guarded: 2, againstPolicy: 1 });
  const lines = statusReport(RESULTS.map(standing), PLAIN).split("\n");
  expect(lines.slice(1, 5).map((line) => /2 guards/.test(line))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("no other format shows plans", async () => {
  const OTHERS = ["junit", "sarif", "github", "gitlab"] as const;
  const specs = await Promise.all(
    ALL.map(async ({ name, load }) => ({ name, ...(await load()).spec })),
  );
  const showing = specs.filter(({ formats }) => OTHERS.some((each) => formats.includes(each)));
  expect(showing.filter(({ options }) => "allow" in options)).toEqual([]);
});

function standing(result: (typeof RESULTS)[number]) {
  return {
    result,
    isStateKnown: true,
    state: undefined,
    unknownMs: 0,
    arrival: "unknown",
    signature: null,
    next: NOTHING_TO_DO,
  } as const;
}

function statusOf(at: number): string {
  const result = RESULTS[at];
  return result ? statusReport([standing(result)], PLAIN) : "";
}
