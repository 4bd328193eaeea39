// What a pipeline is about, how its portals sign in and where their states are → a pipeline of Azure.
import {
  BY_THE_CLOCK,
  branchesOf,
  CRON,
  TARGET,
  handedOn,
  indented,
  INSTALL,
  placeLines,
  plainVariables,
  secretsOf,
  STATE_KEY,
} from "./parts.js";
import type { Pipelined } from "./parts.js";

const IS_MERGED =
  "and(in(variables['Build.Reason'], 'IndividualCI', 'BatchedCI', 'Manual'), eq(variables['Build.SourceBranch'], 'refs/heads/main'))";

export function azure(pipelined: Pipelined): string[] {
  return [
    ...headLines(pipelined),
    "trigger:",
    "  branches:",
    "    include: [main]",
    "pr:",
    "  branches:",
    "    include: [main]",
    "schedules:",
    `- cron: "${CRON}"`,
    "  displayName: windows and drift",
    "  branches:",
    "    include: [main]",
    "  always: true",
    "  batch: true",
    "",
    "pool:",
    "  vmImage: ubuntu-latest",
    "",
    "variables:",
    ...plainVariables(pipelined).flatMap(([name, value]) => [
      `- name: ${name}`,
      `  value: ${value}`,
    ]),
    "",
    "stages:",
    ...proposeStage(pipelined),
    "",
    ...planStage(pipelined),
    "",
    ...applyStage(pipelined),
    "",
    ...clockStage(pipelined),
  ];
}

function headLines(pipelined: Pipelined): string[] {
  return [
    "# Plans on a pull request; plans again after the merge to main, waits for an approval, and applies just that plan;",
    "# opens and closes windows by the clock. Where the default branch is another one, write that.",
    "# Write below where Lintel's package is (LINTEL_PACKAGE), made with npm pack. Then set:",
    "# - in Azure Repos a branch policy (Build validation), which starts it for pull requests;",
    "# - the variable group portal, with the check Branch control for refs/heads/main, because whoever may push a branch",
    `#   may change this file there. As secrets: ${secretsOf(pipelined).join(", ") || "none"};`,
    `#   where states are signed (lintel help state), also ${STATE_KEY};`,
    "# - the pipeline's own variable LINTEL_ALLOWED_HOSTS, which is no secret: the hosts that credentials may go to;",
    "# - the environment portal, with the checks Approvals and Exclusive lock.",
    ...placeLines(pipelined, [
      '# The build service needs "Contribute" and "Create branch" in the repository.',
    ]),
  ];
}

/** Git has to sign in to fetch the branch of a state, and to push it. */
function installed(pipelined: Pipelined): string[] {
  return [
    "- checkout: self",
    ...(branchesOf(pipelined).length > 0 ? ["  persistCredentials: true"] : []),
    "- task: UseNode@1",
    "  inputs: { version: 24.x }",
    `- bash: ${INSTALL}`,
  ];
}

/** A secret reaches a step only where it is named. One that nobody has set arrives as the text that names it. */
function withSecrets(pipelined: Pipelined, lines: readonly string[], name?: string): string[] {
  const secrets = handedOn(pipelined);
  return [
    "- bash: |",
    `    for name in ${secrets.join(" ")}; do [[ \${!name} != ?\\(*\\) ]] || unset "$name"; done`,
    ...indented(4, lines),
    ...(name ? [`  name: ${name}`] : []),
    "  env:",
    ...secrets.map((each) => `    ${each}: $(${each})`),
  ];
}

const SUMMARY =
  'if [ -f plan.md ]; then echo "##vso[task.uploadsummary]$SYSTEM_DEFAULTWORKINGDIRECTORY/plan.md"; fi';

/** Whoever proposes may have rewritten all of it; the group of variables is not for its branch. */
function proposeStage(pipelined: Pipelined): string[] {
  return [
    "- stage: propose",
    "  condition: eq(variables['Build.Reason'], 'PullRequest')",
    "  jobs:",
    "  - job: propose",
    "    timeoutInMinutes: 15",
    "    steps:",
    ...indented(4, [
      ...installed(pipelined),
      `- bash: lintel validate ${TARGET} --output text --output junit=lintel.xml`,
      `- bash: lintel plan ${TARGET} --output text --output markdown=plan.md`,
      "# The plan stands on the page of the run, also where it failed.",
      `- bash: ${SUMMARY}`,
      "  condition: always()",
      "- task: PublishTestResults@2",
      "  condition: always()",
      "  inputs: { testResultsFormat: JUnit, testResultsFiles: lintel.xml }",
    ]),
  ];
}

function planStage(pipelined: Pipelined): string[] {
  return [
    "- stage: plan",
    "  dependsOn: []",
    `  condition: ${IS_MERGED}`,
    "  variables:",
    "  - group: portal",
    "  jobs:",
    "  - job: plan",
    "    timeoutInMinutes: 15",
    "    steps:",
    ...indented(4, [
      ...installed(pipelined),
      ...withSecrets(
        pipelined,
        [
          "status=0",
          `lintel plan ${TARGET} --save plan.json --detailed-exitcode --output text --output markdown=plan.md || status=$?`,
          SUMMARY,
          'if [ "$status" -eq 2 ]; then echo "##vso[task.setvariable variable=changes;isOutput=true]yes"; else exit "$status"; fi',
        ],
        "saved",
      ),
      "- publish: plan.json",
      "  artifact: plan",
      "  condition: and(succeeded(), eq(variables['saved.changes'], 'yes'))",
    ]),
  ];
}

function applyStage(pipelined: Pipelined): string[] {
  return [
    "- stage: apply",
    "  dependsOn: plan",
    "  condition: and(succeeded(), eq(dependencies.plan.outputs['plan.saved.changes'], 'yes'))",
    "  lockBehavior: sequential",
    "  variables:",
    "  - group: portal",
    "  jobs:",
    "  - deployment: apply",
    "    timeoutInMinutes: 60",
    "    environment: portal",
    "    strategy:",
    "      runOnce:",
    "        deploy:",
    "          steps:",
    ...indented(10, [
      ...installed(pipelined),
      "- download: current",
      "  artifact: plan",
      "# Where something else was applied since the plan, it refuses: then run the pipeline anew.",
      ...withSecrets(pipelined, ['lintel apply "$PIPELINE_WORKSPACE/plan/plan.json"']),
    ]),
  ];
}

function clockStage(pipelined: Pipelined): string[] {
  return [
    "- stage: clock",
    "  dependsOn: []",
    "  condition: and(eq(variables['Build.Reason'], 'Schedule'), eq(variables['Build.SourceBranch'], 'refs/heads/main'))",
    "  variables:",
    "  - group: portal",
    "  jobs:",
    "  - job: clock",
    "    timeoutInMinutes: 60",
    "    steps:",
    ...indented(4, [...installed(pipelined), ...withSecrets(pipelined, [BY_THE_CLOCK])]),
  ];
}
