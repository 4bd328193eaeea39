// A desired-state file and how it signs in → the pipeline that plans on a proposal and applies after the merge.
export type PipelineKind = "github" | "gitlab";

export interface Pipelined {
  /** From the root of the repository, with slashes. */
  readonly file: string;
  /** The variables that its sign-in takes secrets from. */
  readonly variables: readonly string[];
}

/** Where each system looks for it, from the root of the repository. */
export const PIPELINE_FILES: Readonly<Record<PipelineKind, string>> = {
  gitlab: ".gitlab-ci.yml",
  github: ".github/workflows/portal.yml",
};

/** Not a name: a registry gives whoever asks for one what somebody has put there, and the pipeline holds secrets. */
const INSTALL = 'npm install --global "$LINTEL_PACKAGE"';

export function pipelineText(kind: PipelineKind, pipelined: Pipelined): string {
  const lines = kind === "github" ? github(pipelined) : gitlab(pipelined);
  return `${lines.join("\n")}\n`;
}

/** What was applied is kept in the repository, whatever the apply ended with; locks stay out of it. */
function keepState(file: string, push: string): string[] {
  const folder = file.includes("/") ? `${file.slice(0, file.lastIndexOf("/"))}/.lintel` : ".lintel";
  return [
    `git add "${folder}"/*.json || exit 0`,
    "git diff --cached --quiet && exit 0",
    'git -c user.name=lintel -c user.email=lintel@localhost commit --message "Record what was applied"',
    push,
  ];
}

function github({ file, variables }: Pipelined): string[] {
  const name = quoted(file);
  return [
    "# Plans on a pull request, applies after the merge to the default branch.",
    `# Set in the repository's settings, as secrets: ${variables.join(", ") || "none"};`,
    "# as variables: LINTEL_PACKAGE, the address of Lintel's package, made with npm pack, and",
    "# LINTEL_ALLOWED_HOSTS, the hosts that credentials may go to, whatever a proposal says.",
    "# What was applied is pushed to the default branch, so that this workflow must be allowed to push there.",
    "name: portal",
    "",
    "on:",
    "  pull_request:",
    "  push:",
    "",
    "permissions:",
    "  contents: write",
    "  pull-requests: write",
    "",
    "# One apply at a time; the next one waits.",
    "concurrency:",
    "  group: portal-${{ github.ref }}",
    "  cancel-in-progress: false",
    "",
    "env:",
    "  LINTEL_PACKAGE: ${{ vars.LINTEL_PACKAGE }}",
    "  LINTEL_ALLOWED_HOSTS: ${{ vars.LINTEL_ALLOWED_HOSTS }}",
    ...variables.map((each) => `  ${each}: \${{ secrets.${each} }}`),
    "",
    "jobs:",
    "  plan:",
    "    if: github.event_name == 'pull_request'",
    "    runs-on: ubuntu-latest",
    "    steps:",
    "      - uses: actions/checkout@v4",
    "      - uses: actions/setup-node@v4",
    "        with: { node-version: 20 }",
    `      - run: ${INSTALL}`,
    `      - run: lintel validate ${name} --output github`,
    `      - run: lintel plan ${name} --output text --output markdown=plan.md`,
    "      # A fork may not comment, and has no secrets: its plan stands in the log.",
    "      - if: github.event.pull_request.head.repo.full_name == github.repository",
    "        run: gh pr comment ${{ github.event.number }} --body-file plan.md --edit-last --create-if-none",
    "        env:",
    "          GH_TOKEN: ${{ github.token }}",
    "",
    "  apply:",
    "    if: github.event_name == 'push' && github.ref_name == github.event.repository.default_branch",
    "    runs-on: ubuntu-latest",
    "    steps:",
    "      # The tip of the branch, with what the run before has recorded.",
    "      - uses: actions/checkout@v4",
    "        with: { ref: '${{ github.ref_name }}' }",
    "      - uses: actions/setup-node@v4",
    "        with: { node-version: 20 }",
    `      - run: ${INSTALL}`,
    `      - run: lintel apply ${name} --yes`,
    "      # What was applied is kept in the repository, so that the next run knows it.",
    "      - if: always()",
    "        run: |",
    ...keepState(file, "git pull --rebase && git push").map((line) => `          ${line}`),
  ];
}

function gitlab({ file, variables }: Pipelined): string[] {
  const name = quoted(file);
  return [
    "# Plans on a merge request, applies after the merge.",
    `# Set these variables in the project's settings, masked and protected: ${[...variables, "LINTEL_GIT_TOKEN", "LINTEL_PACKAGE", "LINTEL_ALLOWED_HOSTS"].join(", ")}.`,
    "# LINTEL_GIT_TOKEN is a project access token that may push: what was applied is kept in the repository.",
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
    "    # The tip of the branch, with what the run before has recorded.",
    '    - git fetch origin "$CI_COMMIT_BRANCH" && git checkout --force FETCH_HEAD',
    `    - lintel apply ${name} --yes`,
    "  # Also where the apply failed, so that the next run knows how far it got.",
    "  after_script:",
    "    - |",
    ...keepState(
      file,
      'git pull --rebase origin "${CI_COMMIT_BRANCH}" && git push --push-option=ci.skip "https://lintel:${LINTEL_GIT_TOKEN}@${CI_SERVER_HOST}/${CI_PROJECT_PATH}.git" "HEAD:${CI_COMMIT_BRANCH}"',
    ).map((line) => `      ${line}`),
  ];
}

function quoted(file: string): string {
  return /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
}
