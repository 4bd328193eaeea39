// The limit of a sign-in service, counted by one database for all processes: no more than it takes, whoever asks; the rest is told when to come again, one after the other.
import { expect, test } from "vitest";
import { openSharedLimiter } from "../../../src/serve/queue/limit.js";
import type { Queue } from "../../../src/serve/queue/queue.js";
import { LimitSpent } from "../../../src/session/limiter.js";
import { ioFor } from "../../run/call.js";
import { queuePlace } from "./queue-place.js";

const AT = { url: "https://accounts.example.com/loginadmin" };
const LIMIT = { calls: 11, seconds: 60 };

function limiterOf({ link }: Queue) {
  const { io } = ioFor({ cwd: "/" });
  const limiter = openSharedLimiter({ io, link, callTimeoutMs: 30_000 });
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

test("two processes together make no more calls than one may, and whoever is too many comes when there is room, one after the other", async () => {
  const place = await queuePlace();
  const limiters = [await place.open(), await place.open("nothing")].map(limiterOf);
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

test("a service that says it is closed is left alone by all processes, for as long as it asks", async () => {
  const place = await queuePlace();
  const [first, second] = [await place.open(), await place.open("nothing")];
  const pace = limiterOf(first)();
  expect(await ask(pace)).toBeUndefined();
  const answer = { status: 429, headers: { "retry-after": "120" }, text: "" };
  expect(() => pace.onResponse(answer)).toThrow(LimitSpent);
  await first.link.ask("SELECT 1");
  expect(await ask(limiterOf(second)())).toBeGreaterThan(115_000);
});
