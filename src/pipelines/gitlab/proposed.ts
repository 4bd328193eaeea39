// What a pipeline is about → GitLab's job for a merge request: what is wrong with the files, and what they would change.
import { stateKindOf } from "../../state-address/kinds.js";
import { indented, TARGET, type Pipelined } from "../parts.js";

/** Whether a proposal can read what was applied: with its job's own token, or with what everybody has. */
function isOpen(state: string): boolean {
  const kind: string | undefined = stateKindOf(state);
  const isKept = kind === "http" && state.includes("/api/v4/projects/");
  return isKept || kind === "git" || kind === "file";
}

/** Whoever proposes may have rewritten all of it; it runs where no secret is. */
export function proposeJob({ hosts, states }: Pipelined): string[] {
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
