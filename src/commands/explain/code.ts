// Explains a code that a message names, and an exit status.
import { DIAGNOSTICS, type DiagnosticCode } from "../../diagnostic.js";
import { EXIT, FAILURES, type Exit, type FailureCode } from "../../failure.js";
import { NOTE_CODES, type NoteCode } from "../../plan/note.js";
import type { CodeDocument } from "../documents.js";
import { wrap } from "../../report/text-layout.js";
import { done } from "../../cli/result.js";
import type { Result } from "../command.js";

/** By their numbers, as the manual's page on exit statuses lists them. */
export const EXIT_MEANINGS: Readonly<Record<(typeof EXIT)[keyof typeof EXIT], string>> = {
  0: "done, or nothing to do",
  1: "failed; also: declined at the prompt",
  2: "changes pending (plan --detailed-exitcode, drift, status), or differences (diff)",
  3: "the files are invalid",
  4: "sign-in or portal refused, or unreachable",
  5: "the plan is stale",
  6: "another run is at work",
  7: "stopped by a guard, a hold or a policy",
  8: "outcome unknown",
  64: "wrong usage",
  70: "a bug in Lintel",
  130: "interrupted",
};

/** Every code of a failure, of a problem in a file and of a plan's note, and every exit status. */
export const CODES: readonly string[] = [
  ...new Set([FAILURES, DIAGNOSTICS, NOTE_CODES].flatMap((table) => Object.keys(table))),
  ...Object.keys(EXIT_MEANINGS),
];

export function explainCode(asked: string): Result | undefined {
  const problem = Object.hasOwn(DIAGNOSTICS, asked) ? (asked as DiagnosticCode) : undefined;
  const failure = Object.hasOwn(FAILURES, asked) ? (asked as FailureCode) : undefined;
  const note = Object.hasOwn(NOTE_CODES, asked) ? (asked as NoteCode) : undefined;
  const lines: string[] = [];
  if (failure) {
    const [exit, meaning] = FAILURES[failure];
    lines.push(`A failure: ${meaning}.`, `The command ends with ${exit}: ${EXIT_MEANINGS[exit]}.`);
  }
  if (problem) {
    const [severity, meaning] = DIAGNOSTICS[problem];
    lines.push(`${severity === "error" ? "An error" : `A ${severity}`} in a file: ${meaning}.`);
  }
  if (note) lines.push(`A note of a plan: ${NOTE_CODES[note]}.`);
  const meaning =
    (failure && FAILURES[failure][1]) ??
    (problem && DIAGNOSTICS[problem][1]) ??
    (note && NOTE_CODES[note]);
  if (meaning !== undefined) {
    const facts = {
      code: asked,
      meaning,
      ...(failure && { exit: FAILURES[failure][0] }),
      ...(problem && { severity: DIAGNOSTICS[problem][0] }),
    };
    return explained(asked, facts, lines);
  }
  const exit = Object.values(EXIT).find((each) => String(each) === asked);
  if (exit === undefined) return undefined;
  const codes = codesOf(exit);
  return explained(asked, { exit, meaning: EXIT_MEANINGS[exit], codes }, [
    `Exit status ${exit}: ${EXIT_MEANINGS[exit]}.`,
    ...(codes.length > 0 ? [`Failures that end with it: ${codes.join(", ")}.`] : []),
  ]);
}

export function codesOf(exit: Exit): FailureCode[] {
  return Object.keys(FAILURES)
    .map((code) => code as FailureCode)
    .filter((code) => FAILURES[code][0] === exit);
}

function explained(name: string, facts: CodeDocument, lines: string[]): Result {
  return done("explain", { code: facts }, (styles) => {
    const wrapped = lines.flatMap((line) => wrap(line, styles.width - 6));
    return [styles.bold(name), ...wrapped.map((line) => `  ${line}`), ""].join("\n");
  });
}
