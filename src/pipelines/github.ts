// What a pipeline is about, how its portals sign in and where their states are → a workflow of GitHub.
import {
  ACTIONS,
  BY_THE_CLOCK,
  branchesOf,
  CRON,
  TARGET,
  handedOn,
  indented,
  INSTALL,
  placeLines,
  plainVariables,
  secretsOf,
  STATE_KEY,
} from "./parts.js";
import type { Pipelined } from "./parts.js";

const IS_MERGED =
  "github.event_name == 'push' && github.ref_name == github.event.repository.default_branch";

export function github(pipelined: Pipelined): string[] {
  return [
    ...headLines(pipelined),
    "name: portal",
    "",
    "on:",
    "  pull_request:",
    "  push:",
    "  schedule:",
    `    - cron: "${CRON}"`,
    "",
    "permissions:",
    "  contents: read",
    "",
    "env:",
    ...plainVariables(pipelined).map(([name, value]) => `  ${name}: ${value}`),
    "  LINTEL_ALLOWED_HOSTS: ${{ vars.LINTEL_ALLOWED_HOSTS }}",
    "",
    "jobs:",
    ...proposeJob(),
    "",
    ...planJob(pipelined),
    "",
    ...approveJob(),
    "",
    ...applyJob(pipelined),
    "",
    ...clockJob(pipelined),
  ];
}

function headLines(pipelined: Pipelined): string[] {
  return [
    "# Plans on a pull request; plans again after the merge to the default branch, waits for an approval, and applies",
    "# just that plan; opens and closes windows by the clock.",
    "# Write below where Lintel's package is (LINTEL_PACKAGE), made with npm pack. Then set in the repository's settings:",
    "# - the environment portal, for the default branch alone, because whoever may push a branch may change this file there.",
    `#   Its secrets: ${secretsOf(pipelined).join(", ") || "none"};`,
    `#   where states are signed (lintel help state), also ${STATE_KEY};`,
    "# - the environment portal-approval, with those who approve as required reviewers;",
    "# - the variable LINTEL_ALLOWED_HOSTS, the hosts that credentials may go to.",
    ...placeLines(pipelined, ["# No rule for branches may close it to this workflow."]),
  ];
}

const INSTALLED = [
  `- uses: ${ACTIONS.checkout}`,
  `- uses: ${ACTIONS.node}`,
  "  with: { node-version: 24, package-manager-cache: false }",
  `- run: ${INSTALL}`,
];

/** Whoever proposes may have rewritten all of it, so there is nothing to be had. */
function proposeJob(): string[] {
  return [
    "  propose:",
    "    if: github.event_name == 'pull_request'",
    "    runs-on: ubuntu-latest",
    "    timeout-minutes: 15",
    "    concurrency: { group: 'portal-propose-${{ github.event.number }}', cancel-in-progress: true }",
    "    steps:",
    ...indented(6, INSTALLED),
    `      - run: lintel validate ${TARGET} --output github`,
    "      # Also of files that are wrong, so that the comment says so.",
    "      - if: ${{ !cancelled() }}",
    `        run: lintel plan ${TARGET} --output text --output markdown=plan.md`,
    "      # The plan stands on the page of the run, also where it failed.",
    "      - if: always()",
    '        run: if [ -f plan.md ]; then cat plan.md >> "$GITHUB_STEP_SUMMARY"; fi',
    "      # For portal-comment.yml.",
    "      - if: always()",
    `        uses: ${ACTIONS.upload}`,
    "        with: { name: proposal, path: plan.md, if-no-files-found: ignore }",
  ];
}

/** Secrets are given to a step, so that what was installed before it never had them. */
function envOf(pipelined: Pipelined): string[] {
  return ["  env:", ...handedOn(pipelined).map((each) => `    ${each}: \${{ secrets.${each} }}`)];
}

function planJob(pipelined: Pipelined): string[] {
  return [
    "  plan:",
    `    if: ${IS_MERGED}`,
    "    runs-on: ubuntu-latest",
    "    timeout-minutes: 15",
    "    environment: portal",
    "    outputs:",
    "      changes: ${{ steps.plan.outputs.changes }}",
    "    steps:",
    ...indented(6, [
      ...INSTALLED,
      "- id: plan",
      "  run: |",
      ...indented(4, [
        "status=0",
        `lintel plan ${TARGET} --save plan.json --detailed-exitcode --output text --output markdown=plan.md || status=$?`,
        'if [ -f plan.md ]; then cat plan.md >> "$GITHUB_STEP_SUMMARY"; fi',
        'if [ "$status" -eq 2 ]; then echo changes=yes >> "$GITHUB_OUTPUT"; else exit "$status"; fi',
      ]),
      ...envOf(pipelined),
      "- if: steps.plan.outputs.changes == 'yes'",
      `  uses: ${ACTIONS.upload}`,
      "  with: { name: plan, path: plan.json }",
    ]),
  ];
}

function approveJob(): string[] {
  return [
    "  # Waits for the reviewers of its environment, and is given nothing.",
    "  approve:",
    "    needs: plan",
    "    if: needs.plan.outputs.changes == 'yes'",
    "    runs-on: ubuntu-latest",
    "    timeout-minutes: 5",
    "    environment: portal-approval",
    "    permissions: {}",
    "    steps:",
    "      - run: echo Approved.",
  ];
}

function recordingLines(pipelined: Pipelined): string[] {
  if (branchesOf(pipelined).length === 0) return [];
  return ["    # To push what was applied.", "    permissions:", "      contents: write"];
}

function applyJob(pipelined: Pipelined): string[] {
  return [
    "  apply:",
    "    needs: approve",
    "    runs-on: ubuntu-latest",
    "    timeout-minutes: 60",
    "    environment: portal",
    "    concurrency: { group: portal-apply, cancel-in-progress: false }",
    ...recordingLines(pipelined),
    "    steps:",
    ...indented(6, [
      ...INSTALLED,
      `- uses: ${ACTIONS.download}`,
      "  with: { name: plan }",
      "# Where something else was applied since the plan, it refuses: then run all jobs of this run again.",
      "- run: lintel apply plan.json",
      ...envOf(pipelined),
    ]),
  ];
}

function clockJob(pipelined: Pipelined): string[] {
  return [
    "  clock:",
    "    if: github.event_name == 'schedule'",
    "    runs-on: ubuntu-latest",
    "    timeout-minutes: 60",
    "    environment: portal",
    "    # Apart from the apply: one that waits would be thrown out by the next one of its group.",
    "    concurrency: { group: portal-clock, cancel-in-progress: false }",
    ...recordingLines(pipelined),
    "    steps:",
    ...indented(6, [...INSTALLED, `- run: ${BY_THE_CLOCK}`, ...envOf(pipelined)]),
  ];
}
