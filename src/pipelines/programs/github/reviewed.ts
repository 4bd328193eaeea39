// The commit of a merge → the digest of the changes that were reviewed, as the comment on its pull request tells it.
import { ask, findOurs, output, PROPOSAL, say } from "./ask.js";

interface Pull {
  readonly number: number;
  readonly merged_at: string | null;
  readonly base: { readonly ref: string };
}

/** Nothing else of the comment is taken over: it is made of what the proposal's run made. */
const DIGEST = /^Digest of the changes: `([0-9a-f]{12}-[0-9a-f]{12})`$/m;

export async function reviewed(): Promise<void> {
  const { GITHUB_REF, GITHUB_SHA } = process.env;
  const pulls = await ask<readonly Pull[]>("GET", `/commits/${GITHUB_SHA}/pulls`);
  // What was merged into another branch on its way here was reviewed for that one.
  const pull = pulls.find(
    ({ merged_at: merged, base }) => merged !== null && `refs/heads/${base.ref}` === GITHUB_REF,
  );
  const told = pull && (await findOurs(`/issues/${pull.number}/comments`, PROPOSAL));
  const [, digest] = DIGEST.exec(told?.body ?? "") ?? [];
  if (digest !== undefined) output("digest", digest);
  else say("No pull request of this commit tells which changes were reviewed.");
}
