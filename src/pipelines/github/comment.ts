// Nothing but what the platform tells → the workflow of GitHub that writes a proposal's plan as one comment on it.
import { checkedOut } from "./steps.js";
import { ACTIONS, indented } from "../parts.js";

/**
 * It runs from the default branch, whatever the proposal has made of its own pipeline, and what that made is text and
 * nothing else: no link that leads to this job's own files, and no number of another pull request.
 */
export function githubComment(): string[] {
  return [
    "# Writes what the proposal's run of portal.yml has planned as one comment on the pull request, and updates it; what is",
    "# wrong at which lines goes to code scanning, where that is switched on. That run has no right to do either, because",
    "# whoever proposes may have rewritten it.",
    "name: portal comment",
    "",
    "on:",
    "  workflow_run:",
    "    workflows: [portal]",
    "    types: [completed]",
    "",
    "permissions: {}",
    "",
    "jobs:",
    "  comment:",
    "    # Not of a run that was replaced by a newer one, or that waits for somebody to let it start.",
    "    if: >-",
    "      github.event.workflow_run.event == 'pull_request' &&",
    '      contains(fromJSON(\'["success", "failure", "timed_out"]\'), github.event.workflow_run.conclusion)',
    "    runs-on: ubuntu-latest",
    "    timeout-minutes: 5",
    "    permissions:",
    "      actions: read",
    "      contents: read",
    "      pull-requests: write",
    "      security-events: write",
    "    concurrency:",
    "      group: portal-comment-${{ github.event.workflow_run.head_repository.full_name }}-${{ github.event.workflow_run.head_branch }}",
    "      cancel-in-progress: false",
    "    steps:",
    ...indented(6, checkedOut()),
    "      # There is nothing where the run failed before it planned.",
    `      - uses: ${ACTIONS.download}`,
    "        continue-on-error: true",
    "        with:",
    "          name: proposal",
    "          path: proposal",
    "          run-id: ${{ github.event.workflow_run.id }}",
    "          github-token: ${{ github.token }}",
    "      - env:",
    "          TOKEN: ${{ github.token }}",
    "          HEAD: ${{ github.event.workflow_run.head_repository.owner.login }}:${{ github.event.workflow_run.head_branch }}",
    "          SHA: ${{ github.event.workflow_run.head_sha }}",
    "          RUN: ${{ github.event.workflow_run.html_url }}",
    "        run: node .github/workflows/portal.mjs comment",
  ];
}
