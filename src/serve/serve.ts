// The loop of `lintel serve`: reads the files, checks each portal when it is due, stores what it found, and sends the events.
import { openActions } from "./actions.js";
import { Checkout } from "./checkout.js";
import type { Commits } from "./commits.js";
import type { Actions, SnapshotSource, DashboardSource } from "./dashboard/source.js";
import { checkMetrics, unsentMetric } from "./dashboard/metrics.js";
import { openOwnSnapshots } from "./dashboard/own-snapshots.js";
import { openStateReader } from "./dashboard/state-reader.js";
import type { EventStore } from "./events/event-store.js";
import type { Event, LogEvent } from "./events/event.js";
import * as runEvents from "./events/run-events.js";
import { openFileWatch, type FileWatch } from "./file-watch.js";
import { MonitoredPortals, type MonitoredPortal } from "./monitored-portals.js";
import {
  openWebhookSender,
  type SenderOptions,
  type WebhookSender,
} from "./notify/webhook-sender.js";
import { dueAtMs } from "./poll-times.js";
import { resultOfInvalid, runCheck, type CheckResult } from "./portal-check.js";
import { isAsRead, type PortalFile } from "./portal-files.js";
import { Recorder } from "./recorder.js";
import { openRunSessions, type RunSession, type RunSessions } from "./run-sessions.js";
import { endSoon, openWakeUp, type WakeUp } from "./wake-up.js";
import { UNASKED, type Unasked } from "../apply/reconcile.js";
import { Failure } from "../failure.js";

export interface ServeOptions extends Pick<SenderOptions, "io" | "http" | "notify"> {
  /** What may be applied automatically. */
  readonly mayApply: readonly Unasked[];
  /** The interval between two checks of a portal. */
  readonly everyMs: number;
  readonly concurrency: number;
  /** The longest wait for another run at the same portal. */
  readonly waitMs: number;
  readonly store: EventStore;
  readonly report: (event: LogEvent) => void;
  readonly findFiles: () => Promise<readonly string[]>;
  readonly openSession: () => RunSession;
  /** Of the repository of the files. */
  readonly commits: Commits;
  /** The folder of the checkout that `--pull` keeps up to date. */
  readonly pullIn?: string | undefined;
  /** Called after the files were read for the first time, the only time to ask about hosts. */
  readonly confirmHosts: () => Promise<void>;
}

/** The plan that a user confirmed. */
export interface Approval {
  readonly planDigest: string;
  readonly actor: string;
}

/** Why a user asked for a check. Without it, the check applies what may be applied automatically. */
export type CheckRequest = Approval | "read-only";

/** "outdated": the plan or the files changed, and nothing was applied. */
export type CheckedNow = CheckResult | "outdated" | "interrupted" | "busy";

/** A slower check no longer counts for `--concurrency`, so that hanging portals delay no others. */
const SLOW_MS = 5_000;
/** The limit of all running checks, as a multiple of `--concurrency`. */
const MOST_SLOW = 8;
/** Counting all pending events of a webhook could take as long as sending them. */
const MOST_COUNTED = 1_000;

export class ServeLoop {
  readonly portals: MonitoredPortals;
  readonly actions: Actions;
  readonly #snapshots: SnapshotSource;
  readonly #options: ServeOptions;
  readonly #sessions: RunSessions;
  readonly #files: FileWatch;
  readonly #checkout: Checkout | undefined;
  readonly #sender: WebhookSender;
  readonly #recorder: Recorder;
  readonly #wakeUp: WakeUp;
  readonly #notifyBoard: () => void;
  /** The running checks, each with its start. */
  readonly #running = new Map<Promise<CheckedNow>, number>();
  #sending: Promise<void> | undefined;
  #isReadForced = true;
  #isReady = false;
  #findError = "";

  constructor(options: ServeOptions) {
    const { io, pullIn, report } = options;
    this.#options = options;
    this.portals = new MonitoredPortals(options.everyMs);
    this.#sessions = openRunSessions(io, options.openSession);
    this.#sender = openWebhookSender(options);
    const { snapshots, changed } = openOwnSnapshots(this.portals);
    this.#snapshots = snapshots;
    this.#notifyBoard = changed;
    const { portals } = this;
    this.#recorder = new Recorder({
      ...options,
      portals,
      sender: this.#sender,
      onRecorded: changed,
    });
    this.#files = openFileWatch(io, options.findFiles, this.#recorder.lastPortalOf);
    this.#wakeUp = openWakeUp(io);
    if (pullIn !== undefined) {
      const meanwhile = "Meanwhile, Lintel restores no drift and applies no file.";
      const onPulled = () => this.#readSoon();
      this.#checkout = new Checkout(io, pullIn, { meanwhile, report, onPulled });
    }
    this.actions = openActions({ ...options, loop: this, sessions: this.#sessions });
  }

  /** Runs until it is interrupted. `url` is the address of the dashboard, if there is one. */
  async run(url?: string): Promise<void> {
    const { io } = this.#options;
    io.onHangup?.(() => {
      this.#isReadForced = true;
      this.#wakeUp.wake();
    });
    await this.#recorder.restore();
    await this.#checkout?.begin();
    while (!io.signal.aborted && !this.#recorder.lost) {
      if (this.#isReadForced || io.now() >= this.#files.nextMs) await this.#followFiles(url);
      if (this.#checkout && io.now() >= this.#checkout.nextMs) void this.#checkout.pull();
      this.#checkDuePortals();
      await this.#wakeUp.wait(this.#nextMs());
    }
    await Promise.all([endSoon(io, this.#running.keys()), this.#checkout?.end()]);
    await this.#sessions.close();
    if (this.#recorder.lost) throw this.#recorder.lost;
    await this.#sending;
  }

  async #followFiles(url?: string): Promise<void> {
    const areNew = await this.#readFiles();
    if (!this.#isReady) {
      const { confirmHosts, report } = this.#options;
      await confirmHosts();
      this.#sending = this.#sender.run();
      const portals = this.portals.all.size;
      report(runEvents.started(this.#options, { portals, resumed: this.#recorder.resumed, url }));
    }
    if (areNew) await this.#recordInvalidFiles();
    this.#isReady = true;
    this.#notifyBoard();
  }

  /** Returns whether any file is new. If the search for files fails, the last ones remain. */
  async #readFiles(): Promise<boolean> {
    const { io, report } = this.#options;
    const isForced = this.#isReadForced;
    this.#isReadForced = false;
    const files = await this.#sessions.within((contextAt) =>
      this.#files.read(contextAt(io.now()), isForced),
    );
    if (files instanceof Failure) {
      if (!this.#isReady) throw files;
      if (this.#findError !== files.message || isForced) report(runEvents.unreadable(files));
      this.#findError = files.message;
      return false;
    }
    if (this.#findError !== "") report(runEvents.readable());
    this.#findError = "";
    if (!files) return false;
    // The files may be from another commit.
    this.#sessions.renew();
    const before = new Map([...this.portals.all].map(([file, each]) => [file, each.portalFile]));
    this.portals.replaceFiles(files, io.now(), isForced);
    await this.#recorder.forgetGone();
    if (this.#isReady && isForced) report(runEvents.readAgain(before, files));
    if (this.#isReady) runEvents.filesChanged(before, files).forEach(report);
    return true;
  }

  #readSoon(): void {
    this.#sessions.renew();
    this.#files.soon();
    this.#wakeUp.wake();
  }

  /** Starts checks that are due, within the limit. Reads no file while the checkout moves. */
  #checkDuePortals(): void {
    const { io } = this.#options;
    while (!this.#checkout?.isMoving && this.#roomAtMs() <= io.now()) {
      const nowMs = io.now();
      const portal = this.portals.due(nowMs);
      if (!portal) return;
      // A file that has changed is read before its portal is checked.
      if (isAsRead(portal.portalFile)) void this.#check(portal);
      else this.portals.delay(portal, Math.max(this.#files.soon(), nowMs + 1), nowMs);
    }
  }

  /** When another check may begin: at once, once a running one is slow, or (Infinity) once one has ended. */
  #roomAtMs(): number {
    const { io, concurrency } = this.#options;
    if (this.#running.size >= concurrency * MOST_SLOW) return Infinity;
    // The clock may have been set back since.
    const quick = [...this.#running.values()].filter((ms) => Math.abs(io.now() - ms) < SLOW_MS);
    return quick.length < concurrency ? -Infinity : Math.min(...quick) + SLOW_MS;
  }

  /** When the loop has work next. */
  #nextMs(): number {
    const checkMs = this.#checkout?.isMoving
      ? Infinity
      : Math.max(this.#roomAtMs(), this.portals.nextMs(this.#options.io.now()));
    return Math.min(checkMs, this.#files.nextMs, this.#checkout?.nextMs ?? Infinity);
  }

  /** Checks a portal before it is due, for a user. With an approval, it applies that plan or nothing. */
  async checkNow(portal: MonitoredPortal, asked?: CheckRequest): Promise<CheckedNow> {
    const { portalFile, record, isChecking } = portal;
    const isFree = !isChecking && !this.#checkout?.isMoving && !portalFile.problem;
    // At the boundary of a window, the scheduled check must run, because it may apply the window.
    const isDue =
      asked === "read-only" && dueAtMs(record, portalFile.windows) <= this.#options.io.now();
    return isFree && !isDue && isAsRead(portalFile) ? this.#check(portal, asked) : "busy";
  }

  /** Why the checkout may be behind its upstream. */
  whyCheckoutIsStuck(): string | undefined {
    return this.#checkout?.stuck;
  }

  #check(portal: MonitoredPortal, asked?: CheckRequest): Promise<CheckedNow> {
    const { io } = this.#options;
    this.portals.beginCheck(portal, io.now());
    const check = this.#checkAndRecord(portal, asked).finally(() => {
      this.portals.endCheck(portal, io.now());
      this.#running.delete(check);
      this.#wakeUp.wake();
    });
    this.#running.set(check, io.now());
    return check;
  }

  async #checkAndRecord(portal: MonitoredPortal, asked?: CheckRequest): Promise<CheckedNow> {
    const { io, store } = this.#options;
    const { portalFile } = portal;
    const atMs = io.now();
    const approval = asked === "read-only" ? undefined : asked;
    const result = await runCheck(portalFile, portal.record, {
      ...this.#options,
      sessions: this.#sessions,
      atMs,
      isBound: approval !== undefined,
      actor: approval?.actor,
      note: (record) => store.record(portalFile.key, record, []),
      mayGoOn: async ({ planDigest }) => {
        if (asked === "read-only") return [];
        if (!approval) return this.#permitted(portalFile, atMs, this.#options.mayApply);
        if (approval.planDigest !== planDigest) return undefined;
        const permitted = await this.#permitted(portalFile, atMs, UNASKED);
        // The whole plan, or nothing.
        return permitted && (permitted.length === UNASKED.length ? permitted : []);
      },
    });
    if (result === "outdated") this.portals.delay(portal, this.#files.soon(), io.now());
    else if (result !== "interrupted") await this.#recorder.record(portal, portalFile, result);
    // The file may have errors now.
    if (portal.portalFile !== portalFile) await this.#recordInvalid(portal);
    return result;
  }

  /**
   * What may be applied, checked right before the apply: nothing of a file that changed since the check began. Without
   * the newest commit, only windows that were applied before may open and close.
   */
  async #permitted(
    portalFile: PortalFile,
    sinceMs: number,
    mayApply: readonly Unasked[],
  ): Promise<readonly Unasked[] | undefined> {
    const pulled = await this.#checkout?.pulledSince(sinceMs);
    if (this.#checkout?.isMoving || !isAsRead(portalFile)) return undefined;
    return pulled?.is === "stuck" ? mayApply.filter((each) => each === "schedule") : mayApply;
  }

  /** A portal whose file has errors is not checked. */
  async #recordInvalidFiles(): Promise<void> {
    for (const portal of this.portals.all.values())
      if (!portal.isChecking) await this.#recordInvalid(portal);
  }

  async #recordInvalid(portal: MonitoredPortal): Promise<void> {
    const { portalFile, record } = portal;
    const { problem } = portalFile;
    if (!problem) return;
    const nowMs = this.#options.io.now();
    await this.#recorder.record(
      portal,
      portalFile,
      resultOfInvalid(portalFile, record, { problem, nowMs }),
    );
  }

  /** Records an event besides those of checks. Never called during a check of the portal. */
  recordEvent(portal: MonitoredPortal, event: Event): Promise<void> {
    return this.#recorder.recordEvent(portal, event);
  }

  dashboard(): DashboardSource {
    const { io, store, commits } = this.#options;
    const checkout = this.#checkout;
    return {
      snapshots: this.#snapshots,
      actions: this.actions,
      automatic: this.#options.mayApply,
      isReady: () => this.#isReady,
      remember: openStateReader(io, this.#sessions),
      activity: store,
      commits: (most) => commits.newest(most),
      sourceOf: (file) => commits.of(file, this.portals.all.get(file)?.portalFile.marks.keys()),
      pushed: checkout && (() => void checkout.pull()),
      metrics: async () => {
        const pending = this.#sender.names.map(async (name) => {
          const events = await store.pending(name, MOST_COUNTED);
          return [name, events.length] as const;
        });
        return [...checkMetrics(this.#recorder.counts), unsentMetric(await Promise.all(pending))];
      },
    };
  }
}
