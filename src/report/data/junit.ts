// An outcome's diagnostics → JUnit XML: a suite a file, a failed case an error.
import type { Diagnostic } from "../../diagnostic.js";
import type { Outcome } from "../../outcome.js";
import { visible } from "../../text.js";

export function junitReport({ command, files = [], diagnostics, failure }: Outcome): string {
  const named = [...new Set([...files, ...diagnostics.map((each) => each.file)])];
  const suites = named.map((file) =>
    suiteOf(
      file,
      diagnostics.filter((each) => each.file === file),
    ),
  );
  if (failure) {
    const cases = [caseOf(command, "run", failureOf("error", failure.code, failure.message))];
    suites.push({ name: command, failed: 0, errors: 1, cases });
  }
  const tests = suites.reduce((sum, { cases }) => sum + cases.length, 0);
  const failed = suites.reduce((sum, suite) => sum + suite.failed, 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="lintel ${escape(command)}" tests="${tests}" failures="${failed}" errors="${failure ? 1 : 0}">`,
    ...suites.flatMap((suite) => [
      `  <testsuite name="${escape(suite.name)}" tests="${suite.cases.length}" failures="${suite.failed}" errors="${suite.errors ?? 0}" skipped="0">`,
      ...suite.cases,
      "  </testsuite>",
    ]),
    "</testsuites>",
    "",
  ].join("\n");
}

interface Suite {
  readonly name: string;
  readonly failed: number;
  /** What kept the run itself from ending. */
  readonly errors?: number;
  readonly cases: readonly string[];
}

/** A file without a problem is one passed case; a warning passes, and is told in the case's output. */
function suiteOf(file: string, diagnostics: readonly Diagnostic[]): Suite {
  if (diagnostics.length === 0)
    return { name: file, failed: 0, cases: [caseOf(file, "valid", "")] };
  return {
    name: file,
    failed: diagnostics.filter((each) => each.severity === "error").length,
    cases: diagnostics.map((each) => {
      const at = each.place ? ` ${each.place.line}:${each.place.column}` : "";
      const text = `${file}${at ? `:${at.trim()}` : ""}: ${each.message}\n${each.help}`;
      const body =
        each.severity === "error"
          ? failureOf("failure", each.code, each.message, text)
          : `<system-out>${escape(text)}</system-out>`;
      return caseOf(file, `${each.code}${at}`, body);
    }),
  };
}

function caseOf(file: string, name: string, body: string): string {
  return `    <testcase classname="${escape(file)}" name="${escape(name)}">${body}</testcase>`;
}

function failureOf(
  tag: "failure" | "error",
  type: string,
  message: string,
  text = message,
): string {
  return `<${tag} type="${escape(type)}" message="${escape(message)}">${escape(text)}</${tag}>`;
}

function escape(text: string): string {
  return (
    visible(text)
      // XML 1.0 has no way to write these at all.
      .replace(/[\ufffe\uffff]/g, "\ufffd")
      .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("\n", "&#10;")
  );
}
