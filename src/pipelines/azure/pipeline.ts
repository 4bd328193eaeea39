// What a pipeline is about, how its portals sign in and where their states are → a pipeline of Azure.
import issues from "../../../generated/pipelines/azure-issues.js";
import reviewed from "../../../generated/pipelines/azure-reviewed.js";
import { clockStage, reportStage } from "./clock.js";
import {
  atBranch,
  branchOf,
  INSTALLED,
  lintelStep,
  programStep,
  PLAN_SHOWN,
  shown,
  step,
} from "./steps.js";
import {
  beforeLines,
  branchesOf,
  CRON,
  hostsMeant,
  indented,
  placeLines,
  plainVariables,
  secretsOf,
  STATE_KEY,
  TARGET,
  type Pipelined,
} from "../parts.js";

export function azure(pipelined: Pipelined): string[] {
  return [
    ...headLines(pipelined),
    ...triggerLines(pipelined),
    "",
    "pool:",
    "  vmImage: ubuntu-latest",
    "",
    "variables:",
    ...plainVariables(pipelined).flatMap(([name, value]) => [
      `- name: ${name}`,
      `  value: ${value}`,
    ]),
    "# Of the work item that tells of drift. Every process has this type.",
    "- name: WORK_ITEM_TYPE",
    "  value: Task",
    "",
    "stages:",
    ...proposeStage(pipelined),
    "",
    ...planStage(pipelined),
    "",
    ...applyStage(pipelined),
    "",
    ...clockStage(pipelined),
    "",
    ...reportStage(),
  ];
}

function headLines(pipelined: Pipelined): string[] {
  const branch = branchOf(pipelined);
  const unknown = `# Where the default branch is another one than ${branch}, write that here and in azure-pipelines-comment.yml.`;
  const pushing =
    "#   STATE_TOKEN, a token that may push the branch of the states (scope Code: Read & write);";
  return [
    `# Plans on a pull request; plans again after the merge to ${branch}, waits for an approval, and applies just that`,
    "# plan; opens and closes windows by the clock, and keeps one work item of what somebody changed by hand.",
    ...(pipelined.branch === undefined ? [unknown] : []),
    ...beforeLines(pipelined, "the project"),
    "# - the environment portal, with the check Approvals: Azure makes one that is not there, without any check;",
    `# - the variable groups portal and portal-reports, each with the checks Branch control (refs/heads/${branch}) and`,
    "#   Exclusive lock, because whoever may push a branch may change this file there;",
    `# - in portal as secrets: ${secretsOf(pipelined).join(", ") || "none of a sign-in"};`,
    `#   where states are signed (lintel help state), also ${STATE_KEY};`,
    ...(branchesOf(pipelined).length > 0 ? [pushing] : []),
    "# - in portal-reports the secret REPORT_TOKEN, a token for comments and work items (scopes Build: Read, Code: Read,",
    "#   Pull Request Threads: Read & write, Work Items: Read & write);",
    "# - a pipeline from this file, and one from azure-pipelines-comment.yml;",
    `# - of this one the variable LINTEL_ALLOWED_HOSTS, no secret: ${hostsMeant(pipelined)};`,
    "# - in Azure Repos a branch policy (Build validation), which starts this one for pull requests;",
    "# - for the build service no right in the repository but Read: its token is for the runs of all proposals, too;",
    "# - in the project's settings for pipelines, that a job reaches this project and no repository but those it names.",
    ...placeLines(pipelined, []),
  ];
}

/** Where a pattern may not have such a character, any is meant. */
const patternFor = (place: string) => place.replace(/\/$/, "").replace(/[~^: [\]\\]/g, "?");

/** Azure Repos takes the triggers of pull requests from the branch policy. */
function triggerLines(pipelined: Pipelined): string[] {
  const include = `    include: [${JSON.stringify(branchOf(pipelined))}]`;
  const paths = pipelined.places.map(patternFor);
  return [
    "trigger:",
    "  branches:",
    include,
    ...(paths.includes("")
      ? []
      : [
          "  paths:",
          "    include:",
          ...[...paths, "azure-pipelines.yml"].map((path) => `    - ${JSON.stringify(path)}`),
        ]),
    "schedules:",
    `- cron: "${CRON}"`,
    "  displayName: windows and drift",
    "  branches:",
    include,
    "  always: true",
  ];
}

/** Whoever proposes may have rewritten all of it; the groups of variables are not for its branch. */
function proposeStage(pipelined: Pipelined): string[] {
  const even = "succeededOrFailed()";
  return [
    "- stage: propose",
    "  condition: eq(variables['Build.Reason'], 'PullRequest')",
    "  jobs:",
    "  - job: propose",
    "    timeoutInMinutes: 15",
    "    steps:",
    ...indented(4, [
      ...INSTALLED,
      ...step({
        title: "validate",
        lines: [
          `lintel validate ${TARGET} --output text --output junit=lintel.xml --output sarif=lintel.sarif`,
        ],
      }),
      "# Also of files that are wrong, so that the comment says so.",
      ...lintelStep(pipelined, {
        title: "plan",
        gitToken: "$(System.AccessToken)",
        hasSecrets: false,
        lines: [`lintel plan ${TARGET} --output text --output markdown=plan.md`],
        condition: even,
      }),
      ...PLAN_SHOWN,
      ...programStep(issues, { title: "show problems", condition: even }),
      "- task: PublishTestResults@2",
      `  condition: ${even}`,
      "  inputs: { testResultsFormat: JUnit, testResultsFiles: lintel.xml }",
      "# For the extension SARIF SAST Scans Tab. A second attempt finds it there.",
      "- publish: lintel.sarif",
      "  artifact: CodeAnalysisLogs",
      `  condition: ${even}`,
      "  continueOnError: true",
    ]),
  ];
}

function planStage(pipelined: Pipelined): string[] {
  return [
    "- stage: plan",
    "  dependsOn: []",
    `  condition: and(in(variables['Build.Reason'], 'IndividualCI', 'BatchedCI', 'Manual'), ${atBranch(pipelined)})`,
    "  lockBehavior: sequential",
    "  variables:",
    "  - group: portal",
    "  jobs:",
    "  - job: plan",
    "    timeoutInMinutes: 15",
    "    steps:",
    ...indented(4, [
      ...INSTALLED,
      "# Which changes were reviewed, so that the plan says whether it makes just these.",
      ...programStep(reviewed, {
        title: "find what was reviewed",
        env: JOB_TOKEN,
        sets: "LINTEL_REVIEWED",
      }),
      "  continueOnError: true",
      ...lintelStep(pipelined, {
        title: "plan",
        gitToken: "$(System.AccessToken)",
        hasSecrets: true,
        lines: [
          "status=0",
          `lintel plan ${TARGET} --save plan.json --detailed-exitcode --output text --output markdown=plan.md || status=$?`,
          'if [ "$status" -eq 2 ]; then echo "##vso[task.setvariable variable=changes;isOutput=true]yes"; else exit "$status"; fi',
        ],
        name: "saved",
        sets: "changes",
      }),
      ...PLAN_SHOWN,
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
      ...INSTALLED,
      "- download: current",
      "  artifact: plan",
      ...lintelStep(pipelined, {
        title: "apply",
        gitToken: "$(STATE_TOKEN)",
        hasSecrets: true,
        lines: [
          "status=0",
          'lintel apply "$PIPELINE_WORKSPACE/plan/plan.json" --output text --output markdown=apply.md || status=$?',
          `if [ "$status" -eq 5 ]; then echo "##vso[task.logissue type=error]${STALE}"; fi`,
          'exit "$status"',
        ],
      }),
      IN_CHECKOUT,
      ...shown("apply.md"),
      IN_CHECKOUT,
    ]),
  ];
}

/** Said, because a deployment need not begin there. */
const IN_CHECKOUT = "  workingDirectory: $(Build.SourcesDirectory)";

const STALE =
  "The plan is stale and nothing was sent: since it was made, something else was applied, or somebody changed a portal. Choose Run pipeline, which plans anew, and approve that plan.";

const JOB_TOKEN = { TOKEN: "$(System.AccessToken)" };
