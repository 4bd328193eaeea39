// Core type: a failure, which stops a run: thrown once, shown once. Also the table of exit statuses.

import { withinReason } from "./diagnostic.js";
import type { Io } from "./io.js";

/** For scripts, which read the number instead of the message. */
export const EXIT = {
  done: 0,
  failed: 1,
  pending: 2,
  invalid: 3,
  refused: 4,
  stale: 5,
  locked: 6,
  stopped: 7,
  unknown: 8,
  usage: 64,
  bug: 70,
  interrupted: 130,
} as const;

export type Exit = (typeof EXIT)[keyof typeof EXIT];

/** All failure codes, with their exit status and meaning. */
export const FAILURES = {
  "wrong-usage": [EXIT.usage, "a command line that cannot be carried out"],
  "file-not-readable": [EXIT.failed, "a file that cannot be read or used"],
  "file-exists": [EXIT.failed, "a file to be written exists already"],
  "not-writable": [EXIT.failed, "a file or folder that cannot be written"],
  "bad-certificate": [EXIT.usage, "a certificate or key that cannot be used"],
  "host-not-allowed": [
    EXIT.refused,
    "a host that is not in LINTEL_ALLOWED_HOSTS, and that no person has allowed",
  ],
  "bad-variable": [EXIT.usage, "a value of a LINTEL_ variable that cannot be used"],
  "not-reachable": [EXIT.refused, "a host that cannot be reached"],
  "not-trusted": [EXIT.refused, "a certificate that is not trusted"],
  "no-answer": [
    EXIT.refused,
    "a connection that ended before the whole answer, or an answer that came too late",
  ],
  "answer-not-understood": [
    EXIT.refused,
    "an answer that is not what the interface promises, such as a web page",
  ],
  redirected: [EXIT.refused, "a redirect, which Lintel follows with no credentials"],
  "too-many-requests": [EXIT.refused, "a server that takes no more requests for now"],
  "credential-missing": [
    EXIT.refused,
    "no sign-in in the file, or a variable of it that is not set",
  ],
  "credential-not-usable": [
    EXIT.refused,
    "a credential that no request can carry, such as one with a line break",
  ],
  "command-not-listed": [EXIT.refused, "a command that no configuration of this machine lists"],
  "command-failed": [EXIT.refused, "a command of the configuration that gives no secret"],
  "config-not-usable": [EXIT.usage, "a configuration of this machine that cannot be used"],
  "sign-in-refused": [EXIT.refused, "credentials or a token that are not accepted"],
  "portal-refused": [EXIT.refused, "a request that the portal refuses"],
  "platform-refused": [EXIT.refused, "a request that the platform of a pipeline refuses"],
  "platform-setting": [
    EXIT.failed,
    "a setting that a pipeline needs and its platform does not have",
  ],
  "not-approved": [
    EXIT.stopped,
    "a run without the approval of a second person, or an environment without required reviewers",
  ],
  "bad-state-address": [
    EXIT.invalid,
    "a place where no state can be kept, or only until the pipeline's job ends",
  ],
  "state-not-readable": [EXIT.failed, "a state that cannot be read"],
  "state-not-writable": [EXIT.failed, "a state that cannot be written"],
  "state-not-ours": [EXIT.failed, "a place that holds something other than this portal's state"],
  "state-place-shared": [EXIT.invalid, "one place for the states of several portals"],
  "state-damaged": [EXIT.failed, "a state that is damaged"],
  "state-unmerged": [EXIT.failed, "a state with conflict markers of git"],
  "state-newer": [EXIT.failed, "a state that a newer Lintel has written"],
  "state-not-trusted": [
    EXIT.failed,
    "a state without a valid signature, or no LINTEL_STATE_KEY to sign it again",
  ],
  "state-rewound": [
    EXIT.failed,
    "a state that is older than the one this machine has seen, or gone",
  ],
  "state-conflict": [
    EXIT.stale,
    "a state that another run has written in the meantime, or that stands in the way",
  ],
  "state-moved": [EXIT.invalid, "a state that was moved, or a file that was moved without it"],
  "clone-not-usable": [EXIT.failed, "a worker's clone that cannot be fetched or checked out"],
  "commit-not-on-branch": [EXIT.failed, "a commit that is not on the branch of a worker"],
  "file-invalid": [EXIT.invalid, "a file with errors"],
  "file-incomplete": [EXIT.invalid, "a file without a setting that the command needs"],
  "nothing-applied": [EXIT.failed, "a portal to which nothing was ever applied"],
  "plan-stale": [EXIT.stale, "a plan that can no longer be applied, or never could"],
  "same-portal-twice": [EXIT.invalid, "two files of a run about one portal"],
  declined: [EXIT.failed, "a no at the prompt"],
  // For a portal that did not start because of a hold or other portals, which decide the status.
  "not-begun": [EXIT.done, "a portal that was skipped, because of a hold or another portal"],
  guarded: [EXIT.stopped, "an apply that a guard stops"],
  "against-policy": [EXIT.stopped, "an apply that a policy stops"],
  "policy-not-usable": [EXIT.invalid, "a policy that cannot be used"],
  held: [EXIT.stopped, "an apply or rollback that a hold stops"],
  "commit-not-contained": [
    EXIT.stopped,
    "a portal that was applied from a commit which the checkout lacks",
  ],
  "history-rewritten": [EXIT.stopped, "a branch that no longer contains the commit last applied"],
  "not-taken": [EXIT.failed, "an update that the portal accepted, but shows differently"],
  "not-shown": [EXIT.failed, "an update that the portal accepted, and does not show yet"],
  "state-locked": [EXIT.locked, "a state that another process has locked"],
  "queue-not-usable": [EXIT.failed, "a queue that cannot be used or written"],
  "data-in-use": [EXIT.locked, "a folder that another process uses"],
  "outcome-unknown": [EXIT.unknown, "an update that may or may not have arrived"],
  interrupted: [EXIT.interrupted, "a run that was interrupted"],
  "a-bug-in-lintel": [EXIT.bug, "an error of Lintel itself"],
} as const satisfies Record<string, readonly [exit: Exit, meaning: string]>;

export type FailureCode = keyof typeof FAILURES;

/** About this run. Problems of a user's file are diagnostics. */
export class Failure extends Error {
  override name = "Failure";
  readonly code: FailureCode;
  readonly help: string | undefined;

  constructor(code: FailureCode, message: string, help?: string, options?: ErrorOptions) {
    super(withinReason(message), options);
    this.code = code;
    this.help = help;
  }

  get exit(): Exit {
    return FAILURES[this.code][0];
  }
}

const traced = new WeakSet<Failure>();

/** Why a run, or one of its portals, stopped. LINTEL_DEBUG prints the trace of an unexpected error, once. */
export function caught(error: unknown, io: Pick<Io, "env" | "signal" | "stderr">): Failure {
  const failure = asFailure(error, io.signal.aborted);
  if (!io.env["LINTEL_DEBUG"]) return failure;
  for (let each: unknown = failure; each instanceof Failure; each = each.cause) {
    const isUnexpected = each.code === "a-bug-in-lintel" && each.cause instanceof Error;
    if (isUnexpected && !traced.has(each)) io.stderr.write(`${(each.cause as Error).stack}\n`);
    traced.add(each);
  }
  return failure;
}

/** The same without any output. */
export function asFailure(error: unknown, isInterrupted: boolean): Failure {
  if (error instanceof Failure) return error;
  // With `await using`, if closing fails after the work failed: the work's own error explains more.
  if (error instanceof Error && "suppressed" in error) {
    return asFailure(error.suppressed, isInterrupted);
  }
  if (isInterrupted) return interrupted();
  const message = `This is a bug in Lintel: ${error instanceof Error ? error.message : String(error)}`;
  const help =
    "Please report it with the command that you ran. For its trace, run it again with:\n  LINTEL_DEBUG=1";
  return new Failure("a-bug-in-lintel", message, help, { cause: error });
}

export function interrupted(): Failure {
  return new Failure("interrupted", "The run was interrupted.");
}

/** The arguments themselves are wrong, independent of files and portals. */
export function wrongUsage(message: string, help?: string): Failure {
  return new Failure("wrong-usage", message, help);
}
