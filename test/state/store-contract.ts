// The contract of every state backend, with concurrent, killed and stopped writers.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { Failure } from "../../src/failure.js";
import { printState } from "../../src/state/format.js";
import { identityOf, type PortalIdentity } from "../../src/state/key.js";
import { StateConflict } from "../../src/state/state-store.js";
import type { State } from "../../src/state/state.js";
import { emptyState, settle, withJournal } from "../../src/state/steps.js";
import { JOURNAL, LINEAGE, PORTAL, SETTLEMENT, stateAfter } from "./samples.js";
import { openStateAt, processIo } from "./stores.js";
import { startProgram } from "./programs.js";
import type { Errand } from "./writer.js";

/** Where one backend keeps its states. */
export interface StatePlace {
  readonly address: string;
  /** The folder of the desired-state file, where that counts. */
  readonly from?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Writes any content in the place of the state, as a person or another program may. */
  plant(content: string | Uint8Array): void | Promise<void>;
}

const code = (expected: string) => expect.objectContaining({ code: expected }) as Error;

const WRITERS = 10;
const PORTAL_URL = "https://gis.example.com/portal/sharing/rest";

interface ContractOptions {
  /** False where nobody but a store can write. */
  readonly plants?: boolean;
  /** False where others wait for a minute and more for what a killed writer leaves. */
  readonly kills?: boolean;
  /** False for a server that knows no locks, and takes a write that another one has overtaken. */
  readonly refusesOvertaken?: boolean;
  /** The address of the same place for another portal, where each has an address of its own. */
  readonly addressFor?: (place: StatePlace, portal: PortalIdentity) => string;
}

/** `makePlace` gives an empty place of its own each time. */
export function storeContract(
  makePlace: () => StatePlace | Promise<StatePlace>,
  {
    plants = true,
    kills = true,
    refusesOvertaken = true,
    addressFor = ({ address }) => address,
  }: ContractOptions = {},
): void {
  function openAt(place: StatePlace, portal: PortalIdentity = PORTAL) {
    const { from = "/", env = {} } = place;
    const address = portal === PORTAL ? place.address : addressFor(place, portal);
    // Nothing is remembered: what a person plants is not refused as an older state.
    const io = processIo({ cwd: from, env: { ...env, LINTEL_STATE_CACHE: "/dev/null/none" } });
    const opened = openStateAt(address, { io, portal });
    onTestFinished(() => opened.close());
    return opened.store;
  }

  function errandAt(
    { address, from, env }: StatePlace,
    more: Pick<Errand, "writes"> & Partial<Errand>,
  ): Errand {
    return { address, from, env, portalUrl: PORTAL_URL, ...more };
  }

  describe("reading and writing", () => {
    test("a written state is read by every other run", async () => {
      const place = await makePlace();
      const store = openAt(place);
      expect(await store.read()).toEqual({ state: undefined, version: undefined });
      const first = await store.write(stateAfter(1), undefined);
      expect(await openAt(place).read()).toEqual({ state: stateAfter(1), version: first });
      const open = withJournal(stateAfter(1), JOURNAL);
      const second = await store.write(open, first);
      expect(second).not.toBe(first);
      expect(await openAt(place).read()).toEqual({ state: open, version: second });
      expect(await store.read()).toEqual({ state: open, version: second });
    });

    test("an outdated version is not replaced", async () => {
      const place = await makePlace();
      const store = openAt(place);
      const first = await store.write(stateAfter(1), undefined);
      const second = await store.write(stateAfter(2), first);
      for (const stale of [undefined, first]) {
        await expect(store.write(stateAfter(9), stale)).rejects.toThrow(StateConflict);
        await expect(openAt(place).write(stateAfter(9), stale)).rejects.toThrow(StateConflict);
      }
      expect(await openAt(place).read()).toEqual({ state: stateAfter(2), version: second });
      await store.write(stateAfter(3), second);
    });

    test.runIf(plants)("a state that was edited by hand is not overwritten", async () => {
      const place = await makePlace();
      const store = openAt(place);
      const version = await store.write(stateAfter(1), undefined);
      const other = { ...stateAfter(1), lineage: "another" };
      await place.plant(printState(other));
      await expect(store.write(stateAfter(2), version)).rejects.toThrow(StateConflict);
      expect((await openAt(place).read()).state).toEqual(other);
    });

    test("each portal has its own state", async () => {
      const place = await makePlace();
      const other = identityOf("https://other.example.com/portal/sharing/rest", "self");
      await openAt(place).write(stateAfter(1), undefined);
      const theirs = { ...stateAfter(2), portal: other };
      await openAt(place, other).write(theirs, undefined);
      expect((await openAt(place).read()).state).toEqual(stateAfter(1));
      expect((await openAt(place, other).read()).state).toEqual(theirs);
    });

    test.runIf(plants)(
      "what is damaged, newer or another portal's is neither read nor overwritten",
      async () => {
        const whole = printState(stateAfter(1));
        const portal = identityOf("https://other.example.com/portal/sharing/rest", "self");
        const planted: [string, string | Uint8Array][] = [
          ["state-damaged", whole.slice(0, -9)],
          ["state-damaged", whole.replace("Closed", "Opened")],
          ["state-damaged", Buffer.from([0xff, 0xfe, 0x00])],
          ["state-newer", '{ "format": 99 }'],
          ["state-not-ours", printState({ ...stateAfter(1), portal })],
        ];
        for (const [expected, content] of planted) {
          const place = await makePlace();
          const store = openAt(place);
          const version = await store.write(stateAfter(1), undefined);
          await place.plant(content);
          await expect(openAt(place).read()).rejects.toThrow(code(expected));
          await expect(store.write(stateAfter(2), version)).rejects.toThrow(Failure);
          await expect(openAt(place).read()).rejects.toThrow(code(expected));
        }
      },
    );

    test("a probe leaves nothing behind", async () => {
      const place = await makePlace();
      await openAt(place).probe();
      expect(await openAt(place).read()).toEqual({ state: undefined, version: undefined });
      const version = await openAt(place).write(stateAfter(1), undefined);
      await openAt(place).probe();
      expect(await openAt(place).read()).toEqual({ state: stateAfter(1), version });
    });
  });

  describe.runIf(refusesOvertaken)("many writers", () => {
    test("of ten writes of one version, one succeeds", async () => {
      const place = await makePlace();
      const first = await openAt(place).write(stateAfter(1), undefined);
      const writes = Array.from({ length: WRITERS }, (_, at) =>
        openAt(place).write({ ...stateAfter(2), lineage: `${LINEAGE.slice(0, -1)}${at}` }, first),
      );
      const ended = await Promise.allSettled(writes);
      const won = ended.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
      const lost = ended.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
      expect(won).toHaveLength(1);
      for (const why of lost) expect(why).toBeInstanceOf(StateConflict);
      expect((await openAt(place).read()).version).toBe(won[0]);
    });

    test("ten processes that write at once lose no write", async () => {
      const place = await makePlace();
      const writers = await Promise.all(
        Array.from({ length: WRITERS }, () =>
          startProgram("writer.ts", errandAt(place, { writes: 3 })),
        ),
      );
      const said = await Promise.all(writers.map(({ ended }) => ended));
      const serials = said.flatMap(({ said: text }) =>
        [...text.matchAll(/^wrote (\d+)$/gm)].map(([, serial]) => Number(serial)),
      );
      const all = Array.from({ length: 3 * WRITERS }, (_, at) => at + 1);
      expect(serials.toSorted((one, other) => one - other)).toEqual(all);
      const { state } = await openAt(place).read();
      expect(state?.serial).toBe(3 * WRITERS);
      expect(state?.history).toHaveLength(3 * WRITERS);
    });

    test.runIf(kills)("killed writers lose no reported write, and others continue", async () => {
      const place = await makePlace();
      const writers = await Promise.all(
        Array.from({ length: 6 }, () =>
          startProgram("writer.ts", errandAt(place, { writes: 1_000 })),
        ),
      );
      for (const writer of writers) {
        await writer.says("wrote");
        await sleep(Math.random() * 100);
        writer.process.kill("SIGKILL");
      }
      const said = (await Promise.all(writers.map(({ ended }) => ended))).flatMap((each) =>
        [...each.said.matchAll(/^wrote (\d+)$/gm)].map(([, serial]) => Number(serial)),
      );
      expect(new Set(said).size).toBe(said.length);
      const last = await startProgram("writer.ts", errandAt(place, { writes: 1 }));
      await last.ended;
      const { state } = await openAt(place).read();
      // Each of the killed may have written once more than it could say.
      expect(state?.serial).toBeGreaterThan(Math.max(...said));
      expect(state?.serial).toBeLessThanOrEqual(said.length + writers.length + 1);
    });

    test("a process stopped between its read and its write overwrites nothing", async () => {
      const place = await makePlace();
      const slow = await startProgram("writer.ts", errandAt(place, { writes: 1, pauses: true }));
      await slow.says("read");
      let state: State = emptyState(LINEAGE, PORTAL);
      let version: string | undefined;
      const store = openAt(place);
      for (let times = 0; times < 5; times++) {
        state = settle(state, SETTLEMENT);
        version = await store.write(state, version);
      }
      slow.process.stdin?.write("go on\n");
      const { said } = await slow.ended;
      expect(said).toContain("conflicts 1");
      expect((await openAt(place).read()).state?.serial).toBe(6);
    });
  });
}
