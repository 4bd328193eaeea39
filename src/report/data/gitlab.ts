// An outcome's diagnostics → GitLab's code quality report.
import { digestOfText } from "../../digest.js";
import type { Diagnostic } from "../../diagnostic.js";
import type { Outcome } from "../../outcome.js";

const SEVERITIES = { error: "major", warning: "minor", notice: "info" } as const;

export function gitlabReport({ diagnostics }: Outcome): string {
  const counts = new Map<string, number>();
  const issues = diagnostics.map((each) => {
    const { file, code, message } = each;
    const problem = JSON.stringify([file, code, message]);
    const count = (counts.get(problem) ?? 0) + 1;
    counts.set(problem, count);
    return issueOf(each, digestOfText(JSON.stringify([problem, count])));
  });
  return `${JSON.stringify(issues, null, 2)}\n`;
}

/**
 * GitLab knows a problem again by its fingerprint, and takes two with the same for one. So it says nothing of lines, which
 * move with whatever is written above, and counts those that are alike.
 */
function issueOf({ code, severity, message, help, file, place }: Diagnostic, fingerprint: string) {
  const begin = place?.line ?? 1;
  return {
    description: `${message} ${help}`,
    check_name: code,
    fingerprint,
    severity: SEVERITIES[severity],
    location: { path: file, lines: { begin, end: place?.endLine ?? begin } },
  };
}
