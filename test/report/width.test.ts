// No line of a report is wider than the terminal, and every word is whole, at any width.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TEXTS } from "../../generated/docs/index.js";
import { ALL } from "../../src/cli/all.js";
import { commandHelp, overview } from "../../src/cli/help.js";
import { check } from "../../src/document/check/check.js";
import { readSource } from "../../src/document/read/bytes.js";
import { pageText } from "../../src/report/manual-page.js";
import { planReport } from "../../src/report/plan-report.js";
import { checkText, failureText } from "../../src/report/problem-text.js";
import { type Styles, stylesFor } from "../../src/report/styles.js";
import { widthOf } from "../../src/report/text-layout.js";
import { PROJECT } from "../support/run.js";
import { EVERY_KIND } from "./every-kind.js";
import { resultOfStory, STORIES } from "./results.js";

const WIDTHS = [40, 60, 80, 120, 200];
const paintAt = (columns: number) => stylesFor({ isColoured: false, columns });

const [pages, commands] = await Promise.all([
  Promise.all(
    Object.entries(TEXTS).map(async ([name, load]) => [name, (await load()).default] as const),
  ),
  Promise.all(ALL.map(async (each) => ({ ...each, spec: (await each.load()).spec }))),
]);

const invalid = readdirSync(join(PROJECT, "test/invalid")).filter((name) => name.endsWith(".yaml"));

const checked = invalid.map((name) => {
  const asked = { file: `test/invalid/${name}`, cwd: PROJECT };
  const around = { ...asked, env: {}, now: () => Date.parse("2026-02-01T12:00:00Z") };
  return check(asked.file, readSource(asked), around).diagnostics;
});

/** What is told → its text. */
const TOLD: readonly (readonly [string, (styles: Styles) => string])[] = [
  ["the overview", overview],
  ...commands.map(
    ({ spec, ...listed }) =>
      [`help ${listed.name}`, (styles: Styles) => commandHelp(listed, spec, styles)] as const,
  ),
  ...pages.map(
    ([name, text]) =>
      // The names of columns go where the columns do.
      [
        `page ${name}`,
        (styles: Styles) =>
          pageText(
            text.replace(/^\|.*(?=\n\|\s*-)/gm, (head) => head.replace(/[^|]/g, "")),
            styles,
          ),
      ] as const,
  ),
  ["a plan with every kind of change", (styles) => planReport([EVERY_KIND], styles)],
  ["the plans of all stories", (styles) => planReport(STORIES.map(resultOfStory), styles)],
  ...checked.map(
    (diagnostics, at) =>
      [
        invalid[at] ?? "",
        (styles: Styles) => checkText({ diagnostics, files: [] }, styles),
      ] as const,
  ),
  [
    "a failure",
    (styles) =>
      failureText(
        {
          code: "state-damaged",
          message:
            'The state "portals/.lintel/gis.example.com-portal-self.json" is damaged: it is cut off.',
          help: "Put back a copy that is whole. If there is none, ask whoever wrote it last.\n  lintel history portals/gis.yaml",
        },
        styles,
      ),
  ],
];

/** A line that holds one word, beside what leads in to it, cannot be broken; nor may what is to be copied. */
function mayBeWide(line: string): boolean {
  return line.trim().split(/\s+/).length <= 2 || /^ {2,}\S/.test(line);
}

describe.each(WIDTHS)("at %i columns", (width) => {
  test.each(TOLD)("%s fits, word by word", (_name, tell) => {
    const text = tell(paintAt(width));
    const wide = text.split("\n").filter((line) => widthOf(line) > width);
    expect(wide.filter((line) => !mayBeWide(line))).toEqual([]);
    const words = new Set(wordsOf(text));
    expect(wordsOf(tell(paintAt(10_000))).filter((word) => !words.has(word))).toEqual([]);
  });
});

function wordsOf(text: string): string[] {
  // Of a file's line only the part around what is marked is shown.
  const told = text.split("\n").filter((line) => !/^\s*\d* \|( |$)/.test(line));
  // Where a table's columns stand below each other, their names have a colon.
  return told
    .join(" ")
    .split(/\s+/)
    .map((word) => word.replace(/:$/, ""));
}
