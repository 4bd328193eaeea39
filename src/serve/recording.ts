// Records the results of checks in the event store before the fleet and the output get them, and restores what earlier runs recorded.
import type { EventStore } from "./events/event-store.js";
import type { Fleet, Kept } from "./fleet.js";
import type { Followed, NameOf } from "./follow/files.js";
import type { Looked } from "./look.js";
import type { Event } from "./news/event.js";
import type { News } from "./news/news.js";
import type { Notifier } from "./notify/notify.js";
import { recorded, unrecorded } from "./news/run-news.js";
import { caught, type Failure } from "../failure.js";
import type { Io } from "../io.js";
import { MINUTE_MS } from "../moment.js";

interface Recording {
  readonly io: Io;
  readonly store: EventStore;
  readonly fleet: Fleet;
  readonly tell: (news: News) => void;
  readonly notifier: Pick<Notifier, "names" | "ring">;
}

export function openRecording({ io, store, fleet, tell, notifier }: Recording) {
  const byFile = new Map<string, ReturnType<NameOf>>();
  const keys = new Set<string>();
  let [trouble, broken]: [string, Failure | undefined] = ["", undefined];

  /** Where nothing can be kept, nothing has happened yet: the next look finds it again. */
  function failed(error: unknown): void {
    const failure = caught(error, io);
    if (failure.message !== trouble) tell(unrecorded(failure));
    trouble = failure.message;
    if (failure.code === "data-in-use") broken = failure;
  }

  return {
    /** Another run has taken over the data folder: this one has to end. */
    get broken() {
      return broken;
    },
    nameOf: ((file) => byFile.get(file)) satisfies NameOf,
    async begin(): Promise<void> {
      await store.register(notifier.names);
      const portals = await store.snapshots();
      fleet.remember(portals);
      for (const [key, { seen }] of portals) {
        keys.add(key);
        const { name, url, id, file } = seen;
        byFile.set(file, { key, portal: { name, url, id } });
      }
    },
    async record(kept: Kept, looked: Looked, followed: Followed): Promise<void> {
      const { known, events } = looked;
      try {
        await store.record(followed.key, known, events);
      } catch (error) {
        fleet.delay(kept, io.now() + MINUTE_MS, io.now());
        return failed(error);
      }
      keys.add(followed.key);
      if (!followed.problem) byFile.set(followed.file, followed);
      fleet.looked(kept, known, followed);
      if (trouble !== "") tell(recorded());
      trouble = "";
      events.forEach(tell);
      if (events.length > 0) notifier.ring();
    },
    /** An event beside those of checks. Never called while a check of the portal runs. */
    async note({ followed, known }: Kept, event: Event): Promise<void> {
      try {
        await store.record(followed.key, known, [event]);
      } catch (error) {
        return failed(error);
      }
      tell(event);
      notifier.ring();
    },
    /** Of portals whose files are gone, or turned out to be about other ones. */
    async forgetOthers(): Promise<void> {
      const now = fleet.keys();
      const gone = [...keys].filter((each) => !now.has(each));
      try {
        for (const { followed, known } of gone.length > 0 ? fleet.portals.values() : []) {
          // What was told of a file goes with it to the portal that it turned out to be about.
          const { key } = followed;
          if (!keys.has(key) && known.standing.told > 0) await store.record(key, known, []);
        }
        for (const key of gone) {
          await store.forget(key);
          keys.delete(key);
        }
      } catch (error) {
        // They are forgotten when files are read the next time.
        failed(error);
      }
    },
  };
}
