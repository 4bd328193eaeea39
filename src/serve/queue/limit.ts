// The limits of sign-in services → one count for all processes of a queue, by the server's clock; whoever is too many is told when to come again.
import { randomUUID } from "node:crypto";
import type { Query, QueueDatabase } from "./database.js";
import { parseJson } from "../../lib/json.js";
import type { Io } from "../../io.js";
import type { Answer, Pace } from "../../request.js";
import {
  closedForMs,
  LimitSpent,
  MARGIN_MS,
  type Limit,
  type Limiter,
} from "../../session/limiter.js";

interface Facts {
  /** The calls of the last while, each with the moment by which it has surely reached the service. */
  readonly calls: Readonly<Record<string, number>>;
  /** The service itself takes none before. */
  readonly closedUntilMs: number;
  /** The last moment that somebody was told to come at. */
  readonly promisedMs: number;
}

const NOTHING: Facts = { calls: {}, closedUntilMs: 0, promisedMs: 0 };

interface Counting {
  readonly io: Io;
  readonly database: QueueDatabase;
  /** How long a call takes at most: that of a process which was killed meanwhile counts for so long. */
  readonly callTimeoutMs: number;
}

export function openSharedLimiter(counting: Counting): Limiter {
  return {
    pace: ({ url }, operation, limit) =>
      paceAt(`${new URL(url).host} ${operation}`, limit, counting),
  };
}

function paceAt(address: string, limit: Limit, { io, database, callTimeoutMs }: Counting): Pace {
  /** Those under way here, the oldest first. */
  const own: string[] = [];
  return {
    async wait() {
      const id = randomUUID();
      const taken = await change(database, address, (facts, nowMs) =>
        take(facts, { id, nowMs, limit, callTimeoutMs }),
      );
      if (taken.untilMs === undefined) return void own.push(id);
      const { host } = new URL(`https://${address.split(" ")[0]}`);
      throw new LimitSpent(
        `"${host}" takes ${limit.calls} calls of "${address.split(" ")[1]}" in ${limit.seconds} s, and all machines of the queue together have made them.`,
        io.now() + (taken.untilMs - taken.nowMs),
      );
    },
    onResponse(answer) {
      const id = own.shift();
      const closedMs = answer ? closedForMs(answer, io.now()) : 0;
      // A call that is counted a moment too long does no harm.
      void change(database, address, (facts, nowMs) => ({
        facts: ended(facts, { id, nowMs, closedMs }),
      })).catch(() => undefined);
      if (isRefused(answer)) {
        throw new LimitSpent(
          "The sign-in service refuses more sign-ins for now (429).",
          io.now() + closedMs,
        );
      }
    },
  };
}

function isRefused(answer: Answer | undefined): boolean {
  return answer?.status === 429;
}

interface Taking {
  readonly id: string;
  readonly nowMs: number;
  readonly limit: Limit;
  readonly callTimeoutMs: number;
}

/** With the moment to come again, where there is no room. */
function take(
  { calls, closedUntilMs, promisedMs }: Facts,
  { id, nowMs, limit, callTimeoutMs }: Taking,
): { readonly facts: Facts; readonly untilMs?: number } {
  const windowMs = limit.seconds * 1000 + MARGIN_MS;
  const most = Math.max(1, limit.calls - 1);
  const live = Object.entries(calls).filter(([, ms]) => ms + windowMs > nowMs);
  const rest = { calls: Object.fromEntries(live), closedUntilMs };
  const isFull = live.length >= most;
  if (!isFull && closedUntilMs <= nowMs) {
    const own = { [id]: nowMs + callTimeoutMs };
    return { facts: { ...rest, calls: { ...rest.calls, ...own }, promisedMs } };
  }
  const freeMs = isFull ? Math.min(...live.map(([, ms]) => ms)) + windowMs : 0;
  // One after the other, as the service takes them, lest all come back at one moment, and most in vain.
  const untilMs = Math.max(closedUntilMs, freeMs, promisedMs + windowMs / most);
  return { facts: { ...rest, promisedMs: untilMs }, untilMs };
}

function ended(
  { calls, closedUntilMs, promisedMs }: Facts,
  { id, nowMs, closedMs }: { id: string | undefined; nowMs: number; closedMs: number },
): Facts {
  return {
    calls: { ...calls, ...(id !== undefined && { [id]: nowMs }) },
    closedUntilMs: closedMs > 0 ? Math.max(closedUntilMs, nowMs + closedMs) : closedUntilMs,
    promisedMs,
  };
}

/** One at a time of all processes. */
function change<T extends { readonly facts: Facts }>(
  database: QueueDatabase,
  address: string,
  make: (facts: Facts, nowMs: number) => T,
): Promise<T & { readonly nowMs: number }> {
  return database.transaction(async (query: Query) => {
    await query("INSERT INTO SCHEMA.pace (address) VALUES ($1) ON CONFLICT DO NOTHING", [address]);
    const [row] = await query<{ facts: string | null; now: string }>(
      `SELECT facts, extract(epoch FROM clock_timestamp()) * 1000 AS now FROM SCHEMA.pace
       WHERE address = $1 FOR UPDATE`,
      [address],
    );
    const nowMs = Number(row?.now);
    const facts = parseJson(row?.facts ?? "null") as Partial<Facts> | null | undefined;
    const made = make({ ...NOTHING, ...facts }, nowMs);
    await query("UPDATE SCHEMA.pace SET facts = $2, used = now() WHERE address = $1", [
      address,
      JSON.stringify(made.facts),
    ]);
    return { ...made, nowMs };
  });
}
