// The verdict of a plan: whatever would stop its apply is said in it, in every format.
import { describe, expect, test } from "vitest";
import { aboutFile } from "../../src/diagnostic.js";
import { summarise, type PortalResult } from "../../src/plan/result.js";
import { htmlReport } from "../../src/report/html-report.js";
import { markdownReport } from "../../src/report/markdown-report.js";
import { planReport } from "../../src/report/plan-report.js";
import { PLAIN } from "../../src/report/styles.js";
import { headlineOf, verdictOf, verdictOfPlans } from "../../src/report/verdict.js";
import { changeOf, named, planOf, resultOf, resultOfStory, portalsJson } from "./results.js";

const stopped = resultOfStory("shrink-list");
const STOP = "Stopped by shrink-list.";

const made = { toolVersion: "0.1.0", at: "2026-01-01T00:00:00.000Z" };

function htmlOf(results: readonly PortalResult[]): string {
  const outcome = { command: "plan", exit: 0, diagnostics: [] } as const;
  return htmlReport(results, outcome, made);
}

describe("a guard that stops the apply is in the verdict", () => {
  test("of the text, in its last line", () => {
    const lines = planReport([stopped], PLAIN).trimEnd().split("\n");
    expect(lines.at(-1)).toBe(`1 portal: 1 to set. ${STOP}`);
  });

  test("of the Markdown, in its headline", () => {
    const [, , , headline] = markdownReport([stopped]).split("\n");
    expect(headline).toBe(`**1 portal: 1 to set. ${STOP}**`);
  });

  test("of the page, in its headline and its title", () => {
    const page = htmlOf([stopped]);
    const [, verdict = ""] = /<p class="verdict">(.*?)<\/p>/s.exec(page) ?? [];
    expect(verdict.replace(/<[^>]*>/g, "")).toContain(STOP);
    expect(page).not.toContain("--allow");
    expect(/<title>([^<]*)</.exec(page)?.[1]).toContain(STOP);
  });

  test("of the JSON, in its summary", () => {
    const { summary } = portalsJson([stopped, resultOfStory("first-apply")]);
    expect(summary).toMatchObject({ portals: 2, changing: 2, guarded: 1 });
  });
});

test("many portals are counted, and each guard is named once", () => {
  const results = [
    named(stopped, "one"),
    named(stopped, "two"),
    named(resultOfStory("wide-change"), "three"),
    named(resultOfStory("first-apply"), "four"),
  ];
  expect(verdictOf(results)).toMatch(
    / Stopped by shrink-list on 2 portals and wide-change on 1 portal\.$/,
  );
});

test("what was put back is rolled back", () => {
  const change = { ...changeOf("blockBetaApps", true, false), cause: "rollback" } as const;
  const back = resultOf(planOf([change]), { status: "applied" });
  expect(verdictOf([back])).toBe("1 portal: rolled back, 1 set.");
  expect(verdictOf([named(back, "one"), named(back, "two")])).toBe(
    "2 portals: 2 rolled back. 2 set.",
  );
  expect(htmlOf([named(back, "one"), named(back, "two")])).toContain("2 rolled back");
});

test("neither a guard that is open nor an apply that was carried out is stopped", () => {
  const open = planOf([changeOf("blockBetaApps", false, true)], {
    guards: (stopped.plan?.guards ?? []).map((guard) => ({
      ...guard,
      isOpen: true,
      openedBy: { by: "command-line" },
    })),
  });
  const done: PortalResult = { ...stopped, status: "applied" };
  expect(verdictOf([resultOf(open)])).toBe("1 portal: 1 to set.");
  expect(verdictOf([done])).toBe("1 portal: 1 set.");
  // Whatever it failed of is told beside it, and no words would open that.
  expect(verdictOf([{ ...stopped, status: "failed" }])).toBe(
    "1 portal: failed. Stopped by shrink-list.",
  );
  expect(summarise([resultOf(open), done]).guarded).toBe(0);
});

test("so is what else would stop it: a hold, and a plan that is for looking at alone", () => {
  const hold = {
    since: "2026-06-01T10:00:00Z",
    by: "alice",
    why: "rolled back",
    isByHand: false,
    until: null,
    isAgreed: false,
    isOlder: false,
    inBase: null,
    inWindow: null,
    isUnsettled: false,
  };
  const plan = planOf([changeOf("blockBetaApps", false, true)]);
  expect(verdictOf([resultOf(plan, { hold })])).toBe("1 portal: 1 to set. It is on hold.");
  const agreed = resultOf(plan, { hold: { ...hold, isAgreed: true } });
  expect(verdictOf([agreed])).toBe("1 portal: 1 to set.");
  const anonymous = resultOfStory("anonymous");
  expect(verdictOf([anonymous])).toMatch(/ This plan cannot be applied\./);
  expect(verdictOf([anonymous, anonymous, agreed])).toMatch(/ 2 plans cannot be applied\./);
});

test("says that changes are unknown where a portal was not read", () => {
  const quiet = resultOfStory("nothing-to-do");
  const reason = { code: "not-read", message: "Not read.", help: "" } as const;
  const unseen = { ...quiet, plan: quiet.plan && { ...quiet.plan, reason } };
  const verdict = "Changes unknown: Lintel could not read all settings.";
  expect(planReport([unseen], PLAIN)).toContain(`\n${verdict} 1 portal: changes unknown.\n`);
  expect(markdownReport([unseen])).toContain(`**${verdict} 1 portal: changes unknown.**`);
  expect(verdictOfPlans([quiet, unseen])).toMatch(/all settings of every portal\. 2 portals/);
  expect(verdictOfPlans([quiet])).toMatch(/^No changes\. /);
});

test("the headline counts the files with problems, and no others", () => {
  const files = ["one.yaml", "two.yaml", "three.yaml"];
  const problem = aboutFile("wrong-type", "one.yaml", "It is wrong.", "Mend it.");
  const diagnostics = [problem, { ...problem, code: "missing-key" }];
  expect(headlineOf({ files, diagnostics }, "")).toBe("2 errors in 1 file.");
});

test("reports a hold that the next apply ends among many unchanged portals", () => {
  const hold = {
    since: "2026-06-01T10:00:00Z",
    by: "alice",
    why: "rolled back",
    isByHand: false,
    until: null,
    isAgreed: true,
    isOlder: false,
    inBase: null,
    inWindow: null,
    isUnsettled: false,
  };
  const quiet = resultOfStory("nothing-to-do");
  const text = planReport([named({ ...quiet, hold }, "one"), named(quiet, "two")], PLAIN);
  expect(text.replace(/\s+/g, " ")).toContain("so apply ends the hold");
  expect(text).toMatch(/\nNo changes\. 2 portals: 2 unchanged\.\n$/);
});
