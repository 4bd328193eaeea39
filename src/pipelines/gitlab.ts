// What a pipeline is about, how its portals sign in and where their states are → a pipeline of GitLab.
import drift from "../../generated/pipelines/gitlab-drift.js";
import { stateKindOf } from "../state-address/kinds.js";
import { settingLines } from "./gitlab-settings.js";
import {
  BY_THE_CLOCK,
  handedOn,
  indented,
  INSTALL,
  plainVariables,
  programLines,
  TARGET,
} from "./parts.js";
import type { Pipelined } from "./parts.js";

/** By digest, because a tag may be moved. It has git, which states on a branch need. */
const IMAGE =
  "node:24.21.0-bookworm@sha256:64af3819f9275802414d7cdc38c27e9d82bd564dec4d4da87d008255d36c63b4";

export function gitlab(pipelined: Pipelined): string[] {
  return [
    ...settingLines(pipelined),
    "stages: [propose, plan, apply, drift]",
    "",
    "default:",
    `  image: ${IMAGE}`,
    "  before_script:",
    "    # Without what is secret: only Lintel itself is to have that.",
    `    - env ${unset(pipelined)} ${INSTALL}`,
    "",
    "variables:",
    "  # All of the history, so that a checkout that is older than what was applied is known for one.",
    '  GIT_DEPTH: "0"',
    ...plainVariables(pipelined).flatMap(([name, value]) => [
      `  ${name}:`,
      `    value: ${value}`,
      "    expand: false",
    ]),
    "",
    ...proposeJob(pipelined),
    "",
    ...planJob(pipelined),
    "",
    ...applyJob(pipelined),
    "",
    ...CLOCK,
    "",
    ...driftJob(),
  ];
}

function unset(pipelined: Pipelined): string {
  return handedOn(pipelined)
    .map((name) => `-u ${name}`)
    .join(" ");
}

/** Variables are given to the jobs of an environment. Not to `portal/apply` itself, whose rules would stop other jobs, too. */
function environment(name: string): string[] {
  return ["  environment:", `    name: ${name}`, "    action: access"];
}

/** Whether a proposal can read what was applied: with its job's own token, or with what everybody has. */
function isOpen(state: string): boolean {
  const kind: string | undefined = stateKindOf(state);
  const isKept = kind === "http" && state.includes("/api/v4/projects/");
  return isKept || kind === "git" || kind === "file";
}

/** Whoever proposes may have rewritten all of it; it runs where no secret is. */
function proposeJob({ hosts, states }: Pipelined): string[] {
  const compared = states.every(isOpen) ? "$LINTEL_COMPARE" : "--no-state";
  return [
    "propose:",
    "  stage: propose",
    "  rules:",
    "    # The pipeline of a fork is one of the fork's project, and may not read what this one has applied.",
    '    - if: $CI_PIPELINE_SOURCE == "merge_request_event" && $CI_MERGE_REQUEST_SOURCE_PROJECT_ID != $CI_MERGE_REQUEST_PROJECT_ID',
    "      variables:",
    "        LINTEL_COMPARE: --no-state",
    '    - if: $CI_PIPELINE_SOURCE == "merge_request_event"',
    "  timeout: 15 minutes",
    "  interruptible: true",
    ...(hosts.length > 0
      ? [
          "  variables:",
          "    # Where the project's settings say nothing, as in a fork; no secret is here that could go there.",
          `    LINTEL_ALLOWED_HOSTS: ${JSON.stringify(hosts.join(","))}`,
        ]
      : []),
    "  script:",
    "    - |",
    ...indented(6, [
      "status=0",
      `lintel validate ${TARGET} --output text --output gitlab=code-quality.json || status=$?`,
      `lintel plan ${TARGET} --output text --output markdown=plan.md --output gitlab-plan=widget.json ${compared} || status=$?`,
      'exit "$status"',
    ]),
    "  artifacts:",
    "    when: always",
    "    expire_in: 30 days",
    "    paths: [plan.md]",
    "    reports:",
    "      codequality: code-quality.json",
    "      terraform: widget.json",
  ];
}

/** A schedule has a job of its own, and a branch that is new, or a pipeline of another kind, counts as one in which all has changed. */
function mergedRules({ places }: Pipelined, more: readonly string[] = []): string[] {
  const isDefault = "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH";
  const paths = [...places.map(pathOf), ".gitlab-ci.yml"];
  return [
    "  rules:",
    `    - if: $CI_PIPELINE_SOURCE == "push" && ${isDefault}`,
    "      changes:",
    ...paths.map((path) => `        - ${JSON.stringify(path)}`),
    ...indented(6, more),
    "    # By hand, whatever was changed: Build > Pipelines > New pipeline.",
    `    - if: $CI_PIPELINE_SOURCE == "web" && ${isDefault}`,
    ...indented(6, more),
  ];
}

/** Each letter that means something to GitLab there stands for itself; before a $ a stroke would not keep a variable away. */
function pathOf(place: string): string {
  const name = place.replace(/[^\w./ $-]/g, "\\$&").replaceAll("$", "[$]");
  return place === "" || place.endsWith("/") ? `${name}**/*` : name;
}

function planJob(pipelined: Pipelined): string[] {
  return [
    "plan:",
    "  stage: plan",
    ...mergedRules(pipelined),
    "  timeout: 15 minutes",
    ...environment("portal/plan"),
    "  script:",
    "    # Merge requests are compared with what the default branch reports.",
    `    - lintel validate ${TARGET} --output text --output gitlab=code-quality.json`,
    `    - lintel plan ${TARGET} --save plan.json --output text --output markdown=plan.md`,
    "  artifacts:",
    "    access: developer",
    "    expire_in: 30 days",
    "    paths: [plan.json, plan.md]",
    "    reports:",
    "      codequality: code-quality.json",
  ];
}

function applyJob(pipelined: Pipelined): string[] {
  return [
    "# Waits to be started, whatever was planned: GitLab knows which jobs there are before the plan is made.",
    "apply:",
    "  stage: apply",
    "  needs: [plan]",
    ...mergedRules(pipelined, ["when: manual", "allow_failure: false"]),
    "  timeout: 1 hour",
    "  environment: portal/apply",
    "  # One at a time; the next one waits.",
    "  resource_group: portal",
    "  script:",
    "    - |",
    ...indented(6, [
      "status=0",
      "lintel apply plan.json || status=$?",
      'if [ "$status" -eq 5 ]; then',
      '  echo "The plan of this pipeline is stale. Plan again: Build > Pipelines > New pipeline, for $CI_DEFAULT_BRANCH."',
      "fi",
      'exit "$status"',
    ]),
  ];
}

const SCHEDULED =
  '    - if: $CI_PIPELINE_SOURCE == "schedule" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH';

const CLOCK = [
  "clock:",
  "  stage: apply",
  "  rules:",
  SCHEDULED,
  "  timeout: 1 hour",
  ...environment("portal/clock"),
  "  resource_group: portal",
  "  script:",
  "    - |",
  ...indented(6, [
    "status=0",
    "found=0",
    `${BY_THE_CLOCK} || status=$?`,
    `lintel drift ${TARGET} --output text --output markdown=drift.md --output json=drift.json || found=$?`,
    "# Drift (2) is no failure of this job: the next one tells of it.",
    'if [ "$status" -eq 0 ] && [ "$found" -ne 2 ]; then status=$found; fi',
    'exit "$status"',
  ]),
  "  artifacts:",
  "    when: always",
  "    access: developer",
  "    expire_in: 1 day",
  "    paths: [drift.md, drift.json]",
];

/** Apart from the portals' secrets; what it runs stands here, and nothing is checked out or installed. */
function driftJob(): string[] {
  return [
    "# One issue that is opened, updated and closed. Without the token, drift ends it with a warning.",
    "drift:",
    "  stage: drift",
    "  needs: [clock]",
    "  rules:",
    SCHEDULED,
    "      when: always",
    "  timeout: 5 minutes",
    "  allow_failure:",
    "    exit_codes: 2",
    ...environment("portal-issues"),
    "  resource_group: portal-issues",
    "  variables:",
    "    GIT_STRATEGY: none",
    "  before_script: []",
    "  script:",
    "    - |",
    ...indented(6, programLines(drift)),
  ];
}
