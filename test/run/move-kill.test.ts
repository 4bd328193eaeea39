// Moves that are killed at every step: the same command again ends as if nothing had happened.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseState } from "../../src/state/format.js";
import { identityOf } from "../../src/state/key.js";
import type { State } from "../../src/state/state.js";
import { readStateIn } from "../support/state-files.js";
import { closeLane, kill, openLane, putBack, standingOf, tell, writeFile } from "./lane.js";
import type { Halt, Lane } from "./lane.js";
import { openKeepings } from "./keepings.js";
import { killMoves } from "./moves.js";
import { STORIES } from "./stories.js";

const MOVE = "state move portal.yaml file:states --yes";
const BANNER = "settings: { informationalBanner: { text: Hello, enabled: true } }\n";
const LATER = "settings: { informationalBanner: { text: Later, enabled: true } }\n";

function stateIn({ folder, sandbox }: Lane, name: string): State | undefined {
  const portal = identityOf(sandbox.portalUrl, "self");
  const text = readStateIn(join(folder.path, name), portal.key);
  return text === undefined ? undefined : parseState(text, { place: name, portal });
}

async function succeed(lane: Lane, words: string): Promise<string> {
  const { exit, stdout, stderr } = await tell(lane, words);
  expect([words, exit, exit === 0 ? "" : stdout + stderr]).toEqual([words, 0, ""]);
  return stdout;
}

test("a move killed at any step loses and doubles nothing, and the next one completes it", async () => {
  const lane = await openLane();
  onTestFinished(() => closeLane(lane));
  const [story] = STORIES;
  if (!story) throw new Error("there is no story");
  for (const rest of [BANNER, LATER]) {
    writeFile(lane, story, rest);
    await succeed(lane, "apply --yes");
  }
  const standing = standingOf(lane);
  const before = stateIn(lane, ".lintel");
  expect(before?.history).toHaveLength(2);
  const begin = () => {
    putBack(lane, standing);
    rmSync(join(lane.folder.path, "states"), { recursive: true, force: true });
    writeFile(lane, story, LATER);
  };

  begin();
  const { begun } = await kill(lane, MOVE, { at: 0, when: "never" });
  const end = stateIn(lane, "states");
  expect(end?.history.slice(0, -1)).toEqual(before?.history);
  const halts = begun.flatMap((action, index): Halt[] => {
    const at = index + 1;
    const within = action === "writeFile" ? [{ at, when: "within" } as const] : [];
    return [{ at, when: "before" }, ...within];
  });
  expect(halts.length).toBeGreaterThan(30);

  const ends = new Map<string, number>();
  for (const halt of halts) {
    begin();
    const { isKilled } = await kill(lane, MOVE, halt);
    if (!isKilled) continue;
    const [from, to] = [stateIn(lane, ".lintel"), stateIn(lane, "states")];
    const [isMarked, isThere] = [from?.moved !== undefined, to !== undefined];
    // Nobody can ever go on at both, and what there is stands whole at one at least.
    expect(from?.history).toEqual(before?.history);
    if (isThere) expect(isMarked).toBe(true);
    const isSaid = readFileSync(join(lane.folder.path, "portal.yaml"), "utf8").includes("state:");
    if (isSaid) expect(isThere).toBe(true);
    const plan = await tell(lane, "plan");
    expect(plan.exit).toBe(isMarked && !isSaid ? 3 : 0);
    const said = await succeed(lane, MOVE);
    const how = `${isMarked ? "marked" : "untouched"}, ${isThere ? "arrived" : "not arrived"}, ${isSaid ? "said" : "not said"}`;
    ends.set(how, (ends.get(how) ?? 0) + 1);
    expect(said).toMatch(isThere ? /is there already/ : /was moved/);

    const after = stateIn(lane, "states");
    const { time, by } = after?.history.at(-1) ?? {};
    const { history = [], ...others } = end ?? {};
    const last = { ...history.at(-1), time, by };
    expect(after).toEqual({ ...others, history: [...history.slice(0, -1), last] });
    expect(stateIn(lane, ".lintel")?.moved?.to).toBe("file:states");
    expect(await succeed(lane, "plan")).toMatch(/^No changes\./m);
  }
  // Nothing follows the line in the file that says where the state is.
  expect([...ends.keys()].toSorted()).toEqual([
    "marked, arrived, not said",
    "marked, not arrived, not said",
    "untouched, not arrived, not said",
  ]);
});

test("also between places of every kind, at any moment", async () => {
  const folder = mkdtempSync(join(tmpdir(), "lintel-kept-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const { all, close } = await openKeepings(folder);
  onTestFinished(close);
  const { kills, ends } = await killMoves(2 * (all.length + 1), all);
  expect(kills).toBe(2 * (all.length + 1));
  expect(Object.keys(ends)).not.toHaveLength(0);
});
