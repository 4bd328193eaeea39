// An outcome → the counts of a plan that GitLab shows on a merge request, as it does those of Terraform.
import type { Outcome } from "../../outcome.js";

/** Without its three keys GitLab says that the report failed to generate, which is true where a portal has no plan. */
export function gitlabPlanReport({ exit, sends }: Outcome): string {
  return `${JSON.stringify(sends ?? { exitCode: exit })}\n`;
}
