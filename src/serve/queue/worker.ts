// The jobs of pools → their portals looked at, side by side within a bound, and what came of it recorded; until it is interrupted.
import { openAlarm } from "../alarm.js";
import { openDrains } from "../news/queue-news.js";
import { openPlaces } from "../places.js";
import { carryOut, type CarryingOut } from "./job.js";
import { claim, endClaim, release, type Claimed } from "./portals.js";
import type { Presence } from "./presence.js";
import { tick, type Ticking } from "./tick.js";
import { caught } from "../../failure.js";

export interface Working extends Ticking, Omit<CarryingOut, "everyMs" | "link" | "boss"> {
  readonly presence: Presence;
  readonly pools: readonly string[];
  readonly concurrency: number;
}

/** Where nothing is to be done, so often the queue is asked; two do not ask at the same moment again and again. */
const POLL_MS = 1_000;
/** After an error that nobody foresaw. */
const AFTER_BUG_MS = 60_000;

export function openWorker(working: Working) {
  const { io, link, boss, presence, pools, concurrency, tell } = working;
  const alarm = openAlarm(io);
  const places = openPlaces(io, concurrency);
  const underWay = new Set<string>();
  let nextPool = 0;
  let everyMs = 0;

  async function work(claimed: Claimed): Promise<void> {
    try {
      await carryOut(claimed, { ...working, everyMs: () => everyMs });
    } catch (error) {
      working.complain(caught(error, io));
      const later = { nextMs: claimed.atMs + AFTER_BUG_MS, isPutOff: true, journal: null };
      // Otherwise it is put back, as what a process has and does not know of.
      await link.together((ask) => endClaim(ask, claimed, later)).catch(() => undefined);
    }
  }

  function begin(claimed: Claimed): void {
    underWay.add(claimed.job);
    places.begin(
      () => work(claimed).finally(() => void underWay.delete(claimed.job)),
      () => alarm.ring(),
    );
  }

  /** Of all pools in turn, so that none waits for the end of another. */
  async function claimSome(): Promise<number> {
    let begun = 0;
    for (const _ of pools) {
      const most = places.free();
      if (most === 0 || io.signal.aborted) break;
      const pool = pools[nextPool++ % pools.length] ?? "";
      const { number: process } = presence;
      const claimed = await link.together((ask) => claim(ask, boss, { pool, process, most }));
      claimed.forEach(begin);
      begun += claimed.length;
    }
    return begun;
  }

  /** Puts back what it has and does not know of. */
  function putBack(why: string, butFor: readonly string[] = []): Promise<void> {
    const what = { process: presence.number, butFor, why };
    return link.together((ask) => release(ask, boss, what));
  }

  return {
    async run(): Promise<void> {
      let [isDraining, nextTickMs] = [true, 0];
      const drains = openDrains(tell);
      while (!io.signal.aborted) {
        if (io.now() >= nextTickMs) {
          await presence.assure();
          ({ isDraining, everyMs } = await tick(working));
          drains(isDraining);
          await putBack("the connection was lost when it was fetched", [...underWay]);
          nextTickMs = io.now() + Math.round(POLL_MS * (0.75 + io.random() / 2));
        }
        if (!isDraining && (await claimSome()) > 0 && places.free() > 0) continue;
        await alarm.wait(nextTickMs);
      }
      await places.end();
      await putBack("its worker was stopped");
      await presence.end();
    },
    underWay: () => underWay.size,
  };
}
