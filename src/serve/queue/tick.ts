// Each second, in whichever process comes first: what the dead had is put back, what is due is queued; each minute, what is over is dropped.
import type { Boss } from "./boss.js";
import type { Link } from "./link.js";
import { freeOrphans, freeUnqueued, queueDue } from "./portals.js";

export interface Ticking {
  readonly link: Link;
  readonly boss: Boss;
  /** The schema of its jobs. */
  readonly jobs: string;
}

/** Whether anything new may be begun. */
export interface Tick {
  readonly isDraining: boolean;
  /** How often each portal is looked at. */
  readonly everyMs: number;
}

/** In the key of the lock that keeps two processes from doing the same: no process has this number. */
const TICK = 2 ** 31 - 1;

export async function tick({ link, boss, jobs }: Ticking): Promise<Tick> {
  const done = await link.together(async (ask) => {
    const [queue] = await ask<Omit<Tick, "everyMs"> & Turn>(
      `SELECT is_draining AS "isDraining", pg_try_advisory_xact_lock(locks, ${TICK}) AS "isMine",
         minute < date_trunc('minute', now()) AS "isNewMinute", every_ms AS "everyMs" FROM queue`,
    );
    if (!queue) throw new TypeError("a queue has one row");
    if (!queue.isMine) return { ...queue, isNewMinute: false };
    await freeOrphans(ask, boss);
    await ask("DELETE FROM process WHERE number NOT IN (SELECT number FROM alive)");
    if (!queue.isDraining) await queueDue(ask, boss);
    if (queue.isNewMinute) {
      await ask("UPDATE queue SET minute = date_trunc('minute', now())");
      await freeUnqueued(ask, jobs);
      await ask(
        "DELETE FROM event WHERE recorded < now() - (SELECT keep_ms FROM queue) * interval '1 millisecond'",
      );
      await ask("DELETE FROM pace WHERE used < now() - interval '1 day'");
    }
    return queue;
  });
  if (done.isNewMinute) await boss.maintain();
  return { isDraining: done.isDraining, everyMs: Number(done.everyMs) };
}

interface Turn {
  readonly isMine: boolean;
  readonly isNewMinute: boolean;
  readonly everyMs: string;
}
