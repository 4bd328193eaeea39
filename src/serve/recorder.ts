// Records the results of checks: first in the store, then on the dashboard, in the output and for webhooks.
import type { EventStore } from "./events/event-store.js";
import type { Event, LogEvent } from "./events/event.js";
import { storeFailed, storeRecovered } from "./events/run-events.js";
import type { MonitoredPortal, MonitoredPortals } from "./monitored-portals.js";
import type { WebhookSender } from "./notify/webhook-sender.js";
import type { CheckResult } from "./portal-check.js";
import type { Status } from "./snapshot.js";
import type { LastPortalOf, PortalFile } from "./portal-files.js";
import { caught, type Failure } from "../failure.js";
import type { Io } from "../io.js";
import { MINUTE_MS } from "../moment.js";

export interface RecorderOptions {
  readonly io: Io;
  readonly store: EventStore;
  readonly portals: MonitoredPortals;
  readonly sender: WebhookSender;
  readonly report: (event: LogEvent) => void;
  readonly onRecorded: () => void;
}

export class Recorder {
  /** Another run has taken over the data folder, so this one must end. */
  lost: Failure | undefined;
  readonly counts = { checks: 0, failures: 0 };
  /** The status of each portal when the run before ended. */
  resumed: readonly Status[] = [];
  readonly #options: RecorderOptions;
  /** Of the portals with a record in the store. */
  readonly #keys = new Set<string>();
  readonly #lastPortals = new Map<string, ReturnType<LastPortalOf>>();
  #error = "";

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Loads what an earlier run stored. */
  async restore(): Promise<void> {
    const { store, portals, sender } = this.#options;
    await store.register(sender.names);
    const records = await store.records();
    portals.restore(records);
    for (const [key, { snapshot }] of records) {
      const { name, url, id, file } = snapshot;
      this.#keys.add(key);
      this.#lastPortals.set(file, { key, portal: { name, url, id } });
    }
    this.resumed = [...records.values()].map(({ snapshot }) => snapshot.status);
  }

  readonly lastPortalOf: LastPortalOf = (file) => this.#lastPortals.get(file);

  /** A result that cannot be stored is neither shown nor sent. The next check finds it again. */
  async record(
    portal: MonitoredPortal,
    portalFile: PortalFile,
    { record, events }: CheckResult,
  ): Promise<void> {
    const { io, store, portals, report, onRecorded } = this.#options;
    this.counts.checks++;
    if (record.failures > 0) this.counts.failures++;
    try {
      await store.record(portalFile.key, record, events);
    } catch (error) {
      portals.delay(portal, io.now() + MINUTE_MS, io.now());
      return this.#failed(error);
    }
    if (this.#error !== "") report(storeRecovered());
    this.#error = "";
    this.#keys.add(portalFile.key);
    if (!portalFile.problem) this.#lastPortals.set(portalFile.file, portalFile);
    portals.update(portal, portalFile, record);
    this.#send(events);
    onRecorded();
  }

  /** Records an event besides those of checks. Never called during a check of the portal. */
  async recordEvent({ portalFile, record }: MonitoredPortal, event: Event): Promise<void> {
    try {
      await this.#options.store.record(portalFile.key, record, [event]);
    } catch (error) {
      return this.#failed(error);
    }
    this.#send([event]);
  }

  /** Deletes the records of portals whose files are gone or now configure another portal. */
  async forgetGone(): Promise<void> {
    const { store, portals } = this.#options;
    const keys = portals.keys();
    const gone = [...this.#keys].filter((key) => !keys.has(key));
    try {
      for (const { portalFile, record } of gone.length > 0 ? portals.all.values() : []) {
        // The record of a file with errors moves to the portal that it turned out to configure.
        const { key } = portalFile;
        if (!this.#keys.has(key) && record.reported.count > 0) await store.record(key, record, []);
      }
      for (const key of gone) {
        await store.forget(key);
        this.#keys.delete(key);
      }
    } catch (error) {
      // Deleted when files are read next time.
      this.#failed(error);
    }
  }

  #send(events: readonly Event[]): void {
    events.forEach(this.#options.report);
    if (events.length > 0) this.#options.sender.wake();
  }

  #failed(error: unknown): void {
    const { io, report } = this.#options;
    const failure = caught(error, io);
    if (failure.message !== this.#error) report(storeFailed(failure));
    this.#error = failure.message;
    if (failure.code === "data-in-use") this.lost = failure;
  }
}
