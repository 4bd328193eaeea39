// A desired-state file, how it signs in and where its state is → a workflow of GitHub.
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

export function github(pipelined: Pipelined): string[] {
  const name = quoted(pipelined.target);
  const secrets = secretsOf(pipelined);
  return [
    "# Plans on a pull request, applies after the merge to the default branch.",
    `# Set in the repository's settings, as secrets: ${secrets.join(", ") || "none"};`,
    `# where states are signed (lintel help state), also ${STATE_KEY};`,
    "# as variables: LINTEL_PACKAGE, the address of Lintel's package, made with npm pack, and",
    "# LINTEL_ALLOWED_HOSTS, the hosts that credentials may go to, whatever a proposal says.",
    ...placeLines(pipelined, [
      "which no rule for branches may close to this workflow;",
      "# to no other, so that the default branch may be protected.",
    ]),
    "name: portal",
    "",
    "on:",
    "  pull_request:",
    "  push:",
    "",
    "permissions:",
    "  contents: read",
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
    ...handedOn(pipelined).map((each) => `  ${each}: \${{ secrets.${each} }}`),
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
    ...applyJob(pipelined),
  ];
}

function applyJob(pipelined: Pipelined): string[] {
  return [
    "  apply:",
    "    if: github.event_name == 'push' && github.ref_name == github.event.repository.default_branch",
    "    runs-on: ubuntu-latest",
    ...(branchesOf(pipelined).length === 0
      ? []
      : ["    # To push what was applied.", "    permissions:", "      contents: write"]),
    "    steps:",
    "      - uses: actions/checkout@v4",
    "      - uses: actions/setup-node@v4",
    "        with: { node-version: 20 }",
    `      - run: ${INSTALL}`,
    `      - run: lintel apply ${quoted(pipelined.target)} --yes`,
  ];
}
