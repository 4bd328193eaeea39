// The ledger in a folder keeps the promises of every ledger, whenever its process is killed, and does not grow without end.
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Io } from "../../../src/io.js";
import { openFolder } from "../../../src/serve/ledger/folder.js";
import type { Ledger } from "../../../src/serve/ledger/ledger.js";
import { ioFor } from "../../run/call.js";
import { folderOf } from "../../support/run.js";
import { eventOf, knownOf, testLedger } from "./contract.js";

const KEEP_MS = 1_000;

const { io: own } = ioFor({ cwd: "." });

const openAt = (folder: string, io: Io = own) =>
  openFolder(io, { folder, keepMs: KEEP_MS, notice: () => {} });

function openPlace(io: Io = own) {
  const folder = folderOf();
  onTestFinished(() => folder.remove());
  const path = join(folder.path, "data");
  return { path, open: () => openAt(path, io) };
}

testLedger({ name: "folder", isLasting: true, open: async () => openPlace().open });

const files = (path: string) => fs.readdirSync(path).filter((name) => name.endsWith(".lines"));

/** All that a new start would know. */
async function seenIn(ledger: Ledger) {
  await ledger.receivers(["page"]);
  const portals = [...(await ledger.portals()).keys()];
  return [portals.length, (await ledger.unsent("page", 1e9)).map(({ id }) => id)] as const;
}

/** A copy of the folder, without the lock, as it would be left by whoever is killed now. */
function copyOf(path: string): string {
  const copy = folderOf();
  onTestFinished(() => copy.remove());
  const to = join(copy.path, "data");
  fs.cpSync(path, to, { recursive: true });
  fs.rmSync(join(to, "run.lock"), { recursive: true, force: true });
  return to;
}

describe("killed at any byte", () => {
  test("each record is there whole, with its events, or not at all", async () => {
    const place = openPlace();
    const ledger = await place.open();
    await ledger.receivers(["page"]);
    const [journal = ""] = files(place.path);
    const begun = fs.statSync(join(place.path, journal)).size;
    const sizes: number[] = [];
    for (let at = 0; at < 4; at++) {
      await ledger.record(`p${at}`, knownOf(`p${at}`), [eventOf(`a${at}`), eventOf(`b${at}`)]);
      sizes.push(fs.statSync(join(place.path, journal)).size);
    }
    const whole = sizes.at(-1) ?? 0;
    const copy = copyOf(place.path);
    await ledger.close();
    const cuts = Array.from({ length: 40 }, (_, at) => begun + at * 131);
    const edges = [begun, ...sizes].flatMap((size) => [size - 1, size, size + 1]);
    for (const cut of [...cuts, ...edges].filter((each) => each >= begun && each <= whole)) {
      const left = copyOf(copy);
      fs.truncateSync(join(left, journal), cut);
      const again = await openAt(left);
      const count = sizes.filter((size) => size <= cut).length;
      const expected = Array.from({ length: count }, (_, at) => [`a${at}`, `b${at}`]).flat();
      expect([cut, ...(await seenIn(again))]).toEqual([cut, count, expected]);
      // What was torn off does not spoil what comes after it.
      await again.record("next", knownOf("next"), [eventOf("next")]);
      await again.close();
      const third = await openAt(left);
      expect(await seenIn(third)).toEqual([count + 1, [...expected, "next"]]);
      await third.close();
    }
  });

  test("while one journal follows another: nothing is lost, and nothing is there twice", async () => {
    const place = openPlace();
    const ledger = await place.open();
    await ledger.receivers(["page"]);
    const text = "x".repeat(100_000);
    const ids: string[] = [];
    let before = "";
    let left: readonly string[] = [];
    for (let at = 0; left.length === 0; at++) {
      before = copyOf(place.path);
      ids.push(`e${at}`);
      await ledger.record("north", knownOf("north", `${at} ${text}`), [eventOf(`e${at}`)]);
      // A word more, so that what follows the record has been done.
      await ledger.forget("north");
      await ledger.record("north", knownOf("north"), []);
      left = files(place.path).filter((name) => name.startsWith("events"));
    }
    await ledger.close();
    const after = copyOf(place.path);
    const [events = "", journal = ""] = files(after).toSorted();
    expect([events, journal]).toEqual(["events-1.lines", "journal-2.lines"]);
    const stages: readonly (readonly string[])[] = [[events], [events, journal]];
    for (const added of stages) {
      const stage = copyOf(before);
      for (const name of added) fs.cpSync(join(after, name), join(stage, name));
      const again = await openAt(stage);
      // The last record was written to the first journal, whose copy is older than it.
      expect(await seenIn(again)).toEqual([1, added.includes(journal) ? ids : ids.slice(0, -1)]);
      expect(files(stage).filter((name) => name.startsWith("journal"))).toHaveLength(1);
      await again.close();
    }
  });
});

test("a second process is refused while the first one lives, and not once it is dead", async () => {
  const place = openPlace();
  const ledger = await place.open();
  await expect(openAt(place.path)).rejects.toMatchObject({ code: "data-in-use" });
  const dead = { ...own, machine: { ...own.machine, isRunning: () => false } };
  const next = await openAt(place.path, dead);
  await next.record("north", knownOf("north"), []);
  // Whoever was taken for dead writes nothing any more.
  await expect(ledger.record("south", knownOf("south"), [])).rejects.toMatchObject({
    code: "data-in-use",
  });
  expect([...(await next.portals()).keys()]).toEqual(["north"]);
  await next.close();
});

test("what differs in times alone is not written", async () => {
  const place = openPlace();
  const ledger = await place.open();
  await ledger.record("north", knownOf("north"), []);
  const [journal = ""] = files(place.path);
  const { size } = fs.statSync(join(place.path, journal));
  await ledger.record("north", { ...knownOf("north"), lookedMs: 77, turnMs: 78 }, []);
  expect(fs.statSync(join(place.path, journal)).size).toBe(size);
  expect((await ledger.portals()).get("north")?.lookedMs).toBe(77);
  await ledger.close();
});

test("its size is bounded: events go when everybody has got them and their time is over, and not before", async () => {
  const nowMs = { at: 0 };
  const place = openPlace({ ...own, now: () => nowMs.at });
  const ledger = await place.open();
  await ledger.receivers(["page"]);
  const text = "x".repeat(100_000);
  const grow = async (from: number) => {
    for (let at = from; at < from + 30; at++) {
      nowMs.at = at;
      const event = { ...eventOf(`e${at}`), timeMs: at };
      await ledger.record("north", knownOf("north", `${at} ${text}`), [event]);
    }
  };
  await grow(0);
  nowMs.at = KEEP_MS * 2;
  await grow(KEEP_MS * 2);
  // Nobody has got them yet.
  expect(await ledger.unsent("page", 100)).toHaveLength(60);
  await ledger.settle(
    "page",
    (await ledger.unsent("page", 100)).map(({ id }) => id),
  );
  await grow(KEEP_MS * 4);
  const kept = await ledger.events(1_000);
  expect(kept.length).toBeLessThan(60);
  expect(kept.every(({ timeMs }) => timeMs >= KEEP_MS * 2)).toBe(true);
  const bytes = files(place.path).reduce(
    (sum, name) => sum + fs.statSync(join(place.path, name)).size,
    0,
  );
  expect(bytes).toBeLessThan(3 * 1024 * 1024);
  await ledger.close();
});

test("what is damaged, or written by a newer Lintel, is refused and left as it is", async () => {
  const place = openPlace();
  await (await place.open()).close();
  const [journal = ""] = files(place.path);
  fs.writeFileSync(join(place.path, journal), "nothing of ours\n");
  await expect(place.open()).rejects.toMatchObject({ code: "data-not-usable" });
  expect(fs.readFileSync(join(place.path, journal), "utf8")).toBe("nothing of ours\n");
});
