// Checks one portal with the files of the listed commit, applies what may be applied, and records the result.
import { resolve } from "node:path";
import { nextBoundaryMs, dueAtMs } from "../poll-times.js";
import { readFiles, type PortalFile } from "../portal-files.js";
import { uncheckedRecord, type PortalRecord } from "../snapshot.js";
import { resultOfInvalid, resultOfStopped, runCheck, type CheckResult } from "../portal-check.js";
import type { LogEvent } from "../events/event.js";
import type { RunSessions } from "../run-sessions.js";
import type { Clone } from "./clone.js";
import type { QueueDatabase } from "./database.js";
import type { Jobs, PortalJob } from "./jobs.js";
import { isStillListed, portalToCheck, setNextDue, type PortalToCheck } from "./portals.js";
import { recordIn } from "./queue-store.js";
import { knownOf } from "./shapes.js";
import { EXIT, Failure, interrupted } from "../../failure.js";
import type { Io } from "../../io.js";
import type { RunContext } from "../../apply/run-context.js";
import type { Reconciling, Unasked } from "../../apply/reconcile.js";
import { pathWithin } from "../../lib/paths.js";
import { shellWord } from "../../lib/text.js";
import { LimitSpent } from "../../session/limiter.js";

export interface CheckOptions extends Pick<Reconciling, "mayApply"> {
  readonly pools: readonly string[];
  /** How long this process has known the open journal of a portal, by its own monotonic clock. */
  readonly journalAge: (key: string, journal: string) => number;
  readonly io: Io;
  readonly database: QueueDatabase;
  readonly jobs: Jobs;
  readonly clone: Clone;
  /** Each runs in a folder with the files of one commit. */
  readonly sessions: Pick<RunSessions, "within">;
  readonly report: (event: LogEvent) => void;
}

/** These often end without help, so they are recorded only if they last. */
const PASSING = ["state-locked", "outcome-unknown", "commit-not-contained"];
const LASTS_AFTER_MS = 15 * 60_000;
const AGAIN = { firstS: 2, longestS: 30 };

/** The result of a check, or when to try again. */
type CheckOutcome = CheckResult | { readonly againInS: number };

interface Check extends CheckOptions {
  readonly portal: PortalToCheck;
  /** With the server's clock in place of this machine's. */
  readonly io: Io;
  readonly skewMs: number;
  readonly before: (portalFile: PortalFile) => PortalRecord;
  /** Since the first attempt at this check. */
  readonly waitedMs: number;
}

/** Throws if the worker cannot continue or is interrupted; another worker then gets the job. */
export async function checkPortal(job: PortalJob, options: CheckOptions): Promise<void> {
  const { database, jobs, clone, pools, report } = options;
  const portal = await portalToCheck(database.query, job.key);
  // If the files now name another pool, the workers of that pool have their own job.
  if (!portal || !pools.includes(portal.pool)) return;
  const { key, pool, commit, isBoundary, nowMs } = portal;
  const skewMs = nowMs - options.io.now();
  const waitingSinceMs = Math.min(nowMs, job.waitingSinceMs ?? nowMs);
  const check: Check = {
    ...options,
    portal,
    skewMs,
    io: { ...options.io, now: () => options.io.now() + skewMs },
    before: (portalFile) => {
      const before = knownOf(portal.known) ?? uncheckedRecord(portalFile, nowMs, nowMs);
      return { ...before, snapshot: { ...before.snapshot, pool } };
    },
    waitedMs: nowMs - waitingSinceMs,
  };
  const found = await clone.within(commit, (folder) => checkIn(folder, check));
  if ("againInS" in found) {
    const again = { key, pool, commit, isBoundary, waitingSinceMs };
    return jobs.insert([again], database.query, Math.ceil(found.againInS));
  }
  const { record, events } = found;
  const { windows } = record.snapshot;
  const dueMs = dueAtMs(record, windows);
  const isAtBoundary = dueMs === nextBoundaryMs(record.checkedMs, windows);
  await database.transaction(async (query) => {
    await recordIn(query, key, record, events);
    await setNextDue(query, portal, { dueMs, isBoundary: isAtBoundary });
  });
  events.forEach(report);
}

async function checkIn(folder: string, check: Check): Promise<CheckOutcome> {
  const { sessions, io, database, mayApply, portal } = check;
  const { file, key, nowMs, everyMs } = portal;
  // A row of the database must not name a file outside of the repository.
  if (pathWithin(folder, resolve(folder, file)) === undefined) throw anotherPortal(file, key);
  const portalFile = await sessions.within(async (contextAt) => {
    const read = await readFiles([file], contextAt(nowMs), new Map());
    return read.get(file) as PortalFile;
  }, folder);
  const before = check.before(portalFile);
  const { problem } = portalFile;
  if (problem) return resultOfInvalid({ ...portalFile, key }, before, { problem, nowMs: io.now() });
  if (portalFile.key !== key) throw anotherPortal(file, key);
  let spentUntilMs = 0;
  const forward = (run: RunContext) =>
    forwardOnly(run, (untilMs) => (spentUntilMs = Math.max(spentUntilMs, untilMs)));
  const result = await runCheck(portalFile, before, {
    io,
    sessions: {
      within: (work) =>
        sessions.within((contextAt) => work((atMs) => forward(contextAt(atMs))), folder),
    },
    everyMs,
    atMs: nowMs,
    mayApply,
    // A job never waits for another run: it is tried again later.
    waitMs: 0,
    seenForMs: (journal) => check.journalAge(key, journal),
    note: (record) => database.transaction((query) => recordIn(query, key, record, [])),
    mayGoOn: async () => ((await isStillListed(database.query, portal)) ? mayApply : undefined),
  });
  if (result === "interrupted") throw interrupted();
  if (result === "outdated") return { againInS: 0 };
  const spentInMs = spentUntilMs + check.skewMs - io.now();
  if (result.record.snapshot.failure && spentInMs > 0) return { againInS: spentInMs / 1000 };
  return judged(withNeeds(result, mayApply), portalFile, check);
}

/** Skips a portal that was applied from a commit which the checked commit does not contain. */
async function judged(
  result: CheckResult,
  portalFile: PortalFile,
  check: Check,
): Promise<CheckOutcome> {
  const { clone, portal, io, waitedMs, before } = check;
  const { status, commit = "", failure } = result.record.snapshot;
  // Nothing would be sent, so the commit of the last apply does not matter.
  if (status === "in-sync") return result;
  const relation = await clone.relation(commit, portal.commit);
  const hasLasted = waitedMs > LASTS_AFTER_MS;
  const isPassing =
    relation === "contained"
      ? failure !== undefined && PASSING.includes(failure.code)
      : relation !== "rewritten";
  if (isPassing && !hasLasted) return { againInS: againInS(check) };
  if (relation === "contained") return result;
  const explain = relation === "rewritten" ? rewritten : notFetched;
  const problem = explain(commit, portalFile.file, clone.branch);
  return resultOfStopped(result, portalFile, before(portalFile), { problem, nowMs: io.now() });
}

function againInS({ io, waitedMs }: Check): number {
  const delayS = Math.min(AGAIN.longestS, Math.max(AGAIN.firstS, waitedMs / 2000));
  return delayS * (0.75 + io.random() / 2);
}

/** Adds the kinds of `--apply` that pending changes need and this worker lacks. */
function withNeeds(result: CheckResult, mayApply: readonly Unasked[]): CheckResult {
  const { record } = result;
  const { waiting, failure } = record.snapshot;
  const causes = new Set(waiting.map(({ cause }) => cause));
  const wanted: readonly Unasked[] = [
    ...(causes.has("schedule") ? (["schedule"] as const) : []),
    ...(causes.has("file") ? (["files"] as const) : []),
  ];
  const needs = failure ? [] : wanted.filter((each) => !mayApply.includes(each));
  if (needs.length === 0) return result;
  return { ...result, record: { ...record, snapshot: { ...record.snapshot, needs } } };
}

/** `noteSpent` receives the time until which a sign-in service refuses calls from all machines. */
function forwardOnly(run: RunContext, noteSpent: (untilMs: number) => void): RunContext {
  const noted = (error: unknown): never => {
    if (error instanceof LimitSpent) noteSpent(error.untilMs);
    throw error;
  };
  return {
    ...run,
    isForwardOnly: true,
    signIns: {
      open: (signIn) => {
        const session = run.signIns.open(signIn);
        return {
          ...session,
          token: (...words) => session.token(...words).catch(noted),
          endsAtMs: () => session.endsAtMs().catch(noted),
        };
      },
    },
  };
}

function anotherPortal(file: string, key: string): Failure {
  return new Failure(
    "queue-not-usable",
    `The queue lists "${file}" for the portal ${key}, and the file is about another one.`,
    "Give this worker the same LINTEL_VAR_… variables as `lintel serve`. If they are the same, somebody changed the queue's tables: restart `lintel serve`.",
  );
}

function rewritten(applied: string, file: string, branch: string) {
  return {
    code: "history-rewritten",
    message: `History rewritten: the portal was last applied from ${applied.slice(0, 10)}, which the branch "${branch}" no longer contains.`,
    help: `Review what the rewritten branch changes, and apply it from a checkout of it:\n  lintel plan ${shellWord(file)}\n  lintel apply ${shellWord(file)} --allow older-checkout`,
    exit: EXIT.stopped,
  } as const;
}

function notFetched(applied: string, file: string, branch: string) {
  return {
    code: "commit-not-contained",
    message: `The portal was last applied from ${applied.slice(0, 10)}, which is not on the branch "${branch}".`,
    help: `Push that commit to the branch, or apply the file as the branch has it:\n  lintel apply ${shellWord(file)}`,
    exit: EXIT.stopped,
  } as const;
}
