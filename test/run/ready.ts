// Prepares a story and a lane so that its run can be killed anywhere, and lists everything that must hold afterwards.
import assert from "node:assert/strict";
import { isEqual, type JsonObject } from "../../src/lib/json.js";
import type { State } from "../../src/state/state.js";
import {
  draftsOf,
  kill,
  putBack as putBackInFolder,
  readState as readFromFolder,
  statePlace,
  tell,
  writeFile,
  type Halt,
  type Lane,
  type Standing,
} from "./lane.js";
import type { Command, Story } from "./stories.js";

/** A story that can be killed, in one lane. */
export interface Ready {
  readonly story: Story;
  readonly lane: Lane;
  readonly standing: Standing;
  /** What the run does where nobody kills it, and how long that takes. */
  readonly actions: readonly string[];
  readonly tookMs: number;
  readonly end: End;
  /** The end where nothing of the run reached the portal. */
  readonly endWithout: End;
}

/** What must be the same in the end, wherever the run was killed. */
interface End {
  readonly portal: JsonObject;
  readonly leaves: State["leaves"];
  readonly hold: State["hold"] | null;
  readonly history: readonly Pick<State["history"][number], "kind" | "changes">[];
}

/** Tells the story once as it goes where nobody is killed. */
export async function prepare(lane: Lane, story: Story): Promise<Ready> {
  await putBack(lane, { portal: story.portal, state: undefined });
  for (const rest of story.earlier) {
    writeFile(lane, story, rest);
    await succeed(lane, ["apply --yes --allow unread-portal", 0]);
  }
  writeFile(lane, story, story.file);
  if (story.killedAfter !== undefined) await killEarlier(lane, story, story.killedAfter);
  const standing = await standingOf(lane);
  // The lock of earlier runs is gone, as it is before each kill.
  await putBack(lane, standing);
  const startedMs = performance.now();
  const { begun: actions } = await kill(lane, story.killed, { at: 0, when: "never" });
  const tookMs = performance.now() - startedMs;
  const end = await goOn(lane, story);
  if (story.next === undefined) {
    return { story, lane, standing, actions, tookMs, end, endWithout: end };
  }
  await putBack(lane, standing);
  return { story, lane, standing, actions, tookMs, end, endWithout: await goOn(lane, story) };
}

async function goOn(lane: Lane, story: Story): Promise<End> {
  if (story.next !== undefined) writeFile(lane, story, story.next);
  for (const command of story.after) await succeed(lane, command);
  return endOf(lane);
}

async function killEarlier(
  lane: Lane,
  { killed }: Pick<Story, "killed">,
  action: string,
  tries = 5,
): Promise<void> {
  const start = await standingOf(lane);
  const { begun } = await kill(lane, killed, { at: 0, when: "never" });
  const end = lane.sandbox.settings();
  await putBack(lane, start);
  const at = begun.indexOf(action) + 1;
  assert.ok(at > 0, `${action}: ${begun.join()}`);
  // A request leaves the process in several pieces, the last one after it is written: it was answered where an answer comes in.
  const isSent = action.startsWith("send");
  const answered = begun.indexOf("receive", at) + 1;
  const { isKilled } = await kill(
    lane,
    killed,
    isSent ? { at: answered, when: "before" } : { at, when: "after" },
  );
  assert.ok(isKilled);
  if (!isSent) return;
  const shown = lane.sandbox.settings();
  if (isEqual(shown, end) || tries === 1) return assert.deepEqual(shown, end);
  // Where there is little time, a sign of life of the lock comes before the answer, and the run was killed there.
  await putBack(lane, start);
  return killEarlier(lane, { killed }, action, tries - 1);
}

/** Kills the run once and goes on; returns what the plan said in between, undefined where the run came through. */
export async function strike(ready: Ready, halt: Halt): Promise<string | undefined> {
  const { story, lane, standing } = ready;
  await putBack(lane, standing);
  writeFile(lane, story, story.file);
  const { isKilled } = await kill(lane, story.killed, halt);
  if (!isKilled) return undefined;
  const { kept } = lane;
  if (kept && kept.keeping.byHand.length > 0 && !(await kept.isFree())) {
    for (const command of kept.keeping.byHand) await succeed(lane, command);
  }

  if (story.next !== undefined) writeFile(lane, story, story.next);
  const plan = await succeed(lane, ["plan", 0]);
  const isTaken = !isEqual(lane.sandbox.settings(), standing.portal);
  const end = isTaken ? ready.end : ready.endWithout;
  const isQuiet = plan.startsWith("No changes.");
  if (isQuiet) {
    assert.deepEqual(lane.sandbox.settings(), end.portal, "no changes, says the plan");
    assert.deepEqual((await stateOf(lane))?.leaves, end.leaves, "no changes, says the plan");
    assert.equal((await stateOf(lane))?.journal, undefined, "no changes, says the plan");
  }
  const isOpen = (await stateOf(lane))?.journal !== undefined;
  assert.deepEqual(await goOn(lane, story), end);
  assert.equal((await stateOf(lane))?.journal, undefined);
  if (lane.kept) assert.ok(await lane.kept.isFree(), "no lock is left");
  else await assertCounted(ready);
  assert.match(await succeed(lane, ["plan", 0]), /^No changes\./m);
  return isQuiet ? "no changes" : isOpen ? "outcome unknown" : "changes";
}

/** In a folder every write is a revision, which a serial counts; a run leaves nothing else. */
async function assertCounted({ lane, standing }: Ready): Promise<void> {
  const first = standing.state === undefined ? 0 : (JSON.parse(standing.state) as State).serial;
  const [, revision] = /(\d+)\.json$/.exec(statePlace(lane) ?? "") ?? [];
  const written = Number(revision ?? 0) - (standing.state === undefined ? 0 : 1);
  assert.equal((await stateOf(lane))?.serial ?? 0, first + written, "every write is counted once");
  // A run that was killed right after its last write leaves its draft to the next writer.
  if (draftsOf(lane).length === 0) return;
  await succeed(lane, ["hold --why test", 0]);
  await succeed(lane, ["unhold", 0]);
  assert.deepEqual(draftsOf(lane), []);
}

async function succeed(lane: Lane, [words, wanted]: Command): Promise<string> {
  const { exit, stdout, stderr } = await tell(lane, words);
  assert.equal(exit, wanted, `${words}\n${stdout}${stderr}`);
  return stdout;
}

async function endOf(lane: Lane): Promise<End> {
  const state = await stateOf(lane);
  return {
    portal: lane.sandbox.settings(),
    leaves: state?.leaves ?? [],
    hold: state?.hold ?? null,
    history: (state?.history ?? []).map(({ kind, changes }) => ({ kind, changes })),
  };
}

async function stateOf(lane: Lane): Promise<State | undefined> {
  const text = await readState(lane);
  return text === undefined ? undefined : (JSON.parse(text) as State);
}

async function readState(lane: Lane): Promise<string | undefined> {
  return lane.kept ? lane.kept.read() : readFromFolder(lane);
}

async function standingOf(lane: Lane): Promise<Standing> {
  return { portal: lane.sandbox.settings(), state: await readState(lane) };
}

async function putBack(lane: Lane, standing: Standing): Promise<void> {
  putBackInFolder(lane, { ...standing, ...(lane.kept && { state: undefined }) });
  await lane.kept?.put(standing.state);
}
