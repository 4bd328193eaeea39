// test/ok gives no diagnostics; test/invalid gives those that stand in its comments, and the text beside it.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PROBLEMS, sortDiagnostics, type Diagnostic } from "../../src/diagnostic.js";
import { RULE_CODES } from "../../src/document/check/rules/all.js";
import { check } from "../../src/document/check/check.js";
import { findFiles } from "../../src/document/find.js";
import { readInput, readSource } from "../../src/document/read/bytes.js";
import { outcomeOfCheck } from "../../src/outcome.js";
import { checkText } from "../../src/report/problem-text.js";
import { stylesFor } from "../../src/report/styles.js";
import { PROJECT } from "../support/run.js";

const isYaml = (name: string) => /\.ya?ml$/.test(name);
const casesIn = (folder: string) => readdirSync(join(PROJECT, folder)).filter(isYaml);

function checkCase(file: string): readonly Diagnostic[] {
  const now = () => Date.parse("2026-02-01T12:00:00Z");
  const around = { cwd: PROJECT, env: environmentIn(file), now };
  return check(file, readSource({ file, cwd: PROJECT }), around).diagnostics;
}

/** What the comments of a file set: "# env: NAME=value". */
function environmentIn(file: string): Record<string, string> {
  const found = readFileSync(join(PROJECT, file), "utf8").matchAll(/^# env: (\w+)=(.*)$/gm);
  return Object.fromEntries([...found].map(([, name, value]) => [name, value]));
}

/** What the comments of a file expect: "line code". */
function expectedIn(file: string): string[] {
  return readFileSync(join(PROJECT, file), "utf8")
    .split("\n")
    .flatMap((line, at) =>
      [...line.matchAll(/# expect: ([\w-]+)/g)].map(([, code]) => `${file}:${at + 1} ${code}`),
    );
}

function foundIn(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ file, place, code }) => `${file}:${place?.line} ${code}`);
}

const policies = [join("examples", "policy"), join("examples", "starters", "policy", "policy")];
const examples = (await findFiles(["examples"], PROJECT)).filter(
  (file) => !policies.some((folder) => file.startsWith(folder)),
);

describe("a good file gives no diagnostic", () => {
  test.each(casesIn("test/ok"))("%s", (name) => {
    expect(checkCase(`test/ok/${name}`)).toEqual([]);
  });

  test.each(examples)("%s", (file) => {
    expect(checkCase(file)).toEqual([]);
  });
});

describe("a wrong file gives its diagnostics, each on the line that is wrong", () => {
  test.each(casesIn("test/invalid"))("%s", (name) => {
    const file = `test/invalid/${name}`;
    const diagnostics = checkCase(file);
    const files = [...new Set([file, ...diagnostics.map((each) => each.file)])];
    const byText = (one: string, other: string) => (one < other ? -1 : 1);
    expect(foundIn(diagnostics).toSorted(byText)).toEqual(
      files.flatMap(expectedIn).toSorted(byText),
    );

    const outcome = outcomeOfCheck("validate", [file], diagnostics);
    const text = checkText(outcome, stylesFor({ isColoured: false }));
    const golden = join(PROJECT, file.replace(/\.ya?ml$/, ".out"));
    if (process.env["UPDATE_GOLDEN"]) writeFileSync(golden, text);
    expect(text).toBe(readFileSync(golden, "utf8"));
  });

  test("no .out file lacks its .yaml file", () => {
    const texts = readdirSync(join(PROJECT, "test/invalid")).filter((name) =>
      name.endsWith(".out"),
    );
    const orphans = texts.filter((name) =>
      ["yaml", "yml"].every(
        (ending) => !existsSync(join(PROJECT, "test/invalid", name.replace(/out$/, ending))),
      ),
    );
    expect(orphans).toEqual([]);
  });
});

test("fifteen mistakes are fifteen diagnostics, each with place, source line and help", () => {
  const diagnostics = checkCase("test/invalid/fifteen.yaml");
  expect(diagnostics).toHaveLength(15);
  for (const { place, help, message } of diagnostics) {
    expect(place?.column).toBeGreaterThan(0);
    expect(place?.excerpt.text).not.toBe("");
    expect(help).not.toBe("");
    expect(message).toMatch(/[.?]$/);
  }
});

test("every code has a file that shows it", () => {
  const shown = new Set(
    [...casesIn("test/invalid"), ...casesIn("test/invalid/parts").map((name) => `parts/${name}`)]
      .flatMap((name) => expectedIn(`test/invalid/${name}`))
      .map((line) => line.split(" ")[1]),
  );
  // Files that an editor or git would damage are made by the tests of hostile input.
  const made = [
    "file-not-readable",
    "file-too-large",
    "wrong-encoding",
    "wrong-encoding",
    "empty-file",
    "bad-extends",
    "too-many-problems",
    // Of policies, which have tests of their own.
    "policy-by-name",
    "policy-not-usable",
    "example-fails",
    "example-fails",
    // It takes a configuration outside of the repository.
    "command-not-listed",
    // They take two files.
    "same-portal-twice",
    "same-portal-beside",
    "state-place-shared",
  ];
  const missing = [...Object.keys(PROBLEMS), ...RULE_CODES].filter(
    (code) => !shown.has(code) && !made.includes(code),
  );
  expect(missing).toEqual([]);
});

test("diagnostics come sorted by file, line and column", () => {
  const diagnostics = checkCase("test/invalid/fifteen.yaml");
  expect(sortDiagnostics(diagnostics.toReversed())).toEqual(diagnostics);
});

test("lines whose dashes are missing are offered as the list that they are", () => {
  // A comment would end the text, so that no file can say what it expects.
  const text = `targetVersion: "11.5"
portal: { url: https://gis.example.com/portal/sharing/rest }
settings:
  portalConfigProperties:
    httpsDomains:
      a.example.com
      b.example.com
`;
  const { diagnostics } = check("portal.yaml", readInput(Buffer.from(text)), {
    cwd: PROJECT,
    env: {},
  });
  expect(diagnostics).toMatchObject([
    {
      code: "wrong-type",
      help: "Write a list:\n  httpsDomains:\n    - a.example.com\n    - b.example.com",
    },
  ]);
});
