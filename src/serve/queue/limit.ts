// Limits the calls to sign-in services across all processes of a queue, by the server's clock. Never waits: it names the time to try again.
import { randomUUID } from "node:crypto";
import type { QueueDatabase } from "./database.js";
import { paceIn } from "./shapes.js";
import type { Io } from "../../io.js";
import { DAY_MS } from "../../moment.js";
import type { Pace } from "../../request.js";
import {
  closedForMs,
  LimitSpent,
  MARGIN_MS,
  type Limit,
  type Limiter,
} from "../../session/limiter.js";

interface Facts {
  /** Recent calls, each with the time by which it has certainly reached the service. */
  readonly calls: Readonly<Record<string, number>>;
  /** Until then the service itself refuses calls. */
  readonly closedUntilMs: number;
  /** The latest time that was given to a call over the limit. */
  readonly promisedMs: number;
}

const NOTHING: Facts = { calls: {}, closedUntilMs: 0, promisedMs: 0 };

interface Counting {
  readonly io: Io;
  readonly database: QueueDatabase;
  /** The longest time of a call. A call of a killed process counts for this long. */
  readonly callTimeoutMs: number;
}

export function openSharedLimiter(counting: Counting): Limiter {
  return {
    pace: ({ url }, operation, limit) => paceAt(new URL(url).host, operation, limit, counting),
  };
}

function paceAt(
  host: string,
  operation: string,
  limit: Limit,
  { io, database, callTimeoutMs }: Counting,
): Pace {
  const counted = { address: `${host} ${operation}`, windowMs: limit.seconds * 1000 + MARGIN_MS };
  const most = Math.max(1, limit.calls - 1);
  /** Running calls of this process, oldest first. */
  const own: string[] = [];

  /** When a call over the limit may try again. Times differ, so that not all calls return at once. */
  function whenFree({ calls, closedUntilMs, promisedMs }: Facts, nowMs: number) {
    const ends = Object.values(calls);
    const isFull = ends.length >= most;
    if (!isFull && closedUntilMs <= nowMs) return undefined;
    const freeMs = isFull ? Math.min(...ends) + counted.windowMs : 0;
    return Math.max(closedUntilMs, freeMs, promisedMs + counted.windowMs / most);
  }

  return {
    async wait() {
      const id = randomUUID();
      const waitMs = await change(database, counted, (facts, nowMs) => {
        const untilMs = whenFree(facts, nowMs);
        if (untilMs !== undefined) return [{ ...facts, promisedMs: untilMs }, untilMs - nowMs];
        return [{ ...facts, calls: { ...facts.calls, [id]: nowMs + callTimeoutMs } }, undefined];
      });
      if (waitMs === undefined) return void own.push(id);
      throw new LimitSpent(
        `"${host}" takes ${limit.calls} calls of "${operation}" in ${limit.seconds} s, and all machines of the queue together have made them.`,
        io.now() + waitMs,
      );
    },
    onResponse(answer) {
      const id = own.shift();
      const closedMs = answer ? closedForMs(answer, io.now()) : 0;
      const ended = change(database, counted, (facts, nowMs) => {
        const calls = { ...facts.calls, ...(id !== undefined && { [id]: nowMs }) };
        const untilMs = closedMs > 0 ? nowMs + closedMs : 0;
        const closedUntilMs = Math.max(facts.closedUntilMs, untilMs);
        return [{ ...facts, calls, closedUntilMs }, undefined];
      });
      // Counting a call slightly too long does no harm.
      ended.catch(() => undefined);
      if (answer?.status !== 429) return;
      const message = "The sign-in service refuses more sign-ins for now (429).";
      throw new LimitSpent(message, io.now() + closedMs);
    },
  };
}

/** Changes the facts, one process at a time. Drops calls that no longer count. */
function change<T>(
  { transaction }: QueueDatabase,
  { address, windowMs }: { readonly address: string; readonly windowMs: number },
  make: (facts: Facts, nowMs: number) => readonly [Facts, T],
): Promise<T> {
  return transaction(async (query) => {
    await query("INSERT INTO SCHEMA.pace (address) VALUES ($1) ON CONFLICT DO NOTHING", [address]);
    const [row] = await query<{ facts: string | null; now: string }>(
      `SELECT facts, extract(epoch FROM clock_timestamp()) * 1000 AS now FROM SCHEMA.pace
       WHERE address = $1 FOR UPDATE`,
      [address],
    );
    const nowMs = Number(row?.now);
    const read = (paceIn(row?.facts ?? null, nowMs + DAY_MS) ?? NOTHING) as Facts;
    const live = Object.entries(read.calls).filter(([, ms]) => ms + windowMs > nowMs);
    const [facts, result] = make({ ...read, calls: Object.fromEntries(live) }, nowMs);
    await query("UPDATE SCHEMA.pace SET facts = $2, used = now() WHERE address = $1", [
      address,
      JSON.stringify(facts),
    ]);
    return result;
  });
}
