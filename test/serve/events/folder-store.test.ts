// The event store in a folder keeps the contract through kills, damaged files, full disks and a second run.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Io } from "../../../src/io.js";
import { openFolderStore } from "../../../src/serve/events/folder-store.js";
import { takeRunFile, type RunFile } from "../../../src/serve/events/run-file.js";
import { ioFor } from "../../run/call.js";
import { folderOf } from "../../support/run.js";
import { eventOf, knownOf, testEventStore } from "./contract.js";
import { interceptCalls, killedAt, restoreCalls } from "./fs-calls.js";
import { canMount } from "../../support/mount.js";

const DAY_MS = 86_400_000;
const START = Date.parse("2026-12-05T23:00:00Z");
const KEEP_MS = 90 * DAY_MS;

const { io: own } = ioFor({ cwd: "." });

interface Opening {
  readonly io?: Io;
  readonly nowMs?: number;
  readonly warn?: (sentence: string) => void;
}

const unexpected = (sentence: string) => {
  throw new Error(sentence);
};

/** At a time of day that stands still. */
const openAt = (folder: string, { io = own, nowMs = START, warn = unexpected }: Opening = {}) =>
  openFolderStore({ ...io, now: () => nowMs }, { folder, keepMs: KEEP_MS, warn });

function newFolder(): string {
  const folder = folderOf();
  onTestFinished(() => folder.remove());
  return join(folder.path, "data");
}

testEventStore({
  name: "folder",
  isLasting: true,
  open: async () => {
    const folder = newFolder();
    return () => openAt(folder);
  },
});

const ids = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id);
const pendingIn = async (store: Awaited<ReturnType<typeof openAt>>) =>
  ids(await store.pending("page", 1e9));

/** Three portals with two events each. The webhook has the first three. */
async function filled(): Promise<string> {
  const folder = newFolder();
  const store = await openAt(folder);
  await store.register(["page"]);
  for (const at of [1, 2, 3]) {
    await store.record(`p${at}`, knownOf(`p${at}`), [eventOf(`a${at}`), eventOf(`b${at}`)]);
  }
  await store.acknowledge("page", ["a1", "b1", "a2"]);
  await store.close();
  return folder;
}

const DAY = "events/2026-12-05.jsonl";
type Change = (path: string) => void;

const edit =
  (change: (text: string) => string): Change =>
  (path) =>
    fs.writeFileSync(path, change(fs.readFileSync(path, "utf8")));
const cutBy = (bytes: number) => edit((text) => text.slice(0, -bytes));
const ALL = ["p1", "p2", "p3"];

interface Damage {
  readonly name: string;
  readonly file: string;
  readonly change: Change;
  /** Ends of the warnings of one start. */
  readonly warnings: readonly string[];
  readonly portals?: readonly string[];
  readonly pending?: readonly string[];
}

const SKIPPED = "has 1 line that cannot be read. Lintel skips them.";
const UNKNOWN = "cannot be read. Its portal counts as unknown, and its events may be repeated.";
const LOST = "cannot be read. Webhooks get the events of the last three days again.";
const EVERY = ["a1", "b1", "a2", "b2", "a3", "b3"];

const DAMAGES: readonly Damage[] = [
  {
    name: "last line torn",
    file: DAY,
    change: cutBy(40),
    warnings: [SKIPPED],
    pending: ["b2", "a3"],
  },
  { name: "last line without its end", file: DAY, change: cutBy(1), warnings: [] },
  {
    name: "zeros at the end",
    file: DAY,
    change: edit((text) => `${text}\0\0\0`),
    warnings: [SKIPPED],
  },
  {
    name: "rubbish in the middle",
    file: DAY,
    change: edit((text) => text.replace('{"number":4', 'rubbish\n{"number":4')),
    warnings: [SKIPPED],
  },
  {
    name: "a line damaged in the middle",
    file: DAY,
    change: edit((text) => text.replace('"id":"a3"', '"id":a3"')),
    warnings: [SKIPPED],
    pending: ["b2", "b3"],
  },
  {
    name: "a line of another program",
    file: DAY,
    change: edit((text) => `{"number":9}\n[]\n${text}`),
    warnings: ["has 2 lines that cannot be read. Lintel skips them."],
  },
  { name: "event file empty", file: DAY, change: edit(() => ""), warnings: [], pending: [] },
  { name: "event file missing", file: DAY, change: fs.rmSync, warnings: [], pending: [] },
  {
    name: "snapshot truncated",
    file: "portals/p2.json",
    change: cutBy(40),
    warnings: [UNKNOWN],
    portals: ["p1", "p3"],
  },
  {
    name: "snapshot empty",
    file: "portals/p2.json",
    change: edit(() => ""),
    warnings: [UNKNOWN],
    portals: ["p1", "p3"],
  },
  {
    name: "snapshot of another program",
    file: "portals/p2.json",
    change: edit(() => '{"key":"p2"}'),
    warnings: [UNKNOWN],
    portals: ["p1", "p3"],
  },
  {
    name: "cursors truncated",
    file: "cursors.json",
    change: cutBy(4),
    warnings: [LOST],
    pending: EVERY,
  },
  {
    name: "cursors empty",
    file: "cursors.json",
    change: edit(() => ""),
    warnings: [LOST],
    pending: EVERY,
  },
  {
    name: "cursors with text",
    file: "cursors.json",
    change: edit(() => '{"page":"3"}'),
    warnings: [LOST],
    pending: EVERY,
  },
  {
    name: "draft of a killed run",
    file: "portals/.lintel-x.draft",
    change: (path) => fs.writeFileSync(path, "{"),
    warnings: [],
  },
];

test.each(DAMAGES)(
  "$name: warns and keeps the rest",
  async ({ file, change, warnings, portals = ALL, pending = ["b2", "a3", "b3"] }) => {
    const folder = await filled();
    change(join(folder, file));
    const warned: string[] = [];
    const store = await openAt(folder, { warn: (sentence) => warned.push(sentence) });
    await store.register(["page"]);
    expect(warned).toEqual(warnings.map((end) => `"${join(folder, file)}" ${end}`));
    expect([...(await store.records()).keys()].toSorted()).toEqual(portals);
    expect(await pendingIn(store)).toEqual(pending);
    // New events follow in a line of their own.
    await store.record("p2", knownOf("p2", "new"), [eventOf("new")]);
    expect(await pendingIn(store)).toEqual([...pending, "new"]);
    await store.close();
    const again = await openAt(folder, { warn: () => {} });
    expect(await pendingIn(again)).toEqual([...pending, "new"]);
    expect((await again.records()).get("p2")).toEqual(knownOf("p2", "new"));
    expect(fs.readdirSync(join(folder, "portals")).filter((name) => name.endsWith("t"))).toEqual(
      [],
    );
    await again.close();
  },
);

test("lost cursors repeat three days of events, counted from the newest", async () => {
  const folder = newFolder();
  for (const day of [0, 1, 5]) {
    const store = await openAt(folder, { nowMs: START + day * DAY_MS });
    await store.register(["page"]);
    await store.record("north", knownOf("north", `${day}`), [eventOf(`day-${day}`)]);
    await store.close();
  }
  fs.writeFileSync(join(folder, "cursors.json"), "{");
  const later = { nowMs: START + 50 * DAY_MS, warn: () => {} };
  const store = await openAt(folder, later);
  await store.register(["page"]);
  expect(await pendingIn(store)).toEqual(["day-5"]);
  await store.close();
});

describe("killed", () => {
  test("at any byte of an append: keeps whole lines and records the rest again", async () => {
    const folder = await filled();
    const whole = fs.readFileSync(join(folder, DAY));
    const ends = [...whole.entries()].flatMap(([at, byte]) => (byte === 10 ? [at] : []));
    const cuts = [
      ...Array.from({ length: 40 }, (_, at) => at * 53),
      ...ends,
      ...ends.map((end) => end + 1),
    ];
    for (const cut of cuts.filter((each) => each <= whole.length)) {
      fs.writeFileSync(join(folder, DAY), whole.subarray(0, cut));
      fs.writeFileSync(join(folder, "cursors.json"), '{"page":0}');
      const store = await openAt(folder, { warn: () => {} });
      const kept = EVERY.slice(0, ends.filter((end) => end <= cut).length);
      expect([cut, await pendingIn(store)]).toEqual([cut, kept]);
      for (const at of [1, 2, 3]) {
        await store.record(`p${at}`, knownOf(`p${at}`), [eventOf(`a${at}`), eventOf(`b${at}`)]);
      }
      await store.close();
      const again = await openAt(folder, { warn: () => {} });
      expect([cut, await pendingIn(again)]).toEqual([cut, EVERY]);
      await again.close();
    }
  });

  test("between append and snapshot: the same event is not stored twice", async () => {
    const folder = newFolder();
    const store = await openAt(folder);
    await store.register(["page"]);
    await store.record("north", knownOf("north", "1"), []);
    const before = fs.readFileSync(join(folder, "portals/north.json"));
    await store.record("north", knownOf("north", "2"), [eventOf("a")]);
    await store.close();
    fs.writeFileSync(join(folder, "portals/north.json"), before);
    // After midnight, too.
    const again = await openAt(folder, { nowMs: START + 2 * 3_600_000 });
    expect((await again.records()).get("north")).toEqual(knownOf("north", "1"));
    await again.record("south", knownOf("south"), [eventOf("c", "south")]);
    await again.record("north", knownOf("north", "2"), [eventOf("a")]);
    expect(await pendingIn(again)).toEqual(["a", "c"]);
    expect((await again.records()).get("north")).toEqual(knownOf("north", "2"));
    await again.close();
  });
});

describe("killed at any call to the file system", () => {
  const EVENTS = ["a1", "a2", "b1", "a3"];
  const restarted = { ...own, machine: { ...own.machine, isRunning: () => false } };

  /** As `serve` does: records what the snapshot does not say yet, then sends what is pending. */
  async function work(folder: string, sent: string[], warned: string[] = []): Promise<void> {
    const store = await openAt(folder, { io: restarted, warn: (each) => warned.push(each) });
    await store.register(["page"]);
    for (const id of EVENTS) {
      const key = id.slice(0, 1);
      const recorded = (await store.records()).get(key)?.reported.drift ?? "";
      if (recorded < id) await store.record(key, knownOf(key, id), [eventOf(id, key)]);
      if (id === "a1") continue;
      const pending = await pendingIn(store);
      sent.push(...pending);
      if (pending.length > 0) await store.acknowledge("page", pending);
    }
    await store.close();
  }

  test.each(["before", "within", "after"] as const)(
    "%s it: stores each event once and sends it",
    async (when) => {
      const all = await killedAt(Infinity, when, () => work(newFolder(), []));
      expect(all).toBeGreaterThan(80);
      let torn = 0;
      for (let call = 1; call <= all; call++) {
        const folder = newFolder();
        const path = join(folder, DAY);
        const stored = () => (fs.existsSync(path) ? fs.readFileSync(path, "utf8") : "");
        const sent: string[] = [];
        const warned: string[] = [];
        await killedAt(call, when, () => work(folder, sent));
        const unstored = sent.filter((id) => !stored().includes(`"id":"${id}"`));
        expect([call, unstored]).toEqual([call, []]);
        const before = sent.length;
        await work(folder, sent, warned);
        torn += warned.length;
        const lines = stored().split("\n");
        const ids = lines.flatMap((line) => /^.*?"id":"(..)".*\}\}$/s.exec(line)?.[1] ?? []);
        expect([call, ids]).toEqual([call, EVENTS]);
        expect([call, [...new Set(sent)]]).toEqual([call, EVENTS]);
        expect(sent.length - EVENTS.length).toBeLessThanOrEqual(before > 0 ? 2 : 0);
      }
      expect(torn).toBe(when === "within" ? EVENTS.length : 0);
    },
  );
});

/** Replaces a file or folder so that the store cannot write to it, even as root. */
function blocked(path: string) {
  fs.rmSync(path, { recursive: true, force: true });
  fs.mkdirSync(join(path, "x"), { recursive: true });
  return () => fs.rmSync(path, { recursive: true });
}

describe("a write that fails", () => {
  test("keeps a snapshot from following events that are not stored", async () => {
    const folder = newFolder();
    const store = await openAt(folder);
    await store.register(["page"]);
    const free = blocked(join(folder, DAY));
    const record = () => store.record("north", knownOf("north"), [eventOf("a")]);
    await expect(record()).rejects.toMatchObject({ code: "not-writable" });
    expect(fs.existsSync(join(folder, "portals/north.json"))).toBe(false);
    expect(await pendingIn(store)).toEqual([]);
    free();
    await record();
    expect(await pendingIn(store)).toEqual(["a"]);
    await store.close();
  });

  test("stores the events once while the snapshot fails", async () => {
    const folder = newFolder();
    const store = await openAt(folder);
    await store.register(["page"]);
    const free = blocked(join(folder, "portals/north.json"));
    const record = () => store.record("north", knownOf("north"), [eventOf("a")]);
    await expect(record()).rejects.toMatchObject({ code: "not-writable" });
    await expect(record()).rejects.toMatchObject({ code: "not-writable" });
    free();
    await record();
    expect(await pendingIn(store)).toEqual(["a"]);
    await store.close();
    const again = await openAt(folder);
    expect(await pendingIn(again)).toEqual(["a"]);
    await again.close();
  });

  test("leaves a cursor where it was", async () => {
    const folder = await filled();
    const store = await openAt(folder);
    const free = blocked(join(folder, "cursors.json"));
    await expect(store.acknowledge("page", ["b2"])).rejects.toMatchObject({ code: "not-writable" });
    expect(await pendingIn(store)).toEqual(["b2", "a3", "b3"]);
    free();
    await store.acknowledge("page", ["b2"]);
    expect(await pendingIn(store)).toEqual(["a3", "b3"]);
    await store.close();
  });
});

test.skipIf(!canMount())(
  "records again what a full disk refused (skipped where mounting is not allowed)",
  async () => {
    const folder = newFolder();
    fs.mkdirSync(folder);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=128k,mode=0700", "none", folder]);
    onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
    const store = await openAt(folder);
    await store.register(["page"]);
    await store.record("north", knownOf("north", "1"), [eventOf("a")]);
    const ballast = join(folder, "ballast");
    const handle = fs.openSync(ballast, "w");
    expect(() => {
      for (;;) fs.writeSync(handle, Buffer.alloc(4096));
    }).toThrow("ENOSPC");
    fs.closeSync(handle);
    // Larger than what is left of the last page.
    const more = { ...eventOf("b"), message: "x".repeat(9_000) };
    const record = () => store.record("north", knownOf("north", "2"), [more]);
    await expect(record()).rejects.toMatchObject({
      code: "not-writable",
      message: `The folder "${folder}" cannot be used: the disk is full.`,
    });
    await expect(store.acknowledge("page", ["a"])).rejects.toMatchObject({ code: "not-writable" });
    expect(await pendingIn(store)).toEqual(["a"]);
    fs.rmSync(ballast);
    await record();
    expect(await pendingIn(store)).toEqual(["a", "b"]);
    await store.close();
    const again = await openAt(folder);
    expect(await pendingIn(again)).toEqual(["a", "b"]);
    expect((await again.records()).get("north")).toEqual(knownOf("north", "2"));
    await again.close();
  },
);

test("refuses to acknowledge events that are not the first pending ones", async () => {
  const store = await openAt(await filled());
  await expect(store.acknowledge("page", ["a3"])).rejects.toThrow(TypeError);
  expect(await pendingIn(store)).toEqual(["b2", "a3", "b3"]);
  await store.close();
});

test("writes through no link", async () => {
  const folder = newFolder();
  const store = await openAt(folder);
  const other = join(dirname(folder), "other");
  fs.writeFileSync(other, "");
  for (const name of [DAY, "portals/north.json", "cursors.json"]) {
    fs.symlinkSync(other, join(folder, name));
    const record = store.record("north", knownOf("north", name), [eventOf(name)]);
    const refused = name === "cursors.json" ? record.then(() => store.register(["page"])) : record;
    await expect(refused).rejects.toMatchObject({ code: "not-writable" });
    fs.rmSync(join(folder, name));
  }
  expect(fs.readFileSync(other, "utf8")).toBe("");
  await store.close();
});

test("does not write a snapshot that differs only in times", async () => {
  const folder = newFolder();
  const store = await openAt(folder);
  await store.record("north", knownOf("north"), []);
  const { ino } = fs.statSync(join(folder, "portals/north.json"));
  await store.record("north", { ...knownOf("north"), checkedMs: 77, nextPollMs: 78 }, []);
  expect(fs.statSync(join(folder, "portals/north.json")).ino).toBe(ino);
  expect((await store.records()).get("north")?.checkedMs).toBe(77);
  await store.close();
});

test("keeps the snapshot of a file that never named its portal", async () => {
  const folder = newFolder();
  const keys = ["portals/north.yaml", "../../north.yaml", "NUL.yaml", "ä".repeat(300), ".."];
  const store = await openAt(folder);
  for (const key of keys) await store.record(key, knownOf(key), []);
  await store.forget("..");
  await store.close();
  expect(fs.readdirSync(dirname(folder))).toEqual(["data"]);
  const again = await openAt(folder);
  expect([...(await again.records()).keys()].toSorted()).toEqual(keys.slice(0, -1).toSorted());
  await again.close();
});

test("deletes days that are old and that no webhook waits for", async () => {
  const folder = newFolder();
  const on = (day: number) => openAt(folder, { nowMs: START + day * DAY_MS });
  const days = () => fs.readdirSync(join(folder, "events")).map((name) => name.slice(5, 10));
  let store = await on(0);
  await store.register(["page"]);
  await store.record("north", knownOf("north", "0"), [eventOf("old")]);
  await store.close();
  store = await on(1);
  await store.record("north", knownOf("north", "1"), [eventOf("next")]);
  await store.close();
  store = await on(91);
  // Still pending.
  expect(days()).toEqual(["12-05", "12-06"]);
  await store.acknowledge("page", ["old", "next"]);
  await store.record("north", knownOf("north", "2"), [eventOf("new")]);
  expect(days().toSorted()).toEqual(["03-06", "12-06"]);
  await store.close();
  store = await on(93);
  expect(days()).toEqual(["03-06"]);
  expect(await pendingIn(store)).toEqual(["new"]);
  await store.close();
});

test("keeps the order of events when the clock is set back", async () => {
  const folder = newFolder();
  for (const [day, id] of [
    [5, "a"],
    [0, "b"],
    [2, "c"],
  ] as const) {
    const store = await openAt(folder, { nowMs: START + day * DAY_MS });
    await store.register(["page"]);
    await store.record("north", knownOf("north", id), [eventOf(id)]);
    await store.close();
  }
  const store = await openAt(folder);
  expect(await pendingIn(store)).toEqual(["a", "b", "c"]);
  await store.close();
});

describe("a second run", () => {
  const machine = {
    ...own.machine,
    host: "here",
    bootId: "boot",
    pidNamespace: "pid",
    pid: 7,
    startTime: "70",
  };
  const alive = (pids: readonly number[]): Io => ({
    ...own,
    machine: { ...machine, pid: 8, startTime: "80", isRunning: (pid) => pids.includes(pid) },
  });
  const run = {
    host: "here",
    pid: 7,
    bootId: "boot",
    pidNamespace: "pid",
    startTime: "70",
    since: "2026-12-05T18:00:00Z",
  };
  const REFUSED = [
    ["a live process", run, 'process 7 on "here" since 2026-12-05 18:00 UTC'],
    [
      "another host",
      { ...run, host: "there", bootId: "other" },
      'process 7 on "there" since 2026-12-05 18:00 UTC',
    ],
    [
      "another host without boot IDs",
      { host: "there", pid: 3, since: "" },
      'process 3 on "there" since ',
    ],
    ["a file that cannot be read", "{", "another run"],
  ] as const;

  test.each(REFUSED)("is refused by %s", async (_, contents, by) => {
    const folder = newFolder();
    await (await openAt(folder)).close();
    const path = join(folder, "run.json");
    const text = typeof contents === "string" ? contents : JSON.stringify(contents);
    fs.writeFileSync(path, text);
    await expect(openAt(folder, { io: alive([7]) })).rejects.toMatchObject({
      code: "data-in-use",
      message: `The folder "${folder}" is used by ${by}.`,
      help: `If that run is over, delete "${path}". Otherwise use another folder:\n  lintel serve --data DIR`,
    });
    expect(fs.readFileSync(path, "utf8")).toBe(text);
  });

  const TAKEN_OVER = [
    ["a dead process", run],
    ["another boot of this host", { ...run, bootId: "before" }],
    ["an earlier container of this name", { ...run, pidNamespace: "before" }],
    ["a dead process under an earlier host name", { ...run, host: "before" }],
  ] as const;

  test.each(TAKEN_OVER)("takes over from %s", async (name, contents) => {
    const folder = await filled();
    fs.writeFileSync(join(folder, "run.json"), JSON.stringify(contents));
    const isDead = name.includes("dead");
    const store = await openAt(folder, { io: alive(isDead ? [8] : [7, 8]) });
    expect(await pendingIn(store)).toEqual(["b2", "a3", "b3"]);
    await store.close();
    expect(fs.readdirSync(folder).toSorted()).toEqual([
      ".gitignore",
      "cursors.json",
      "events",
      "portals",
    ]);
  });

  test("is refused by a run of the same process", async () => {
    const folder = newFolder();
    const store = await openAt(folder);
    await expect(openAt(folder)).rejects.toMatchObject({ code: "data-in-use" });
    await store.close();
    await (await openAt(folder)).close();
  });

  test("ends the first one at its next write after taking over the folder", async () => {
    const folder = newFolder();
    const first = await openAt(folder);
    const second = await openAt(folder, {
      io: { ...own, machine: { ...own.machine, isRunning: () => false } },
    });
    await second.register(["page"]);
    await second.record("north", knownOf("north"), [eventOf("a")]);
    const refused = { code: "data-in-use" };
    await expect(first.record("south", knownOf("south"), [])).rejects.toMatchObject(refused);
    await expect(first.acknowledge("page", [])).rejects.toMatchObject(refused);
    await first.close();
    expect([...(await second.records()).keys()]).toEqual(["north"]);
    await second.record("north", knownOf("north"), [eventOf("b")]);
    await second.close();
  });

  test("at any moment of another start: exactly one of them can write", async () => {
    const start = (folder: string, pid: number) =>
      takeRunFile(
        { ...own, machine: { ...alive([8, 9, 10]).machine, pid, startTime: `${pid}` } },
        folder,
      );
    /** How many calls the start of process 8 makes while 9 and 10 start at these; and how many may write afterwards. */
    const race = (first: number, second: number) => {
      const folder = newFolder();
      fs.mkdirSync(folder);
      fs.writeFileSync(join(folder, "run.json"), JSON.stringify(run));
      const held: RunFile[] = [];
      const attempt = (pid: number) => {
        try {
          held.push(start(folder, pid));
        } catch (error) {
          expect(error).toMatchObject({ code: "data-in-use" });
        }
      };
      let calls = 0;
      interceptCalls((_, args, own) => {
        calls++;
        if (calls === first) attempt(9);
        if (calls === second) attempt(10);
        return own(...args);
      });
      try {
        attempt(8);
      } finally {
        restoreCalls();
      }
      const mayWrite = (each: RunFile) => {
        try {
          each.assertOwn();
          return true;
        } catch {
          return false;
        }
      };
      return { calls, writers: held.filter(mayWrite).length };
    };
    const { calls } = race(Infinity, Infinity);
    expect(calls).toBeGreaterThan(10);
    for (let first = 1; first <= calls; first++) {
      // Those of the other start count, too.
      for (let second = first + 1; second <= 3 * calls; second++) {
        expect([first, second, race(first, second).writers]).toEqual([first, second, 1]);
      }
    }
  });

  test("a run whose file was deleted keeps the folder", async () => {
    const folder = newFolder();
    const first = await openAt(folder);
    fs.rmSync(join(folder, "run.json"));
    await first.record("north", knownOf("north"), []);
    await expect(openAt(folder)).rejects.toMatchObject({ code: "data-in-use" });
    await first.close();
  });
});
