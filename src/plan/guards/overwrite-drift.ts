// Guard: what somebody changed by hand on the portal is overwritten, which may be all that there is of it.
import { foundIn } from "../../diagnostic.js";
import { formatPath } from "../../settings.js";
import { showTime, UTC } from "../../lib/text.js";
import type { Last } from "../inputs.js";
import { shortly } from "../note.js";
import type { Finding, GuardRule } from "./all.js";

/** What nobody could look at may have been changed as well; of that nothing is known, and nothing is said. */
export const overwriteDrift: GuardRule = {
  stops: "an apply that would overwrite a change made by hand",
  severity: "high",
  help: "The portal does not show who changed it. To keep the change:\n  lintel pull FILE --path PATH\nTo revert such changes always, add to the file:\n  drift: restore",
  find: ({ inputs: { last }, sent }) =>
    foundIn(sent, ({ change: { path, before, place }, proven }): Finding[] => {
      if (proven === undefined) return [];
      const message = `"${formatPath(path)}" was changed by hand on the portal, from ${shortly(proven)} to ${shortly(before)}${afterApply(last)}.`;
      // What is put back by a rollback stands in no file, and what is unset cannot be written into one.
      return [{ path, message, ...(place && before !== null && { canPull: true }) }];
    }),
};

function afterApply(last: Last | undefined): string {
  if (!last?.applied) return "";
  const { time, by } = last.applied;
  return `; the last apply was at ${showTime(time, UTC)}, by ${by}`;
}
