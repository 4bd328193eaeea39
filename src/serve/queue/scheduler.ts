// Runs `lintel serve --queue`: follows the checkout, lists its portals, sends events to webhooks, and feeds the dashboard.
import { openWakeUp, type WakeUp } from "../wake-up.js";
import { Checkout } from "../checkout.js";
import type { LastPortalOf } from "../portal-files.js";
import { openFileWatch, type Files } from "../file-watch.js";
import type { PortalRecord } from "../snapshot.js";
import type { LogEvent } from "../events/event.js";
import * as queueEvents from "../events/queue-events.js";
import * as runEvents from "../events/run-events.js";
import { openWebhookSender, type SenderOptions } from "../notify/webhook-sender.js";
import type { DashboardSource } from "../dashboard/source.js";
import { openStateReader } from "../dashboard/state-reader.js";
import { openRunSessions, type RunSession, type RunSessions } from "../run-sessions.js";
import { openSharedSnapshots } from "../shared-snapshots.js";
import { promptly, type Query, type QueueDatabase } from "./database.js";
import type { Jobs } from "./jobs.js";
import { listCheckout, nameInRepository } from "./listing.js";
import { insertDueJobs, tick } from "./portals.js";
import { openProcess, REFRESH_MS, type Facts } from "./processes.js";
import { nameReceivers, openQueueStore, queueActivity } from "./queue-store.js";
import { isDraining, queueMetrics, readStatus } from "./status.js";
import { Failure } from "../../failure.js";

export interface SchedulerOptions extends Pick<SenderOptions, "io" | "http" | "notify"> {
  readonly find: () => Promise<readonly string[]>;
  readonly openSession: () => RunSession;
  readonly database: QueueDatabase;
  readonly jobs: Jobs;
  readonly facts: Facts;
  readonly everyMs: number;
  readonly keepMs: number;
  readonly poolOf: (name: string) => string;
  /** The folder of the checkout that --pull keeps up to date. */
  readonly pullIn?: string | undefined;
  readonly report: (event: LogEvent) => void;
}

const ROUND_MS = 1_000;

export function openScheduler(options: SchedulerOptions) {
  const { io, database, jobs, report, pullIn } = options;
  const sessions = openRunSessions(io, options.openSession);
  const wakeUp = openWakeUp(io);
  const store = openQueueStore(database);
  const followed = openFiles(options, { sessions, wakeUp });
  const moved = () => {
    sessions.renew();
    followed.soon();
    wakeUp.wake();
  };
  const checkout = pullIn === undefined ? undefined : pullOf(options, pullIn, moved);
  const own = openProcess(database);
  let isSender = false;
  const sharing = { isSender: () => isSender, pollEveryMs: ROUND_MS };
  const notifier = openWebhookSender({ ...options, store, ...sharing });
  const shared = openSharedSnapshots(database);
  const list = openList(options);
  const reportDraining = queueEvents.openDrains(report);
  let isReady = false;
  let refreshedMs = -Infinity;

  async function refresh(stuck: string | undefined): Promise<void> {
    isSender = await own.isSender();
    if (isSender) await prepareQueue(options);
    await own.refresh({ ...options.facts, commit: list.commit() ?? null, stuck });
    reportDraining(await isDraining(database.query));
  }

  const readState = openStateReader(io, sessions);
  /** The database contains file names too, and they may be wrong. */
  const remember: DashboardSource["remember"] = async ({ key }) => {
    const file = followed.fileOf(key);
    return file === undefined ? {} : readState({ key, file });
  };

  return {
    /** For the dashboard. */
    shown: {
      snapshots: shared.snapshots,
      isReady: () => isReady && database.outageSinceMs() === undefined,
      metrics: () => queueMetrics(database, io),
      remember,
      activity: queueActivity((...words) => promptly(database, io, () => database.query(...words))),
      workers: () => promptly(database, io, () => readStatus(database)),
      ...(checkout && { pushed: () => void checkout.pull() }),
    } satisfies DashboardSource,
    /** Runs until it is interrupted. `url` is the address of the dashboard. */
    async run(url?: string): Promise<void> {
      io.onHangup?.(() => followed.readAgain());
      io.signal.addEventListener("abort", () => report(queueEvents.stopping(0)));
      await jobs.onTick(() => tick(database, jobs));
      followed.remember(await store.records());
      await checkout?.begin();
      let notified: Promise<void> | undefined;
      while (!io.signal.aborted) {
        const isFirst = !followed.files();
        const areNew = !checkout?.isMoving && (await followed.read());
        const files = followed.files();
        if (isFirst && files) report(queueEvents.listing(files.size, options.everyMs, url));
        if (checkout && io.now() >= checkout.nextMs) void checkout.pull();
        // The clock may have been set back since.
        const isTime = Math.abs(io.now() - refreshedMs) >= REFRESH_MS;
        // A commit is listed even if it changes no file of a portal.
        if (files && !checkout?.isMoving && (areNew || isTime)) await list.update(files);
        if (isTime) {
          refreshedMs = io.now();
          await refresh(list.stuck() ?? checkout?.stuck);
        }
        notified ??= notifier.run();
        await shared.read();
        isReady = true;
        await wakeUp.wait(io.now() + ROUND_MS);
      }
      await Promise.all([notified, checkout?.end()]);
      await sessions.close();
      await own.end();
    },
  };
}

function pullOf({ io, report }: SchedulerOptions, folder: string, moved: () => void): Checkout {
  const meanwhile = "Until it can be moved, workers check the commit that is listed.";
  return new Checkout(io, folder, { meanwhile, report, onPulled: moved });
}

interface Opened {
  readonly sessions: RunSessions;
  readonly wakeUp: WakeUp;
}

/** The files of the checkout. If they cannot be read, the last ones stay in use. */
function openFiles({ io, report, find }: SchedulerOptions, { sessions, wakeUp }: Opened) {
  const names = new Map<string, ReturnType<LastPortalOf>>();
  const following = openFileWatch(io, find, (file) => names.get(nameInRepository(file, io)));
  let files: Files | undefined;
  let isAskedToRead = true;
  return {
    files: () => files,
    /** Workers name files relative to the root of the repository. */
    fileOf: (key: string) => [...(files?.values() ?? [])].find((each) => each.key === key)?.file,
    /** Remembers the portal of each file, for files that become invalid later. */
    remember(snapshots: ReadonlyMap<string, PortalRecord>): void {
      for (const [key, { snapshot }] of snapshots) {
        const { name, url, id, file } = snapshot;
        names.set(file, { key, portal: { name, url, id } });
      }
    },
    soon: () => following.soon(),
    readAgain(): void {
      isAskedToRead = true;
      wakeUp.wake();
    },
    /** Returns whether the files changed. */
    async read(): Promise<boolean> {
      if (!isAskedToRead && io.now() < following.nextMs) return false;
      const isMeant = isAskedToRead;
      isAskedToRead = false;
      const found = await sessions.within((contextAt) =>
        following.read(contextAt(io.now()), isMeant),
      );
      if (found instanceof Failure) {
        if (!files) throw found;
        report(runEvents.unreadable(found));
        return false;
      }
      if (!found) return false;
      if (files && isMeant) report(runEvents.readAgain(files, found));
      files = found;
      return true;
    },
  };
}

/** Sets the rules for workers. Only one of all `serve` processes calls it. */
async function prepareQueue(options: SchedulerOptions): Promise<void> {
  const { database, jobs } = options;
  await database.transaction((query) => setRules(query, options));
  await jobs.repair(database);
}

async function setRules(
  query: Query,
  { everyMs, keepMs, notify }: SchedulerOptions,
): Promise<void> {
  await query("UPDATE SCHEMA.queue SET every_ms = $1, keep_ms = $2", [everyMs, keepMs]);
  const names = notify.map(({ name }) => name);
  await nameReceivers(query, names);
}

/** Lists changed portals, and reports each new result. */
function openList({ io, database, jobs, poolOf, report }: SchedulerOptions) {
  let listed: Files = new Map();
  let [commit, stuck]: [string | undefined, string | undefined] = [undefined, undefined];
  return {
    commit: () => commit,
    stuck: () => stuck,
    async update(files: Files): Promise<void> {
      const isFirst = listed.size === 0;
      const changed = new Set(
        [...files].filter(([file, each]) => listed.get(file) !== each).map(([file]) => file),
      );
      const result = await listCheckout(database, { io, files, changed, isFirst, poolOf });
      if (result.is === "withheld") {
        if (stuck !== result.why) report(queueEvents.withheld(result.why, result.help));
        stuck = result.why;
        return;
      }
      stuck = undefined;
      listed = files;
      if (result.is === "same") return;
      commit = result.commit;
      report(queueEvents.newCommit(result.commit, result.changed));
      result.events.forEach(report);
      await insertDueJobs(database, jobs);
    },
  };
}
