// What a pipeline is about, how its portals sign in and where their states are → a pipeline of GitLab.
import { stateKindOf } from "../state-address/kinds.js";
import {
  BY_THE_CLOCK,
  TARGET,
  INSTALL,
  placeLines,
  plainVariables,
  secretsOf,
  STATE_KEY,
} from "./parts.js";
import type { Pipelined } from "./parts.js";

export function gitlab(pipelined: Pipelined): string[] {
  return [
    "# Plans on a merge request; plans again after the merge to the default branch, waits until somebody starts the",
    "# apply, and applies just that plan; opens and closes windows by the clock.",
    "# Write below where Lintel's package is (LINTEL_PACKAGE), made with npm pack. Then set in the project's settings:",
    "# - variables, masked and protected, so that they reach protected branches alone, of which the default one is to be:",
    `#   ${[...secretsOf(pipelined)].join(", ") || "none"}; where states are signed (lintel help state), also ${STATE_KEY};`,
    "# - the variable LINTEL_ALLOWED_HOSTS, the hosts that credentials may go to; not protected, for proposals to look;",
    "# - the environment portal as a protected one, with those who approve as allowed to deploy;",
    "# - a pipeline schedule for the default branch, such as every quarter of an hour.",
    ...keepingLines(pipelined),
    "stages: [propose, plan, apply]",
    "",
    "default:",
    "  image: node:24",
    "  before_script:",
    `    - ${INSTALL}`,
    "",
    "variables:",
    ...plainVariables(pipelined).flatMap(([name, value]) => [
      `  ${name}:`,
      `    value: ${value}`,
      "    expand: false",
    ]),
    "",
    ...PROPOSE,
    "",
    ...MERGED,
    "",
    "clock:",
    "  stage: apply",
    "  rules:",
    '    - if: $CI_PIPELINE_SOURCE == "schedule" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH',
    "  timeout: 1 hour",
    "  resource_group: portal",
    "  script:",
    `    - ${BY_THE_CLOCK}`,
  ];
}

/** Whoever proposes may have rewritten all of it; it runs where no protected variable is. */
const PROPOSE = [
  "propose:",
  "  stage: propose",
  "  rules:",
  '    - if: $CI_PIPELINE_SOURCE == "merge_request_event"',
  "  timeout: 15 minutes",
  "  interruptible: true",
  "  script:",
  `    - lintel validate ${TARGET} --output text --output gitlab=code-quality.json`,
  `    - lintel plan ${TARGET} --output text --output markdown=plan.md`,
  "  artifacts:",
  "    when: always",
  "    paths: [plan.md]",
  "    reports:",
  "      codequality: code-quality.json",
];

const MERGED = [
  "plan:",
  "  stage: plan",
  "  rules:",
  '    - if: $CI_PIPELINE_SOURCE != "schedule" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH',
  "  timeout: 15 minutes",
  "  script:",
  `    - lintel plan ${TARGET} --save plan.json --output text --output markdown=plan.md`,
  "  artifacts:",
  "    paths: [plan.json, plan.md]",
  "",
  "apply:",
  "  stage: apply",
  "  needs: [plan]",
  "  rules:",
  '    - if: $CI_PIPELINE_SOURCE != "schedule" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH',
  "      when: manual",
  "      allow_failure: false",
  "  timeout: 1 hour",
  "  environment: portal",
  "  # One at a time; the next one waits.",
  "  resource_group: portal",
  "  script:",
  "    # Where something else was applied since the plan, it refuses: then run the plan again, and this after it.",
  "    - lintel apply plan.json",
];

function keepingLines(pipelined: Pipelined): string[] {
  const branch = [
    "# Settings > CI/CD > Job token permissions: allow Git push requests to the repository (GitLab 17.2 or later).",
  ];
  const isAtServer = pipelined.states.some((state) => stateKindOf(state) === "http");
  const server = [
    "# TF_HTTP_USERNAME and TF_HTTP_PASSWORD are a project access token with the role of a Maintainer, who alone may write",
    "# states that GitLab keeps; without them the job's own token is used, which has the role of whoever started the job.",
  ];
  return [...placeLines(pipelined, branch), ...(isAtServer ? server : [])];
}
