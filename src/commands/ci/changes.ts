// Sets the output "changes" of a job if a saved plan has changes. Without it, the platform skips the approval and the apply.
import { appendFileSync } from "node:fs";
import { wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import { needed } from "../../pipelines/platform.js";
import type { PipelineKind } from "../../pipelines/pipeline.js";
import { isNothingToDo } from "../../plan/plan.js";
import { readSavedPlan } from "../../cli/saved-plan.js";
import type { Result } from "../command.js";
import type { CiArguments } from "./ci.js";
import { said } from "./with-platform.js";

const NAME = "changes";
const VALUE = "yes";

export function changes(io: Io, { operands }: CiArguments, kind: PipelineKind): Result {
  const [place] = operands;
  const saved = place === undefined ? undefined : readSavedPlan(io, place);
  if (!saved) {
    throw wrongUsage(
      place === undefined ? "The plan is missing." : `"${place}" is no saved plan.`,
      "Save one first:\n  lintel plan --save plan.json",
    );
  }
  if (saved.portals.every(({ plan }) => isNothingToDo(plan))) return said("No changes.");
  if (kind === "github") appendFileSync(needed(io.env, "GITHUB_OUTPUT"), `${NAME}=${VALUE}\n`);
  // In GitLab a job cannot skip another one.
  if (kind === "azure")
    io.stdout.write(`##vso[task.setvariable variable=${NAME};isOutput=true]${VALUE}\n`, "commands");
  return said(`Set the output "${NAME}".`);
}
