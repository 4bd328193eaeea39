// Nothing but what the platform tells → the workflow of GitHub that writes a proposal's plan as one comment on it.
import { ACTIONS, indented } from "./parts.js";

/**
 * It runs from the default branch, whatever the proposal has made of its own pipeline, and what that made is text and
 * nothing else: no link that leads to this job's own files, and no number of another pull request.
 */
export function githubComment(): string[] {
  return [
    "# Writes what the proposal's run of portal.yml has planned as one comment on the pull request, and updates it.",
    "# That run has no right to do so, because whoever proposes may have rewritten it.",
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
    "    if: github.event.workflow_run.event == 'pull_request' && github.event.workflow_run.conclusion != 'cancelled'",
    "    runs-on: ubuntu-latest",
    "    timeout-minutes: 5",
    "    permissions:",
    "      actions: read",
    "      pull-requests: write",
    "    concurrency:",
    "      group: portal-comment-${{ github.event.workflow_run.head_repository.full_name }}-${{ github.event.workflow_run.head_branch }}",
    "      cancel-in-progress: false",
    "    steps:",
    "      # There is none where the run failed before it planned.",
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
    "        run: |",
    "          node --input-type=module <<'END'",
    ...indented(10, SCRIPT.trim().split("\n")),
    "          END",
  ];
}

/** No more than a comment may have, which is 65,536 characters. */
const SCRIPT = `
import { constants, readFileSync } from "node:fs";
const { GITHUB_API_URL, GITHUB_REPOSITORY, TOKEN, HEAD, SHA, RUN } = process.env;
const MARKER = "<!-- lintel proposal -->";
async function call(method, path, content) {
  const response = await fetch(GITHUB_API_URL + "/repos/" + GITHUB_REPOSITORY + path, {
    method,
    headers: { authorization: "Bearer " + TOKEN, accept: "application/vnd.github+json" },
    body: content && JSON.stringify(content),
  });
  if (!response.ok) throw new Error(method + " " + path + ": " + response.status + " " + (await response.text()));
  return response.json();
}
function planned() {
  try {
    const flag = constants.O_RDONLY | constants.O_NOFOLLOW;
    return readFileSync("proposal/plan.md", { encoding: "utf8", flag }).slice(0, 64000);
  } catch {
    return "There is no plan: the run failed before it.";
  }
}
const pulls = await call("GET", "/pulls?state=open&per_page=100&head=" + encodeURIComponent(HEAD));
const pull = pulls.find(({ head }) => head.sha === SHA);
if (!pull) {
  console.log("No open pull request is at this commit any more.");
  process.exit();
}
const isOurs = ({ user, body }) => user?.login === "github-actions[bot]" && body.startsWith(MARKER);
let ours;
for (let page = 1, isMore = true; isMore && !ours; page += 1) {
  const comments = await call("GET", "/issues/" + pull.number + "/comments?per_page=100&page=" + page);
  ours = comments.find(isOurs);
  isMore = comments.length === 100;
}
const end = "Made by [a run](" + RUN + ") that the proposal may have changed.";
const comment = { body: [MARKER, planned(), end].join("\\n\\n") };
if (ours) await call("PATCH", "/issues/comments/" + ours.id, comment);
else await call("POST", "/issues/" + pull.number + "/comments", comment);
`;
