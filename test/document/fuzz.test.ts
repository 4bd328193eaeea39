// Random bytes, and good files damaged at random: never an exception, never a hang, always sorted diagnostics.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fc } from "../support/property.js";
import { expect, test } from "vitest";
import { check } from "../../src/document/check/check.js";
import { readInput } from "../../src/document/read/bytes.js";
import { hasErrors, sortDiagnostics } from "../../src/diagnostic.js";
import { outcomeOfCheck } from "../../src/outcome.js";
import { githubReport } from "../../src/report/github-report.js";
import { gitlabPlanReport, gitlabReport } from "../../src/report/gitlab-report.js";
import { jsonReport } from "../../src/report/json-report.js";
import { junitReport } from "../../src/report/junit-report.js";
import { checkText } from "../../src/report/problem-text.js";
import { sarifReport } from "../../src/report/sarif-report.js";
import { stylesFor } from "../../src/report/styles.js";
import { PROJECT } from "../support/run.js";

const seeds = ["test/ok", "test/invalid"].flatMap((folder) =>
  readdirSync(join(PROJECT, folder))
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => readFileSync(join(PROJECT, folder, name))),
);

/** Pieces that mean something in YAML or to us, so that damage reaches further than the first character. */
const pieces = fc.constantFrom(
  ..."[]{}:,-?*&!|>'\"%@`#\n\t \0\r\\$~".split(""),
  "<<: *a",
  "!default",
  "!unmanaged",
  "${env:LINTEL_VAR_A:-x}",
  "${file:/etc/passwd}",
  "$${",
  "null",
  "x-a: &a",
  "*a",
  "__proto__: 1\n",
  "constructor:",
  "1e999",
  "\ufeff",
  "\ud800",
  "settings:\n",
  "extends: .\n",
  "---\n",
);

type Damage = readonly [at: number, remove: number, insert: string];

function damaged(bytes: Buffer, damages: readonly Damage[]): Buffer {
  return damages.reduce((now, [at, remove, insert]) => {
    const start = Math.floor(at * now.length);
    return Buffer.concat([
      now.subarray(0, start),
      Buffer.from(insert),
      now.subarray(start + remove),
    ]);
  }, bytes);
}

function survives(bytes: Uint8Array): void {
  const { diagnostics } = check("-", readInput(bytes), { cwd: PROJECT, env: {} });
  expect(sortDiagnostics(diagnostics)).toEqual(diagnostics);
  const outcome = outcomeOfCheck("validate", ["-"], diagnostics);
  expect(outcome.exit).toBe(hasErrors(diagnostics) ? 3 : 0);
  for (const { place, message, help } of diagnostics) {
    expect(message && help).toBeTruthy();
    if (place) {
      expect(place.line).toBeGreaterThan(0);
      expect(place.column).toBeGreaterThan(0);
      const isForward =
        place.endLine > place.line ||
        (place.endLine === place.line && place.endColumn >= place.column);
      expect(isForward).toBe(true);
    }
  }
  const text = checkText(outcome, stylesFor({ isColoured: false }));
  // oxlint-disable-next-line no-control-regex -- nothing of a file may reach the terminal as a control character
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  expect(JSON.parse(jsonReport(outcome))).toBeTruthy();
  expect(
    JSON.parse(sarifReport(outcome, { version: "0", homepage: "", ruleOf: () => undefined })),
  ).toBeTruthy();
  expect(JSON.parse(gitlabReport(outcome))).toHaveLength(diagnostics.length);
  expect(gitlabPlanReport(outcome)).toBe(`{"exitCode":${outcome.exit}}\n`);
  const most = Math.min(10, diagnostics.length) + 1;
  expect(githubReport(outcome).split("\n").length).toBeGreaterThanOrEqual(most);
  expect(junitReport(outcome)).toContain("</testsuites>");
}

test("random bytes", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), survives), { numRuns: 1000 });
});

test("random text of pieces that mean something", () => {
  const text = fc.array(fc.oneof(pieces, fc.string({ maxLength: 8 })), { maxLength: 60 });
  fc.assert(
    fc.property(text, (parts) => survives(Buffer.from(parts.join("")))),
    { numRuns: 2000 },
  );
});

test("good and bad files, damaged", () => {
  const damage = fc.tuple(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.nat(20),
    fc.oneof(pieces, fc.string()),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...seeds),
      fc.array(damage, { minLength: 1, maxLength: 4 }),
      (seed, damages) => survives(damaged(seed, damages)),
    ),
    { numRuns: 3000 },
  );
});
