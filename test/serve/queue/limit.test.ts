// The limit of a sign-in service, counted in one database for all processes.
import { EventEmitter, once } from "node:events";
import { expect, test } from "vitest";
import { openSharedLimiter } from "../../../src/serve/queue/limit.js";
import type { QueueDatabase } from "../../../src/serve/queue/database.js";
import { LimitSpent } from "../../../src/session/limiter.js";
import { ioFor } from "../../run/call.js";
import { queuePlace } from "./queue-place.js";

const AT = { url: "https://accounts.example.com/loginadmin" };
const LIMIT = { calls: 11, seconds: 60 };

function limiterOf({ database }: { readonly database: QueueDatabase }) {
  const { io } = ioFor({ cwd: "/" });
  const limiter = openSharedLimiter({ io, database, callTimeoutMs: 30_000 });
  return () => limiter.pace(AT, "loginadmin", LIMIT);
}

/** Undefined where it may go on; otherwise in how many milliseconds it is to come again. */
async function ask(pace: ReturnType<ReturnType<typeof limiterOf>>): Promise<number | undefined> {
  try {
    return await pace.wait().then(() => undefined);
  } catch (error) {
    if (!(error instanceof LimitSpent)) throw error;
    return error.untilMs - Date.now();
  }
}

test("limits the calls of two processes together, and spreads the others", async () => {
  const place = await queuePlace();
  const limiters = [await place.open(), await place.open()].map(limiterOf);
  const asked = await Promise.all(
    Array.from({ length: 30 }, (_, at) => ask((limiters[at % 2] ?? limiters[0])!())),
  );
  expect(asked.filter((ms) => ms === undefined)).toHaveLength(LIMIT.calls - 1);
  const later = asked.filter((ms) => ms !== undefined).toSorted((one, other) => one - other);
  // A call that nobody has ended counts for as long as it could take, and a window after that.
  expect(later[0]).toBeGreaterThan(60_000);
  const gaps = later.slice(1).map((ms, at) => ms - (later[at] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(5_000);
});

test("leaves a service alone in all processes for as long as it asks", async () => {
  const place = await queuePlace();
  const [first, second] = [await place.open(), await place.open()];
  const pace = limiterOf(first)();
  expect(await ask(pace)).toBeUndefined();
  const answer = { status: 429, headers: { "retry-after": "120" }, text: "" };
  expect(() => pace.onResponse(answer)).toThrow(LimitSpent);
  await first.database.query("SELECT 1");
  expect(await ask(limiterOf(second)())).toBeGreaterThan(115_000);
});

test("a process that is suspended with the lock of the limit delays the others by seconds only", async () => {
  const place = await queuePlace();
  const [suspended, other] = [await place.open(), await place.open()];
  expect(await ask(limiterOf(other)())).toBeUndefined();
  const moments = new EventEmitter();
  const [locked, resumed] = [once(moments, "locked"), once(moments, "resumed")];
  const held = suspended.database.transaction(async (query) => {
    await query("SELECT FROM SCHEMA.pace FOR UPDATE");
    moments.emit("locked");
    await resumed;
    await query("SELECT 1");
  });
  await locked;
  // Without an end of the suspended session it would wait until the test is over.
  expect(await ask(limiterOf(other)())).toBeUndefined();
  moments.emit("resumed");
  await held;
});
