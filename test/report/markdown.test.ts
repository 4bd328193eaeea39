// Plans as the comment of a pull request.
import { describe, expect, test } from "vitest";
import { check } from "../../src/document/check/check.js";
import { readSource } from "../../src/document/read/bytes.js";
import { EXIT, Failure } from "../../src/failure.js";
import { outcomeOfCheck, outcomeOfFailure } from "../../src/outcome.js";
import { markdownReport } from "../../src/report/markdown-report.js";
import { fc } from "../support/property.js";
import { PROJECT } from "../support/run.js";
import { expectGolden } from "./golden.js";
import { readMarkdown } from "./markdown-reader.js";
import { changeOf, named, planOf, resultOf, resultOfStory, STORIES } from "./results.js";
import { anyResult } from "./rude.js";

const BUDGET = 60_000;

describe("a story reads as it is written", () => {
  test.each(STORIES)("%s", (story) => {
    expectGolden(`${story}.md`, markdownReport([resultOfStory(story)]));
  });

  test("a fleet", () => {
    const failed = {
      plan: null,
      status: "failed",
      failure: new Failure("not-reachable", '"gis.example.com" cannot be reached.', "Look."),
      exit: EXIT.refused,
    } as const;
    const results = [
      ...["shrink-list", "nothing-to-do", "disconnect"].map((story) =>
        named(resultOfStory(story), story),
      ),
      named({ ...resultOfStory("nothing-to-do"), ...failed }, "fallen"),
    ];
    expectGolden("a-fleet.md", markdownReport(results, { command: "apply" }));
  });

  test("a file that is invalid", () => {
    const file = "test/invalid/fifteen.yaml";
    const { diagnostics } = check(file, readSource({ file, cwd: PROJECT }), {
      cwd: PROJECT,
      env: {},
    });
    expectGolden(
      "a-file-that-is-invalid.md",
      markdownReport([], outcomeOfCheck("plan", [file], diagnostics)),
    );
  });

  test("a run that failed", () => {
    const failure = new Failure(
      "state-locked",
      "The state is locked.",
      "Wait, or run:\n  lintel state unlock",
    );
    expectGolden("a-run-that-failed.md", markdownReport([], outcomeOfFailure("apply", failure)));
  });
});

function expectHarmless(text: string, budget = BUDGET): void {
  expect(text.length).toBeLessThanOrEqual(budget);
  const { prose, html, openFolds, isFenceOpen } = readMarkdown(text);
  expect({ openFolds, isFenceOpen }).toEqual({ openFolds: 0, isFenceOpen: false });
  // What is left is all ours.
  expect(prose).not.toMatch(/[@<>[\]\\~`]|#\d|http/);
  expect(prose.split("\n").filter((line) => line.startsWith("#"))).toEqual(["## Lintel plan"]);
  const tags = html.join("\n").match(/<[^>]*>/g) ?? [];
  const known = /^<(?:!-- lintel \w+ --|details|details open|\/details|\/?summary|\/?code)>$/;
  expect(tags.filter((tag) => !known.test(tag))).toEqual([]);
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
}

describe("with any content of files and portals,", () => {
  test("nothing but code shows it, folds and fences close, and the budget holds", () => {
    fc.assert(
      fc.property(
        fc.array(anyResult, { maxLength: 4 }),
        fc.constantFrom(2_000, 8_000, BUDGET),
        (results, budget) => {
          expectHarmless(markdownReport(results, { budget }), budget);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("each row of the table has its four cells", () => {
    fc.assert(
      fc.property(fc.array(anyResult, { minLength: 1, maxLength: 4 }), (results) => {
        const rows = markdownReport(results)
          .split("\n")
          .filter((line) => line.startsWith("| "))
          .slice(0, results.length + 2);
        for (const row of rows) expect(row.replace(/\\[|\\`]/g, "").match(/\|/g)).toHaveLength(5);
      }),
    );
  });
});

describe("what is large", () => {
  const hosts = Array.from({ length: 2_000 }, (_, at) => `host-${at}.example.com`);
  const notice = "Read this with care, please. ".repeat(3_500);
  const largeOf = (who: string, listed = hosts, text = notice) =>
    resultOf(
      planOf([
        changeOf("anonymousAccessNotice.text", text, text.toUpperCase() + who),
        changeOf("portalConfigProperties.httpsDomains", listed, [...listed.toReversed(), who]),
        ...Array.from({ length: 300 }, (_, at) => changeOf(`newParameter.name${at}`, at, who)),
      ]),
    );

  test("is shortened, and counts what is left out", () => {
    const text = markdownReport([largeOf("a")]);
    expectHarmless(text);
    expect(text).toContain("more characters");
    expect(text).toContain("more changes");
  });

  const smallOf = (who: string) =>
    named(resultOf(planOf([changeOf("portalConfigProperties.surveyUrl", "", who)])), who);

  test("leaves room for the others", () => {
    // Ten times what one of sixty has room for: to compare more takes long.
    const [someHosts, someNotice] = [hosts.slice(0, 200), notice.slice(0, 10_000)];
    const results = Array.from({ length: 60 }, (_, at) =>
      at % 2 ? named(largeOf(`p${at}`, someHosts, someNotice), `p${at}`) : smallOf(`p${at}`),
    );
    const text = markdownReport(results);
    expectHarmless(text);
    expect(text.match(/^<summary><code>p/gm)?.length).toBeGreaterThan(15);
    expect(text).toMatch(/^\d+ portals are not shown in full; the plan is in the JSON report\.$/m);
  });

  test("shows 1,000 equal portals as one row", () => {
    const results = Array.from({ length: 1_000 }, (_, at) =>
      at === 500 ? smallOf("odd") : named(resultOfStory("first-apply"), `portal-${at}`),
    );
    const text = markdownReport(results);
    expectHarmless(text);
    expect(text.length).toBeLessThan(6_000);
    expect(text).toContain("**1,000 portals: 1,000 with changes. 3,997 to set.**");
    const rows = text.split("\n").filter((line) => line.startsWith("| `") || /^\| \d/.test(line));
    expect(rows.map((line) => line.replace(/`portal-0`.*portals/, "…"))).toEqual([
      "| `odd` | with changes | 1 to set |  |",
      "| 999 portals, each: … | with changes | 4 to set |  |",
    ]);
    const folds = text.split("\n").filter((line) => line.startsWith("<summary>"));
    expect(folds[0]).toBe("<summary><code>odd</code>: 1 to set</summary>");
    expect(folds[1]).toMatch(/^<summary>999 portals \(.* and 994 more portals\): 4 to set</);
    expect(text).not.toContain("not shown");
  });

  test("and so different that its rows have no room is counted", () => {
    const results = Array.from({ length: 1_000 }, (_, at) =>
      named(
        resultOf(
          planOf(
            Array.from({ length: at + 1 }, (_each, index) =>
              changeOf(`portalConfigProperties.name${index}`, 1, at),
            ).slice(0, 20),
          ),
          { file: "x" },
        ),
        `${"long-name-".repeat(8)}${at}`,
      ),
    );
    const text = markdownReport(results, { budget: 8_000 });
    expectHarmless(text, 8_000);
    expect(text).toMatch(/^\d+ more portals not listed here\.$/m);
  });

  test("and all the same is one row", () => {
    const results = Array.from({ length: 1_000 }, (_, at) =>
      named(resultOfStory("nothing-to-do"), `portal-${at}`),
    );
    const text = markdownReport(results);
    expect(text).toContain("**No changes. 1,000 portals: 1,000 unchanged.**");
    expect(text).toContain("and 980 more portals | unchanged |  |  |");
    expect(text.length).toBeLessThan(600);
  });

  test("as a number of problems is begun and the rest counted", () => {
    const file = "test/invalid/fifteen.yaml";
    const { diagnostics } = check(file, readSource({ file, cwd: PROJECT }), {
      cwd: PROJECT,
      env: {},
    });
    const many = Array.from({ length: 200 }, () => diagnostics).flat();
    const text = markdownReport([], outcomeOfCheck("plan", [file], many));
    expectHarmless(text);
    expect(text).toMatch(/^and [\d,]+ more problems$/m);
  });
});
