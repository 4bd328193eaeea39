// Stops runs at every action between their journal and their last write, for longer than they may take to send, while others go on → what each run ended with.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { State } from "../../src/state/state.js";
import { BEGIN_MS } from "../../src/state/recover.js";
import { BIN, environment } from "../support/run.js";
import { closeLane, kill, openLane, readState, tell, writeFile, type Lane } from "./lane.js";
import { isUpdate } from "./place.js";
import { STORIES, type Story } from "./stories.js";

interface Stop {
  readonly story: Story;
  readonly at: number;
  readonly when: "before" | "after";
  /** How many revisions the whole run writes. */
  readonly writes: number;
}

export interface Figures {
  readonly stops: number;
  /** What the stopped run ended with → how often. */
  readonly ends: Readonly<Record<string, number>>;
  /** Places in the moment between the last look at the clock and the first byte, which no look can close. */
  readonly late: readonly string[];
}

const NAMES = ["change", "rollback"];
const THIRD = "Read-only on Monday";

/** All at once: they do nothing but stand still. */
export async function stopRuns(): Promise<Figures> {
  const stops = (await Promise.all(NAMES.map(stopsOf))).flat();
  const ends = new Map<string, number>();
  const late: string[] = [];
  // In rows, so that their beginnings do not take the machine from each other.
  const rows = Array.from({ length: Math.ceil(stops.length / ROW) }, (_, at) =>
    stops.slice(at * ROW, (at + 1) * ROW),
  );
  for (const row of rows) {
    await Promise.all(
      row.map(async (stop) => {
        const end = await stopOnce(stop);
        const key = `${end.exit}${end.isLate ? " (late)" : ""}`;
        ends.set(key, (ends.get(key) ?? 0) + 1);
        if (end.isLate) late.push(`${stop.story.name}: ${stop.when} ${end.action}`);
      }),
    );
  }
  return { stops: stops.length, ends: Object.fromEntries(ends), late };
}

const ROW = 24;

/** The places between the write of the journal and the last write. */
async function stopsOf(name: string): Promise<Stop[]> {
  const lane = await openLane();
  try {
    const story = await arrange(lane, name);
    const { begun } = await kill(lane, story.killed, { at: 0, when: "never" });
    const [first, last] = [begun.indexOf("link"), begun.lastIndexOf("link")];
    const writes = begun.filter((action) => action === "link").length;
    return begun.flatMap((_action, index) =>
      index < first || index > last
        ? []
        : (["before", "after"] as const).map((when) => ({ story, at: index + 1, when, writes })),
    );
  } finally {
    await closeLane(lane);
  }
}

async function arrange(lane: Lane, name: string): Promise<Story> {
  const story = STORIES.find((each) => each.name === name);
  assert.ok(story);
  lane.sandbox.change("self", story.portal);
  for (const rest of story.earlier) {
    writeFile(lane, story, rest);
    await succeed(lane, "apply --yes");
  }
  writeFile(lane, story, story.file);
  return story;
}

async function stopOnce(stop: Stop) {
  const lane = await openLane();
  try {
    const story = await arrange(lane, stop.story.name);
    const run = start(lane, story.killed, stop);
    await run.stopped;
    const stoppedMs = performance.now();
    // Not the actions of another run: an answer comes in more pieces, or a connection ends, as the machine is busy.
    const notes = readFileSync(join(lane.folder.path, "notes"), "utf8").split("\n").slice(0, -1);
    const action = notes.findLast((line) => !line.endsWith(".")) ?? "";
    const isDone = notes.filter((line) => line === "link.").length === stop.writes;
    // Another run waits for what may be on its way, and carries out another file.
    if (readState(lane)?.includes('"hold"')) await succeed(lane, "unhold");
    writeFile(lane, story, story.file.replace(/Read-only on \w+/, THIRD));
    await succeed(lane, "apply --yes");
    assert.match(JSON.stringify(lane.sandbox.settings()), new RegExp(THIRD));
    const updates = lane.sandbox.requests.filter(isUpdate).length;
    const others = readState(lane);
    await sleep(Math.max(0, stoppedMs + BEGIN_MS + 1_000 - performance.now()));
    run.goOn();
    const exit = await run.ended;
    const sent = lane.sandbox.requests.filter(isUpdate).length - updates;
    const name = `${story.name}, stopped ${stop.when} action ${stop.at} (${action}): ${exit}`;
    const [before, after] = [others, readState(lane)].map(
      (text) => JSON.parse(text ?? "{}") as State,
    );
    assert.ok(before && after, name);
    assert.equal(after.journal, undefined, name);
    if (after.serial > before.serial) {
      // An apply that nobody confirmed read and planned again, and went on from what the other run had left.
      assert.deepEqual([exit, sent, story.killed.startsWith("apply")], [0, 1, true], name);
      assert.deepEqual(after.history.slice(0, -1), before.history, name);
      assert.equal((await tell(lane, "drift")).exit, 0, name);
      return { exit, isLate: false, action };
    }
    // Whatever it did, it wrote nothing over what was written meanwhile, and knows that it failed. Where the other run
    // settled its update, it succeeded; or it fails with 1, because the portal shows what came on top.
    assert.deepEqual(after, before, name);
    const applies = before.history.filter(({ number }) => number !== undefined).length;
    const isSettledByOther = applies > story.earlier.length + 1;
    const ends = isDone ? [0] : [...(isSettledByOther ? [0, 1] : []), 5, 6, 8];
    assert.ok(ends.includes(exit ?? -1), name);
    const isLate = sent > 0;
    if (isLate) {
      assert.match(action, /^send /, name);
      // The next look shows it, and the next apply asks before it puts it right.
      assert.equal((await tell(lane, "drift")).exit, 2, name);
      assert.equal((await tell(lane, "apply --yes")).exit, 7, name);
      await succeed(lane, "apply --yes --allow overwrite-drift");
    }
    assert.match(JSON.stringify(lane.sandbox.settings()), new RegExp(THIRD), name);
    const { stdout } = await tell(lane, "plan");
    assert.match(stdout, /^No changes\./, name);
    return { exit, isLate, action };
  } finally {
    await closeLane(lane);
  }
}

function start({ folder, env }: Lane, words: string, { at, when }: Stop) {
  const notes = join(folder.path, "notes");
  const halt = JSON.stringify({ at, when, notes, signal: "SIGSTOP" });
  const child = spawn(
    process.execPath,
    ["--require", join(import.meta.dirname, "halt.cjs"), BIN, ...words.split(" ")],
    {
      cwd: folder.path,
      env: environment({ ...env, LINTEL_TEST_HALT: halt }),
      stdio: "ignore",
    },
  );
  const ended = new Promise<number | null>((done) => child.on("close", done));
  return {
    ended,
    stopped: untilStopped(child.pid ?? 0),
    goOn: () => child.kill("SIGCONT"),
  };
}

async function untilStopped(pid: number): Promise<void> {
  for (;;) {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    if (stat.slice(stat.lastIndexOf(")") + 2).startsWith("T")) return;
    await sleep(20);
  }
}

async function succeed(lane: Lane, words: string): Promise<void> {
  const { exit, stdout, stderr } = await tell(lane, words);
  assert.equal(exit, 0, `${words}\n${stdout}${stderr}`);
}
