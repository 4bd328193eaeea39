// Runs a worker: takes the jobs of its pools while it can fetch its repository and the queue is not drained.
import type { LogEvent } from "../events/event.js";
import * as queueEvents from "../events/queue-events.js";
import { checkPortal, type CheckOptions } from "./check-portal.js";
import { notOnBranch } from "./clone.js";
import type { PortalJob } from "./jobs.js";
import { tick } from "./portals.js";
import { openProcess, REFRESH_MS, type Facts } from "./processes.js";
import { caught, type Failure } from "../../failure.js";
import { pause } from "../../lib/retry.js";

export interface WorkerOptions extends Omit<CheckOptions, "journalAge"> {
  readonly concurrency: number;
  readonly facts: Facts;
}

const FETCH_EVERY_MS = 30_000;
/** Failures of this clone, which another worker may not have. */
const OF_CLONE = ["clone-not-usable", "commit-not-on-branch"];

export function openWorker(options: WorkerOptions) {
  const { io, database, jobs, clone, pools, concurrency } = options;
  const own = openProcess(database);
  const complain = complaints(options);
  const doing = new Set<string>();
  const journalAge = openJournalAges(io);
  let isWorking = false;
  let [stuck, commit]: [string | undefined, string | null] = [undefined, null];
  let fetchedMs = -Infinity;

  async function run(job: PortalJob): Promise<void> {
    doing.add(job.key);
    try {
      await checkPortal(job, { ...options, journalAge });
    } catch (error) {
      const failure = caught(error, io);
      if (OF_CLONE.includes(failure.code)) await setStuck(failure);
      else if (!io.signal.aborted) complain(failure);
      // The job is tried again. If this worker is stuck, another one takes it.
      throw error;
    } finally {
      doing.delete(job.key);
    }
  }

  async function setStuck(failure: Failure): Promise<void> {
    if (stuck !== failure.message) complain(failure);
    stuck = failure.message;
    fetchedMs = io.now();
    await takeJobs(false);
  }

  async function takeJobs(should: boolean): Promise<void> {
    if (should === isWorking) return;
    isWorking = should;
    for (const pool of pools) await (should ? jobs.work(pool, concurrency, run) : jobs.pause(pool));
  }

  /** Fetches if the last fetch is old or the listed commit is missing. */
  async function fetchNow(listed: string | null): Promise<void> {
    // The clock may have been set back since.
    const isRecent = Math.abs(io.now() - fetchedMs) < FETCH_EVERY_MS;
    if (isRecent && (stuck !== undefined || listed === null || (await clone.has(listed)))) return;
    try {
      commit = await clone.fetch();
      fetchedMs = io.now();
      if (listed !== null && !(await clone.has(listed))) throw notOnBranch(listed, clone.branch);
      if (stuck !== undefined) options.report(queueEvents.notice("The worker takes jobs again."));
      stuck = undefined;
    } catch (error) {
      if (io.signal.aborted) return;
      await setStuck(caught(error, io));
    }
  }

  return {
    /** Runs until it is interrupted. */
    async run(): Promise<void> {
      io.signal.addEventListener("abort", () => options.report(queueEvents.stopping(doing.size)));
      await jobs.onTick(() => tick(database, jobs));
      const reportDraining = queueEvents.openDrains(options.report);
      while (!io.signal.aborted) {
        const [queue] = await database.query<{ isDraining: boolean; commit: string | null }>(
          'SELECT is_draining AS "isDraining", commit FROM SCHEMA.queue',
        );
        await fetchNow(queue?.commit ?? null);
        const isDraining = queue?.isDraining === true;
        reportDraining(isDraining);
        await takeJobs(stuck === undefined && !isDraining);
        await own.refresh({ ...options.facts, commit, stuck, doing: [...doing] });
        await pause(REFRESH_MS, io).catch(() => undefined);
      }
    },
    end: () => own.end(),
  };
}

const MOST_JOURNALS = 10_000;

/** Never compares clocks of machines: each process counts from when it first saw a journal. */
function openJournalAges({
  machine,
}: Pick<WorkerOptions["io"], "machine">): CheckOptions["journalAge"] {
  const seen = new Map<string, { readonly journal: string; readonly ms: number }>();
  return (key, journal) => {
    const nowMs = machine.elapsedMs();
    const known = seen.get(key);
    if (known?.journal === journal) return nowMs - known.ms;
    if (seen.size >= MOST_JOURNALS) seen.clear();
    seen.set(key, { journal, ms: nowMs });
    return 0;
  };
}

const QUIET_MS = 5 * 60_000;

/** Reports a failure of the worker itself; the same failure once in five minutes. */
function complaints({
  io,
  report,
}: Pick<WorkerOptions, "io"> & { readonly report: (event: LogEvent) => void }) {
  const reported = new Map<string, number>();
  return (failure: Failure): void => {
    const nowMs = io.now();
    if (nowMs - (reported.get(failure.message) ?? -Infinity) < QUIET_MS) return;
    for (const [message, ms] of reported) if (nowMs - ms >= QUIET_MS) reported.delete(message);
    reported.set(failure.message, nowMs);
    report(queueEvents.complaint(failure));
  };
}
