// What every backend promises, with rude questions.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { printState } from "../../src/state/format.js";
import { identityOf, type PortalIdentity as Portal } from "../../src/state/key.js";
import { describe as describeHolder } from "../../src/state/refusal.js";
import { emptyState, marked, settle, withJournal } from "../../src/state/steps.js";
import type { State } from "../../src/state/state.js";
import { NOT_KNOWN, type Backend, type Holder, type Store } from "../../src/state/store.js";
import { UTC } from "../../src/lib/text.js";
import { makeRun } from "../support/network.js";
import { newFolder, machine, send, type Place } from "./places.js";
import { holderFor, JOURNAL, LINEAGE, MOVED, PORTAL, SETTLEMENT, stateAfter } from "./samples.js";

/** Three are killed in each. */
const KILL_ROUNDS = 3;

const refusal = (code: string) => expect.objectContaining({ code }) as Error;

async function under(store: Store, action: (holder: Holder) => Promise<void>): Promise<void> {
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
  { deadLock, exclusion }: Backend,
  makePlace: () => Place | Promise<Place>,
  { kills = true, tellsOthers = true } = {},
): void {
  const isLock = exclusion === "lock";

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

    test("what was moved away is not read, and takes back what went on elsewhere, and nothing else", async () => {
      const place = await makePlace();
      const store = place.open();
      const here = stateAfter(2);
      const away = marked(here, MOVED);
      await under(store, async () => {
        await store.write(here, 0);
        await store.write(away, 2);
        await expect(store.read()).rejects.toThrow(refusal("state-moved"));
        await expect(place.open().read()).rejects.toThrow(refusal("state-moved"));
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

  test.runIf(tellsOthers)(
    "other portals that have a state at the place are told, but for what is moved away or damaged",
    async () => {
      const place = await makePlace();
      const own = { id: "nzS0F0zdNLvs7nc8", hostname: "gis.example.org" };
      const at = (host: string) =>
        identityOf(`https://${host}.example.com/portal/sharing/rest`, "self");
      const [one, unread, away] = ["one", "unread", "away"].map(at) as [Portal, Portal, Portal];
      expect(await place.open().others(own.id)).toEqual([]);
      const write = async (portal: Portal, more: Partial<State> = {}) => {
        const store = place.open({ portal });
        await under(store, () => store.write({ ...stateAfter(1), portal, ...more }, 0));
      };
      await write(one, { portal: { ...one, own } });
      await write(unread);
      const before = { ...stateAfter(1), portal: { ...away, own } };
      const store = place.open({ portal: away });
      await under(store, async () => {
        await store.write(before, 0);
        await store.write(marked(before, MOVED), 1);
      });
      await place.plant("{");
      expect(await place.open().others(own.id)).toEqual([{ ...one, own }]);
      expect(await place.open().others("another")).toEqual([]);
    },
  );

  test.skipIf(tellsOthers)("other portals are not told", async () => {
    expect(await (await makePlace()).open().others("any")).toBe(NOT_KNOWN);
  });

  describe("locking", () => {
    test("without the lock nothing is written", async () => {
      const store = (await makePlace()).open();
      await expect(store.write(stateAfter(1), 0)).rejects.toThrow(refusal("state-lock-lost"));
      await under(store, () => store.write(stateAfter(1), 0));
      await expect(store.write(stateAfter(2), 1)).rejects.toThrow(refusal("state-lock-lost"));
      expect((await store.read())?.serial).toBe(1);
    });

    test.runIf(isLock)(
      "whoever comes second is told who holds it, since when, and what to do",
      async () => {
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
      },
    );

    test.runIf(isLock)(
      "of many that ask at once, without waiting, exactly one is let in",
      async () => {
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
      },
    );

    test.runIf(isLock)("waiting ends when the holder is done, and says so once", async () => {
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

    test.runIf(isLock)("waiting ends when its time is over, or with an interrupt", async () => {
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
      if (isLock) expect(await place.open().holder()).toEqual(toldOf(place, holder));
      await store.unlock(holder);
      await expect(store.unlock(holder)).rejects.toThrow(refusal("state-lock-lost"));
    });

    test.runIf(isLock)(
      "a person can end anybody's lock; the one robbed cannot write, and harms nobody",
      async () => {
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
      },
    );
  });

  describe.runIf(!isLock)("a lock that keeps nobody out", () => {
    test("all are let in, and nobody is told of as its holder", async () => {
      const place = await makePlace();
      await Promise.all([1, 2, 3].map(() => place.open().lock(holderFor(machine))));
      expect(await place.open().holder()).toBeUndefined();
      expect(await place.open().forceUnlock(holderFor(machine))).toBeUndefined();
      expect(await place.stored()).toBeUndefined();
    });

    test("of many that write at once exactly one has written, and the others are told", async () => {
      const place = await makePlace();
      await under(place.open(), async () => {});
      for (const serial of [1, 2]) {
        const written = Array.from({ length: 6 }, async (_, at) => {
          const store = place.open();
          await store.lock(holderFor(machine));
          const journal = { ...JOURNAL, planDigest: `plan ${at}` };
          const before = serial === 1 ? emptyState(LINEAGE, PORTAL) : await store.read();
          const state = withJournal(before ?? emptyState("none", PORTAL), journal);
          await store.write(state, serial - 1);
          store.assertLeased();
          return printState(state);
        });
        const ends = await Promise.allSettled(written);
        const texts = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
        expect(texts).toEqual([await place.stored()]);
        for (const end of ends) {
          if (end.status === "rejected")
            expect(end.reason).toMatchObject({ code: "state-conflict" });
        }
      }
    });

    test("without a journal of its own nobody may send", async () => {
      const store = (await makePlace()).open();
      await under(store, async () => {
        expect(() => store.assertLeased()).toThrow(refusal("state-lock-lost"));
        await store.write(withJournal(emptyState(LINEAGE, PORTAL), JOURNAL), 0);
        store.assertLeased();
        await store.write(settle(withJournal(emptyState(LINEAGE, PORTAL), JOURNAL), SETTLEMENT), 1);
        expect(() => store.assertLeased()).toThrow(refusal("state-lock-lost"));
      });
    });
  });

  describe("many processes", () => {
    test(
      "ten that lock, read, write and unlock at once lose nothing, and never meet",
      { timeout: 120_000 },
      async () => {
        const place = await makePlace();
        const marker = join(newFolder(), "held");
        // Where all are let in at once, most of what they write is in vain.
        const rounds = isLock ? 6 : 2;
        const own = {
          address: place.address,
          portalUrl: PORTAL.url,
          from: place.from,
          env: place.env,
          rounds,
        };
        const errand = isLock ? { ...own, marker } : { ...own, isRetried: true as const };
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
        expect(state?.history.map(({ serial }) => serial)).toEqual(all);
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
        const errand = { ...where, rounds: 1000, isRetried: !isLock };
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
