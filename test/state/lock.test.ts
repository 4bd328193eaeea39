// Locks that end by themselves, as a bucket keeps them: who is taken for dead, and who is not.
import { existsSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Machine } from "../../src/io.js";
import type { Holder } from "../../src/state/store.js";
import { makeRun, type Run } from "../support/network.js";
import { machine } from "./places.js";
import { s3Place } from "./s3-place.js";
import { KEYS, startS3Server } from "./s3-server.js";
import { holderFor } from "./samples.js";

type Bucket = ReturnType<typeof s3Place>;

const ELSEWHERE: Partial<Holder> = { bootId: "another", host: "other" };
const locked = { code: "state-locked" };

/** A place whose lock is held by a run that cannot be asked. */
async function plantLock(holder: Partial<Holder>, text?: string): Promise<Bucket> {
  const server = await startS3Server();
  onTestFinished(() => server.close());
  const place = s3Place(server);
  const lock = { ...holderFor(machine), ...holder, beat: 1, isReleased: false };
  setLock(place, text ?? JSON.stringify(lock));
  return place;
}

function setLock({ server, name }: Bucket, text: string): void {
  server.objects.set(name.replace(/json$/, "lock"), text);
}

/** Asks for the lock while the time of the run passes in no time. */
function ask(place: Bucket, timeoutMs: number, run = newRun(), more: Partial<Machine> = {}) {
  const notices: string[] = [];
  const clock = { ...machine, elapsedMs: () => run.now(), ...more };
  const store = place.open({ io: run.io, machine: clock, notices });
  return { run, notices, asked: store.lock(holderFor(machine, "bob"), { timeoutMs }) };
}

const newRun = () => makeRun(KEYS, Date.now());

/** A run that does something each time it waits. */
function whileWaiting(action: () => void): Run {
  const run = newRun();
  const io = {
    ...run.io,
    sleep: (ms: number, signal: AbortSignal) => {
      action();
      return run.io.sleep(ms, signal);
    },
  };
  return { ...run, io };
}

describe("the dead are taken over from, with a notice", () => {
  test.runIf(existsSync("/proc/self/stat"))(
    "a process whose number another one has by now",
    async () => {
      const { asked, run, notices } = ask(await plantLock({ startTime: "1" }), 0);
      await asked;
      expect(run.slept).toEqual([]);
      expect(notices.at(-1)).toMatch(/^Took over the lock of "ada".*: its process is gone\.$/);
    },
  );

  test("one elsewhere, once its heartbeat was seen to stand still for a lease", async () => {
    const place = await plantLock(ELSEWHERE);
    await expect(ask(place, 29_000).asked).rejects.toMatchObject(locked);
    const { asked, run, notices } = ask(place, 60_000);
    await asked;
    const waitedMs = run.slept.reduce((sum, ms) => sum + ms, 0);
    expect(waitedMs).toBeGreaterThanOrEqual(30_000);
    expect(waitedMs).toBeLessThan(34_000);
    expect(notices.at(-1)).toMatch(/: it gave no sign of life for 30 seconds\.$/);
  });

  test("one in another container of this machine, by its heartbeat and not by its number", async () => {
    const place = await plantLock({ pid: 999_999_999, pidNamespace: "pid:[1]" });
    await expect(ask(place, 20_000).asked).rejects.toMatchObject(locked);
    await ask(place, 60_000).asked;
  });

  test.each(["", "\u0000\u0000\u0000", "{}", "null", '{"pid": "1"}', "x".repeat(100_000)])(
    "a lock that cannot be read, by its heartbeat (%#)",
    async (text) => {
      const place = await plantLock({}, text);
      await expect(ask(place, 20_000).asked).rejects.toMatchObject(locked);
      await ask(place, 60_000).asked;
    },
  );

  test("on a system without /proc, by the number of the process", async () => {
    const plain: Partial<Machine> = {
      bootId: undefined,
      pidNamespace: undefined,
      startTime: undefined,
    };
    const holder = { ...holderFor(machine), pid: 4711 };
    const { bootId: _boot, pidNamespace: _namespace, startTime: _start, ...here } = holder;
    const text = (holder: object) => JSON.stringify({ ...holder, beat: 1, isReleased: false });
    const gone = { ...plain, isRunning: (pid: number) => pid !== 4711 };
    await ask(await plantLock({}, text(here)), 0, newRun(), gone).asked;
    const alive = { ...plain, isRunning: (pid: number) => pid === 4711 };
    const own = ask(await plantLock({}, text(here)), 0, newRun(), alive).asked;
    await expect(own).rejects.toMatchObject(locked);
    const other = await plantLock({}, text({ ...here, host: "another" }));
    await expect(ask(other, 0, newRun(), gone).asked).rejects.toMatchObject(locked);
  });
});

describe("the living are not robbed", () => {
  test("one elsewhere whose heartbeat goes on", async () => {
    const place = await plantLock(ELSEWHERE);
    const lock = { ...holderFor(machine), ...ELSEWHERE, isReleased: false };
    let beat = 1;
    const run = whileWaiting(() => setLock(place, JSON.stringify({ ...lock, beat: ++beat })));
    await expect(ask(place, 300_000, run).asked).rejects.toMatchObject(locked);
  });

  test("one elsewhere, because our own wall clock was set", async () => {
    const place = await plantLock(ELSEWHERE);
    let elapsedMs = 0;
    const run = whileWaiting(() => (elapsedMs += 500));
    const years = { ...run, io: { ...run.io, now: () => Date.now() + elapsedMs } };
    const { asked } = ask(place, 20_000, years, { elapsedMs: () => elapsedMs });
    await expect(asked).rejects.toMatchObject(locked);
  });

  test("one that slept as long as we did", async () => {
    const place = await plantLock(ELSEWHERE);
    let elapsedMs = 0;
    // Every look comes an hour after the one before.
    const run = whileWaiting(() => (elapsedMs += 3_600_000));
    const { asked } = ask(place, 10 * 3_600_000, run, { elapsedMs: () => elapsedMs });
    await expect(asked).rejects.toMatchObject(locked);
  });
});

test("of many that see the same dead holder one alone takes over", async () => {
  for (let round = 0; round < 10; round++) {
    const place = await plantLock({ pid: 999_999_999, startTime: "1" });
    const asked = Array.from({ length: 10 }, () => place.open().lock(holderFor(machine)));
    const answers = await Promise.allSettled(asked);
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const each of answers)
      if (each.status === "rejected") expect(each.reason).toMatchObject(locked);
  }
});

test("since when a lock is held is said by the clock of the run that waits", async () => {
  const run = newRun();
  const nepal = { ...run, io: { ...run.io, zone: () => 345 } };
  const place = await plantLock({ ...ELSEWHERE, since: "2026-06-30T23:05:06.789Z" });
  await expect(ask(place, 0, nepal).asked).rejects.toMatchObject({
    code: "state-locked",
    message: expect.stringContaining("since 2026-07-01 04:50 +05:45") as string,
  });
});
