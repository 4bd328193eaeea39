// Many machines, at the size that they are for → their figures; fails where something was lost, doubled or left over.
import { openStory, leftAt } from "./story.js";
import { measureScheduled } from "./scheduled.js";
import { measureThroughput } from "./throughput.js";
import { revisionOf } from "./tampering.js";

export const FIGURES = {
  story: () => tellStory(2_000),
  throughput: () => measureThroughput(1_000),
  scheduled: async () => [
    await measureScheduled(1_000, 20_000),
    await measureScheduled(20_000, 20_000),
  ],
} as const satisfies Record<string, () => Promise<object>>;

async function tellStory(portals: number) {
  const story = await openStory({
    portals,
    workers: 4,
    hangsEach: 50,
    hangMs: 120_000,
    killed: { afterMs: 4_000, afterPortals: 1 },
    timeoutS: 20,
  });
  try {
    for (const at of [1, 2, 3, 4]) story.worker(at);
    for (const name of ["page-1", "page-2"]) story.serve(name);
    await story.settled("One");
    const old = await revisionOf(story.organisation);
    const changed = await story.change("Two");
    const tampered = await story.tamper("Two", old);
    const ends = await story.end();
    const left = await leftAt(story.organisation);
    const { others, hanging } = changed.received;
    const refused = story.heard.refused();
    const isRight =
      others[1] === portals - portals / 50 &&
      Object.keys(hanging).every((times) => Number(times) <= 2) &&
      changed.entries[1] === portals &&
      refused === 0 &&
      tampered.updates === 0 &&
      tampered.isAsBefore &&
      ends.every((each) => each === 0) &&
      Object.values(left).every((count) => count === 0);
    const figures = { ...changed, tampered, left, refused, signIns: story.heard.signIns() };
    if (!isRight) throw new Error(`not as it should be: ${JSON.stringify(figures)}`);
    return figures;
  } finally {
    await story.close();
  }
}
