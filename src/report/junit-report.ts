// Prints diagnostics as JUnit XML: a suite per file, a failed case per error.
import { formatPlace, type Diagnostic } from "../diagnostic.js";
import type { Outcome } from "../outcome.js";
import { visible } from "../lib/text.js";

export function junitReport(outcome: Outcome): string {
  const { command, files = [], invalidFiles = new Map(), diagnostics, failure } = outcome;
  const named = [...new Set([...files, ...diagnostics.map((each) => each.file)])];
  const suites = named.map((name) => suiteOf(name, diagnostics, invalidFiles.get(name)));
  if (failure) {
    const cases = [caseOf(command, "run", failureOf("error", failure.code, failure.message))];
    suites.push({ name: command, failed: 0, errors: 1, cases });
  }
  const tests = suites.reduce((sum, { cases }) => sum + cases.length, 0);
  const failed = suites.reduce((sum, suite) => sum + suite.failed, 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="lintel ${escape(command)}" tests="${tests}" failures="${failed}" errors="${failure ? 1 : 0}">`,
    ...suites.flatMap(({ name, failed, errors, cases }) => [
      `  <testsuite name="${escape(name)}" tests="${cases.length}" failures="${failed}" errors="${errors}" skipped="0">`,
      ...cases,
      "  </testsuite>",
    ]),
    "</testsuites>\n",
  ].join("\n");
}

/**
 * A file without a problem is one passed case; a warning passes, and stands in the case's output. What is wrong with a
 * base stands in the base's own suite.
 */
function suiteOf(
  name: string,
  diagnostics: readonly Diagnostic[],
  inBase: Diagnostic | undefined,
): Suite {
  const own = diagnostics.filter(({ file }) => file === name);
  const names = new Map<string, number>();
  const cases = own.map((each) => {
    const { severity, code, message, help, place } = each;
    const at = place ? `${code} ${place.line}:${place.column}` : code;
    // A mistake in an anchor stands at one place for each use.
    const count = (names.get(at) ?? 0) + 1;
    names.set(at, count);
    const text = `${formatPlace(each)}: ${message}\n${help}`;
    const body =
      severity === "error"
        ? failureOf("failure", code, message, text)
        : `<system-out>${escape(text)}</system-out>`;
    return caseOf(name, count > 1 ? `${at} (${count})` : at, body);
  });
  const failed = own.filter(({ severity }) => severity === "error").length;
  if (failed === 0 && inBase) {
    const message = `A file that it extends has an error: ${formatPlace(inBase)}: ${inBase.message}`;
    const body = failureOf("failure", "base-invalid", message);
    return { name, failed: 1, errors: 0, cases: [...cases, caseOf(name, "extends", body)] };
  }
  return { name, failed, errors: 0, cases: cases.length > 0 ? cases : [caseOf(name, "valid", "")] };
}

interface Suite {
  readonly name: string;
  readonly failed: number;
  readonly errors: number;
  readonly cases: readonly string[];
}

function caseOf(file: string, name: string, body: string): string {
  return `    <testcase classname="${escape(file)}" name="${escape(name)}">${body}</testcase>`;
}

function failureOf(tag: "failure" | "error", type: string, message: string, text = message) {
  return `<${tag} type="${escape(type)}" message="${escape(message)}">${escape(text)}</${tag}>`;
}

function escape(text: string): string {
  return visible(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\n", "&#10;");
}
