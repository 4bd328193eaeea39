// What a backend that locks promises, with rude questions.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { printState } from "../../src/state/format.js";
import { identityOf } from "../../src/state/key.js";
import { describe as describeHolder } from "../../src/state/refusal.js";
import { marked, settle, withJournal } from "../../src/state/steps.js";
import type { Backend, Holder, LockingStore } from "../../src/state/store.js";
import { UTC } from "../../src/lib/text.js";
import { makeRun } from "../support/network.js";
import { machine, send, type Place } from "./places.js";
import { newFolder } from "./programs.js";
import { holderFor, JOURNAL, LINEAGE, MOVED, PORTAL, SETTLEMENT, stateAfter } from "./samples.js";

/** Three are killed in each. */
const KILL_ROUNDS = 3;

const refusal = (code: string) => expect.objectContaining({ code }) as Error;

async function under(
  store: LockingStore,
  action: (holder: Holder) => Promise<void>,
): Promise<void> {
  const holder = holderFor(machine);
  await store.lock(holder);
  await action(holder);
  await store.unlock(holder);
}

/** What others are told of a holder. */
function toldOf(place: Place, holder: Holder): Holder {
  return place.told?.(holder) ?? holder;
}

/** Asks what a backend declares; `makePlace` gives an empty place of its own each time. */
export function contract(
  { deadLock }: Backend,
  makePlace: () => Place | Promise<Place>,
  { kills = true } = {},
): void {
  describe("reading and writing", () => {
    test("a state is there once it was written, and for everybody", async () => {
      const place = await makePlace();
      expect(await place.open().read()).toBeUndefined();
      const store = place.open();
      await under(store, async () => {
        await store.write(stateAfter(1), 0);
        expect(await store.read()).toEqual(stateAfter(1));
        expect(await place.open().read()).toEqual(stateAfter(1));
        await store.write(withJournal(stateAfter(1), JOURNAL), 1);
      });
      expect(await place.open().read()).toEqual(withJournal(stateAfter(1), JOURNAL));
    });

    test("reading makes nothing", async () => {
      const place = await makePlace();
      expect(await place.open().read()).toBeUndefined();
      expect(await place.open().holder()).toBeUndefined();
      expect(await place.stored()).toBeUndefined();
    });

    test("a serial that is skipped, repeated or older is refused, and the old state is whole", async () => {
      const place = await makePlace();
      const store = place.open();
      await under(store, async () => {
        await store.write(stateAfter(1), 0);
        await store.write(stateAfter(2), 1);
        const before = await place.stored();
        const attempts: [number, number][] = [
          [4, 2],
          [2, 2],
          [2, 1],
          [1, 0],
          [3, 1],
          [4, 3],
          [0, 0],
        ];
        for (const [serial, expected] of attempts) {
          const state = { ...stateAfter(2), serial };
          await expect(store.write(state, expected)).rejects.toThrow(refusal("state-conflict"));
        }
        expect(await place.stored()).toBe(before);
      });
    });

    test("a state that is moved to an empty place keeps its serial", async () => {
      const store = (await makePlace()).open();
      await under(store, () => store.write(stateAfter(7), 0));
      expect((await store.read())?.serial).toBe(7);
    });

    test("the mark of a state that was moved away takes back what went on elsewhere, and nothing else", async () => {
      const place = await makePlace();
      const store = place.open();
      const here = stateAfter(2);
      const away = marked(here, MOVED);
      await under(store, async () => {
        await store.write(here, 0);
        await store.write(away, 2);
        expect(await place.open().read()).toEqual(away);
        await expect(store.write({ ...away, serial: 9 }, 3)).rejects.toThrow(
          refusal("state-conflict"),
        );
        const another = { ...stateAfter(9), lineage: "another" };
        await expect(store.write(another, 3)).rejects.toThrow(refusal("state-of-another-lineage"));
        await store.write(stateAfter(9), 3);
        expect(await place.open().read()).toEqual(stateAfter(9));
      });
    });

    test("a state that was begun anew in between is not overwritten", async () => {
      const place = await makePlace();
      const store = place.open();
      await under(store, async () => {
        await store.write(stateAfter(1), 0);
        await place.plant(printState({ ...stateAfter(1), lineage: "another" }));
        await expect(store.write(stateAfter(2), 1)).rejects.toThrow(
          refusal("state-of-another-lineage"),
        );
      });
    });

    test("what is damaged, newer or another portal's is neither read nor overwritten", async () => {
      const whole = printState(stateAfter(1));
      const portal = identityOf("https://other.example.com/portal/sharing/rest", "self");
      const planted: [string, string | Uint8Array][] = [
        ["state-damaged", ""],
        ["state-damaged", whole.slice(0, -9)],
        ["state-damaged", whole.replace("Closed", "Opened")],
        ["state-damaged", Buffer.from([0xff, 0xfe, 0x00])],
        ["state-newer", '{ "format": 99 }'],
        ["state-of-another-portal", printState({ ...stateAfter(1), portal })],
      ];
      for (const [code, text] of planted) {
        const place = await makePlace();
        const store = place.open();
        await under(store, async () => {
          await store.write(stateAfter(1), 0);
          await place.plant(text);
          await expect(store.read()).rejects.toThrow(refusal(code));
          for (const expected of [0, 1]) {
            const write = store.write({ ...stateAfter(1), serial: expected + 1 }, expected);
            await expect(write).rejects.toThrow(refusal(code));
          }
        });
      }
    });

    test("another portal's state is not written here", async () => {
      const portal = identityOf("https://other.example.com/portal/sharing/rest", "self");
      const store = (await makePlace()).open();
      await under(store, async () => {
        const write = store.write({ ...stateAfter(1), portal }, 0);
        await expect(write).rejects.toThrow(refusal("state-of-another-portal"));
      });
    });
  });

  describe("locking", () => {
    test("without the lock nothing is written", async () => {
      const store = (await makePlace()).open();
      await expect(store.write(stateAfter(1), 0)).rejects.toThrow(refusal("state-lock-lost"));
      await under(store, () => store.write(stateAfter(1), 0));
      await expect(store.write(stateAfter(2), 1)).rejects.toThrow(refusal("state-lock-lost"));
      expect((await store.read())?.serial).toBe(1);
    });

    test("whoever comes second is told who holds it, since when, and what to do", async () => {
      const place = await makePlace();
      const holder = holderFor(machine);
      const store = place.open();
      await store.lock(holder);
      expect(await place.open().holder()).toEqual(toldOf(place, holder));
      const who = place.told
        ? describeHolder(place.told(holder), UTC)
        : `"ada" on "${machine.host}" since 2026-01-02 03:04 UTC, in "https://ci.example.com/jobs/12"`;
      await expect(place.open().lock(holderFor(machine, "bob"))).rejects.toThrow(
        expect.objectContaining({
          code: "state-locked",
          exit: 6,
          message: `The state of "gis.example.com-portal-self" is locked by ${who}.`,
          help: expect.stringMatching(/\n {2}lintel state unlock portal\.yaml$/) as string,
        }) as Error,
      );
      await store.unlock(holder);
      expect(await place.open().holder()).toBeUndefined();
      await under(place.open(), async () => {});
    });

    test("of many that ask at once, without waiting, exactly one is let in", async () => {
      for (let round = 0; round < 10; round++) {
        const place = await makePlace();
        const asked = Array.from({ length: 10 }, () => place.open().lock(holderFor(machine)));
        const answers = await Promise.allSettled(asked);
        expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
        const reasons = answers.flatMap((each) =>
          each.status === "rejected" ? [each.reason as unknown] : [],
        );
        for (const reason of reasons) expect(reason).toMatchObject({ code: "state-locked" });
      }
    });

    test("waiting ends when the holder is done, and says so once", async () => {
      const place = await makePlace();
      const notices: string[] = [];
      const holder = holderFor(machine);
      const store = place.open();
      await store.lock(holder);
      const second = place.open({ notices });
      const waiting = second.lock(holderFor(machine, "bob"), { timeoutMs: 20_000 });
      await sleep(100);
      await store.write(stateAfter(1), 0);
      await store.unlock(holder);
      await waiting;
      expect((await second.read())?.serial).toBe(1);
      expect(notices).toEqual([expect.stringMatching(/^Waiting for the lock of "/)]);
    });

    test("waiting ends when its time is over, or with an interrupt", async () => {
      const place = await makePlace();
      await place.open().lock(holderFor(machine));
      const run = makeRun();
      const second = place.open({
        io: run.io,
        machine: { ...machine, elapsedMs: () => run.now() },
      });
      const waiting = second.lock(holderFor(machine), { timeoutMs: 5_000 });
      await expect(waiting).rejects.toThrow(refusal("state-locked"));
      const waitedMs = run.slept.reduce((sum, ms) => sum + ms, 0);
      expect(waitedMs).toBeGreaterThanOrEqual(5_000);
      expect(waitedMs).toBeLessThan(5_600);
      run.interrupt();
      const interrupted = second.lock(holderFor(machine), { timeoutMs: 5_000 });
      await expect(interrupted).rejects.toThrow(refusal("interrupted"));
    });

    test("a foreign lock cannot be unlocked, and stays", async () => {
      const place = await makePlace();
      const holder = holderFor(machine);
      const store = place.open();
      await store.lock(holder);
      const foreign = [place.open().unlock(holder), store.unlock(holderFor(machine))];
      for (const each of foreign) await expect(each).rejects.toThrow(refusal("state-lock-lost"));
      expect(await place.open().holder()).toEqual(toldOf(place, holder));
      await store.unlock(holder);
      await expect(store.unlock(holder)).rejects.toThrow(refusal("state-lock-lost"));
    });

    test("a person can end anybody's lock; the one robbed cannot write, and harms nobody", async () => {
      const place = await makePlace();
      const holder = holderFor(machine);
      const robbed = place.open();
      await robbed.lock(holder);
      await robbed.write(stateAfter(1), 0);
      expect(await place.open().forceUnlock(holderFor(machine, "eve"))).toEqual(
        toldOf(place, holder),
      );
      expect(await place.open().forceUnlock(holderFor(machine, "eve"))).toBeUndefined();
      await expect(robbed.write(stateAfter(2), 1)).rejects.toThrow(refusal("state-lock-lost"));
      const next = place.open();
      const second = holderFor(machine, "bob");
      await next.lock(second);
      await expect(robbed.write(stateAfter(2), 1)).rejects.toThrow(refusal("state-lock-lost"));
      await robbed.unlock(holder);
      expect(await place.open().holder()).toEqual(toldOf(place, second));
      await next.write(settle(stateAfter(1), SETTLEMENT), 1);
      await next.unlock(second);
    });
  });

  describe("many processes", () => {
    test(
      "ten that lock, read, write and unlock at once lose nothing, and never meet",
      { timeout: 120_000 },
      async () => {
        const place = await makePlace();
        const marker = join(newFolder(), "held");
        const rounds = 6;
        const { address, from, env } = place;
        const errand = { address, from, env, portalUrl: PORTAL.url, rounds, marker };
        const all = Array.from({ length: 10 * rounds }, (_, at) => at + 1);
        const children = await Promise.all(Array.from({ length: 10 }, () => send(errand)));
        const ends = await Promise.all(children.map(({ ended }) => ended));
        const serials = ends.flatMap(({ said }) =>
          said
            .split("\n")
            .filter((line) => /^\d+$/.test(line))
            .map(Number),
        );
        expect(serials.toSorted((left, right) => left - right)).toEqual(all);
        const state = await place.open().read();
        expect(state).toMatchObject({ serial: all.length, lineage: LINEAGE });
        expect(state?.history.map(({ number }) => number)).toEqual(all);
        expect(await place.open().holder()).toBeUndefined();
      },
    );

    test.runIf(kills)(
      "when they are killed at any moment the others go on, and no write that was told of is lost",
      { timeout: 120_000 },
      async () => {
        const place = await makePlace();
        const { address, from, env } = place;
        const where = { address, from, env, portalUrl: PORTAL.url };
        const errand = { ...where, rounds: 1000 };
        let told = 0;
        for (let round = 0; round < KILL_ROUNDS; round++) {
          const children = await Promise.all(Array.from({ length: 3 }, () => send(errand)));
          for (const each of children) {
            await each.says("\n");
            await sleep(Math.random() * 60);
            each.process.kill("SIGKILL");
            const { said } = await each.ended;
            if (deadLock === "ended-by-hand") await place.open().forceUnlock(holderFor(machine));
            told = Math.max(told, ...said.split("\n").map(Number).filter(Number.isSafeInteger));
          }
          const store = place.open();
          const holder = holderFor(machine);
          await store.lock(holder, { timeoutMs: 20_000 });
          const state = await store.read();
          // The last one may have written, and been killed before it could tell.
          expect(state?.serial).toBeGreaterThanOrEqual(told);
          expect(state?.history).toHaveLength(state?.serial ?? 0);
          await store.unlock(holder);
        }
        // Each of the children has told of one at least.
        expect(told).toBeGreaterThanOrEqual(KILL_ROUNDS * 3);
      },
    );
  });
}
