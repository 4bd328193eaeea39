// test/policy/invalid gives the problems that stand in its comments, and the text beside it; what is ready to be copied keeps its word.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sortDiagnostics, type Diagnostic } from "../../src/diagnostic.js";
import { outcomeOfCheck } from "../../src/outcome.js";
import { testPolicy } from "../../src/policy/examples.js";
import { readPolicies } from "../../src/policy/read.js";
import { checkText } from "../../src/report/problem-text.js";
import { stylesFor } from "../../src/report/styles.js";
import { blocks } from "../support/manual.js";
import { folderOf, PROJECT } from "../support/run.js";

function problemsOf(path: string, cwd = PROJECT): readonly Diagnostic[] {
  const { policies, problems } = readPolicies([path], cwd);
  const tested = policies.map(testPolicy);
  return sortDiagnostics([...problems, ...tested.flatMap((each) => each.problems)]);
}

describe("a wrong policy gives its problems, each on the line that is wrong", () => {
  const cases = readdirSync(join(PROJECT, "test/policy/invalid"));
  test.each(cases.filter((name) => name.endsWith(".yaml")))("%s", (name) => {
    const file = `test/policy/invalid/${name}`;
    const found = problemsOf(file);
    const expected = readFileSync(join(PROJECT, file), "utf8")
      .split("\n")
      .flatMap((line, at) =>
        [...line.matchAll(/# expect: ([\w-]+)/g)].map(([, code]) => `${at + 1} ${code}`),
      );
    expect(found.map(({ place, code }) => `${place?.line} ${code}`)).toEqual(expected);
    const text = checkText(
      outcomeOfCheck("policy", [file], found),
      stylesFor({ isColoured: false }),
    );
    const golden = join(PROJECT, file.replace(/yaml$/, "out"));
    if (process.env["UPDATE_GOLDEN"]) writeFileSync(golden, text);
    expect(text).toBe(readFileSync(golden, "utf8"));
  });
});

test("the ready ones do as their examples say, and each has some of both kinds", () => {
  const { policies, problems } = readPolicies(["examples/policy"], PROJECT);
  expect(problems).toEqual([]);
  expect(policies.map(({ name, file }) => file.endsWith(`/${name}.yaml`))).toEqual(
    Array(5).fill(true),
  );
  for (const policy of policies) {
    expect(testPolicy(policy)).toMatchObject({ problems: [] });
    const kinds = new Set(policy.examples.map(({ kind }) => kind));
    expect([policy.name, kinds.size]).toEqual([policy.name, 2]);
  }
});

test("the policies of the manual do as they say", () => {
  const texts = blocks("yaml", ["docs/policy.md"])
    .map(([, text]) => text)
    .filter((text) => text.includes("must:"));
  expect(texts.length).toBe(2);
  const folder = folderOf(Object.fromEntries(texts.map((text, at) => [`${at}.yaml`, text])));
  try {
    expect(problemsOf(".", folder.path)).toEqual([]);
  } finally {
    folder.remove();
  }
});
