// Whose turn it is → looks at their portals, side by side within a bound; those that hang make room for others.
import type { Checkout } from "./follow/checkout.js";
import type { EventStore } from "./events/event-store.js";
import { isAsRead, type Followed } from "./follow/files.js";
import type { Fleet, Kept } from "./fleet.js";
import type { Known } from "./known.js";
import { whenDueMs } from "./due.js";
import { openPlaces } from "./places.js";
import { look, withoutLook, type Looked, type Looking as One } from "./look.js";
import { UNASKED, type Unasked } from "../apply/reconcile.js";

export interface Looking extends Omit<One, "mayGoOn" | "isBound" | "actor" | "atMs" | "note"> {
  readonly store: Pick<EventStore, "record">;
  readonly fleet: Fleet;
  /** Absent where nobody asked for the newest. */
  readonly checkout?: Checkout | undefined;
  readonly concurrency: number;
  /** What came of a look at a file, or of none where it is wrong; lasting when it returns. */
  readonly record: (kept: Kept, looked: Looked, followed: Followed) => Promise<void>;
  /** A file is not as it was read; tells when it will have been read anew. */
  readonly changed: () => number;
  readonly ended: () => void;
}

export function openLooks(looking: Looking) {
  const { io, fleet, concurrency, checkout } = looking;
  const places = openPlaces(io, concurrency);

  function beginOne(kept: Kept, asked?: Asked): Promise<CheckedNow> {
    fleet.begin(kept, io.now());
    const check = lookAt(kept, looking, asked).finally(() => fleet.end(kept, io.now()));
    places.begin(() => check.then(() => undefined), looking.ended);
    return check;
  }

  return {
    begin(): void {
      if (checkout?.isMoving) return;
      const nowMs = io.now();
      let room = places.free();
      while (room > 0) {
        const kept = fleet.due(nowMs);
        if (!kept) return;
        // A changed file is read first, once it is no longer being written.
        if (!isAsRead(kept.followed)) {
          fleet.delay(kept, Math.max(looking.changed(), nowMs + 1), nowMs);
          continue;
        }
        room--;
        void beginOne(kept);
      }
    },
    /** Checks a portal before its time, because a user asks for it. */
    async checkNow(kept: Kept, asked?: Asked): Promise<CheckedNow> {
      const { followed, known } = kept;
      const isFree = !kept.isUnderWay && !checkout?.isMoving && !followed.problem;
      // The boundary of a window is left to the check that may apply it.
      const isDue = asked === "read-only" && whenDueMs(known, followed.windows) <= io.now();
      return isFree && !isDue && isAsRead(followed) ? beginOne(kept, asked) : "busy";
    },
    /** When somebody's turn is next, and there is room. */
    nextMs: () =>
      checkout?.isMoving ? Infinity : Math.max(places.freeMs(), fleet.nextMs(io.now())),
    /** A file that is wrong is told when it is read: nobody looks at its portal. */
    async tellProblems(): Promise<void> {
      for (const kept of fleet.portals.values()) {
        if (!kept.isUnderWay) await tellProblem(kept, looking);
      }
    },
    end: () => places.end(),
  };
}

/** The plan that a user has seen and wants applied. */
export interface Approval {
  readonly planDigest: string;
  readonly actor: string;
}

/** What a user wants of a check beside what it finds; absent, it applies what may be applied automatically. */
export type Asked = Approval | "read-only";

/** "outdated": the plan or the files changed, and nothing was applied. */
export type CheckedNow = Looked | "outdated" | "interrupted" | "busy";

async function lookAt(kept: Kept, looking: Looking, asked?: Asked): Promise<CheckedNow> {
  const { io, fleet, store } = looking;
  const { followed } = kept;
  const atMs = io.now();
  const note = (known: Known) => store.record(followed.key, known, []);
  const approval = asked === "read-only" ? undefined : asked;
  const mayGoOn: One["mayGoOn"] = async ({ planDigest }) => {
    if (asked === "read-only") return [];
    if (!approval) return nowAllowed(followed, atMs, looking);
    if (approval.planDigest !== planDigest) return undefined;
    const allowed = await nowAllowed(followed, atMs, { ...looking, mayApply: UNASKED });
    // A whole plan, or nothing.
    return allowed && (allowed.length === UNASKED.length ? allowed : []);
  };
  const bound = { isBound: approval !== undefined, actor: approval?.actor };
  const looked = await look(followed, kept.known, { ...looking, ...bound, atMs, mayGoOn, note });
  if (looked === "outdated") fleet.delay(kept, looking.changed(), io.now());
  else if (looked !== "interrupted") await looking.record(kept, looked, followed);
  // Where the file became wrong meanwhile, nobody has told that yet.
  if (kept.followed !== followed) await tellProblem(kept, looking);
  return looked;
}

async function tellProblem(kept: Kept, { io, record }: Looking): Promise<void> {
  const { followed, known } = kept;
  const { problem } = followed;
  if (!problem) return;
  await record(kept, withoutLook(followed, known, { problem, nowMs: io.now() }), followed);
}

/**
 * What may be carried out of a file that is still as it was read. Where nobody knows whether there is a newer one, only
 * windows may open and close, which were applied before.
 */
async function nowAllowed(
  followed: Followed,
  sinceMs: number,
  { checkout, mayApply }: Looking,
): Promise<readonly Unasked[] | undefined> {
  const pulled = await checkout?.since(sinceMs);
  if (checkout?.isMoving || !isAsRead(followed)) return undefined;
  return pulled?.is === "stuck" ? mayApply.filter((each) => each === "schedule") : mayApply;
}
