// What a pipeline is about → GitLab's jobs after a merge: a plan, and the apply of just that plan once somebody starts it.
import reviewed from "../../../generated/pipelines/gitlab-reviewed.js";
import { indented, programLines, TARGET, type Pipelined } from "../parts.js";
import { access, withoutSecrets } from "./environment.js";

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

/** Where that fails, the plan does without. */
function reviewedLines(pipelined: Pipelined): string[] {
  const [start = "", ...rest] = programLines(reviewed);
  return [
    `LINTEL_REVIEWED=$(${withoutSecrets(pipelined)} ${start}`,
    ...rest,
    ") || true",
    "export LINTEL_REVIEWED",
  ];
}

export function planJob(pipelined: Pipelined): string[] {
  return [
    "plan:",
    "  stage: plan",
    ...mergedRules(pipelined),
    "  timeout: 15 minutes",
    ...access("portal/plan"),
    "  script:",
    "    # Merge requests are compared with what the default branch reports.",
    `    - lintel validate ${TARGET} --output text --output gitlab=code-quality.json`,
    "    # Which changes were reviewed, so that the plan says whether it makes just these.",
    "    - |",
    ...indented(6, reviewedLines(pipelined)),
    `    - lintel plan ${TARGET} --save plan.json --output text --output markdown=plan.md`,
    "  artifacts:",
    "    when: always",
    "    access: developer",
    "    expire_in: 30 days",
    "    paths: [plan.json, plan.md]",
    "    reports:",
    "      codequality: code-quality.json",
  ];
}

export function applyJob(pipelined: Pipelined): string[] {
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
