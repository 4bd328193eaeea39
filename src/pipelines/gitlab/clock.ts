// Nothing but what is told by the platform → GitLab's jobs by the clock: windows and what is restored, and an issue about drift.
import drift from "../../../generated/pipelines/gitlab-drift.js";
import { BY_THE_CLOCK, indented, programLines, TARGET } from "../parts.js";
import { access } from "./environment.js";

const SCHEDULED =
  '    - if: $CI_PIPELINE_SOURCE == "schedule" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH';

export const CLOCK = [
  "clock:",
  "  stage: apply",
  "  rules:",
  SCHEDULED,
  "  timeout: 1 hour",
  ...access("portal/clock"),
  "  resource_group: portal",
  "  script:",
  "    - |",
  ...indented(6, [
    "status=0",
    "found=0",
    `${BY_THE_CLOCK} || status=$?`,
    "# An apply was faster: once more, on what that one left.",
    `if [ "$status" -eq 5 ]; then status=0; ${BY_THE_CLOCK} || status=$?; fi`,
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
export function driftJob(): string[] {
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
    ...access("portal-issues"),
    "  resource_group: portal-issues",
    "  variables:",
    "    GIT_STRATEGY: none",
    "  before_script: []",
    "  script:",
    "    - |",
    ...indented(6, programLines(drift)),
  ];
}
