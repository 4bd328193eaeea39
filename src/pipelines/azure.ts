// A desired-state file, how it signs in and where its state is → a pipeline of Azure.
import {
  branchesOf,
  handedOn,
  INSTALL,
  placeLines,
  quoted,
  secretsOf,
  STATE_KEY,
} from "./parts.js";
import type { Pipelined } from "./parts.js";

export function azure(pipelined: Pipelined): string[] {
  const secrets = secretsOf(pipelined);
  return [
    "# Plans on a pull request, applies after the merge to main; where the default branch is another one, write that.",
    "# In Azure Repos a branch policy (Build validation) starts it for pull requests.",
    `# Set as variables of the pipeline, as secrets: ${secrets.join(", ") || "none"};`,
    `# where states are signed (lintel help state), also ${STATE_KEY};`,
    "# plain: LINTEL_PACKAGE, the address of Lintel's package, made with npm pack, and",
    "# LINTEL_ALLOWED_HOSTS, the hosts that credentials may go to, whatever a proposal says.",
    ...placeLines(pipelined, [
      "and to no other, so that main may be protected.",
      '# The build service needs "Contribute" and "Create branch" in the repository.',
    ]),
    "trigger:",
    "  # One apply at a time; what is merged meanwhile waits.",
    "  batch: true",
    "  branches:",
    "    include: [main]",
    "pr:",
    "  branches:",
    "    include: [main]",
    "",
    "pool:",
    "  vmImage: ubuntu-latest",
    "",
    "jobs:",
    ...planJob(pipelined),
    "",
    ...applyJob(pipelined),
  ];
}

const INSTALLED = [
  "  - task: UseNode@1",
  "    inputs: { version: 20.x }",
  `  - script: ${INSTALL}`,
];

/** A variable that is secret reaches a script only where the script names it. */
function envOf(pipelined: Pipelined): string[] {
  return ["    env:", ...handedOn(pipelined).map((each) => `      ${each}: $(${each})`)];
}

function planJob(pipelined: Pipelined): string[] {
  const name = quoted(pipelined.target);
  return [
    "- job: plan",
    "  condition: eq(variables['Build.Reason'], 'PullRequest')",
    "  steps:",
    "  - checkout: self",
    // Git has to sign in to fetch the branch of the state.
    ...(branchesOf(pipelined).length > 0 ? ["    persistCredentials: true"] : []),
    ...INSTALLED,
    `  - script: lintel validate ${name} --output text --output junit=lintel.xml`,
    `  - script: lintel plan ${name} --output text --output markdown=plan.md`,
    ...envOf(pipelined),
    "  # The plan stands on the page of the run.",
    '  - script: echo "##vso[task.uploadsummary]$(System.DefaultWorkingDirectory)/plan.md"',
    "  - task: PublishTestResults@2",
    "    condition: always()",
    "    inputs: { testResultsFormat: JUnit, testResultsFiles: lintel.xml }",
  ];
}

function applyJob(pipelined: Pipelined): string[] {
  return [
    "- job: apply",
    "  condition: and(ne(variables['Build.Reason'], 'PullRequest'), eq(variables['Build.SourceBranch'], 'refs/heads/main'))",
    "  steps:",
    "  - checkout: self",
    ...(branchesOf(pipelined).length === 0
      ? []
      : ["    # To push what was applied.", "    persistCredentials: true"]),
    ...INSTALLED,
    `  - script: lintel apply ${quoted(pipelined.target)} --yes`,
    ...envOf(pipelined),
  ];
}
