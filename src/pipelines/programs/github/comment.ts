// What a proposal's run has made → one comment on its pull request, found by its marker and updated, and its report for code scanning.
import { madeText } from "../made.js";
import { ask, findOurs, PROPOSAL, say } from "./ask.js";
import { scan } from "./scan.js";

/** With the lines before it no more than a comment may have, which is 65,536 characters. */
const LONGEST = 64_000;

const PULL = /^refs\/pull\/(\d+)\/merge$/m;

interface Pull {
  readonly number: number;
  readonly head: { readonly sha: string };
}

export async function comment(): Promise<void> {
  const { HEAD = "", SHA = "", RUN } = process.env;
  // A fork's run does not say which pull request it is of; its branch does.
  const query = `state=open&per_page=100&head=${encodeURIComponent(HEAD)}`;
  const pulls = await ask<readonly Pull[]>("GET", `/pulls?${query}`);
  const ofRun = pulls.filter(({ head }) => head.sha === SHA);
  // Among those of one branch its run says which one it was for.
  const [, told] = PULL.exec(madeText("proposal/pull.txt", 100) ?? "") ?? [];
  const pull = ofRun.find(({ number }) => number === Number(told)) ?? ofRun[0];
  if (!pull) {
    say("No open pull request is at this commit any more.");
    return;
  }
  const plan = madeText("proposal/plan.md", LONGEST);
  const text = plan ?? "There is no plan: the run failed before it.";
  // Above the plan, which might end in the middle of anything.
  const from = `Made by [a run](${RUN}) that the proposal may have changed, at ${SHA.slice(0, 8)}.`;
  const body = [PROPOSAL, from, text].join("\n\n");
  const path = `/issues/${pull.number}/comments`;
  const ours = await findOurs(path, PROPOSAL);
  if (ours) await ask("PATCH", `/issues/comments/${ours.id}`, { body });
  else await ask("POST", path, { body });
  await scan("proposal/lintel.sarif", { ref: `refs/pull/${pull.number}/head`, sha: SHA });
}
