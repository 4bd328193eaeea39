// The plan that a proposal's run has made → one comment on its pull request, found by its marker and updated.
import { call, type Call } from "./call.js";
import { madeText } from "./made.js";

const { GITHUB_API_URL, GITHUB_REPOSITORY, TOKEN, HEAD = "", SHA, RUN } = process.env;

const MARKER = "<!-- lintel proposal -->";

/** With the marker and the end no more than a comment may have, which is 65,536 characters. */
const LONGEST = 64_000;

interface Pull {
  readonly number: number;
  readonly head: { readonly sha: string };
}

interface Comment {
  readonly id: number;
  readonly user: { readonly login: string } | null;
  readonly body: string;
}

const ask = <Answer>(method: Call["method"], path: string, content?: { readonly body: string }) =>
  call<Answer>({
    method,
    address: `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}${path}`,
    headers: { authorization: `Bearer ${TOKEN}`, accept: "application/vnd.github+json" },
    ...(content ? { content: { ...content } } : {}),
  });

async function oursAmong(pull: Pull): Promise<Comment | undefined> {
  for (let page = 1; ; page += 1) {
    const path = `/issues/${pull.number}/comments?per_page=100&page=${page}`;
    const comments = await ask<readonly Comment[]>("GET", path);
    const ours = comments.find(
      ({ user, body }) => user?.login === "github-actions[bot]" && body.startsWith(MARKER),
    );
    if (ours || comments.length < 100) return ours;
  }
}

const query = `state=open&per_page=100&head=${encodeURIComponent(HEAD)}`;
const pulls = await ask<readonly Pull[]>("GET", `/pulls?${query}`);
const pull = pulls.find(({ head }) => head.sha === SHA);
if (pull) {
  const planned = madeText("proposal/plan.md", LONGEST);
  const end = `Made by [a run](${RUN}) that the proposal may have changed.`;
  const text = planned ?? "There is no plan: the run failed before it.";
  const comment = { body: [MARKER, text, end].join("\n\n") };
  const ours = await oursAmong(pull);
  if (ours) await ask("PATCH", `/issues/comments/${ours.id}`, comment);
  else await ask("POST", `/issues/${pull.number}/comments`, comment);
} else {
  process.stdout.write("No open pull request is at this commit any more.\n");
}
