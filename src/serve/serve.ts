// Files, again and again → their portals looked at in turn, what may be carried out unasked, carried out; and what happened, told.
import { openActions } from "./actions.js";
import { openAlarm } from "./alarm.js";
import { openCheckout, type Checkout } from "./follow/checkout.js";
import type { EventStore } from "./events/event-store.js";
import type { Commits } from "./commits.js";
import type { Activity, Shown } from "./dashboard/board.js";
import { openFleet } from "./fleet.js";
import { openFollowing } from "./follow/following.js";
import { openLooks, type Looking } from "./looks.js";
import type { News } from "./news/news.js";
import { openNotifier, type Notifying } from "./notify/notify.js";
import { checkMetrics, unsentMetric } from "./dashboard/metrics.js";
import { openOwnBoard } from "./dashboard/own-board.js";
import { openStateReader } from "./dashboard/state-reader.js";
import { openRecording } from "./recording.js";
import { openRounds, type Round, type Rounds } from "./rounds.js";
import * as runNews from "./news/run-news.js";
import { Failure } from "../failure.js";
import type { Io } from "../io.js";

export interface Serving
  extends Pick<Looking, "io" | "mayApply" | "waitMs" | "concurrency" | "everyMs">, Notifying {
  readonly store: EventStore;
  /** The files meant, as they are now. */
  readonly find: () => Promise<readonly string[]>;
  readonly openRound: () => Round;
  /** Of the repository of the files. */
  readonly commits: Commits;
  /** The folder of the checkout to be kept at its newest; absent where nobody asked for that. */
  readonly pullIn?: string | undefined;
  /** Called once the files were read for the first time: where credentials may go is asked now, or not at all. */
  readonly settle: () => Promise<void>;
  readonly tell: (news: News) => void;
}

/** Of events that wait for a webhook: to count all might take as long as to send them. */
const MOST_COUNTED = 1_000;

export function openServing(serving: Serving) {
  const { io, everyMs, store, tell, pullIn } = serving;
  const fleet = openFleet(everyMs);
  const rounds = openRounds(io, serving.openRound);
  const alarm = openAlarm(io);
  const { board, changed: shown } = openOwnBoard(fleet);
  const notifier = openNotifier(serving);
  const recording = openRecording({ io, store, fleet, tell, notifier });
  const following = openFollowing(io, serving.find, recording.nameOf);
  const follow = openFollow({ following, fleet, rounds, io, tell, recording });
  const moved = () => {
    rounds.renew();
    following.soon();
    alarm.ring();
  };
  const meanwhile = "Until it is, no drift is restored and no file applied.";
  const checkout =
    pullIn === undefined ? undefined : openCheckout(io, pullIn, { meanwhile, tell, moved });
  const changed = () => {
    following.soon();
    return following.nextMs;
  };
  const ended = () => alarm.ring();
  const work = { checks: 0, failures: 0 };
  const record: Looking["record"] = async (kept, looked, followed) => {
    await recording.record(kept, looked, followed);
    work.checks++;
    if (looked.known.failures > 0) work.failures++;
    shown();
  };
  const looks = openLooks({ ...serving, fleet, rounds, checkout, record, changed, ended });
  const actions = openActions({ ...serving, fleet, rounds, looks, recording, checkout });
  let isAskedToRead = true;
  let isReady = false;
  return {
    board,
    actions,
    automatic: serving.mayApply,
    ...shownBeside(serving, { fleet, rounds, checkout, work, webhooks: notifier.names }),
    /** The files were read, so that there is something to show. */
    isReady: () => isReady,
    /** Until it is interrupted. `url`: where its page is, if it has one. */
    async run(url?: string): Promise<void> {
      io.onHangup?.(() => {
        isAskedToRead = true;
        alarm.ring();
      });
      await recording.begin();
      let notified: Promise<void> | undefined;
      await checkout?.begin();
      for (let isFirst = true; !io.signal.aborted && !recording.broken; isFirst = false) {
        if (isAskedToRead || io.now() >= following.nextMs) {
          const isMeant = isAskedToRead;
          isAskedToRead = false;
          const read = await follow(isMeant);
          if (isFirst) {
            if (read instanceof Failure) throw read;
            await serving.settle();
            notified = notifier.run();
            tell(runNews.started(serving, fleet.portals.size, url));
          }
          if (read === "read") await looks.tellProblems();
          shown();
          isReady = true;
        }
        if (checkout && io.now() >= checkout.nextMs) void checkout.look();
        looks.begin();
        await alarm.wait(Math.min(looks.nextMs(), following.nextMs, checkout?.nextMs ?? Infinity));
      }
      await Promise.all([looks.end(), checkout?.end()]);
      await rounds.close();
      if (recording.broken) throw recording.broken;
      await notified;
    },
  };
}

interface Beside {
  readonly fleet: ReturnType<typeof openFleet>;
  readonly rounds: Rounds;
  readonly checkout: Checkout | undefined;
  readonly work: { readonly checks: number; readonly failures: number };
  readonly webhooks: readonly string[];
}

/** What the dashboard shows beside the portals. */
function shownBeside(
  { io, store, commits }: Serving,
  { fleet, rounds, checkout, work, webhooks }: Beside,
): Omit<Shown, "board" | "isReady"> {
  return {
    activity: activityOf(store),
    commits: (most) => commits.newest(most),
    sourceOf: (file) => commits.of(file, fleet.portals.get(file)?.followed.marks.keys()),
    pushed: checkout && (() => void checkout.look()),
    metrics: async () => [...checkMetrics(work), unsentMetric(await unsentOf(store, webhooks))],
    remember: openStateReader(io, rounds),
  };
}

/** Absent for a store that keeps no days. */
function activityOf({ days, eventsOn }: EventStore): Activity | undefined {
  return days && eventsOn && { days, eventsOn };
}

async function unsentOf(store: Pick<EventStore, "pending">, names: readonly string[]) {
  const counted = names.map(async (name) => {
    const events = await store.pending(name, MOST_COUNTED);
    return [name, events.length] as const;
  });
  return Promise.all(counted);
}

interface Following {
  readonly following: ReturnType<typeof openFollowing>;
  readonly fleet: ReturnType<typeof openFleet>;
  readonly rounds: ReturnType<typeof openRounds>;
  readonly io: Io;
  readonly tell: (news: News) => void;
  readonly recording: ReturnType<typeof openRecording>;
}

/** Reads what has changed; where files cannot be found, those that were read last go on counting. */
function openFollow({ following, fleet, rounds, io, tell, recording }: Following) {
  let unreadable = "";
  let isBegun = false;
  return async (isMeant: boolean): Promise<Failure | "read" | "as-before"> => {
    const read = await rounds.within((tools) => following.look(tools(io.now()), isMeant));
    if (read instanceof Failure) {
      const isNew = unreadable !== read.message || isMeant;
      if (isNew && isBegun) tell(runNews.unreadable(read));
      unreadable = read.message;
      return read;
    }
    if (unreadable !== "") tell(runNews.readable());
    unreadable = "";
    if (!read) return "as-before";
    // The commit of the files is read anew as well.
    rounds.renew();
    const before = new Map([...fleet.portals].map(([file, { followed }]) => [file, followed]));
    fleet.take(read, io.now(), isMeant);
    await recording.forgetOthers();
    if (isBegun && isMeant) tell(runNews.readAgain(before, read));
    if (isBegun) runNews.fleetNews(before, read).forEach(tell);
    isBegun = true;
    return "read";
  };
}
