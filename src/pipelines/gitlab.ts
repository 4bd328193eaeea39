// A desired-state file, how it signs in and where its state is → a pipeline of GitLab.
import { stateKindOf } from "../state-address/kinds.js";
import { INSTALL, placeLines, quoted, secretsOf, STATE_KEY } from "./parts.js";
import type { Pipelined } from "./parts.js";

export function gitlab(pipelined: Pipelined): string[] {
  const name = quoted(pipelined.target);
  const variables = [...secretsOf(pipelined), "LINTEL_PACKAGE", "LINTEL_ALLOWED_HOSTS"];
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
    `    - lintel apply ${name} --yes`,
  ];
}

function keepingLines(pipelined: Pipelined): string[] {
  const branch = [
    "and to no other, so that the default branch may be protected.",
    "# Settings > CI/CD > Job token permissions: allow Git push requests to the repository (GitLab 17.2 or later).",
  ];
  const isAtServer = pipelined.states.some((state) => stateKindOf(state) === "http");
  const server = [
    "# TF_HTTP_USERNAME and TF_HTTP_PASSWORD are for a state elsewhere: one that this GitLab keeps takes the job's own token.",
    "# Whoever writes it needs the role of a Maintainer.",
  ];
  return [...placeLines(pipelined, branch), ...(isAtServer ? server : [])];
}
