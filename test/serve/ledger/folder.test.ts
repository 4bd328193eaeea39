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

/** What is told of damage is a fault where nobody listens. */
const nobody = (sentence: string) => {
  throw new Error(sentence);
};

const openAt = (folder: string, io: Io = own, warn: (sentence: string) => void = nobody) =>
  openFolder(io, { folder, keepMs: KEEP_MS, notice: () => {}, warn });

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

describe("damaged", () => {
  /** Opened twice: what the first start tells, and what both know. */
  async function openDamaged(path: string) {
    const told: string[] = [];
    const first = await openAt(path, own, (sentence) => told.push(sentence));
    const known = async (ledger: Ledger) => [
      [...(await ledger.portals()).keys()],
      (await ledger.unsent("page", 1e9)).map(({ id }) => id),
      (await ledger.events(1e9)).map(({ id }) => id).toReversed(),
    ];
    const seen = await known(first);
    await first.record("next", knownOf("next"), [eventOf("next")]);
    expect((await first.unsent("page", 1e9)).at(-1)?.id).toBe("next");
    await first.close();
    const again = await openAt(path);
    const [portals = [], unsent = [], events = []] = seen;
    const more = [[...new Set([...portals, "next"])], [...unsent, "next"], [...events, "next"]];
    expect(await known(again)).toEqual(more);
    await again.close();
    return { told, portals, unsent, events };
  }

  /** Six portals of two events each; the page has got nine of them. */
  async function filled() {
    const place = openPlace();
    const ledger = await place.open();
    await ledger.receivers(["page"]);
    for (let at = 0; at < 6; at++)
      await ledger.record(`p${at}`, knownOf(`p${at}`), [eventOf(`a${at}`), eventOf(`b${at}`)]);
    const first = (await ledger.unsent("page", 9)).map(({ id }) => id);
    await ledger.settle("page", first);
    const [journal = ""] = files(place.path);
    await ledger.close();
    return { place, journal };
  }

  const damage = (path: string, at: number) => {
    const bytes = fs.readFileSync(path);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    fs.writeFileSync(path, bytes);
  };

  test("in the middle of a journal: the record alone is lost, which is told once", async () => {
    const { place, journal } = await filled();
    const path = join(place.path, journal);
    damage(path, fs.readFileSync(path).indexOf('"key":"p2"'));
    const { told, portals, unsent, events } = await openDamaged(place.path);
    expect(told).toEqual([
      `"${path}" was damaged: 1 of its 10 records cannot be read. What is lost with that may be told once more, or never. All others are kept.`,
    ]);
    expect(portals).toEqual(["p0", "p1", "p3", "p4", "p5"]);
    expect(events).toEqual(["a0", "b0", "a1", "b1", "a3", "b3", "a4", "b4", "a5", "b5"]);
    // What the page has got is still known.
    expect(unsent).toEqual(["b4", "a5", "b5"]);
  });

  test("at any byte of a journal: whoever is told gets all that is left, and nothing is silent", async () => {
    const { place, journal } = await filled();
    const all = fs.readFileSync(join(place.path, journal));
    const begun = all.indexOf(10) + 1;
    for (let at = begun; at < all.length - 1; at += 97) {
      const copy = copyOf(place.path);
      damage(join(copy, journal), at);
      const { told, portals, unsent, events } = await openDamaged(copy);
      expect([at, told.length]).toEqual([at, 1]);
      expect(portals.length).toBeGreaterThanOrEqual(5);
      expect(events.length).toBe(portals.length * 2);
      for (const id of ["b4", "a5", "b5"].filter((each) => events.includes(each)))
        expect(unsent).toContain(id);
    }
    // An end of a line, which makes one of two.
    const copy = copyOf(place.path);
    damage(join(copy, journal), all.indexOf(10, all.indexOf('"key":"p2"')));
    expect((await openDamaged(copy)).portals).toEqual(["p0", "p1", "p4", "p5"]);
  });

  test("in a file of events: all others are kept, which is told once", async () => {
    const place = openPlace();
    const ledger = await place.open();
    await ledger.receivers(["page"]);
    const text = "x".repeat(100_000);
    const ids: string[] = [];
    for (let at = 0; !files(place.path).includes("events-1.lines"); at++) {
      ids.push(`e${at}`);
      await ledger.record("north", knownOf("north", `${at} ${text}`), [eventOf(`e${at}`)]);
      await ledger.forget("north");
    }
    await ledger.close();
    const name = "events-1.lines";
    const all = fs.readFileSync(join(place.path, name));
    const damaged = async (change: (path: string) => void) => {
      const copy = copyOf(place.path);
      change(join(copy, name));
      const { told, unsent, events } = await openDamaged(copy);
      expect(unsent).toEqual(events);
      return { told: told.map((each) => each.replace(copy, "")), unsent };
    };
    const count = ids.length;
    expect(await damaged((path) => damage(path, all.indexOf('"e2"')))).toEqual({
      told: [
        `"/${name}" was damaged: of the ${count} events in it 1 cannot be read. All others are kept.`,
      ],
      unsent: ids.filter((each) => each !== "e2"),
    });
    // Its first line holds no event.
    expect(await damaged((path) => damage(path, 20))).toEqual({ told: [], unsent: ids });
    expect(await damaged((path) => fs.truncateSync(path, all.indexOf('"e2"')))).toEqual({
      told: [
        `"/${name}" was damaged: of the ${count} events in it ${count - 2} cannot be read. All others are kept.`,
      ],
      unsent: ["e0", "e1"],
    });
    expect(await damaged((path) => fs.truncateSync(path, 20))).toEqual({
      told: [`"/${name}" was damaged: none of the events in it can be read.`],
      unsent: [],
    });
  });
});

test("what is damaged, or written by a newer Lintel, is refused and left as it is", async () => {
  const place = openPlace();
  await (await place.open()).close();
  const [journal = ""] = files(place.path);
  fs.writeFileSync(join(place.path, journal), "nothing of ours\n");
  await expect(place.open()).rejects.toMatchObject({ code: "not-writable" });
  expect(fs.readFileSync(join(place.path, journal), "utf8")).toBe("nothing of ours\n");
});
