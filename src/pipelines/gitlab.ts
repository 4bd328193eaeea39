// A desired-state file, how it signs in and where its state is → a pipeline of GitLab.
import { stateKindOf } from "../state-address/kinds.js";
import { branchOf, INSTALL, keepingOf, keepState, quoted, secretsOf, STATE_KEY } from "./parts.js";
import type { Pipelined } from "./parts.js";

export function gitlab(pipelined: Pipelined): string[] {
  const name = quoted(pipelined.file);
  const keeping = keepingOf(pipelined);
  const token = keeping === "own-branch" ? ["LINTEL_GIT_TOKEN"] : [];
  const variables = [...secretsOf(pipelined), ...token, "LINTEL_PACKAGE", "LINTEL_ALLOWED_HOSTS"];
  return [
    "# Plans on a merge request, applies after the merge.",
    `# Set these variables in the project's settings, masked and protected: ${variables.join(", ")}.`,
    `# Where states are signed (lintel help state), also ${STATE_KEY}.`,
    ...keepingLines(pipelined),
    "# LINTEL_PACKAGE is the address of Lintel's package, made with npm pack; LINTEL_ALLOWED_HOSTS are the hosts",
    "# that credentials may go to, whatever a proposal says.",
    "stages: [plan, apply]",
    "",
    "default:",
    "  image: node:20",
    "  before_script:",
    `    - ${INSTALL}`,
    "",
    "plan:",
    "  stage: plan",
    "  rules:",
    '    - if: $CI_PIPELINE_SOURCE == "merge_request_event"',
    "  script:",
    `    - lintel validate ${name} --output text --output gitlab=code-quality.json`,
    `    - lintel plan ${name} --output text --output markdown=plan.md`,
    "  artifacts:",
    "    when: always",
    "    paths: [plan.md]",
    "    reports:",
    "      codequality: code-quality.json",
    "",
    "apply:",
    "  stage: apply",
    "  rules:",
    "    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH",
    "  # One apply at a time; the next one waits.",
    "  resource_group: portal",
    "  script:",
    ...(keeping === "own-branch"
      ? [
          "    # The tip of the branch, with what the run before has recorded.",
          '    - git fetch origin "$CI_COMMIT_BRANCH" && git checkout --force FETCH_HEAD',
        ]
      : []),
    `    - lintel apply ${name} --yes`,
    ...(keeping === "own-branch"
      ? [
          "  # Also where the apply failed, so that the next run knows how far it got.",
          "  after_script:",
          "    - |",
          ...keepState(pipelined, PUSH).map((line) => `      ${line}`),
        ]
      : []),
  ];
}

const PUSH =
  'git pull --rebase origin "${CI_COMMIT_BRANCH}" && git push --push-option=ci.skip "https://lintel:${LINTEL_GIT_TOKEN}@${CI_SERVER_HOST}/${CI_PROJECT_PATH}.git" "HEAD:${CI_COMMIT_BRANCH}"';

function keepingLines(pipelined: Pipelined): string[] {
  const isAtServer = stateKindOf(pipelined.state) === ("http" as string);
  return {
    "own-branch": [
      "# LINTEL_GIT_TOKEN is a project access token that may push: what was applied is kept in the repository.",
    ],
    "other-branch": [
      `# What was applied is pushed to the branch ${branchOf(pipelined)}, and to no other, so that the default branch may be protected.`,
      "# Settings > CI/CD > Job token permissions: allow Git push requests to the repository (GitLab 17.2 or later).",
    ],
    elsewhere: isAtServer
      ? [
          "# TF_HTTP_USERNAME and TF_HTTP_PASSWORD are for a state elsewhere: one that this GitLab keeps takes the job's own token.",
          "# Whoever writes it needs the role of a Maintainer.",
        ]
      : ["# What was applied is kept where the file says."],
  }[keepingOf(pipelined)];
}
