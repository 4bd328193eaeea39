// Guard: a change made by hand on the portal would be overwritten. The portal may hold its only copy.
import { formatPath } from "../../settings.js";
import { clockOf } from "../../moment.js";
import type { Last } from "../inputs.js";
import { shortly } from "../note.js";
import type { Finding, GuardRule } from "./all.js";

/** Does not trigger for settings that were not read. */
export const overwriteDrift: GuardRule = {
  stops: "an apply that would overwrite a change made by hand",
  help: "The portal does not show who changed it. If the state may be older than the last apply, update it first, such as with git pull. To keep the change:\n  lintel pull FILE --path PATH\nTo revert such changes always, add to the file:\n  drift: restore\nA rollback follows no file: choose other settings with --path, or allow it.",
  find: ({ inputs: { last, timeZone }, sent }) =>
    sent.flatMap(({ change: { path, before, place }, proven }): Finding[] => {
      if (proven === undefined) return [];
      const message = `"${formatPath(path)}" is ${shortly(before)} on the portal. After the last apply${whenApplied(last, timeZone)}, it was ${shortly(proven)}. ${causeOf(last)}`;
      // A rollback's values are in no file, and an unset value cannot be written into one.
      return [{ path, message, ...(place && before !== null && { canPull: true }) }];
    }),
};

function whenApplied(last: Last | undefined, timeZone?: string): string {
  if (!last?.applied) return "";
  const { time, by } = last.applied;
  return ` (${clockOf(timeZone)(time)}, by ${by})`;
}

function causeOf(last: Last | undefined): string {
  return last?.mayBeOlder
    ? "Someone changed the portal by hand, or applied with another copy of the state."
    : "Someone changed the portal by hand.";
}
