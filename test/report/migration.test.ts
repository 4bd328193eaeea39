// What is told of a migration: parts in order, words in one place, and the same in text, in a comment and in the manual.
import { describe, expect, test } from "vitest";
import { aboutFile, type DiagnosticCode } from "../../src/diagnostic.js";
import { EXIT } from "../../src/failure.js";
import { markdownMigration } from "../../src/report/markdown-migration.js";
import {
  OUTCOMES,
  type PropertyOutcome,
  type PropertyReport,
  endText,
  migrationText,
  outcomesText,
  partsOf,
  verdictOfMigration,
} from "../../src/report/migration-report.js";
import { PLAIN } from "../../src/report/styles.js";
import { rowsUnder } from "../support/manual.js";

let line = 0;

function property(outcome: PropertyOutcome, ...codes: readonly DiagnosticCode[]): PropertyReport {
  const name = [outcome, ...codes].join("-with-");
  const place = { file: "config.js", line: ++line, column: 3 };
  return {
    name,
    outcome,
    place,
    diagnostics: codes.map((code) => aboutFile(code, "config.js", `About ${name}.`, "Look.")),
  };
}

/** As a file may have them, and so in the wrong order. */
const MIXED = [
  property("no-counterpart"),
  property("stock"),
  property("migrated"),
  property("not-added", "already-set"),
  property("migrated", "mailto"),
  property("needs-newer-target", "needs-newer-target"),
  property("no-counterpart", "near-name"),
  property("invalid", "invalid-value"),
  property("not-understood", "not-understood"),
  property("stock"),
];

const outcome = { command: "migrate", exit: EXIT.invalid, diagnostics: [], files: ["config.js"] };
const comment = (properties: readonly PropertyReport[], more = {}) =>
  markdownMigration({ properties, outcome, ending: "", steps: [], ...more });

test("what is to be decided stands first, then what is to be checked, what was migrated, then the rest; each in the file's order", () => {
  expect(
    partsOf(MIXED).map(({ title, properties }) => [title, properties.map(({ name }) => name)]),
  ).toEqual([
    [
      "To decide",
      [
        "not-understood-with-not-understood",
        "invalid-with-invalid-value",
        "not-added-with-already-set",
      ],
    ],
    ["To check", ["needs-newer-target-with-needs-newer-target", "no-counterpart-with-near-name"]],
    ["Migrated", ["migrated", "migrated-with-mailto"]],
    ["Left out", ["stock", "stock", "no-counterpart"]],
  ]);
});

describe("each outcome", () => {
  const all = Object.entries(OUTCOMES) as [PropertyOutcome, string][];

  test.each(all)("%s has its words in the comment, where it occurs", (name, meaning) => {
    const properties = [property(name)];
    expect(comment(properties).split(`${name}: ${meaning}`)).toHaveLength(2);
    for (const [other, words] of all) {
      if (other === name) continue;
      expect(comment(properties)).not.toContain(words);
    }
  });

  test("has the same words in the manual, in the same order", () => {
    const rows = rowsUnder("docs/migration.md", "Outcome");
    expect(rows.map((cells) => cells.map((cell) => cell.replaceAll("`", "")))).toEqual(all);
  });
});

describe("the counts", () => {
  test.each([
    [[], "No property was found."],
    [
      MIXED.slice(0, 2),
      "Nothing to decide. 2 properties: 1 with stock values (use --all to copy them), 1 without a counterpart.",
    ],
    [
      MIXED.slice(5, 7),
      "Nothing to decide. 2 properties: 1 for a newer target, 1 without a counterpart.",
    ],
    [MIXED.slice(2, 3), "Nothing to decide. 1 property: 1 migrated."],
    [MIXED, outcomesText(MIXED)],
  ] as const)("of %#", (properties, verdict) => {
    expect(verdictOfMigration(properties)).toBe(verdict);
    expect(comment(properties)).toContain(`**${verdict}**`);
  });

  test("name the outcomes in the same order, independent of the file's", () => {
    expect(outcomesText(MIXED)).toBe(
      "10 properties: 1 not understood, 1 invalid, 1 not added, 1 for a newer target, 2 migrated, 2 with stock values (use --all to copy them), 2 without a counterpart.",
    );
    expect(outcomesText(MIXED.toReversed())).toBe(outcomesText(MIXED));
  });
});

test("the text lists no stock value and no name without a counterpart", () => {
  const properties = [property("stock"), property("no-counterpart"), property("no-counterpart")];
  expect(migrationText(properties, PLAIN)).toBe(
    "3 properties: 1 with stock values (use --all to copy them), 2 without a counterpart.\n",
  );
});

test("the next command is the same in the text and in the comment", () => {
  const steps = [{ text: "review each value, then run:", command: "lintel validate portal.yaml" }];
  const next = { ending: "Wrote portal.yaml.", steps };
  expect(endText(next)).toBe(
    "Wrote portal.yaml.\n\nNext: review each value, then run:\n  lintel validate portal.yaml\n",
  );
  expect(comment(MIXED, next)).toContain("lintel validate portal.yaml");
});

test("reports a file with more properties than a call takes arguments", () => {
  const many = Array.from({ length: 200_000 }, () => MIXED[0]).filter((each) => each !== undefined);
  expect(migrationText(many, PLAIN)).toContain(
    "200,000 properties: 200,000 without a counterpart.",
  );
});

describe("as a comment", () => {
  test("orders the parts, with a row for each property, and folds what needs no decision", () => {
    const text = comment(MIXED, { ending: 'Wrote "portal.yaml".' });
    expect(text.split("\n").slice(0, 4)).toEqual([
      "<!-- lintel migrate -->",
      "## Lintel migrate",
      "",
      `**${verdictOfMigration(MIXED)}**`,
    ]);
    const titles = partsOf(MIXED).map(({ title }) => text.indexOf(title));
    expect(titles).toEqual(titles.toSorted((one, other) => one - other));
    for (const { name, outcome } of MIXED) expect(text).toContain(`| \`${name}\` | ${outcome} |`);
    expect(text).toContain("<summary>Left out: 3 properties</summary>");
    expect(text).toContain('```text\nWrote "portal.yaml".\n```');
  });

  test("what others wrote is code, and no more of it than a comment holds", () => {
    const odd = { ...property("migrated"), name: "a|b`<img src=x>@all", value: "c|d\u001b[2J" };
    const text = comment([odd]);
    expect(text).toContain("``a\\|b`<img src=x>@all``");
    expect(text).not.toContain("\u001b");
    const many = Array.from({ length: 9_000 }, (_, at) => ({ ...odd, name: `p${at}` }));
    expect(comment(many).length).toBeLessThan(65_536);
    expect(comment(many)).toMatch(/[\d,]+ more properties not listed here\./);
  });
});
