// What a pipeline is about → GitHub's jobs that look at files: those of a proposal, and those of the default branch.
import { stateKindOf } from "../../state-address/kinds.js";
import { indented, TARGET, type Pipelined } from "../parts.js";
import { installed, IS_MERGED, prepared, summary, upload } from "./steps.js";

/** Other places let nobody read without credentials, which a proposal has none of. */
function comparing({ states }: Pipelined): string {
  const isOpen = states.every((state) => /^(?:git|file)$/.test(stateKindOf(state) ?? ""));
  return isOpen ? "" : " --no-state";
}

/** Whoever proposes may have rewritten all of it, so there is nothing to be had. */
export function proposeJob(pipelined: Pipelined): string[] {
  return [
    "  propose:",
    "    if: github.event_name == 'pull_request'",
    "    runs-on: ubuntu-latest",
    "    timeout-minutes: 15",
    ...(pipelined.hosts.length > 0
      ? [
          "    env:",
          "      # Where it may look without credentials; a proposal from a fork has no variables of the repository.",
          `      LINTEL_ALLOWED_HOSTS: ${JSON.stringify(pipelined.hosts.join(","))}`,
        ]
      : []),
    "    concurrency: { group: 'portal-propose-${{ github.event.number }}', cancel-in-progress: true }",
    "    steps:",
    ...indented(6, [
      ...prepared(pipelined),
      `- run: lintel validate ${TARGET} --output github --output sarif=lintel.sarif`,
      "# Also of files that are wrong, so that the comment says so.",
      "- if: ${{ !cancelled() }}",
      `  run: lintel plan ${TARGET} --output text --output markdown=plan.md${comparing(pipelined)}`,
      "- if: always()",
      `  run: ${summary("plan.md")}`,
      "# For portal-comment.yml, which is told the branch and the commit, of which there may be several pull requests.",
      "- if: always()",
      '  run: echo "$GITHUB_REF" > pull.txt',
      "- if: always()",
      ...indented(2, upload("proposal", ["plan.md", "lintel.sarif", "pull.txt"])),
    ]),
  ];
}

export function scanJob(): string[] {
  return [
    "  # What is wrong in the files already, for code scanning to tell what a proposal adds. Elsewhere it says so, and no more.",
    "  scan:",
    `    if: ${IS_MERGED}`,
    "    runs-on: ubuntu-latest",
    "    timeout-minutes: 15",
    "    permissions:",
    "      contents: read",
    "      security-events: write",
    "    steps:",
    ...indented(6, [
      ...installed(),
      `- run: lintel validate ${TARGET} --output github --output sarif=lintel.sarif`,
      "- if: ${{ !cancelled() }}",
      "  env:",
      "    TOKEN: ${{ github.token }}",
      "  run: node .github/workflows/portal.mjs scan",
    ]),
  ];
}
