// Sets the output "changes" of a job if an apply of a saved plan would send something, so that the platform asks for the approval.
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
  const blocking = changing.map(({ blockedBy = [] }) => blockedBy);
  // An apply still sends to the portals that nothing blocks.
  if (blocking.every(({ length }) => length > 0)) {
    const names = [...new Set(blocking.flat())].join(", ");
    throw new Failure(
      "guarded",
      `This plan cannot be applied. Blocked by ${names}.`,
      "The plan above says what to do.",
    );
  }
  if (kind === "github") appendFileSync(needed(io.env, "GITHUB_OUTPUT"), "changes=yes\n");
  // In GitLab a job cannot skip another one, except by failing.
  if (kind === "azure")
    io.stdout.write("##vso[task.setvariable variable=changes;isOutput=true]yes\n", "commands");
  return said("The plan has changes.");
}
