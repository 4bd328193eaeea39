// Noun: what stops a run. Thrown once, shown once; and the table of exit statuses.

import { withinReason } from "./diagnostic.js";
import type { Io } from "./io.js";

/** For scripts, which read the number and not the message. */
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

/** Every code a failure may carry, and the exit status that it ends with. */
export const FAILURES = {
  "wrong-usage": EXIT.usage,
  "no-files": EXIT.usage,
  "no-portal-url": EXIT.invalid,
  "no-sign-in": EXIT.invalid,
  "no-target": EXIT.invalid,
  "target-elsewhere": EXIT.invalid,
  "target-too-old": EXIT.usage,
  "reference-unreadable": EXIT.failed,
  "file-exists": EXIT.failed,
  "not-writable": EXIT.failed,
  "bad-address": EXIT.usage,
  "bad-certificate": EXIT.usage,
  "host-not-allowed": EXIT.refused,
  "bad-allowed-hosts": EXIT.usage,
  "not-reachable": EXIT.refused,
  "not-trusted": EXIT.refused,
  "no-answer": EXIT.refused,
  "answer-cut-off": EXIT.refused,
  "answer-too-large": EXIT.refused,
  "answer-not-understood": EXIT.refused,
  redirected: EXIT.refused,
  "too-many-requests": EXIT.refused,
  "credential-missing": EXIT.refused,
  "credential-not-usable": EXIT.refused,
  "sign-in-refused": EXIT.refused,
  "token-refused": EXIT.refused,
  "portal-refused": EXIT.refused,
  "bad-state-address": EXIT.invalid,
  "state-not-kept": EXIT.invalid,
  "state-not-readable": EXIT.failed,
  "state-not-writable": EXIT.failed,
  "state-not-ours": EXIT.failed,
  "state-not-lockable": EXIT.failed,
  "state-place-shared": EXIT.invalid,
  "state-damaged": EXIT.failed,
  "state-unmerged": EXIT.failed,
  "state-newer": EXIT.failed,
  "bad-state-key": EXIT.usage,
  "state-not-trusted": EXIT.failed,
  "state-signed": EXIT.failed,
  "state-rewound": EXIT.failed,
  "state-of-another-portal": EXIT.failed,
  "state-conflict": EXIT.stale,
  "state-moved": EXIT.invalid,
  "bad-queue-key": EXIT.usage,
  "queue-not-trusted": EXIT.failed,
  "queue-rewound": EXIT.failed,
  "not-published": EXIT.failed,
  "file-invalid": EXIT.invalid,
  "nothing-applied": EXIT.failed,
  "plan-stale": EXIT.stale,
  "plan-not-applicable": EXIT.stale,
  "plan-not-readable": EXIT.failed,
  "same-portal-twice": EXIT.invalid,
  declined: EXIT.failed,
  // Of a portal that a hold or others kept from being begun: the others decide the status.
  "not-begun": EXIT.done,
  guarded: EXIT.stopped,
  "against-policy": EXIT.stopped,
  "policy-not-usable": EXIT.invalid,
  held: EXIT.stopped,
  "not-taken": EXIT.failed,
  "not-shown": EXIT.failed,
  "not-signed-in": EXIT.refused,
  "state-locked": EXIT.locked,
  "state-lock-lost": EXIT.locked,
  "queue-not-usable": EXIT.failed,
  "data-in-use": EXIT.locked,
  "data-not-usable": EXIT.failed,
  "outcome-unknown": EXIT.unknown,
  interrupted: EXIT.interrupted,
  "a-bug-in-lintel": EXIT.bug,
} as const satisfies Record<string, Exit>;

export type FailureCode = keyof typeof FAILURES;

/** About this run, not about a user's file; those are diagnostics. */
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
    return FAILURES[this.code];
  }
}

const traced = new WeakSet<Failure>();

/** What stopped a run, or one of its portals. LINTEL_DEBUG prints the trace of an unexpected error, once. */
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

/** The same without a word. */
export function asFailure(error: unknown, isInterrupted: boolean): Failure {
  if (error instanceof Failure) return error;
  // Of `await using`, where closing fails after the work has failed: the reason of the work says more.
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

/** What a person called for cannot be done so, whatever the files and the portal say. */
export function wrongUsage(message: string, help?: string): Failure {
  return new Failure("wrong-usage", message, help);
}
