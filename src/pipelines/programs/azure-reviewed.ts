// The commit of a merge → the digest of the changes that were reviewed, as the newest run of its pull request tells it.
import { ask, attempt, REPOSITORY, VERSION } from "./azure.js";
import { newestRun, planOf } from "./runs.js";

const { BUILD_SOURCEVERSION = "", SYSTEM_DEFINITIONID = "" } = process.env;

/** Nothing else of the plan is taken over: whoever proposes may have rewritten it. */
const DIGEST = /^Digest of the changes: `([0-9a-f]{12}-[0-9a-f]{12})`$/m;

/** More than any plan has. */
const LONGEST = 1_000_000;

interface Found {
  readonly results: readonly Readonly<
    Record<string, readonly { readonly pullRequestId: number; readonly status: string }[]>
  >[];
}

await attempt(async () => {
  const queries = [{ type: "lastMergeCommit", items: [BUILD_SOURCEVERSION] }];
  const path = `${REPOSITORY}/pullrequestquery?${VERSION}`;
  const { results } = await ask<Found>("POST", path, { content: { queries } });
  const pulls = results.flatMap((result) => result[BUILD_SOURCEVERSION] ?? []);
  const pull = pulls.find(({ status }) => status === "completed");
  const run = pull && (await newestRun(pull.pullRequestId, SYSTEM_DEFINITIONID));
  const plan = run && (await planOf(run, LONGEST));
  const [, digest] = DIGEST.exec(plan ?? "") ?? [];
  const line =
    digest === undefined
      ? "No pull request of this commit tells which changes were reviewed."
      : `##vso[task.setvariable variable=LINTEL_REVIEWED]${digest}`;
  process.stdout.write(`${line}\n`);
});
