// Kills runs before, within and after their actions on files and the network, and at any moment, and counts how others continued.
import { createRandom } from "../../src/sandbox/faults.js";
import type { Keeping } from "./kept.js";
import { closeLane, openLane, type Halt, type Lane } from "./lane.js";
import { prepare, strike, type Ready } from "./ready.js";
import { STORIES, type Story } from "./stories.js";

export interface Figures {
  readonly kills: number;
  /** Story → kills, and the places where it can be killed. */
  readonly stories: Readonly<Record<string, string>>;
  /** What the next plan said → how often. */
  readonly plans: Readonly<Record<string, number>>;
  readonly seconds: number;
}

interface Target {
  readonly story: Story;
  readonly halt: Halt;
}

export interface Killing {
  readonly most: number;
  readonly stories?: readonly Story[];
  /** How many of them come at any moment, rather than at an action. */
  readonly atRandom?: number;
  /** Where the states are, if not in the folder of the file. */
  readonly keeping?: Keeping;
}

/** Those that can be told wherever the states are: none begins with a kill at a call to the file system. */
export const EVERYWHERE = STORIES.filter(
  ({ name }) => name === "first apply" || name === "change" || name === "rollback",
);

const LANES = 4;

export async function killRuns({
  most,
  keeping,
  stories = keeping ? EVERYWHERE : STORIES,
  atRandom = 0,
}: Killing): Promise<Figures> {
  const startedMs = performance.now();
  const lanes = await Promise.all(Array.from({ length: LANES }, () => openLane({}, keeping)));
  try {
    const readyIn = preparing();
    const all = new Map<Story, Ready>();
    const waiting = stories.values();
    await each(lanes, async (lane) => {
      for (const story of waiting) all.set(story, await readyIn(lane, story));
    });
    const readies = stories.flatMap((story) => all.get(story) ?? []);
    const [first] = stories;
    const plans = new Map<string, number>();
    const killed = new Map<Story, number>();
    const targets = [
      ...chosen(readies.flatMap(targetsOf), most - atRandom),
      ...anyMoments(readies, atRandom),
    ];
    // To prepare a story takes as long as some kills of it: each is told where it was prepared, the first one anywhere.
    const shared = targets.filter(({ story }) => story === first).values();
    await each(lanes, async (lane) => {
      const own = targets.filter(({ story }) => story !== first && all.get(story)?.lane === lane);
      for (const { story, halt } of inTurn(own, shared)) {
        const said = await strikeAt(await readyIn(lane, story), halt);
        if (said === undefined) continue;
        plans.set(said, (plans.get(said) ?? 0) + 1);
        killed.set(story, (killed.get(story) ?? 0) + 1);
      }
    });
    return {
      kills: [...killed.values()].reduce((sum, count) => sum + count, 0),
      stories: Object.fromEntries(
        readies.map((ready) => [
          ready.story.name,
          `${killed.get(ready.story) ?? 0} kills, ${targetsOf(ready).length} places`,
        ]),
      ),
      plans: Object.fromEntries(plans),
      seconds: Math.round((performance.now() - startedMs) / 1000),
    };
  } finally {
    await Promise.all(lanes.map(closeLane));
  }
}

function* inTurn<T>(own: readonly T[], shared: Iterator<T>): Generator<T> {
  yield* own;
  for (let next = shared.next(); !next.done; next = shared.next()) yield next.value;
}

async function each(lanes: readonly Lane[], work: (lane: Lane) => Promise<void>): Promise<void> {
  // All are waited for, also where one fails, so that none is closed while it works.
  const ends = await Promise.allSettled(lanes.map(work));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

/** A lane prepares a story when it first tells it. */
function preparing(): (lane: Lane, story: Story) => Promise<Ready> {
  const known = new Map<Lane, Map<Story, Ready>>();
  return async (lane, story) => {
    const own = known.get(lane) ?? new Map<Story, Ready>();
    known.set(lane, own);
    const ready = own.get(story) ?? (await prepare(lane, story));
    own.set(story, ready);
    return ready;
  };
}

async function strikeAt(ready: Ready, halt: Halt): Promise<string | undefined> {
  try {
    return await strike(ready, halt);
  } catch (error) {
    const moment =
      "at" in halt
        ? `${halt.when} action ${halt.at} (${ready.actions[halt.at - 1]})`
        : `after ${halt.afterMs} ms`;
    throw new Error(`"${ready.story.name}", killed ${moment}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function targetsOf({ story, actions }: Ready): Target[] {
  return actions.flatMap((action, index) => {
    const at = index + 1;
    const isText = /^(write|append)File$/.test(action);
    const times = ["before", ...(isText ? (["within"] as const) : []), "after"] as const;
    return times.map((when) => ({ story, halt: { at, when } }));
  });
}

/** Evenly over all places. With more kills than places, some come twice: what happens side by side is never the same. */
function chosen(all: readonly Target[], count: number): Target[] {
  return Array.from(
    { length: count },
    (_, at) => all[Math.floor((at * all.length) / count)],
  ).flatMap((target) => target ?? []);
}

/** Each story in turn, at a moment of the time that it takes; the moments are drawn alike in every run. */
function anyMoments(readies: readonly Ready[], count: number): Target[] {
  const random = createRandom(1);
  return Array.from({ length: count }, (_, at) => readies[at % readies.length]).flatMap((ready) =>
    ready ? [{ story: ready.story, halt: { afterMs: random() * ready.tookMs } }] : [],
  );
}
