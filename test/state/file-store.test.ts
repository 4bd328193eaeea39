// States in a folder: the contract, and behaviour of folders only.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { printState } from "../../src/state/format.js";
import { StateConflict } from "../../src/state/state-store.js";
import { PORTAL, stateAfter } from "./samples.js";
import { storeContract } from "./store-contract.js";
import { openStateAt } from "./stores.js";
import { newFolder, startProgram } from "./programs.js";
import type { Errand } from "./writer.js";

const PORTAL_URL = "https://gis.example.com/portal/sharing/rest";

function makePlace() {
  const folder = join(newFolder(), ".lintel");
  const revisions = join(folder, PORTAL.key);
  return {
    folder,
    revisions,
    address: `file:${folder}`,
    /** In the place of the newest revision. */
    plant(content: string | Uint8Array) {
      const newest = readdirSync(revisions).toSorted().at(-1) ?? "";
      unlinkSync(join(revisions, newest));
      writeFileSync(join(revisions, newest), content);
    },
    open() {
      const opened = openStateAt(`file:${folder}`);
      onTestFinished(() => opened.close());
      return opened.store;
    },
    names: () => (existsSync(revisions) ? readdirSync(revisions).toSorted() : []),
  };
}

describe("the contract", () => {
  storeContract(makePlace);
});

test("reading creates nothing", async () => {
  const place = makePlace();
  await place.open().read();
  expect(existsSync(place.folder)).toBe(false);
});

test("keeps the two newest revisions, numbered in order", async () => {
  const place = makePlace();
  const store = place.open();
  let version: string | undefined;
  for (let times = 1; times <= 5; times++) version = await store.write(stateAfter(times), version);
  expect(place.names()).toEqual(["000004.json", "000005.json"]);
  expect(readFileSync(join(place.revisions, "000005.json"), "utf8")).toBe(
    printState(stateAfter(5)),
  );
});

test("refuses to begin a state in a subfolder while one above it has this portal's", async () => {
  const place = makePlace();
  await place.open().write(stateAfter(1), undefined);
  const moved = join(place.folder, "../portals/eu/.lintel");
  const below = openStateAt(`file:${moved}`);
  onTestFinished(() => below.close());
  await expect(below.store.read()).rejects.toMatchObject({
    code: "state-moved",
    help: expect.stringContaining(`mv ${place.revisions} ${moved}`) as unknown,
  });
  // Another repository has states of its own.
  mkdirSync(join(moved, "../.git"), { recursive: true });
  expect(await below.store.read()).toMatchObject({ state: undefined });
});

test("recognises a folder that was deleted and created again", async () => {
  const place = makePlace();
  const version = await place.open().write(stateAfter(1), undefined);
  place.plant(printState({ ...stateAfter(1), lineage: "another" }));
  await expect(place.open().write(stateAfter(2), version)).rejects.toThrow(StateConflict);
});

describe("interrupted", () => {
  /** The calls to the file system that a second write makes. */
  async function callsOfWrite(): Promise<readonly string[]> {
    const place = makePlace();
    await place.open().write(stateAfter(1), undefined);
    const { said } = await (await startProgram("writer.ts", errand(place.address))).ended;
    return JSON.parse(/^calls (.*)$/m.exec(said)?.[1] ?? "[]") as string[];
  }

  function errand(address: string, halts?: Errand["halts"]): Errand {
    return { address, portalUrl: PORTAL_URL, writes: 1, ...(halts && { halts }) };
  }

  test("a writer killed at any call leaves a complete state, and the next writer continues", async () => {
    const calls = await callsOfWrite();
    const points = calls.flatMap((name, at) => [
      { call: at + 1, when: "before" as const },
      ...(name === "writeFileSync" ? [{ call: at + 1, when: "within" as const }] : []),
    ]);
    expect(points.length).toBeGreaterThan(15);
    await sideBySide(points, 4, async ({ call, when }) => {
      const place = makePlace();
      await place.open().write(stateAfter(1), undefined);
      const writer = await startProgram(
        "writer.ts",
        errand(place.address, { call, when, by: "SIGKILL" }),
      );
      expect((await writer.ended).signal).toBe("SIGKILL");
      const store = place.open();
      const { state, version } = await store.read();
      const serial = state?.serial ?? 0;
      expect([1, 2]).toContain(serial);
      await store.write(stateAfter(serial + 1), version);
      expect((await place.open().read()).state).toEqual(stateAfter(serial + 1));
      expect(place.names().filter((name) => name.endsWith(".draft"))).toEqual([]);
    });
  });

  test("a writer stopped at any call, while others write, overwrites nothing", async () => {
    const calls = await callsOfWrite();
    const points = calls.flatMap((_, at) => [1, 4].map((others) => ({ call: at + 1, others })));
    await sideBySide(points, 4, async ({ call, others }) => {
      const place = makePlace();
      const store = place.open();
      await store.write(stateAfter(1), undefined);
      const halts = { call, when: "before", by: "SIGSTOP" } as const;
      const writer = await startProgram("writer.ts", errand(place.address, halts));
      await stopped(writer.process.pid ?? 0);
      const before = await store.read();
      let [serial, version] = [before.state?.serial ?? 0, before.version];
      for (let times = 0; times < others; times++) {
        version = await store.write(stateAfter(++serial), version);
      }
      writer.process.kill("SIGCONT");
      const { said } = await writer.ended;
      const own = Number(/^wrote (\d+)$/m.exec(said)?.[1]);
      const { state } = await place.open().read();
      expect(state?.serial).toBe(others + 2);
      expect([2, others + 2]).toContain(own);
    });
  });
});

async function sideBySide<T>(items: readonly T[], most: number, work: (item: T) => Promise<void>) {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: most }, worker));
}

/** Until the system shows it as stopped. */
async function stopped(pid: number): Promise<void> {
  for (;;) {
    const [, state] = /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    if (state === "T") return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("the folder", () => {
  test("is readable only by its owner, unless it is shared with a group", async () => {
    const place = makePlace();
    await place.open().write(stateAfter(1), undefined);
    expect(statSync(place.folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(place.revisions, "000001.json")).mode & 0o777).toBe(0o600);
    const shared = makePlace();
    mkdirSync(shared.folder);
    chmodSync(shared.folder, 0o770);
    await shared.open().write(stateAfter(1), undefined);
    expect(statSync(shared.revisions).mode & 0o070).toBe(0o070);
    expect(statSync(join(shared.revisions, "000001.json")).mode & 0o777).toBe(0o660);
  });

  test("refuses a link as the folder of revisions", async () => {
    const place = makePlace();
    const elsewhere = newFolder();
    mkdirSync(place.folder);
    symlinkSync(elsewhere, place.revisions);
    const refused = expect.objectContaining({ code: "state-not-readable" }) as Error;
    await expect(place.open().read()).rejects.toThrow(refused);
    await expect(place.open().write(stateAfter(1), undefined)).rejects.toThrow(refused);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test("refuses a link as a revision", async () => {
    const place = makePlace();
    await place.open().write(stateAfter(1), undefined);
    const newest = join(place.revisions, "000001.json");
    const elsewhere = join(newFolder(), "state.json");
    writeFileSync(elsewhere, printState(stateAfter(2)));
    unlinkSync(newest);
    symlinkSync(elsewhere, newest);
    const refused = expect.objectContaining({ code: "state-not-readable" }) as Error;
    await expect(place.open().read()).rejects.toThrow(refused);
    expect(lstatSync(newest).isSymbolicLink()).toBe(true);
  });
});
