// Prints GitLab's reports: code quality from diagnostics, and the counts of a plan on a merge request.
import type { Diagnostic } from "../diagnostic.js";
import { digestOfText } from "../lib/digest.js";
import type { Outcome } from "../outcome.js";

const SEVERITIES = { error: "major", warning: "minor", notice: "info" } as const;

export function gitlabReport({ diagnostics }: Outcome): string {
  const fingerprints = fingerprintsOf(diagnostics);
  const issues = diagnostics.map((each, at) => issueOf(each, fingerprints[at] ?? ""));
  return `${JSON.stringify(issues, null, 2)}\n`;
}

function issueOf({ code, severity, message, help, file, place }: Diagnostic, fingerprint: string) {
  const begin = place?.line ?? 1;
  return {
    description: `${message} ${help}`,
    check_name: code,
    fingerprint,
    severity: SEVERITIES[severity],
    // On Windows, too, as it stands in the repository.
    location: { path: file.replaceAll("\\", "/"), lines: { begin, end: place?.endLine ?? begin } },
  };
}

/** Without its three keys GitLab shows that the report failed, which is true where a portal has no plan. */
export function gitlabPlanReport({ exit, sends }: Outcome): string {
  return `${JSON.stringify(sends ?? { exitCode: exit })}\n`;
}

/**
 * By which a platform recognises a problem, and takes two with the same for one. So it holds no line, which moves with
 * what is written above, and counts equal problems.
 */
export function fingerprintsOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  const counts = new Map<string, number>();
  return diagnostics.map(({ file, code, message }) => {
    const problem = JSON.stringify([file, code, message]);
    const count = (counts.get(problem) ?? 0) + 1;
    counts.set(problem, count);
    return digestOfText(JSON.stringify([problem, count]));
  });
}
