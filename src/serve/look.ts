// What is known of one portal → a look at it, what may be carried out there carried out → what is known then, and what is to be told.
import { passedBoundaries } from "./due.js";
import type { Followed } from "./follow/files.js";
import type { Known } from "./known.js";
import { newestOf } from "./news/applied.js";
import { eventOf, type Event, type Told } from "./news/event.js";
import { newsOf, troubleOf } from "./news/news.js";
import { failed } from "./news/run-news.js";
import type { Rounds } from "./rounds.js";
import { seenAfter, seenStopped, seenWithout } from "./seen.js";
import { afterFailureMs, nextTurnMs } from "./turn.js";
import { caught } from "../failure.js";
import type { Io } from "../io.js";
import { reconcile, type Reconciled, type Reconciling, type Stopped } from "../apply/reconcile.js";

export interface Looking extends Reconciling {
  readonly io: Io;
  readonly rounds: Pick<Rounds, "within">;
  readonly everyMs: number;
  /** As of which moment. */
  readonly atMs: number;
  /** The user who asked for it, and saw the plan. */
  readonly actor?: string | undefined;
  /** Keeps what is known before anything is carried out for the first time, so that it is told whoever dies meanwhile. */
  readonly note: (known: Known) => Promise<void>;
}

/** To be recorded in one step, before anybody is told. */
export interface Looked {
  readonly known: Known;
  readonly events: readonly Event[];
}

/** "outdated": the files were changed meanwhile, so that nothing was carried out, and what was found counts for nothing. */
export async function look(
  followed: Followed,
  before: Known,
  looking: Looking,
): Promise<Looked | "outdated" | "interrupted"> {
  const { io, rounds, everyMs, atMs, actor } = looking;
  let known = before;
  const mayGoOn: Reconciling["mayGoOn"] = async (found) => {
    const may = await looking.mayGoOn(found);
    if (may && may.length > 0 && !known.standing.applied) {
      known = { ...known, standing: { ...known.standing, applied: newestOf(found.state) } };
      await looking.note(known);
    }
    return may;
  };
  const reconciled = await rounds
    .within((contextAt) => {
      const run = { ...contextAt(atMs), actor };
      return reconcile(run, followed.file, { ...looking, mayGoOn });
    })
    .catch((error: unknown): Reconciled => failed(followed, caught(error, io)));
  if (!reconciled) return "outdated";
  const { portal, failure, isStopped } = reconciled;
  if (io.signal.aborted && failure?.code === "interrupted") return "interrupted";
  const nowMs = io.now();
  const boundaries = passedBoundaries(followed.windows, before.lookedMs, atMs);
  const { lookedMs } = before;
  const { news, standing } = newsOf(known.standing, { reconciled, boundaries, lookedMs });
  const { key } = followed;
  const failures = failure && !isStopped ? before.failures + 1 : 0;
  const turnMs =
    failures > 0 ? nowMs + afterFailureMs(key, failures, everyMs) : nextTurnMs(key, everyMs, nowMs);
  const times = { lookedMs: atMs, turnMs };
  const seen = seenAfter(before.seen, { followed, reconciled, times, nowMs });
  const after = { ...times, standing, failures, seen };
  return { known: after, events: news.map((each) => about({ ...followed, portal }, each, nowMs)) };
}

/** Where its file is wrong nobody looks. */
export function withoutLook(
  followed: Followed,
  before: Known,
  { problem, nowMs }: { readonly problem: Stopped; readonly nowMs: number },
): Looked {
  const { news, standing } = troubleOf(before.standing, problem, false);
  const seen = seenWithout(before.seen, followed, problem, nowMs);
  const events = news.map((each) => about(followed, each, nowMs));
  return { known: { ...before, standing, seen }, events };
}

/** Shows what a look found, and that nothing of it is applied before a person has decided. */
export function stoppedLook(
  { known }: Looked,
  followed: Followed,
  before: Known,
  { problem, nowMs }: { readonly problem: Stopped; readonly nowMs: number },
): Looked {
  const { news, standing } = troubleOf(before.standing, problem, true);
  const seen = seenStopped(known.seen, before.seen, problem, nowMs);
  const events = news.map((each) => about(followed, each, nowMs));
  return { known: { ...known, failures: 0, standing, seen }, events };
}

function about({ key, portal, file }: Followed, told: Told, timeMs: number): Event {
  return eventOf(told, { key, about: { portal, file }, timeMs });
}
