// The commit of a merge → the digest of the changes that were reviewed, as the comment on its pull request tells it.
import { ask, attempt, markedComments, REPOSITORY, VERSION } from "./azure.js";

const { BUILD_SOURCEVERSION = "" } = process.env;

/** Nothing else of the comment is taken over: it is made of what the proposal's run made. */
const DIGEST = /^Digest of the changes: `([0-9a-f]{12}-[0-9a-f]{12})`$/m;

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
  const comments = pull ? await markedComments(pull.pullRequestId) : [];
  const told = new Set(comments.flatMap(({ content }) => DIGEST.exec(content)?.[1] ?? []));
  const [digest] = told;
  // Where two are told, somebody has forged one.
  const line =
    told.size === 1
      ? `##vso[task.setvariable variable=LINTEL_REVIEWED]${digest}`
      : "No pull request of this commit tells which changes were reviewed.";
  process.stdout.write(`${line}\n`);
});
