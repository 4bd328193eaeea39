// What a pipeline is about → GitHub's jobs after a merge: a plan, an approval, and the apply of just that plan.
import { ACTIONS, indented, TARGET, type Pipelined } from "../parts.js";
import { envOf, IS_MERGED, prepared, recordingLines, summary, upload } from "./steps.js";

export function planJob(pipelined: Pipelined): string[] {
  return [
    "  plan:",
    `    if: ${IS_MERGED}`,
    "    runs-on: ubuntu-latest",
    "    timeout-minutes: 15",
    "    environment: portal",
    "    permissions:",
    "      contents: read",
    "      pull-requests: read",
    "    outputs:",
    "      changes: ${{ steps.plan.outputs.changes }}",
    "    steps:",
    ...indented(6, [
      ...prepared(pipelined),
      "# Which changes were reviewed, so that the plan says whether it makes just these.",
      "- id: reviewed",
      "  continue-on-error: true",
      "  env:",
      "    TOKEN: ${{ github.token }}",
      "  run: node .github/workflows/portal.mjs reviewed",
      "- id: plan",
      "  run: |",
      ...indented(4, [
        "status=0",
        `lintel plan ${TARGET} --save plan.json --detailed-exitcode --output text --output markdown=plan.md || status=$?`,
        summary("plan.md"),
        'if [ "$status" -eq 2 ]; then echo changes=yes >> "$GITHUB_OUTPUT"; else exit "$status"; fi',
      ]),
      ...envOf(pipelined, ["LINTEL_REVIEWED: ${{ steps.reviewed.outputs.digest }}"]),
      "- if: steps.plan.outputs.changes == 'yes'",
      ...indented(2, upload("plan", ["plan.json"], 30)),
    ]),
  ];
}

export function approveJob(): string[] {
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

const STALE =
  "::error title=The plan is stale::Since it was made, something else was applied to a portal, or somebody changed that one, so nothing was sent to it. Choose 'Run workflow' (Actions, portal), which plans what the default branch holds now, and approve that plan.";

export function applyJob(pipelined: Pipelined): string[] {
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
      ...prepared(pipelined),
      `- uses: ${ACTIONS.download}`,
      "  with: { name: plan }",
      "- run: |",
      ...indented(4, [
        "status=0",
        "lintel apply plan.json --output text --output markdown=apply.md || status=$?",
        summary("apply.md"),
        `if [ "$status" -eq 5 ]; then echo "${STALE}"; fi`,
        'exit "$status"',
      ]),
      ...envOf(pipelined),
    ]),
  ];
}
