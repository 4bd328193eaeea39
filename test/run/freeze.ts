// Suspends runs at every action between their journal and their last write for longer than they may take to send, while others continue, and returns how each ended.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { State } from "../../src/state/state.js";
import { LOCK_LASTS_MS } from "../../src/state/http-store.js";
import { BEGIN_MS } from "../../src/state/recover.js";
import { BIN, environment } from "../support/run.js";
import { closeLane, kill, openLane, readState, tell, writeFile, type Lane } from "./lane.js";
import { isUpdate } from "./place.js";
import type { Keeping } from "./kept.js";
import { STORIES, type Story } from "./stories.js";

interface Stop {
  readonly story: Story;
  readonly at: number;
  readonly when: "before" | "after";
  /** How many revisions the whole run writes into a folder. */
  readonly writes: number;
  readonly keeping: Keeping | undefined;
}

export interface Figures {
  readonly stops: number;
  /** What the stopped run ended with → how often. */
  readonly ends: Readonly<Record<string, number>>;
  /** Places in the moment between the last look at the clock and the first byte of an update or of a state, which no look can close. */
  readonly late: readonly string[];
}

const NAMES = ["change", "rollback"];
const THIRD = "Read-only on Monday";

/** All at once: they do nothing but stand still. At a place that is no folder, at `most` moments. */
export async function stopRuns(keeping?: Keeping, most = Infinity): Promise<Figures> {
  const all = (await Promise.all(NAMES.map((name) => stopsOf(name, keeping)))).flat();
  const each = Math.max(1, all.length / most);
  const stops = all.filter((_, at) => Math.floor(at / each) !== Math.floor((at - 1) / each));
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
async function stopsOf(name: string, keeping?: Keeping): Promise<Stop[]> {
  const lane = await openLane({}, keeping);
  try {
    const story = await arrange(lane, name);
    const { begun } = await kill(lane, story.killed, { at: 0, when: "never" });
    const update = begun.findIndex((action) => /^send POST .*\/settings\/update/.test(action));
    const look = begun.findLastIndex(
      (action, at) => at < update && /^send GET .*\/portals\/self$/.test(action),
    );
    // Over a network the journal is written after the last look at the portal.
    const [first, last] = keeping
      ? [look + 1, begun.length - 1]
      : [begun.indexOf("link"), begun.lastIndexOf("link")];
    const writes = begun.filter((action) => action === "link").length;
    return begun.flatMap((_action, index) =>
      index < first || index > last
        ? []
        : (["before", "after"] as const).map((when) => ({
            story,
            at: index + 1,
            when,
            writes,
            keeping,
          })),
    );
  } finally {
    await closeLane(lane);
  }
}

async function arrange(lane: Lane, name: string): Promise<Story> {
  const story = STORIES.find((each) => each.name === name);
  assert.ok(story);
  await lane.kept?.put(undefined);
  lane.sandbox.change("self", story.portal);
  for (const rest of story.earlier) {
    writeFile(lane, story, rest);
    await succeed(lane, "apply --yes");
  }
  writeFile(lane, story, story.file);
  return story;
}

function stateOf(lane: Lane): Promise<string | undefined> {
  return lane.kept ? lane.kept.read() : Promise.resolve(readState(lane));
}

async function stopOnce(stop: Stop) {
  const lane = await openLane({}, stop.keeping);
  try {
    const story = await arrange(lane, stop.story.name);
    const run = start(lane, story.killed, stop);
    await run.stopped;
    const stoppedMs = performance.now();
    // Not the actions of another run: an answer comes in more pieces, or a connection ends, as the machine is busy.
    const notes = readFileSync(join(lane.folder.path, "notes"), "utf8").split("\n").slice(0, -1);
    const action = notes.findLast((line) => !line.endsWith(".")) ?? "";
    const isDone = !stop.keeping && notes.filter((line) => line === "link.").length === stop.writes;
    // Another run waits for what may be on its way, and carries out another file.
    if ((await stateOf(lane))?.includes('"hold"')) await succeed(lane, "unhold");
    writeFile(lane, story, story.file.replace(/Read-only on \w+/, THIRD));
    await succeed(lane, "apply --yes");
    assert.match(JSON.stringify(lane.sandbox.settings()), new RegExp(THIRD));
    const updates = lane.sandbox.requests.filter(isUpdate).length;
    const others = await stateOf(lane);
    // The other run's clock has jumped: for the one that stands still, the time must really pass.
    const lastsMs = stop.keeping?.name === "http:" ? LOCK_LASTS_MS : BEGIN_MS;
    await sleep(Math.max(0, stoppedMs + lastsMs + 1_000 - performance.now()));
    run.goOn();
    const exit = await run.ended;
    const sent = lane.sandbox.requests.filter(isUpdate).length - updates;
    const name = `${story.name}, stopped ${stop.when} action ${stop.at} (${action}): ${exit}`;
    const [before, after] = [others, await stateOf(lane)].map(
      (text) => JSON.parse(text ?? "{}") as State,
    );
    assert.ok(before && after, name);
    if (stop.keeping?.name === "http:" && /^send .*\/states\//.test(action) && after.journal) {
      // The lock had ended, and the write stands on top of the other run's. It sent nothing on the strength of that.
      assert.deepEqual([exit, sent], [1, 0], name);
      assert.match(JSON.stringify(lane.sandbox.settings()), new RegExp(THIRD), name);
      return { exit, isLate: true, action };
    }
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
    // Elsewhere its actions do not tell whether its last write had arrived, and calls that were stopped for so long may
    // have run out of time.
    const isElsewhere = stop.keeping !== undefined;
    const more = isSettledByOther || isElsewhere ? [0, 1] : [];
    const ends = isDone ? [0] : [...more, ...(isElsewhere ? [4] : []), 5, 6, 8];
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
    assert.match(stdout, /^No changes\./m, name);
    return { exit, isLate, action };
  } finally {
    await closeLane(lane);
  }
}

function start({ folder, env, kept }: Lane, words: string, { at, when }: Stop) {
  const notes = join(folder.path, "notes");
  const halt = JSON.stringify({ at, when, notes, signal: "SIGSTOP" });
  const child = spawn(
    process.execPath,
    ["--require", join(import.meta.dirname, "halt.cjs"), BIN, ...words.split(" ")],
    {
      cwd: folder.path,
      env: environment({ ...env, ...kept?.env(), LINTEL_TEST_HALT: halt }),
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
