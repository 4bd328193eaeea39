// Plans as the comment of a pull request.
import { describe, expect, test } from "vitest";
import { check } from "../../src/document/check/check.js";
import { readSource } from "../../src/document/read/bytes.js";
import { EXIT, Failure } from "../../src/failure.js";
import { outcomeOfCheck, outcomeOfFailure } from "../../src/outcome.js";
import { markdownReport } from "../../src/report/markdown/markdown.js";
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

describe("whatever the files and portals hold,", () => {
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

  test("each row of the table has its six cells", () => {
    fc.assert(
      fc.property(fc.array(anyResult, { minLength: 1, maxLength: 4 }), (results) => {
        const rows = markdownReport(results)
          .split("\n")
          .filter((line) => line.startsWith("| "))
          .slice(0, results.length + 2);
        for (const row of rows) expect(row.replace(/\\[|\\`]/g, "").match(/\|/g)).toHaveLength(7);
      }),
    );
  });
});

describe("what is large", () => {
  const hosts = Array.from({ length: 2_000 }, (_, at) => `host-${at}.example.com`);
  const notice = "Read this with care, please. ".repeat(3_500);
  const large = resultOf(
    planOf([
      changeOf("anonymousAccessNotice.text", notice, notice.toUpperCase()),
      changeOf("portalConfigProperties.httpsDomains", hosts, hosts.toReversed()),
      ...Array.from({ length: 300 }, (_, at) => changeOf(`newParameter.name${at}`, at, at + 1)),
    ]),
  );

  test("is told in fewer words, and what is left out is counted", () => {
    const text = markdownReport([large]);
    expectHarmless(text);
    expect(text).toContain("more characters");
    expect(text).toContain("more changes");
  });

  test("leaves room for the others", () => {
    const results = Array.from({ length: 60 }, (_, at) =>
      named(at % 2 ? large : resultOfStory("first-apply"), `p${at}`),
    );
    const text = markdownReport(results);
    expectHarmless(text);
    expect(text.match(/^<summary><code>p/gm)?.length).toBeGreaterThan(15);
    expect(text).toMatch(/^\d+ more portals are not shown; the plan is in the JSON report\.$/m);
  });

  test("as a fleet of 1,000 portals is summed up", () => {
    const results = Array.from({ length: 1_000 }, (_, at) =>
      named(resultOfStory("first-apply"), `portal-${at}`),
    );
    const text = markdownReport(results);
    expectHarmless(text);
    expect(text).toContain("**1,000 portals: 1,000 with changes. 4,000 to set.**");
    const rows = text.match(/^\| `portal-/gm)?.length ?? 0;
    expect(text).toContain(`${1_000 - rows} more portals not listed here.`);
    const folds = text.match(/^<summary><code>portal-/gm)?.length ?? 0;
    expect(text).toContain(
      `${1_000 - folds} more portals are not shown; the plan is in the JSON report.`,
    );
  });

  test("and all the same says only how many there are", () => {
    const results = Array.from({ length: 1_000 }, (_, at) =>
      named(resultOfStory("nothing-to-do"), `portal-${at}`),
    );
    const text = markdownReport(results);
    expect(text).toContain("**No changes. 1,000 portals: 1,000 unchanged.**");
    expect(text.length).toBeLessThan(300);
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
