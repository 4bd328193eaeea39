// The default branch → the pipeline of Azure that writes the plans of proposals as comments.
import program from "../../../generated/pipelines/azure-comment.js";
import { atBranch, branchOf, NODE, programStep, REPORTING } from "./steps.js";
import { indented, type Pipelined } from "../parts.js";

/** Between the minutes in which the clock of the other one strikes. */
const CRON = "12,27,42,57 * * * *";

export function azureComment(pipelined: Pipelined): string[] {
  const branch = branchOf(pipelined);
  return [
    "# Writes what the newest run of azure-pipelines.yml for each open pull request has planned as one comment on it, and",
    "# updates it. That run has no right to do so, because whoever proposes may have rewritten it.",
    "# By the clock, because what Azure starts after another run of the same repository is the version of that run's",
    `# branch, so that a proposal could bring its own. Run it by hand (Run pipeline, ${branch}) where a comment is wanted`,
    "# at once.",
    "# It wants the variable group portal-reports, which azure-pipelines.yml tells of.",
    "trigger: none",
    "",
    "schedules:",
    `- cron: "${CRON}"`,
    "  displayName: comments",
    "  branches:",
    `    include: [${JSON.stringify(branch)}]`,
    "  always: true",
    "",
    "pool:",
    "  vmImage: ubuntu-latest",
    "",
    "variables:",
    "- group: portal-reports",
    "- name: PIPELINE",
    "  value: azure-pipelines.yml",
    "",
    "stages:",
    "- stage: comment",
    `  condition: ${atBranch(pipelined)}`,
    "  # One after the other, so that none makes a second comment.",
    "  lockBehavior: sequential",
    "  jobs:",
    "  - job: comment",
    "    timeoutInMinutes: 15",
    "    steps:",
    ...indented(4, [
      "- checkout: none",
      ...NODE,
      ...programStep(program, { title: "write the comments", ...REPORTING }),
    ]),
  ];
}
