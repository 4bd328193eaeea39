// Sets the output "changes" of a job if a saved plan has changes, so that the platform asks for the approval and applies it.
import { appendFileSync } from "node:fs";
import { Failure, wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import { needed } from "../../pipelines/platform.js";
import type { PipelineKind } from "../../pipelines/pipeline.js";
import { isNothingToDo } from "../../plan/plan.js";
import { readSavedPlan } from "../../cli/saved-plan.js";
import type { Result } from "../command.js";
import type { CiArguments } from "./ci.js";
import { said } from "./with-platform.js";

export function changes(io: Io, { operands }: CiArguments, kind: PipelineKind): Result {
  const [place] = operands;
  const saved = place === undefined ? undefined : readSavedPlan(io, place);
  if (!saved) {
    throw wrongUsage(
      place === undefined ? "The plan is missing." : `"${place}" is no saved plan.`,
      "Save one first:\n  lintel plan --save plan.json",
    );
  }
  const changing = saved.portals.filter(({ plan }) => !isNothingToDo(plan));
  if (changing.length === 0) return said("No changes.");
  const blocking = changing.map(({ plan }) => plan.guards.find(({ isOpen }) => !isOpen));
  const [guard] = blocking;
  // An apply still sends to the portals that no guard blocks.
  if (guard && blocking.every(Boolean)) {
    throw new Failure(
      "guarded",
      `This plan cannot be applied. Blocked by the guard "${guard.name}". ${guard.message}`,
      `Change the file, or open the guard in it:\n  lintel explain ${guard.name}`,
    );
  }
  if (kind === "github") appendFileSync(needed(io.env, "GITHUB_OUTPUT"), "changes=yes\n");
  // In GitLab a job cannot skip another one, except by failing.
  if (kind === "azure")
    io.stdout.write("##vso[task.setvariable variable=changes;isOutput=true]yes\n", "commands");
  return said("The plan has changes.");
}
