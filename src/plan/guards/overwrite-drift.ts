// Guard: what somebody changed by hand on the portal is overwritten, which may be all that there is of it.
import { foundIn } from "../../diagnostic.js";
import { formatPath } from "../../settings.js";
import { showTime, UTC } from "../../lib/text.js";
import type { Last } from "../inputs.js";
import { shortly } from "../note.js";
import type { Finding, GuardRule } from "./all.js";

/** What nobody could look at may have been changed as well; of that nothing is known, and nothing is said. */
export const overwriteDrift: GuardRule = {
  stops: "a change by hand since the last apply that would be overwritten",
  severity: "high",
  help: "The portal does not say who that was, so ask those who administer it. To keep what they wrote:\n  lintel pull FILE --path PATH\nTo put back always what the file wants, write into it:\n  drift: restore",
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
