// What a pipeline is about → GitHub's jobs by the clock: windows and what is restored, and an issue of what somebody changed by hand.
import { ACTIONS, BY_THE_CLOCK, indented, TARGET, type Pipelined } from "../parts.js";
import { checkedOut, envOf, prepared, recordingLines, upload } from "./steps.js";

/** Four times an hour, of which one looks at what somebody changed by hand, too. */
export const OFTEN = "22,37,52 * * * *";
export const HOURLY = "7 * * * *";

export function clockJob(pipelined: Pipelined): string[] {
  return [
    "  clock:",
    "    if: github.event_name == 'schedule'",
    "    runs-on: ubuntu-latest",
    "    timeout-minutes: 60",
    "    environment: portal",
    "    # Apart from the apply: one that waits would be thrown out by the next one of its group.",
    "    concurrency: { group: portal-clock, cancel-in-progress: false }",
    ...recordingLines(pipelined),
    "    outputs:",
    "      looked: ${{ steps.drift.outputs.looked }}",
    "    steps:",
    ...indented(6, [
      ...prepared(pipelined),
      "- id: due",
      "  run: |",
      ...indented(4, [
        "status=0",
        `${BY_THE_CLOCK} || status=$?`,
        "# An apply was faster: once more, on what that one left.",
        `if [ "$status" -eq 5 ]; then status=0; ${BY_THE_CLOCK} || status=$?; fi`,
        'exit "$status"',
      ]),
      ...envOf(pipelined),
      "- id: drift",
      `  if: \${{ !cancelled() && steps.due.outcome != 'skipped' && github.event.schedule == '${HOURLY}' }}`,
      "  run: |",
      ...indented(4, [
        "status=0",
        `lintel drift ${TARGET} --output text --output markdown=drift.md --output json=drift.json || status=$?`,
        'echo looked=yes >> "$GITHUB_OUTPUT"',
        "# What somebody changed is for the issue to tell; a portal that could not be looked at is a failure.",
        'if [ "$status" -ne 2 ]; then exit "$status"; fi',
      ]),
      ...envOf(pipelined),
      "- if: ${{ !cancelled() && steps.drift.outputs.looked == 'yes' }}",
      ...indented(2, upload("drift", ["drift.md", "drift.json"])),
    ]),
  ];
}

export function driftJob(): string[] {
  return [
    "  # Writes it as one issue, and is given nothing else.",
    "  drift:",
    "    needs: clock",
    "    if: ${{ !cancelled() && needs.clock.outputs.looked == 'yes' }}",
    "    runs-on: ubuntu-latest",
    "    timeout-minutes: 5",
    "    concurrency: { group: portal-drift, cancel-in-progress: false }",
    "    permissions:",
    "      contents: read",
    "      issues: write",
    "    steps:",
    ...indented(6, [
      ...checkedOut(),
      `- uses: ${ACTIONS.download}`,
      "  with: { name: drift }",
      "- env:",
      "    TOKEN: ${{ github.token }}",
      "    RUN: ${{ github.server_url }}/${{ github.repository }}/actions/runs/${{ github.run_id }}",
      "  run: node .github/workflows/portal.mjs drift",
    ]),
  ];
}
