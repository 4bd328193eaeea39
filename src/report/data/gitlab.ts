// An outcome's diagnostics → GitLab's code quality report.
import { digestOfText } from "../../digest.js";
import type { Diagnostic } from "../../diagnostic.js";
import type { Outcome } from "../../outcome.js";

const SEVERITIES = { error: "major", warning: "minor", notice: "info" } as const;

export function gitlabReport({ diagnostics }: Outcome): string {
  return `${JSON.stringify(diagnostics.map(issueOf), null, 2)}\n`;
}

function issueOf({ code, severity, message, help, file, place }: Diagnostic) {
  const begin = place?.line ?? 1;
  return {
    description: `${message} ${help}`,
    check_name: code,
    // Without the place, the second of two alike problems would be taken for the first and hidden.
    fingerprint: digestOfText(JSON.stringify([file, begin, place?.column ?? 1, code, message])),
    severity: SEVERITIES[severity],
    location: { path: file, lines: { begin, end: place?.endLine ?? begin } },
  };
}
