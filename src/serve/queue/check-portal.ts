// One job of a worker: checks a portal with the files of the listed commit, applies what may be applied, and records it.
import { resolve } from "node:path";
import { nextBoundaryMs, dueAtMs } from "../poll-times.js";
import { readFiles, type PortalFile } from "../portal-files.js";
import { uncheckedRecord, type PortalRecord } from "../snapshot.js";
import { runCheck, resultOfInvalid, type CheckResult } from "../portal-check.js";
import type { LogEvent } from "../events/event.js";
import type { RunSessions } from "../run-sessions.js";
import type { Clone } from "./clone.js";
import type { QueueDatabase } from "./database.js";
import type { Jobs, PortalJob } from "./jobs.js";
import { isStillListed, portalToCheck, setNextDue, type PortalToCheck } from "./portals.js";
import { knownOf, recordIn } from "./queue-store.js";
import { caught, Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import type { RunContext } from "../../apply/run-context.js";
import type { Reconciling } from "../../apply/reconcile.js";
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
  /** Each works in the folder with the files of a commit. */
  readonly rounds: Pick<RunSessions, "within">;
  readonly report: (news: LogEvent) => void;
}

/** Passes by itself, and is recorded only where it lasts. */
const PASSING = ["state-locked", "outcome-unknown", "commit-not-contained"];
const LASTS_AFTER_MS = 15 * 60_000;
const AGAIN = { firstS: 2, longestS: 30 };

/** What a check found, or when to try again. */
type Found = CheckResult | { readonly againInS: number };

/** Throws where the worker itself cannot go on, or is interrupted; another one gets the job then. */
export async function checkPortal(job: PortalJob, options: CheckOptions): Promise<void> {
  const { database, jobs, report } = options;
  const portal = await portalToCheck(database.query, job.key);
  if (!portal) return;
  // Its files now name another pool, whose workers have a job of their own.
  if (!options.pools.includes(portal.pool)) return;
  const check = new Check(portal, job, options);
  const found = await check.run();
  if ("againInS" in found) return check.tryAgain(found.againInS, jobs);
  const { record, events } = found;
  const { windows } = record.snapshot;
  const dueMs = dueAtMs(record, windows);
  const isBoundary = dueMs === nextBoundaryMs(record.checkedMs, windows);
  await database.transaction(async (query) => {
    await recordIn(query, portal.key, record, events);
    await setNextDue(query, portal, { dueMs, isBoundary });
  });
  events.forEach(report);
}

class Check {
  readonly #portal: PortalToCheck;
  readonly #job: PortalJob;
  readonly #options: CheckOptions;
  readonly #skewMs: number;
  readonly #waitedMs: number;
  #spentUntilMs = 0;

  constructor(portal: PortalToCheck, job: PortalJob, options: CheckOptions) {
    this.#portal = portal;
    this.#job = job;
    this.#options = options;
    this.#skewMs = portal.nowMs - options.io.now();
    this.#waitedMs = Math.max(0, portal.nowMs - (job.waitingSinceMs ?? portal.nowMs));
  }

  /** The server's clock. */
  #now = () => this.#options.io.now() + this.#skewMs;

  async tryAgain(delayS: number, jobs: Jobs): Promise<void> {
    const { key, pool, commit, isBoundary } = this.#portal;
    const { waitingSinceMs = this.#portal.nowMs } = this.#job;
    const again = { key, pool, commit, isBoundary, waitingSinceMs };
    await jobs.insert([again], this.#options.database.query, Math.ceil(delayS));
  }

  async run(): Promise<Found> {
    const { clone } = this.#options;
    return clone.within(this.#portal.commit, (folder) => this.#checkIn(folder));
  }

  async #checkIn(folder: string): Promise<Found> {
    const { rounds } = this.#options;
    const { file, key, commit } = this.#portal;
    // A row of the database must not name a file outside of the repository.
    if (pathWithin(folder, resolve(folder, file)) === undefined) throw anotherPortal(file, key);
    const followed = await rounds.within(async (contextAt) => {
      const read = await readFiles([file], contextAt(this.#portal.nowMs), new Map());
      return read.get(file) as PortalFile;
    }, folder);
    const before = this.#knownBefore(followed);
    if (followed.problem) {
      const { problem } = followed;
      return resultOfInvalid({ ...followed, key }, before, { problem, nowMs: this.#now() });
    }
    if (followed.key !== key) throw anotherPortal(file, key);
    const looked = await runCheck(followed, before, {
      io: { ...this.#options.io, now: this.#now },
      sessions: {
        within: (work) =>
          rounds.within((contextAt) => work((atMs) => this.#forwardOnly(contextAt(atMs))), folder),
      },
      everyMs: this.#portal.everyMs,
      atMs: this.#portal.nowMs,
      mayApply: this.#options.mayApply,
      // No job waits: one that meets another run is tried again.
      waitMs: 0,
      seenForMs: (journal) => this.#options.journalAge(key, journal),
      note: (record) =>
        this.#options.database.transaction((query) => recordIn(query, key, record, [])),
      mayGoOn: async () =>
        (await isStillListed(this.#options.database.query, this.#portal))
          ? this.#options.mayApply
          : undefined,
    });
    if (looked === "interrupted") throw new Failure("interrupted", "The run was interrupted.");
    if (looked === "outdated") return { againInS: 0 };
    return this.#judged(looked, followed, commit);
  }

  /** Nothing older is put back, and a portal that is ahead of this commit is left for a newer one. */
  async #judged(looked: CheckResult, followed: PortalFile, commit: string): Promise<Found> {
    const { snapshot } = looked.record;
    const relation = await this.#options.clone.relation(snapshot.commit ?? "", commit);
    if (relation === "rewritten")
      return this.#stopped(
        rewritten(snapshot.commit ?? "", followed.file, this.#options.clone.branch),
        followed,
      );
    const hasLasted = this.#waitedMs > LASTS_AFTER_MS;
    if (relation !== "contained") {
      if (!hasLasted) return this.#again();
      return this.#stopped(
        notFetched(snapshot.commit ?? "", followed.file, this.#options.clone.branch),
        followed,
      );
    }
    const { failure } = snapshot;
    if (!failure) return looked;
    const spentInMs = this.#spentUntilMs - this.#now();
    if (spentInMs > 0) return { againInS: spentInMs / 1000 };
    return PASSING.includes(failure.code) && !hasLasted ? this.#again() : looked;
  }

  #stopped(failure: Failure, followed: PortalFile): CheckResult {
    const { code, message, help, exit } = failure;
    const problem = { code, message, help, exit };
    const nowMs = this.#now();
    const { record, events } = resultOfInvalid(followed, this.#knownBefore(followed), {
      problem,
      nowMs,
    });
    const nextPollMs = nowMs + LASTS_AFTER_MS;
    return { record: { ...record, checkedMs: this.#portal.nowMs, nextPollMs }, events };
  }

  #again(): { readonly againInS: number } {
    const { io } = this.#options;
    const waitedS = this.#waitedMs / 2000;
    const delayS = Math.min(AGAIN.longestS, Math.max(AGAIN.firstS, waitedS));
    return { againInS: delayS * (0.75 + io.random() / 2) };
  }

  #knownBefore(followed: PortalFile): PortalRecord {
    const { known, nowMs, pool } = this.#portal;
    const before = knownOf(known) ?? uncheckedRecord(followed, nowMs, nowMs);
    return { ...before, snapshot: { ...before.snapshot, pool } };
  }

  #forwardOnly(run: RunContext): RunContext {
    const noteSpent = (error: unknown): never => {
      if (error instanceof LimitSpent) this.#spentUntilMs = error.untilMs + this.#skewMs;
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
            token: (...words) => session.token(...words).catch(noteSpent),
            endsAtMs: () => session.endsAtMs().catch(noteSpent),
          };
        },
      },
    };
  }
}

function anotherPortal(file: string, key: string): Failure {
  return new Failure(
    "queue-not-usable",
    `The queue lists "${file}" for the portal ${key}, and the file is about another one.`,
    "Give this worker the same LINTEL_VAR_… variables as `lintel serve`. If they are the same, somebody changed the queue's tables: restart `lintel serve`.",
  );
}

function rewritten(applied: string, file: string, branch: string): Failure {
  return new Failure(
    "history-rewritten",
    `The portal was last applied from ${applied.slice(0, 10)}, which the branch "${branch}" no longer contains.`,
    `Check what the rewritten branch changes, and apply it from there:\n  lintel plan ${shellWord(file)}\n  lintel apply ${shellWord(file)}`,
  );
}

function notFetched(applied: string, file: string, branch: string): Failure {
  return new Failure(
    "commit-not-contained",
    `The portal was last applied from ${applied.slice(0, 10)}, which is not on the branch "${branch}".`,
    `Push that commit to the branch, or apply the file as the branch has it:\n  lintel apply ${shellWord(file)}`,
  );
}

/** What a job throws that another worker may not meet. */
export function isOfWorker(error: unknown, io: Io): Failure | undefined {
  const failure = caught(error, io);
  return /^(?:clone-not-usable|commit-not-on-branch)$/.test(failure.code) ? failure : undefined;
}
