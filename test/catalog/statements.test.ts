// Each statement of the reference lives where its table says, and the tests that it names are there.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readReferences } from "../../schemas/generate/generate.js";
import { readStatements, type Held } from "../../schemas/generate/statements.js";
import { PROJECT } from "../support/run.js";

const references = readReferences(PROJECT);
const sections = readStatements(references);

/** The names of a file's tests, as they are written there. */
function namesIn(file: string): readonly (string | undefined)[] {
  const named =
    /(?:\b(?:test|describe)(?:\.\w+)*(?:<[^]*?>)?\(|\)\()\s*(["'`])((?:\\.|(?!\1)[^])*)\1/g;
  const text = readFileSync(join(PROJECT, file), "utf8");
  return [...text.matchAll(named)].map(([, , name]) => name?.replace(/\\(["'`])/g, "$1"));
}

describe.each([...sections])("%s", (_, statements) => {
  test("has statements", () => {
    expect(statements).not.toEqual([]);
  });

  test.each(statements)("$id", ({ lives, tests }) => {
    expect(lives.filter((file) => !existsSync(join(PROJECT, file)))).toEqual([]);
    expect(tests.filter(({ file }) => !existsSync(join(PROJECT, file)))).toEqual([]);
    // A file without a name is a test of its own, which another test runs.
    const isThere = ({ file, name }: Held) =>
      name === undefined ? /^test\/(invalid|ok)\//.test(file) : namesIn(file).includes(name);
    expect(tests.filter((each) => !isThere(each))).toEqual([]);
  });
});

describe("what would be missing stops the generator", () => {
  const changed = (from: string | RegExp, to: string) =>
    references.map(({ file, text }) => ({ file, text: text.replace(from, to) }));

  test.each<[string, string | RegExp, string, RegExp]>([
    [
      "a column that nothing tells of",
      "| Deployment | Meaning |",
      "| Deployment | Sense |",
      /"Sense"/,
    ],
    ["a rule for a column that is gone", "| Object | Values |", "| Object | Choices |", /"Values"/],
    ["a sentence about a section that is gone", "## Limits", "## Bounds", /no heading "Limits"/],
    [
      "two sentences of one name",
      "| minutes | portal",
      "| extent-service | portal",
      /stands there already/,
    ],
    [
      "a sentence that no test holds",
      /(\| minutes \| .*\|)[^|]*\|\n/,
      "$1  |\n",
      /"Held by" is empty/,
    ],
  ])("%s", (_name, from, to, message) => {
    expect(() => readStatements(changed(from, to))).toThrow(message);
  });

  test("and a new row has its statements at once", () => {
    const row = "| `newTool` | boolean | `false` | `12.0` |  |  |  | `true` | A new tool. |";
    const found = readStatements(changed(/(\| `dataPipelinesEnabled` .*\n)/, `$1${row}\n`));
    const ids = [...found.values()].flat().map(({ id }) => id);
    expect(ids).toContain("portalConfigProperties/newTool/default");
    expect(ids).toContain("portalConfigProperties/newTool/introduced");
  });
});
