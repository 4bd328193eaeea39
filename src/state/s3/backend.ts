// A bucket → a store of states in its objects: one a portal, and beside it one that is its lock.
import { parseState, printState } from "../format.js";
import * as refusal from "../refusal.js";
import type { State } from "../state.js";
import { assertNext } from "../succession.js";
import type { Backend, LockingStore, OwnState, Place } from "../store.js";
import { writeOnce } from "../write-once.js";
import { openBucketLock } from "./lock.js";
import { openCalls } from "./calls.js";
import { openObjects, type Objects } from "./objects.js";

export const s3Backend: Backend = {
  deadLock: "ends-by-itself",
  open(place) {
    const objects = openObjects(openCalls(place));
    const known = {};
    return {
      storeOf: (own) => openBucketStore({ objects, known, io: place.io, ...own }),
      // The connections are those of the run's HTTP client.
      close: async () => {},
    };
  },
};

interface BucketStore extends OwnState, Pick<Place, "io"> {
  readonly objects: Objects;
  readonly known: { isConditional?: boolean };
}

function openBucketStore({ objects, portal, ...options }: BucketStore): LockingStore {
  const name = `${portal.key}.json`;
  const place = objects.placeOf(name);
  const expected = { ...objects.originOf(name), portal };
  const about = { objects, name: `${portal.key}.lock`, subject: portal.key };
  const lock = openBucketLock({ ...options, ...about });

  async function find(
    end?: "at-interrupt",
  ): Promise<{ readonly state: State; readonly etag: string } | undefined> {
    const stored = await objects.get(name, end);
    if (!stored) return undefined;
    const { text, etag, strayByteAt } = stored;
    if (strayByteAt !== undefined) throw refusal.damaged(expected, "it is no UTF-8 text");
    return { state: parseState(text, expected), etag };
  }

  return {
    place,
    read: async () => (await find("at-interrupt"))?.state,
    holder: async () => {
      const found = await lock.current();
      return found?.isReleased === false ? found.holder : undefined;
    },

    async write(state, expected) {
      await lock.assertHeld();
      const stored = await find();
      assertNext(state, { place, portal, stored: stored?.state, expected });
      const etag = stored?.etag;
      await writeOnce(state, {
        place,
        file: options.file,
        expected,
        async send(text) {
          const condition = etag === undefined ? "new" : { etag };
          return (await objects.put(name, text, condition)) === undefined ? "unmet" : "written";
        },
        async look(text) {
          const now = await find();
          const isOurs = now && printState(now.state) === text;
          // Its condition keeps this write out for ever.
          if (!isOurs && now?.etag !== etag)
            throw refusal.conflict(place, expected, now?.state.serial ?? 0);
          return now?.state;
        },
        assertHeld: () => lock.assertHeld(),
      });
    },

    lock: (holder, { timeoutMs = 0 } = {}) => lock.take(holder, timeoutMs),
    unlock: (holder) => lock.release(holder),
    forceUnlock: (by) => lock.force(by),
  };
}
