// lintel show: a saved plan → the reports that it had when it was made.
import type { CommandSpec, Run } from "./command.js";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { EXIT, wrongUsage } from "../failure.js";
import { isNothingToDo } from "../plan/plan.js";
import { resultOfPortals } from "../cli/portals-result.js";
import { findSavedPlan } from "../cli/saved-plan.js";

export const spec = {
  operands: "PLAN",
  options: {},
  formats: ["text", "json", "markdown", "html"],
  examples: [
    ["lintel show plan.json", "print the plan"],
    ["lintel show plan.json --output markdown", "print it for a pull request"],
  ],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, call) => {
  const saved = findSavedPlan(io, call);
  if (!saved) {
    const [named] = call.operands;
    const isThere = named !== undefined && existsSync(resolve(io.cwd, named));
    const missing = named === undefined ? "Name a plan." : `There is no file "${named}".`;
    throw wrongUsage(
      isThere ? `"${named}" is no saved plan.` : missing,
      "Save one, then show it:\n  lintel plan --save FILE\n  lintel show FILE",
    );
  }
  const files = saved.portals.map(({ file }) => file);
  const results = saved.portals.map(({ file, plan }) => {
    const { portal } = plan.binding;
    const status = isNothingToDo(plan) ? "unchanged" : "changes";
    const ending = {
      status,
      hold: null,
      policies: [],
      failure: null,
      exit: EXIT.done,
    } as const;
    return { file, portal, plan, ...ending };
  });
  return resultOfPortals(results, { command: "show", files, diagnostics: [], review: {} });
};
