// Pages that are not about plans: what somebody else changed, and what is wrong in files.
import { describe, expect, test } from "vitest";
import { aboutFile, type Diagnostic } from "../../src/diagnostic.js";
import { EXIT } from "../../src/failure.js";
import { outcomeOfCheck } from "../../src/outcome.js";
import { driftChange, driftReport, type PortalDrift } from "../../src/report/drift-report.js";
import { htmlDriftReport, htmlReport } from "../../src/report/html-report.js";
import { markdownDriftReport } from "../../src/report/markdown-report.js";
import { PLAIN } from "../../src/report/styles.js";
import { MADE, PLAN } from "./made.js";
import { named, resultOfStory } from "./results.js";

describe("drift", () => {
  const drift = { path: ["blockBetaApps"], proven: false, live: true, isManaged: true };
  const last = { time: "2026-06-01T09:30:00.000Z", by: "ana" };
  const drifted = (name: string, more: Partial<PortalDrift> = {}): PortalDrift => ({
    result: named(resultOfStory("drifted-banner"), name),
    changes: [driftChange(drift, null)],
    last,
    ...more,
  });
  const page = (...portals: PortalDrift[]) =>
    htmlDriftReport(portals, { ...PLAN, command: "drift", exit: EXIT.pending }, MADE);

  test("shows when and by whom it was last applied, and what to do", () => {
    const text = page(drifted("one"));
    expect(text).toContain("Last apply: 2026-06-01 09:30 UTC by ana.");
    expect(text).toContain("<code>lintel pull portals/one.yaml --path blockBetaApps</code>");
    expect(text).toContain("<code>lintel plan portals/one.yaml</code>");
    expect(text).not.toMatch(/--all\b/);
  });

  test("of what the file does not set leads to a file that sets it", () => {
    const text = page(
      drifted("one", { changes: [driftChange({ ...drift, isManaged: false }, null)] }),
    );
    expect(text).toContain("<code>lintel pull portals/one.yaml --all</code>");
    expect(text).not.toContain("lintel apply");
  });

  test("that is equal on several portals is shown once, with all their files in the commands", () => {
    const later = { time: "2026-06-02T10:00:00.000Z", by: "ben" };
    const text = page(drifted("one"), drifted("two", { last: later }), drifted("three"));
    expect(text.match(/<details class="portal"/g)).toHaveLength(1);
    expect(text).toContain("2026-06-01 09:30 UTC to 2026-06-02 10:00 UTC by ana, ben.");
    expect(text).toContain(
      "lintel pull portals/one.yaml portals/two.yaml portals/three.yaml --path",
    );
  });

  test("becomes an issue: which portals, what drifted, and what to do", () => {
    const quiet = named({ ...resultOfStory("nothing-to-do"), status: "unchanged" }, "quiet");
    const portals = [drifted("one"), drifted("two", { result: quiet, changes: [] })];
    const text = markdownDriftReport(portals, { ...PLAN, command: "drift", exit: EXIT.pending });
    expect(text).toContain("**2 portals: 1 setting changed since the last apply.**");
    expect(text).toContain("| `one` | with drift | 1 setting changed |  |");
    expect(text).toContain("| `quiet` | no drift |  |  |");
    expect(text).toContain("```diff\n- blockBetaApps: false\n+ blockBetaApps: true\n```");
    expect(text).toContain(
      "- Review a plan that restores the file's values: `lintel plan portals/one.yaml`\n",
    );
    expect(text).not.toMatch(/Stopped by|to set/);
  });

  test("is not denied where nothing was applied yet", () => {
    const result = named({ ...resultOfStory("nothing-to-do"), status: "unchanged" }, "new");
    const fresh: PortalDrift = { result, changes: [], remark: "Not yet." };
    const one = driftReport([fresh], PLAIN);
    expect(one).toContain("Not yet.");
    expect(one).toContain("1 portal: nothing applied yet.");
    const two = [fresh, drifted("quiet", { result: named(result, "quiet"), changes: [] })];
    expect(driftReport(two, PLAIN)).toContain("2 portals: no drift, 1 with nothing applied yet.");
    for (const text of [one, markdownDriftReport([fresh], PLAN)]) {
      expect(text).not.toMatch(/no drift/i);
    }
  });

  test("of no portal is neither there nor not", () => {
    expect(driftReport([], PLAIN)).toBe("0 portals.\n");
  });

  test("is shown without the guards of a plan, for one portal and for several", () => {
    const shut = (name: string) =>
      drifted(name, { result: named(resultOfStory("shrink-list"), name) });
    for (const portals of [[shut("one")], [shut("one"), shut("two")]]) {
      expect(driftReport(portals, PLAIN)).toContain("false → true");
      expect(driftReport(portals, PLAIN)).not.toMatch(/guard|shrink-list/);
    }
  });
});

describe("a check of files", () => {
  const problem = (file: string, severity: "error" | "warning") => ({
    ...aboutFile("wrong-type", file, `In ${file}.`, "Mend it."),
    severity,
  });
  const pageOf = (files: readonly string[], diagnostics: readonly Diagnostic[]) =>
    htmlReport([], outcomeOfCheck("validate", files, diagnostics), MADE);

  test("stands file by file: those with errors first, and by name alone those without problems", () => {
    const text = pageOf(
      ["a.yaml", "b.yaml", "c.yaml"],
      [problem("a.yaml", "warning"), problem("c.yaml", "error"), problem("c.yaml", "warning")],
    );
    const summaries = [...text.matchAll(/<summary>(.*?)<\/summary>/gs)].map(([, inside = ""]) =>
      inside
        .replace(/<[^>]*>/g, " ")
        .trim()
        .split(/\s+/)
        .join(" "),
    );
    expect(summaries).toEqual(["c.yaml 1 error 1 warning", "a.yaml 1 warning"]);
    expect(text).toMatch(
      /Without problems of their own<\/h2>\s*<ul class="files">\s*<li><code>b\.yaml<\/code>/,
    );
  });

  test("of a great many problems counts those that it does not show", () => {
    const files = Array.from({ length: 400 }, (_, at) => `f${at}.yaml`);
    const text = pageOf(
      files,
      files.flatMap((file) => [problem(file, "error"), problem(file, "error")]),
    );
    expect(text.match(/<li class="problem/g)).toHaveLength(300);
    expect(text.match(/and 500 more problems/g)).toHaveLength(1);
    expect(text).not.toContain("<details open");
  });
});
