// The checks of a state that a run reads: its signature, and whether this machine has seen a newer one.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Io } from "../../src/io.js";
import { checkedStore } from "../../src/state/checked-store.js";
import { digestOf } from "../../src/state/format.js";
import { forgetSeen, lastSeen } from "../../src/state/last-seen.js";
import type { State } from "../../src/state/state.js";
import { NOTHING_STORED, type StateStore, type Stored } from "../../src/state/state-store.js";
import { emptyState } from "../../src/state/steps.js";
import { signedWith } from "../../src/state/signature.js";
import { io } from "./places.js";
import { newFolder } from "./programs.js";
import { PORTAL, stateAfter } from "./samples.js";

const [KEY, NEXT] = ["k".repeat(32), "n".repeat(32)];
const NAME = "somewhere";
const refusal = (code: string, words = "") =>
  expect.objectContaining({ code, message: expect.stringContaining(words) as string }) as Error;

/** A place in memory that anybody can change by hand. */
function placeOf(first?: State) {
  let stored: Stored = NOTHING_STORED;
  const place = {
    reads: 0,
    now: () => stored.state,
    plant: (state: State | undefined) => {
      stored = state ? { state, version: `${Math.random()}` } : NOTHING_STORED;
    },
    store: {
      place: "the place",
      recovery: () => "Restore it from the backup.",
      memoryName: async () => NAME,
      read: async () => {
        place.reads++;
        return stored;
      },
      write: async (state: State) => {
        place.plant(state);
        return stored.version ?? "";
      },
      probe: async () => {},
    } satisfies StateStore,
  };
  place.plant(first);
  return place;
}

/** With a cache folder of its own, as each machine has one. */
function newMachine(cache = newFolder()) {
  const notices: string[] = [];
  const open = (
    { store }: { readonly store: StateStore },
    env: Io["env"] = {},
    mayBeMoved = false,
  ) =>
    checkedStore(store, {
      file: "portal.yaml",
      io: { ...io, env: { LINTEL_STATE_CACHE: cache, ...env } },
      mayBeMoved,
      ageNotVerified: () => void notices.push("age not verified"),
    });
  return { cache, notices, open, io: { ...io, env: { LINTEL_STATE_CACHE: cache } } };
}

describe("a state that this machine has seen", () => {
  test.each<[string, State | undefined, string]>([
    ["an older one", stateAfter(1), "has serial 1; the last one seen here has serial 2"],
    ["another lineage", stateAfter(9, emptyState("another", PORTAL)), "is a new one"],
    ["none", undefined, "is gone"],
  ])("is refused if the place has %s, until a person accepts it", async (_, older, words) => {
    const [place, own] = [placeOf(stateAfter(2)), newMachine()];
    await own.open(place).read();
    place.plant(older);
    for (let times = 0; times < 2; times++) {
      await expect(own.open(place).read()).rejects.toThrow(refusal("state-rewound", words));
    }
    await expect(own.open(place).read()).rejects.toMatchObject({
      help: expect.stringMatching(
        /Restore it from the backup\..*\n {2}lintel state accept portal\.yaml$/s,
      ) as string,
    });
    // As the command does that accepts it.
    forgetSeen(NAME, own.io);
    expect((await own.open(place).read()).state).toEqual(older);
  });

  test.each<[string, State]>([
    ["the same", stateAfter(2)],
    ["a newer one", stateAfter(7)],
  ])("is read if the place has %s, and recorded", async (_, state) => {
    const [place, own] = [placeOf(stateAfter(2)), newMachine()];
    await own.open(place).read();
    place.plant(state);
    expect((await own.open(place).read()).state).toEqual(state);
    expect(lastSeen(NAME, own.io)).toMatchObject({ lineage: state.lineage, serial: state.serial });
  });

  test("is recorded after a write too", async () => {
    const [place, own] = [placeOf(), newMachine()];
    await own.open(place).write(stateAfter(3), undefined);
    place.plant(stateAfter(2));
    await expect(own.open(place).read()).rejects.toThrow(refusal("state-rewound", "has serial 2"));
  });

  test("is read again before a refusal, because the first read can be shared", async () => {
    const [place, own] = [placeOf(stateAfter(2)), newMachine()];
    await own.open(place).read();
    const old: Stored = { state: stateAfter(1), version: "old" };
    let isFirst = true;
    const read = async () => {
      const [stored, first] = [await place.store.read(), isFirst];
      isFirst = false;
      return first ? old : stored;
    };
    const { state } = await own.open({ store: { ...place.store, read } }).read();
    expect(state).toEqual(stateAfter(2));
  });

  test("does not look older if another run writes during the read", async () => {
    const [place, own] = [placeOf(stateAfter(1)), newMachine()];
    await own.open(place).read();
    const read = async () => {
      const stored = await place.store.read();
      if (stored.state?.serial === 1) await own.open(place).write(stateAfter(2), stored.version);
      return stored;
    };
    expect((await own.open({ store: { ...place.store, read } }).read()).state).toEqual(
      stateAfter(1),
    );
  });

  test("is not compared during a move", async () => {
    const [place, own] = [placeOf(stateAfter(2)), newMachine()];
    await own.open(place).read();
    place.plant(stateAfter(1));
    expect((await own.open(place, {}, true).read()).state).toEqual(stateAfter(1));
    await expect(own.open(place).read()).rejects.toThrow(refusal("state-rewound"));
  });

  test("is recorded by name", async () => {
    const [place, own] = [placeOf(stateAfter(2)), newMachine()];
    await own.open(place).read();
    const elsewhere = placeOf(stateAfter(1));
    const store = { ...elsewhere.store, memoryName: async () => "elsewhere" };
    expect((await own.open({ store }).read()).state).toEqual(stateAfter(1));
  });
});

describe("a state that this machine has not seen", () => {
  test("is read with a notice the first time only", async () => {
    const [place, own] = [placeOf(stateAfter(2)), newMachine()];
    await own.open(place).read();
    expect(own.notices).toHaveLength(1);
    await own.open(place).read();
    expect(own.notices).toHaveLength(1);
  });

  test("needs no notice if the portal was never applied", async () => {
    const [place, own] = [placeOf(), newMachine()];
    expect(await own.open(place).read()).toEqual(NOTHING_STORED);
    expect(own.notices).toEqual([]);
    expect(readdirSync(own.cache)).toEqual([]);
  });

  test.each([
    "",
    "{",
    "null",
    "[]",
    '{"serial": 9}',
    '{"lineage": "x", "serial": "9"}',
    "\0".repeat(70_000),
  ])("is assumed for a damaged record (%#)", async (text) => {
    const [place, own] = [placeOf(stateAfter(2)), newMachine()];
    await own.open(place).read();
    const [name = ""] = readdirSync(own.cache);
    writeFileSync(join(own.cache, name), text);
    own.notices.length = 0;
    place.plant(stateAfter(1));
    expect((await own.open(place).read()).state).toEqual(stateAfter(1));
    expect(own.notices).toHaveLength(1);
    expect(lastSeen(NAME, own.io)).toMatchObject({ serial: 1 });
  });

  test("is assumed if the cache cannot be written, without failing the run", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "file"), "");
    const [place, own] = [placeOf(stateAfter(1)), newMachine(join(folder, "file", "below"))];
    expect((await own.open(place).read()).state).toEqual(stateAfter(1));
    await own.open(place).write(stateAfter(2), "any");
    expect((await own.open(place).read()).state).toEqual(stateAfter(2));
    expect(own.notices).toHaveLength(2);
  });
});

describe("the record of seen states", () => {
  const previewOf = (env: Io["env"], cwd = "/") => {
    const own = { ...io, env, cwd };
    return lastSeen(NAME, own);
  };
  test("is in the folder of LINTEL_STATE_CACHE, in XDG_CACHE_HOME, or in the home", async () => {
    const home = newFolder();
    const folders: [Io["env"], string][] = [
      [{ HOME: home }, join(home, ".cache/lintel/states")],
      [{ HOME: home, XDG_CACHE_HOME: join(home, "xdg") }, join(home, "xdg/lintel/states")],
      // One that is not absolute does not count.
      [{ HOME: join(home, "two"), XDG_CACHE_HOME: "xdg" }, join(home, "two/.cache/lintel/states")],
      [{ HOME: home, LINTEL_STATE_CACHE: join(home, "named") }, join(home, "named")],
    ];
    for (const [env, folder] of folders) {
      expect(previewOf(env)).toBeUndefined();
      const place = placeOf(stateAfter(4));
      const checking = { file: "portal.yaml", mayBeMoved: false, ageNotVerified: () => {} };
      await checkedStore(place.store, { ...checking, io: { ...io, env } }).read();
      expect(previewOf(env)).toMatchObject({ serial: 4 });
      const [name = ""] = readdirSync(folder);
      expect(name).toMatch(/^[0-9a-f]{64}\.json$/);
      expect(readFileSync(join(folder, name), "utf8")).not.toContain(NAME);
    }
  });

  test("relative to the working folder, as a pipeline names it", () => {
    const folder = newFolder();
    mkdirSync(join(folder, "kept"));
    const env = { LINTEL_STATE_CACHE: "kept" };
    forgetSeen(NAME, { ...io, env, cwd: folder });
    expect(previewOf(env, folder)).toBeUndefined();
  });

  test("is absent without a home folder", () => {
    expect(previewOf({})).toBeUndefined();
  });
});

describe("with LINTEL_STATE_KEY", () => {
  const env = { LINTEL_STATE_KEY: KEY };
  const forged = (): State => {
    const { signature, ...rest } = signedWith(KEY, stateAfter(2));
    const changed = { ...rest, leaves: [] };
    return { ...changed, signature: { over: digestOf(changed), hmac: signature?.hmac ?? "" } };
  };

  test.each<[string, State, string]>([
    ["is not signed", stateAfter(2), "is not signed"],
    ["was signed with another key", signedWith(NEXT, stateAfter(2)), "another key, or was changed"],
    ["was changed by hand", forged(), "another key, or was changed"],
  ])("refuses a state that %s, also during a move", async (_, state, words) => {
    const [place, own] = [placeOf(state), newMachine()];
    for (const mayBeMoved of [false, true]) {
      await expect(own.open(place, env, mayBeMoved).read()).rejects.toMatchObject({
        code: "state-not-trusted",
        message: expect.stringContaining(words) as string,
        help: expect.stringContaining("lintel state sign portal.yaml") as string,
      });
    }
    // What is not trusted is not remembered either.
    expect(lastSeen(NAME, own.io)).toBeUndefined();
  });

  test("signs writes, and reads them again", async () => {
    const [place, own] = [placeOf(), newMachine()];
    await own.open(place, env).write(stateAfter(1), undefined);
    expect(place.now()).toEqual(signedWith(KEY, stateAfter(1)));
    expect((await own.open(place, env).read()).state).toEqual(signedWith(KEY, stateAfter(1)));
  });

  test("verifies with the old key, and signs the next write with the new one", async () => {
    const [place, own] = [placeOf(signedWith(KEY, stateAfter(1))), newMachine()];
    const both = { LINTEL_STATE_KEY: NEXT, LINTEL_STATE_KEY_OLD: KEY };
    await expect(own.open(place, { LINTEL_STATE_KEY: NEXT }).read()).rejects.toThrow(
      refusal("state-not-trusted"),
    );
    expect((await own.open(place, both).read()).state?.serial).toBe(1);
    await own.open(place, both).write(stateAfter(2), "any");
    expect(place.now()).toEqual(signedWith(NEXT, stateAfter(2)));
    await expect(own.open(place, env).read()).rejects.toThrow(refusal("state-not-trusted"));
  });

  test.each([undefined, "", "  "])(
    "where it is %j, a signed state is read and not replaced",
    async (key) => {
      const [place, own] = [placeOf(signedWith(KEY, stateAfter(1))), newMachine()];
      const without = key === undefined ? {} : { LINTEL_STATE_KEY: key };
      const { state } = await own.open(place, without).read();
      const { signature } = state ?? {};
      const next: State = { ...stateAfter(2), ...(signature && { signature }) };
      await expect(own.open(place, without).write(next, "any")).rejects.toThrow(
        refusal("state-not-trusted"),
      );
      expect(place.now()).toEqual(signedWith(KEY, stateAfter(1)));
    },
  );
});
