// Refuses a rollback of many portals whose last applies were not one run, and names the way to undo the newest alone.
import { wrongUsage } from "../../failure.js";
import type { PastApply } from "../../apply/apply-fleet.js";
import { oneLine, shellWord, showTime, someOf, type Zone } from "../../lib/text.js";

export interface Undone extends PastApply {
  /** The portal's. */
  readonly name: string;
}

/** Undoing one apply on each portal would undo an unrelated one on a portal that the newest run did not change. */
export function assertTogether(all: readonly Undone[], files: readonly string[], zone: Zone): void {
  const newest = all.toSorted((one, other) => (one.time < other.time ? -1 : 1)).at(-1);
  const of = all.filter((each) => newest && isOne(each, newest));
  const others = all.filter((each) => !of.includes(each));
  if (!newest || others.length === 0) return;
  const first = of.map(({ time }) => time).toSorted()[0] ?? newest.time;
  const call = ["lintel rollback", ...files.map(shellWord), `--since ${first}`].join(" ");
  throw wrongUsage(
    `What was applied last was not applied together: to ${named(of)} at ${showTime(first, zone)}, and before that to ${named(others)}.`,
    `To undo all that was applied since then, and leave the others as they are:\n  ${call}\nOr name the files that are meant.`,
  );
}

/** By one run, or by several from one commit. */
function isOne({ run, by }: Undone, newest: Undone): boolean {
  if (run !== undefined && run === newest.run) return true;
  const { commit } = by;
  // What is not committed may be anything.
  return commit !== undefined && !commit.endsWith("-dirty") && commit === newest.by.commit;
}

function named(portals: readonly Undone[]): string {
  const names = portals.map(({ name }) => `"${oneLine(name)}"`);
  return someOf(names, "portal");
}
