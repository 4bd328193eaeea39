// Explains a code that a message names, and an exit status.
import { EXIT, FAILURES, type FailureCode } from "../../failure.js";
import { severityOf, type DiagnosticCode } from "../../diagnostic.js";
import { DESCRIPTIONS } from "../../report/code-descriptions.js";
import { wrap } from "../../report/text-layout.js";
import { done } from "../../cli/result.js";
import type { Result } from "../command.js";

/** By their numbers, as the manual's page on exit statuses lists them. */
export const EXIT_MEANINGS: Readonly<Record<(typeof EXIT)[keyof typeof EXIT], string>> = {
  0: "done, or nothing to do",
  1: "failed; also: declined at the prompt",
  2: "changes pending (plan --detailed-exitcode, drift, status)",
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

/** What each failure is; its message says what to do. */
const FAILURE_MEANINGS: Readonly<Record<FailureCode, string>> = {
  "wrong-usage": "a command line that cannot be carried out",
  "no-files": "no desired-state file is named or found",
  "no-portal-url": "the file does not set portal.url",
  "no-sign-in": "the file does not set signIn",
  "no-target": "the file does not set targetVersion",
  "target-elsewhere": "targetVersion is set in a base, not in the file",
  "target-too-old": "an upgrade to a version that is older than the present one",
  "reference-unreadable": "a reference document that cannot be read",
  "file-exists": "a file to be written exists already",
  "not-writable": "a file or folder that cannot be written",
  "bad-address": "an address that cannot be called",
  "bad-certificate": "a certificate or key that cannot be used",
  "host-not-allowed": "a host that is not in LINTEL_ALLOWED_HOSTS, and that no person has allowed",
  "bad-allowed-hosts": "a wrong entry in LINTEL_ALLOWED_HOSTS",
  "not-reachable": "a host that cannot be reached",
  "not-trusted": "a certificate that is not trusted",
  "no-answer": "a connection that ended without an answer, or an answer that came too late",
  "answer-cut-off": "an answer that ended too early",
  "answer-too-large": "an answer that is longer than Lintel reads",
  "answer-not-understood": "an answer that is not what the interface promises, such as a web page",
  redirected: "a redirect, which Lintel follows with no credentials",
  "too-many-requests": "a server that takes no more requests for now",
  "credential-missing": "a variable of the sign-in that is not set",
  "credential-not-usable": "a credential that no request can carry, such as one with a line break",
  "sign-in-refused": "credentials that the sign-in service does not accept",
  "token-refused": "a token that the portal does not accept",
  "portal-refused": "a request that the portal refuses",
  "bad-state-address": "a place where no state can be kept",
  "state-not-kept": "a state that would be lost with the pipeline's runner",
  "state-not-readable": "a state that cannot be read",
  "state-not-writable": "a state that cannot be written",
  "state-not-ours": "a place that holds something else than a state of Lintel",
  "state-not-lockable": "a place whose lock cannot be set",
  "state-place-shared": "one place for the states of several portals",
  "state-damaged": "a state that is damaged",
  "state-unmerged": "a state with conflict markers of git",
  "state-newer": "a state that a newer Lintel has written",
  "bad-state-key": "a LINTEL_STATE_KEY that cannot be used",
  "state-not-trusted": "a state that is not signed with LINTEL_STATE_KEY",
  "state-signed": "a signed state, and no key to sign it again",
  "state-rewound": "a state that is older than the one this machine has seen, or gone",
  "state-of-another-portal": "the state of another portal",
  "state-conflict":
    "a state that another run has written in the meantime, or that stands in the way",
  "state-moved": "a state that was moved to another place",
  "bad-queue-key": "a LINTEL_QUEUE_KEY that cannot be used",
  "queue-not-trusted": "what stands in the queue is not signed with LINTEL_QUEUE_KEY",
  "queue-rewound": "a queue that is older than the one this machine has seen",
  "not-published": "files that could not be published to the queue",
  "file-invalid": "a file with errors",
  "nothing-applied": "a portal to which nothing was ever applied",
  "plan-stale": "a saved plan that would no longer do what it shows",
  "plan-not-applicable": "a plan that is only for looking at",
  "plan-not-readable": "a saved plan that cannot be read",
  "same-portal-twice": "two files of a run about one portal",
  declined: "a no at the prompt",
  "not-begun": "a portal that was skipped, because of a hold or another portal",
  guarded: "an apply that a guard stops",
  "against-policy": "an apply that a policy stops",
  "policy-not-usable": "a policy that cannot be used",
  held: "an apply or rollback that a hold stops",
  "not-taken": "an update that the portal said it took, and shows otherwise",
  "not-shown": "an update that the portal said it took, and does not show yet",
  "not-signed-in": "settings that only a signed-in account sees",
  "state-locked": "a state that another tool has locked",
  "state-lock-lost": "a lock that was lost while it was needed",
  "queue-not-usable": "a database that cannot be used as a queue",
  "data-in-use": "a folder that another process uses",
  "data-not-usable": "a folder that cannot be used",
  "outcome-unknown": "an update that may or may not have arrived",
  interrupted: "a run that was interrupted",
  "a-bug-in-lintel": "an error of Lintel itself",
};

/** Every code of a failure and of a problem in a file, and every exit status. */
export const CODES: readonly string[] = [
  ...new Set([...Object.keys(FAILURE_MEANINGS), ...Object.keys(DESCRIPTIONS)]),
  ...Object.keys(EXIT_MEANINGS),
];

export function explainCode(asked: string): Result | undefined {
  const problem = Object.hasOwn(DESCRIPTIONS, asked) ? (asked as DiagnosticCode) : undefined;
  const failure = Object.hasOwn(FAILURES, asked) ? (asked as FailureCode) : undefined;
  if (failure) {
    const exit = FAILURES[failure];
    const meaning = FAILURE_MEANINGS[failure];
    return told({ code: failure, meaning, exit }, [
      `A failure: ${meaning}.`,
      `The command ends with ${exit}: ${EXIT_MEANINGS[exit]}.`,
    ]);
  }
  if (problem) {
    const severity = severityOf(problem);
    const meaning = DESCRIPTIONS[problem];
    return told({ code: problem, meaning, severity }, [
      `${severity === "error" ? "An error" : `A ${severity}`} in a file: ${meaning}.`,
    ]);
  }
  const exit = Object.values(EXIT).find((each) => String(each) === asked);
  if (exit === undefined) return undefined;
  const codes = Object.entries(FAILURES).flatMap(([code, each]) => (each === exit ? [code] : []));
  const meaning = EXIT_MEANINGS[exit];
  return told({ exit, meaning, codes }, [
    `Exit status ${exit}: ${meaning}.`,
    ...(codes.length > 0 ? [`Failures that end with it: ${codes.join(", ")}.`] : []),
  ]);
}

function told(
  facts: Readonly<Record<string, string | number | string[]>>,
  lines: string[],
): Result {
  const name = String(facts["code"] ?? facts["exit"]);
  return done("explain", { code: { ...facts } }, (paint) => {
    const wrapped = lines.flatMap((line) => wrap(line, paint.width - 6));
    return [paint.bold(name), ...wrapped.map((line) => `  ${line}`), ""].join("\n");
  });
}
