// lintel show: a saved plan → the reports that it had when it was made.
import type { Run, Words } from "./command.js";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { EXIT, Failure } from "../failure.js";
import { isNothingToDo } from "../plan/plan.js";
import type { PortalResult } from "../plan/result.js";
import { resultOfPortals, tell } from "./result/portals.js";
import { findSavedPlan } from "./call/saved-plan.js";

export const words = {
  operands: "PLAN",
  options: {},
  formats: ["text", "json", "markdown", "html"],
  examples: [
    ["lintel show plan.json", "as it was shown when it was made"],
    ["lintel show plan.json --output markdown", "for a comment on a pull request"],
  ],
} as const satisfies Words;

export const run: Run<typeof words.options> = async (io, call) => {
  const saved = findSavedPlan(io, call);
  if (!saved) {
    const [named] = call.operands;
    throw new Failure(
      "wrong-usage",
      named === undefined
        ? "No plan is named."
        : existsSync(resolve(io.cwd, named))
          ? `"${named}" is no saved plan.`
          : `There is no file "${named}".`,
      "Save one, then show it:\n  lintel plan --save FILE\n  lintel show FILE",
    );
  }
  const results = saved.portals.map(({ file, plan }): PortalResult => ({
    file,
    portal: plan.binding.portal,
    status: isNothingToDo(plan) ? "unchanged" : "changes",
    plan,
    hold: null,
    failure: null,
    exit: EXIT.done,
  }));
  const files = saved.portals.map(({ file }) => file);
  const told = results.map((each) => tell(each, call, files.length));
  return resultOfPortals(told, { command: "show", files, diagnostics: [] });
};
