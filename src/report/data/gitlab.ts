// An outcome's diagnostics → GitLab's code quality report.
import type { Diagnostic } from "../../diagnostic.js";
import type { Outcome } from "../../outcome.js";
import { fingerprintsOf } from "./fingerprint.js";

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
    location: { path: file, lines: { begin, end: place?.endLine ?? begin } },
  };
}
