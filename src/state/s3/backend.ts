// A bucket → a store of states in its objects: one a portal, and beside it one that is its lock.
import { CallFailure } from "../../http/http.js";
import { parseState, printState } from "../format.js";
import * as refusal from "../refusal.js";
import type { State } from "../state.js";
import { assertNext } from "../succession.js";
import type { Backend, OwnState, Place, Store } from "../store.js";
import { openBucketLock } from "./lock.js";
import { openObjects, type Objects } from "./objects.js";
import { writtenOrNot } from "./refusal.js";

const MOST_TRIES = 5;

export const s3Backend: Backend = {
  exclusion: "lock",
  deadLock: "ends-by-itself",
  open(place) {
    const objects = openObjects(place);
    const known = {};
    return {
      storeOf: (own) => openBucketStore({ objects, known, io: place.io, ...own }),
      // The connections are those of the run's door.
      close: async () => {},
    };
  },
};

interface BucketStore extends OwnState, Pick<Place, "io"> {
  readonly objects: Objects;
  readonly known: { isConditional?: boolean };
}

function openBucketStore({ objects, portal, ...options }: BucketStore): Store {
  const name = `${portal.key}.json`;
  const place = objects.placeOf(name);
  const about = { objects, name: `${portal.key}.lock`, subject: portal.key };
  const lock = openBucketLock({ ...options, ...about });

  async function find(
    end?: "at-interrupt",
  ): Promise<{ readonly state: State; readonly etag: string } | undefined> {
    const stored = await objects.get(name, end);
    if (!stored) return undefined;
    const { text, etag, strayByteAt } = stored;
    if (strayByteAt !== undefined) throw refusal.damaged(place, "it is no UTF-8 text");
    return { state: parseState(text, { place, portal }), etag };
  }

  /** Writes once for sure, and only over what was found before. */
  async function put(state: State, expected: number, etag: string | undefined): Promise<void> {
    const text = printState(state);
    const condition = etag === undefined ? "new" : { etag };
    for (let times = 1; ; times++) {
      const lost = await outcomeOf(async () => {
        const written = await objects.put(name, text, condition);
        return written !== undefined;
      });
      if (lost === true) return;
      // The condition may fail because of a write of our own whose answer was lost.
      const now = await find().catch((error: unknown) => {
        throw error instanceof CallFailure ? writtenOrNot(place, options.file, lost) : error;
      });
      if (now && printState(now.state) === text) return;
      const found = now?.state.serial ?? 0;
      const isSame = found === expected && now?.etag === etag;
      if (!isSame) throw refusal.conflict(place, expected, found);
      if (times === MOST_TRIES) throw writtenOrNot(place, options.file, lost);
      await lock.assertHeld();
    }
  }

  return {
    place,
    exclusion: async () => s3Backend.exclusion,
    read: async () => (await find("at-interrupt"))?.state,
    holder: async () => {
      const found = await lock.current();
      return found?.isReleased === false ? found.holder : undefined;
    },

    async write(state, expected) {
      await lock.assertHeld();
      const stored = await find();
      assertNext(state, { place, portal, stored: stored?.state, expected });
      await put(state, expected, stored?.etag);
    },

    lock: (holder, { timeoutMs = 0 } = {}) => lock.take(holder, timeoutMs),
    assertLeased: () => lock.assertLeased(),
    unlock: (holder) => lock.release(holder),
    forceUnlock: (by) => lock.force(by),
  };
}

/** Whether it was written; or why nobody knows. */
async function outcomeOf(write: () => Promise<boolean>): Promise<boolean | CallFailure> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof CallFailure && error.sent) return error;
    throw error;
  }
}
