// Locks of files: who is taken for dead, who is not, and what happens to those who only slept.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Machine } from "../../src/io.js";
import { settle } from "../../src/state/steps.js";
import type { Holder } from "../../src/state/store.js";
import { makeRun, type Run } from "../support/network.js";
import { filePlace, machine, newFolder, send, type Child, type Place } from "./places.js";
import { holderFor, PORTAL, SETTLEMENT, stateAfter } from "./samples.js";

const LOCKS = `${PORTAL.key}.lock`;
const DEAD: Partial<Holder> = { startTime: "1" };
const ELSEWHERE: Partial<Holder> = { bootId: "another", host: "other" };
const hasProc = existsSync("/proc/self/stat");

/** A folder whose lock is held by somebody who cannot be asked. */
function plantLock(holder: Partial<Holder>, text?: string): { folder: string; path: string } {
  const folder = newFolder();
  const path = join(folder, LOCKS, "1");
  mkdirSync(join(folder, LOCKS));
  writeFileSync(path, text ?? `${JSON.stringify({ ...holderFor(machine), ...holder })}\n`);
  return { folder, path };
}

/** Asks for the lock while the time of the run passes in no time. */
function ask(folder: string, timeoutMs: number, run = makeRun(), more: Partial<Machine> = {}) {
  const notices: string[] = [];
  const clock = { ...machine, elapsedMs: () => run.now(), ...more };
  const store = filePlace(folder).open({ io: run.io, machine: clock, notices });
  return { run, notices, asked: store.lock(holderFor(machine, "bob"), { timeoutMs }) };
}

/** A run that does something each time it waits. */
function whileWaiting(action: (run: Run) => void): Run {
  const run = makeRun();
  const io = {
    ...run.io,
    sleep: (ms: number, signal: AbortSignal) => {
      action(run);
      return run.io.sleep(ms, signal);
    },
  };
  return { ...run, io };
}

const locked = { code: "state-locked" };

describe("the dead are taken over from, with a notice", () => {
  test("a process that was killed", async () => {
    const place = filePlace();
    const child = await send({
      address: place.address,
      portalUrl: PORTAL.url,
      rounds: 1,
      stays: true,
    });
    await child.says("locked");
    await expect(place.open().lock(holderFor(machine))).rejects.toMatchObject(locked);
    child.process.kill("SIGKILL");
    await child.ended;
    const notices: string[] = [];
    await place.open({ notices }).lock(holderFor(machine));
    expect(notices).toEqual([
      expect.stringMatching(
        /^Took over the lock of "child" on ".*" since .*: its process is gone\.$/,
      ),
    ]);
  });

  test("a process whose number another one has by now", async () => {
    const { asked, run } = ask(plantLock(DEAD).folder, 0);
    await asked;
    expect(run.slept).toEqual([]);
  });

  test("one elsewhere, once its heartbeat was seen to stand still for a lease", async () => {
    const { folder } = plantLock(ELSEWHERE);
    await expect(ask(folder, 29_000).asked).rejects.toMatchObject(locked);
    const { asked, run, notices } = ask(folder, 60_000);
    await asked;
    const waitedMs = run.slept.reduce((sum, ms) => sum + ms, 0);
    expect(waitedMs).toBeGreaterThanOrEqual(30_000);
    expect(waitedMs).toBeLessThan(31_000);
    expect(notices.at(-1)).toMatch(/: it gave no sign of life for 30 seconds\.$/);
  });

  test("one in another container of this machine, by its heartbeat and not by its number", async () => {
    const { folder } = plantLock({ pid: 999_999_999, pidNamespace: "pid:[1]" });
    await expect(ask(folder, 20_000).asked).rejects.toMatchObject(locked);
    await ask(folder, 60_000).asked;
  });

  test.each(["", "\u0000\u0000\u0000", "{}", "null", '{"pid": "1"}', "x".repeat(100_000)])(
    "a lock that nobody can read, by its heartbeat (%#)",
    async (text) => {
      const { folder } = plantLock({}, text);
      await expect(ask(folder, 20_000).asked).rejects.toMatchObject(locked);
      await ask(folder, 60_000).asked;
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
    const text = (holder: object) => `${JSON.stringify(holder)}\n`;
    const gone = { ...plain, isRunning: (pid: number) => pid !== 4711 };
    await ask(plantLock({}, text(here)).folder, 0, makeRun(), gone).asked;
    const alive = { ...plain, isRunning: (pid: number) => pid === 4711 };
    const own = ask(plantLock({}, text(here)).folder, 0, makeRun(), alive).asked;
    await expect(own).rejects.toMatchObject(locked);
    const other = plantLock({}, text({ ...here, host: "another" })).folder;
    await expect(ask(other, 0, makeRun(), gone).asked).rejects.toMatchObject(locked);
  });
});

describe("the living are not robbed", () => {
  test("one elsewhere whose heartbeat goes on, whatever its clock shows", async () => {
    for (const stepS of [5, -3600, 1e9]) {
      const { folder, path } = plantLock(ELSEWHERE);
      let beat = 1e6;
      const run = whileWaiting(() => utimesSync(path, (beat += stepS / 1000), beat));
      await expect(ask(folder, 600_000, run).asked).rejects.toMatchObject(locked);
    }
  });

  test("one elsewhere, because our own wall clock was set", async () => {
    const { folder } = plantLock(ELSEWHERE);
    let elapsedMs = 0;
    const run = whileWaiting(() => (elapsedMs += 500));
    const years = { ...run, io: { ...run.io, now: () => elapsedMs * 1e9 } };
    const { asked } = ask(folder, 20_000, years, { elapsedMs: () => elapsedMs });
    await expect(asked).rejects.toMatchObject(locked);
  });

  test("one that slept as long as we did", async () => {
    const { folder } = plantLock(ELSEWHERE);
    let elapsedMs = 0;
    // Every look comes an hour after the one before.
    const run = whileWaiting(() => (elapsedMs += 3_600_000));
    const { asked } = ask(folder, 10 * 3_600_000, run, { elapsedMs: () => elapsedMs });
    await expect(asked).rejects.toMatchObject(locked);
  });

  test("one on this machine that runs, and beats", async () => {
    const place = filePlace();
    let [beats, stops]: [() => void, number] = [() => {}, 0];
    const beating: Machine = {
      ...machine,
      every: (ms, action) => {
        expect(ms).toBeLessThan(10_000);
        beats = action;
        return () => (stops += 1);
      },
    };
    const store = place.open({ machine: beating });
    const holder = holderFor(machine);
    await store.lock(holder);
    const path = join(place.folder, LOCKS, "1");
    const run = whileWaiting(beats);
    // A beat is on its way while the other one looks, and there are many looks to a lease.
    await expect(ask(place.folder, 300_000, run).asked).rejects.toMatchObject(locked);
    expect(readFileSync(path, "utf8")).toBe(`${JSON.stringify(holder)}\n`);
    await store.unlock(holder);
    expect(stops).toBe(1);
  });
});

describe("many who see the same dead holder", () => {
  test("one alone takes over, and the others find it alive", async () => {
    for (let round = 0; round < 40; round++) {
      const { folder } = plantLock(DEAD);
      const stores = Array.from({ length: 20 }, () => filePlace(folder).open());
      const asked = stores.map((store) => store.lock(holderFor(machine)));
      const answers = await Promise.allSettled(asked);
      expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const each of answers)
        if (each.status === "rejected") expect(each.reason).toMatchObject(locked);
      expect(readdirSync(join(folder, LOCKS))).toEqual(["2"]);
    }
  });

  test(
    "as processes of their own they come one after the other",
    { timeout: 120_000 },
    async () => {
      for (let round = 0; round < 4; round++) {
        const { folder } = plantLock(DEAD);
        const errand = {
          address: `file:${folder}`,
          portalUrl: PORTAL.url,
          rounds: 2,
          marker: join(folder, "held"),
        };
        const children = await Promise.all(Array.from({ length: 8 }, () => send(errand)));
        await Promise.all(children.map(({ ended }) => ended));
        expect((await filePlace(folder).open().read())?.serial).toBe(16);
      }
    },
  );
});

describe.skipIf(!hasProc)("a process that falls asleep", () => {
  const comeAndGo = async (place: Place): Promise<void> => {
    const run = makeRun();
    const store = place.open({ io: run.io, machine: { ...machine, elapsedMs: () => run.now() } });
    const holder = holderFor(machine, "eve");
    await store.lock(holder, { timeoutMs: 60_000 });
    await store.unlock(holder);
  };
  const asleep = async ({ process: child }: Child): Promise<void> => {
    const state = () => readFileSync(`/proc/${child.pid}/stat`, "utf8").replace(/.*\) /s, "")[0];
    while (child.exitCode === null && state() !== "T") await sleep(2);
  };

  test(
    "at any call to the file system, and wakes after others went on, overwrites nothing",
    { timeout: 300_000 },
    async () => {
      const rehearsal = filePlace();
      const errand = { portalUrl: PORTAL.url, rounds: 1 };
      const { said } = await (await send({ ...errand, address: rehearsal.address })).ended;
      const calls = JSON.parse(/^calls (.*)$/m.exec(said)?.[1] ?? "[]") as string[];
      const ends: Record<string, number> = {};

      const sleepAndWake = async (call: number, isFirst: boolean): Promise<void> => {
        const place = filePlace();
        if (!isFirst) await comeAndGo(place);
        const halts = { call, when: "before", by: "SIGSTOP" } as const;
        const child = await send({ ...errand, address: place.address, halts });
        onTestFinished(() => void child.process.kill("SIGKILL"));
        await asleep(child);
        // Its process runs, in a way: only its heartbeat tells, after a lease that passes in no time.
        // Others come and go meanwhile, and clear away the locks that it saw.
        for (let times = 0; times < 2; times++) await comeAndGo(place);
        const store = place.open();
        const holder = holderFor(machine, "bob");
        await store.lock(holder);
        const before = (await store.read()) ?? stateAfter(0);
        const first = settle(before, { ...SETTLEMENT, planDigest: "bob's first" });
        await store.write(first, before.serial);
        child.process.kill("SIGCONT");
        await Promise.race([child.ended, sleep(150)]);
        expect(await store.read()).toEqual(first);
        const second = settle(first, { ...SETTLEMENT, planDigest: "bob's second" });
        await store.write(second, first.serial);
        await store.unlock(holder);
        const { said } = await child.ended;
        const end = /^failed (.*)$/m.exec(said)?.[1] ?? "done";
        ends[end] = (ends[end] ?? 0) + 1;
        const last = await place.open().read();
        expect(last?.history.slice(0, second.serial)).toEqual(second.history);
        expect(last?.history).toHaveLength(last?.serial ?? 0);
        expect(await place.open().holder()).toBeUndefined();
      };
      const every = calls.map((_, at) => at + 1);
      for (let at = 0; at < every.length; at += 4) {
        await Promise.all(
          every
            .slice(at, at + 4)
            .flatMap((call) => [sleepAndWake(call, true), sleepAndWake(call, false)]),
        );
      }
      expect(Object.keys(ends).toSorted()).toEqual(["done", "state-conflict", "state-lock-lost"]);
      expect(ends["state-lock-lost"]).toBeGreaterThan(5);
    },
  );
});

test("since when a lock is held is told by the clock of whoever has to wait", async () => {
  const run = makeRun();
  const nepal = { ...run, io: { ...run.io, zone: () => 345 } };
  const { folder } = plantLock({ ...ELSEWHERE, since: "2026-06-30T23:05:06.789Z" });
  await expect(ask(folder, 0, nepal).asked).rejects.toMatchObject({
    code: "state-locked",
    message: expect.stringContaining("since 2026-07-01 04:50 +05:45") as string,
  });
});
