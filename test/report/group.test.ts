// Portals that report the same are reported once, with all their names.
import { expect, test } from "vitest";
import { aboutFile, type Diagnostic } from "../../src/diagnostic.js";
import type { PortalResult } from "../../src/plan/result.js";
import { filesOf, groupEntries } from "../../src/report/group.js";
import { portalEntry } from "../../src/report/portal-entry.js";
import { htmlReport } from "../../src/report/html-report.js";
import { markdownReport } from "../../src/report/markdown-report.js";
import { planReport } from "../../src/report/plan-report.js";
import { checkText } from "../../src/report/problem-text.js";
import { PLAIN } from "../../src/report/styles.js";
import { held } from "./fleet.js";
import { MADE, PLAN } from "./made.js";
import { changeOf, named, planOf, resultOf, resultOfStory } from "./results.js";

test("fifty nearly equal plans fill a screen, not a book", () => {
  const common = ["tokenExpiration", "longTokenExpiration", "surveyUrl"].map((name, at) =>
    changeOf(`portalConfigProperties.${name}`, at, at + 1),
  );
  const odd = changeOf("informationalBanner.text", "Ours", "Theirs");
  const results = Array.from({ length: 50 }, (_, at) =>
    named(resultOf(planOf(at === 17 ? [...common, odd] : common)), `gis-${at + 1}`),
  );
  const lines = planReport(results, PLAIN).split("\n");
  expect(lines.length).toBeLessThan(40);
  expect(lines[0]).toMatch(/^gis-18 /);
  expect(lines.some((line) => line.startsWith("49 portals: gis-1, gis-2, "))).toBe(true);
});

test("a fold on a page names what changes, and that a guard stops it", () => {
  const result = resultOfStory("banner-off-after-the-day");
  const page = (...results: PortalResult[]) => {
    const [, summary = ""] =
      /<details class="portal" id="p1".*?<summary>(.*?)<\/summary>/s.exec(
        htmlReport(results, PLAN, MADE).replace(/\s+/g, " "),
      ) ?? [];
    return summary
      .replace(/<[^>]*>/g, " ")
      .replace(/\s+/g, " ")
      .trim();
  };
  const two = [named(result, "one"), named(result, "two")];
  expect(page(...two)).toBe("2 portals with changes stopped 1 to set: informationalBanner");
  expect(page(...two.map((each) => ({ ...each, status: "applied" }) as const))).toBe(
    "2 portals applied 1 set: informationalBanner",
  );
});

test("portals whose names stand in a message are grouped, and each value counts", () => {
  const plan = planOf([changeOf("blockBetaApps", false, true)]);
  const other = planOf([changeOf("blockBetaApps", false, null)]);
  const results = [plan, plan, other].map((each, at) => named(resultOf(each), `p${at}`));
  const groups = groupEntries(results.map((each) => portalEntry(each)));
  expect(groups.map(({ entries }) => entries.map(({ result }) => result.portal.name))).toEqual([
    ["p2"],
    ["p0", "p1"],
  ]);
});

test("a command names the file of each portal, for any file name", () => {
  const results = ["a b", "c"].map((name) => named(held(resultOf(planOf([]))), name));
  const command = "lintel unhold 'portals/a b.yaml' portals/c.yaml";
  expect(markdownReport(results)).toContain(command);
  expect(planReport(results, PLAIN)).toContain(command);
  const names = Array.from({ length: 20 }, (_, at) => `p${at}`);
  const twenty = names.map((name) => named(held(resultOf(planOf([]))), name));
  const files = names.map((name) => `portals/${name}.yaml`).join(" ");
  expect(planReport(twenty, PLAIN)).toContain(`lintel unhold ${files}\n`);
});

test("unreachable portals at their own hosts are one row, reported once", () => {
  const results = Array.from({ length: 12 }, (_, at) => {
    const host = `gis-${at + 1}.example.com`;
    const failure = {
      code: "not-reachable",
      message: `The host "${host}" cannot be reached.`,
      help: `Look:\n  lintel doctor portals/gis-${at + 1}.yaml`,
    } as const;
    const result = { ...resultOf(planOf([])), status: "failed", plan: null, failure } as const;
    const portal = { name: "", url: `https://${host}/portal/sharing/rest`, id: "self" };
    return named({ ...result, portal }, `gis-${at + 1}`);
  });
  const page = htmlReport(results, PLAN, MADE);
  expect(page.match(/cannot be reached/g)).toHaveLength(2);
  expect(page).toContain("The host &quot;gis-1.example.com&quot; and 11 more cannot be reached.");
  expect(page).toContain("lintel doctor portals/gis-1.yaml portals/gis-2.yaml");
  const comment = markdownReport(results);
  expect(comment).toContain("| 12 portals, each: `gis-1`, ");
  expect(comment).toContain(
    'The host "gis-1.example.com" and 11 more cannot be reached. [not-reachable]',
  );
  const text = planReport(results, PLAIN);
  expect(text.match(/cannot be reached/g)).toHaveLength(1);
  expect(text).toMatch(
    /^12 portals: gis-1, .*\n.*gis-12\nerror: The host "gis-1.example.com" and 11 more cannot/,
  );
  const some = htmlReport(results.slice(0, 1), PLAN, MADE);
  expect(some).toContain("The host &quot;gis-1.example.com&quot; cannot be reached.");
});

test("a setting that each file sets at its own line is shown without a line", () => {
  const at = (file: string, line: number) => ({
    ...changeOf("blockBetaApps", false, true),
    place: { file, line, column: 1 },
  });
  const plansAt = (...places: readonly (readonly [string, number])[]) =>
    planReport(
      places.map(([file, line], index) => named(resultOf(planOf([at(file, line)])), `${index}`)),
      PLAIN,
    );
  expect(plansAt(["_base.yaml", 7], ["_base.yaml", 7])).toContain("_base.yaml:7");
  expect(plansAt(["a.yaml", 7], ["b.yaml", 9])).not.toMatch(/[ab]\.yaml:/);
});

test("a policy that stops portals is reported once in their block, and no longer among the problems", () => {
  const code = "policy/hosts";
  const finding = (file: string): Diagnostic => ({
    ...aboutFile("wrong-type", file, "The host is not ours.", "Use one of ours."),
    code,
    severity: "error",
  });
  const diagnostics = [finding("_base.yaml")];
  const stopped = Array.from({ length: 5 }, (_, at) => {
    const failure = { code: "against-policy", message: "Stopped.", help: "" } as const;
    const plan = planOf([changeOf("blockBetaApps", false, true)]);
    const ended = { status: "failed", failure, policies: ["hosts"] } as const;
    return named(resultOf(plan, ended), `p${at}`);
  });
  const reports = [
    planReport(stopped, PLAIN, { diagnostics }),
    markdownReport(stopped, { diagnostics }),
    htmlReport(stopped, { ...PLAN, diagnostics }, MADE),
  ];
  for (const text of reports) {
    expect(text.match(/The host is not ours/g)).toHaveLength(1);
    expect(text).toContain("lintel help policy");
    expect(text).not.toContain("against-policy");
  }
});

test("a mistake that many files make, each for itself, is shown once, with all the places", () => {
  const mistake = (file: string, line: number): Diagnostic => ({
    ...aboutFile("wrong-type", file, "It is no number.", "Write one."),
    place: {
      file,
      line,
      column: 3,
      endLine: line,
      endColumn: 4,
      excerpt: { text: "  x", from: 2, to: 3 },
    },
  });
  const other = aboutFile("wrong-type", "b.yaml", "It is no list.", "Write one.");
  const found = [mistake("a.yaml", 1), other, mistake("b.yaml", 2), mistake("c.yaml", 3)];
  const few = checkText({ diagnostics: found, files: [] }, PLAIN);
  expect(few.match(/^[a-c]\.yaml.*: error/gm)?.map((line) => line[0])).toEqual([
    "a",
    "b",
    "b",
    "c",
  ]);
  const many = checkText({ diagnostics: [...found, mistake("d.yaml", 4)], files: [] }, PLAIN);
  expect(many.match(/It is no number/g)).toHaveLength(1);
  expect(many).toContain(
    "  the same in 3 more files: b.yaml:2:3, c.yaml:3:3, d.yaml:4:3\n  help: ",
  );
  expect(many).toContain(": 5 errors.");
  const comment = markdownReport([], { diagnostics: [...found, mistake("d.yaml", 4)] });
  expect(comment.match(/It is no number/g)).toHaveLength(1);
  expect(comment).toContain("  the same in 3 more files: b.yaml:2:3, c.yaml:3:3, d.yaml:4:3\n");
  const twice = [...found, mistake("a.yaml", 9)];
  expect(checkText({ diagnostics: twice, files: [] }, PLAIN)).not.toContain("the same in");
});

test("a command names a folder of the run where it concerns all files in it, else the files", () => {
  const both = ["a.yaml", "b.yaml"].map((name) => ({ file: `portals/${name}` }));
  const folderWith = (...files: readonly string[]) => [{ folder: "portals", files }];
  expect(filesOf(both, { folders: folderWith("portals/a.yaml", "portals/b.yaml") })).toBe(
    "portals",
  );
  const more = folderWith("portals/a.yaml", "portals/b.yaml", "portals/c.yaml");
  expect(filesOf(both, { folders: more })).toBe("portals/a.yaml portals/b.yaml");
});
