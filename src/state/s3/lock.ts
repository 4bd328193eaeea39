// An object of a bucket → a lock that one process holds by writing it again and again, and that others take over once its holder is dead.
import { isJsonObject, parseJson } from "../../lib/json.js";
import { CallFailure } from "../../http/http.js";
import type { Io } from "../../io.js";
import { zoneOf } from "../../lib/text.js";
import { takeInTurn, type Try } from "../lock/in-turn.js";
import { BEAT_MS, parseHolder, watchBeats } from "../lock/liveness.js";
import { whyOver, type CurrentLock } from "../lock/liveness.js";
import { describe, lockLost } from "../refusal.js";
import type { Holder, OwnState } from "../store.js";
import type { Objects } from "./objects.js";
import { notConditional } from "./refusal.js";

// How it works. Whoever wants the lock reads the object, and replaces it on condition that it is still the one that was
// read: the store lets one of many do so. So nobody ever replaces a lock that it has not judged to be over, and nobody
// whose lock was replaced can replace that one. A lock that was let go of stays, marked, for the next one to replace.

const DELAYS = { firstDelayMs: 100, longestDelayMs: 2_000 };
/** No object has it. */
const NO_ETAG = `"${"0".repeat(32)}"`;

interface Found extends CurrentLock {
  readonly etag: string;
}

interface Own {
  readonly holder: Holder;
  readonly stopBeating: () => void;
  etag: string;
  beat: number;
  isLost: boolean;
}

export interface BucketLock extends Pick<OwnState, "file" | "notice"> {
  readonly io: Io;
  readonly objects: Objects;
  readonly name: string;
  readonly subject: string;
  /** What this run has found out of its store: whether it keeps to conditions. */
  readonly known: { isConditional?: boolean };
}

export function openBucketLock(options: BucketLock) {
  const { io, objects, name, subject, notice, known } = options;
  const current = () => find(objects, name);
  const held = openHeld(options);

  async function attempt(holder: Holder, watch: ReturnType<typeof watchBeats>): Promise<Try> {
    const before = await current();
    if (before?.holder.id === holder.id && !before.isReleased) {
      // A write of ours whose answer was lost.
      held.begin(holder, before);
      return "taken";
    }
    const why = before && whyOver(before, io.machine, watch);
    if (before && why === undefined) return { holder: before.holder };
    const sent = objects.put(name, printLock(holder, 1, false), before ?? "new");
    const etag = await sent.catch(async (error: unknown) => {
      // Where it was written before the store failed, nobody would know whose lock that is.
      const now = error instanceof CallFailure && error.sent ? await current() : undefined;
      if (now?.holder.id !== holder.id) throw error;
      return now.etag;
    });
    if (!etag) return "again";
    held.begin(holder, { etag, beat: 1 });
    if (before && why) {
      notice?.(`Took over the lock of ${describe(before.holder, zoneOf(io))}: ${why}.`);
    }
    return "taken";
  }

  return {
    current,

    async take(holder: Holder, timeoutMs: number): Promise<void> {
      const watch = watchBeats(io.machine);
      await takeInTurn({ ...options, ...DELAYS, timeoutMs }, () => attempt(holder, watch));
      if (known.isConditional) return;
      try {
        await held.inOrder(() => assertConditional(objects, name, printLock(holder, 1, false)));
        known.isConditional = true;
      } catch (error) {
        await held.release(holder).catch(() => undefined);
        throw error;
      }
    },

    /** Fails with state-lock-lost. */
    async assertHeld(): Promise<void> {
      const found = await current();
      const id = found?.isReleased === false ? found.holder.id : undefined;
      if (!held.isBy(id)) throw lockLost(subject);
    },

    release: (holder: Holder) => held.release(holder),

    async force(by: Holder): Promise<Holder | undefined> {
      for (;;) {
        const before = await current();
        if (!before || before.isReleased) return undefined;
        const etag = await objects.put(name, printLock(by, 1, true), before);
        if (etag !== undefined) return before.holder;
      }
    },
  };
}

/** The lock of this process, with its signs of life. */
function openHeld({ io, objects, name, subject }: BucketLock) {
  let own: Own | undefined;
  // A sign of life that is on its way must have come to its end before the lock is written otherwise.
  let last: Promise<unknown> = Promise.resolve();
  const inOrder = <T>(action: () => Promise<T>): Promise<T> => {
    const next = last.then(action);
    last = next.catch(() => undefined);
    return next;
  };

  /** False where it is not held any more. */
  async function replace(held: Own, isReleased: boolean): Promise<boolean> {
    for (;;) {
      held.beat += 1;
      const etag = await objects.put(name, printLock(held.holder, held.beat, isReleased), held);
      if (etag) {
        held.etag = etag;
        return true;
      }
      const found = await find(objects, name);
      const isOurs = found?.holder.id === held.holder.id && (isReleased || !found.isReleased);
      held.isLost ||= !isOurs;
      if (!found || held.isLost) return false;
      // Written by a request of our own whose answer was lost.
      held.etag = found.etag;
      if (found.beat === held.beat) return true;
    }
  }

  return {
    inOrder,

    begin(holder: Holder, { etag, beat }: Pick<Found, "etag" | "beat">): void {
      own?.stopBeating();
      const stopBeating = io.machine.every(BEAT_MS, async () => {
        // Where it fails, others take this process for dead; a write under its lock is conditional all the same.
        await inOrder(async () => {
          if (own === held && !held.isLost) await replace(held, false);
        }).catch(() => undefined);
      });
      const held: Own = { holder, stopBeating, etag, beat, isLost: false };
      own = held;
    },

    /** Whether the holder that was found is this one. */
    isBy(id: string | undefined): boolean {
      if (own && own.holder.id !== id) own.isLost = true;
      return own?.isLost === false;
    },

    async release(holder: Holder): Promise<void> {
      const held = own;
      if (held?.holder.id !== holder.id) throw lockLost(subject);
      own = undefined;
      held.stopBeating();
      await inOrder(async () => held.isLost || replace(held, true));
    },
  };
}

/** As it stands, released or not. */
async function find(objects: Objects, name: string): Promise<Found | undefined> {
  const stored = await objects.get(name);
  if (!stored) return undefined;
  const json = parseJson(stored.text);
  const { beat, isReleased } = isJsonObject(json) ? json : {};
  return {
    number: 1,
    holder: parseHolder(stored.text, objects.secrets()),
    isReleased: isReleased === true,
    beat: typeof beat === "number" ? beat : 0,
    etag: stored.etag,
  };
}

function printLock(holder: Holder, beat: number, isReleased: boolean): string {
  return JSON.stringify({ ...holder, beat, isReleased });
}

/** Writes the lock once more, as nobody may: a store that takes that would let two in. */
async function assertConditional(objects: Objects, name: string, text: string): Promise<void> {
  const place = objects.placeOf(name);
  const anew = await objects.put(name, text, "new");
  if (anew !== undefined) throw notConditional(place, "If-None-Match");
  const over = await objects.put(name, text, { etag: NO_ETAG });
  if (over !== undefined) throw notConditional(place, "If-Match");
}
