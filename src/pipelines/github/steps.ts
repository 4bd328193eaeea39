// What jobs of GitHub's workflows have in common: when they run, their first steps, their secrets and what they hand on.
import { ACTIONS, branchesOf, handedOn, indented, INSTALL, type Pipelined } from "../parts.js";

export const IS_MERGED =
  "contains(fromJSON('[\"push\", \"workflow_dispatch\"]'), github.event_name) && github.ref == format('refs/heads/{0}', github.event.repository.default_branch)";

export function checkedOut(more: readonly string[] = ["persist-credentials: false"]): string[] {
  return [
    `- uses: ${ACTIONS.checkout}`,
    `  with: { ${more.join(", ")} }`,
    `- uses: ${ACTIONS.node}`,
    "  with: { node-version: 24, package-manager-cache: false }",
  ];
}

export function installed(more?: readonly string[]): string[] {
  return [...checkedOut(more), `- run: ${INSTALL}`];
}

/**
 * With all of the history, so that a checkout that is older than what was applied, as of a run that is run again, is known
 * for one. Git has to sign in to fetch the branch of a state, and to push it.
 */
export function prepared(pipelined: Pipelined): string[] {
  return installed([
    ...(isInGit(pipelined) ? [] : ["persist-credentials: false"]),
    "fetch-depth: 0",
  ]);
}

export function isInGit(pipelined: Pipelined): boolean {
  return branchesOf(pipelined).length > 0;
}

/** On the page of the run, also where it failed. */
export const summary = (file: string) =>
  `if [ -f ${file} ]; then cat ${file} >> "$GITHUB_STEP_SUMMARY"; fi`;

/** A run of the same pull request anew would else stop at what the first one has made. An approval waits up to 30 days. */
export function upload(name: string, files: readonly string[], days = 7): string[] {
  return [
    `uses: ${ACTIONS.upload}`,
    "with:",
    `  name: ${name}`,
    "  path: |",
    ...indented(4, files),
    "  if-no-files-found: ignore",
    "  overwrite: true",
    `  retention-days: ${days}`,
  ];
}

/** Secrets are given to a step, so that what was installed before it never had them. */
export function envOf(pipelined: Pipelined, more: readonly string[] = []): string[] {
  const secrets = handedOn(pipelined).map((each) => `${each}: \${{ secrets.${each} }}`);
  return ["  env:", ...indented(4, [...secrets, ...more])];
}

export function recordingLines(pipelined: Pipelined): string[] {
  if (!isInGit(pipelined)) return [];
  return ["    # To push what was applied.", "    permissions:", "      contents: write"];
}
