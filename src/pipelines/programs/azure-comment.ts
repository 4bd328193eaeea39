// The plans that the newest runs for open pull requests have made → one comment on each, found by its marker and updated.
import { ask, attempt, pageOfRun, REPOSITORY, tell, VERSION } from "./azure.js";
import { Refused } from "./call.js";
import { newestRun, planOf } from "./runs.js";

const { BUILD_REPOSITORY_ID = "", BUILD_SOURCEBRANCH = "", PIPELINE = "" } = process.env;

/** Of the comment that tells of a proposal's plan. Shown nowhere. */
const MARKER = "[//]: # (lintel proposal)";

/** With the marker and the line after it no more than a comment may have, which is 150,000 characters. */
const LONGEST = 148_000;

const PULLS = `${REPOSITORY}/pullrequests`;
const PAGE = 100;

interface List<Entry> {
  readonly value: readonly Entry[];
}

interface Definition {
  readonly id: number;
  readonly process?: { readonly yamlFilename?: string };
}

interface Comment {
  readonly content: string;
  /** Where it is changed. */
  readonly path: string;
}

interface Thread {
  readonly id: number;
  readonly isDeleted?: boolean;
  readonly comments: readonly {
    readonly id: number;
    readonly content?: string;
    readonly isDeleted?: boolean;
  }[];
}

/** Whatever people have called the pipeline. */
async function proposing(): Promise<string> {
  const query = `repositoryId=${BUILD_REPOSITORY_ID}&repositoryType=TfsGit&includeAllProperties=true`;
  const { value } = await ask<List<Definition>>("GET", `build/definitions?${query}&${VERSION}`);
  const ours = value.filter((each) => each.process?.yamlFilename?.replace(/^\//, "") === PIPELINE);
  if (ours.length === 0)
    throw new Error(`No pipeline of this repository is made from ${PIPELINE}: create it.`);
  return ours.map(({ id }) => id).join(",");
}

async function openPulls(): Promise<number[]> {
  const target = encodeURIComponent(BUILD_SOURCEBRANCH);
  const query = `searchCriteria.status=active&searchCriteria.targetRefName=${target}&$top=${PAGE}`;
  const found: number[] = [];
  for (;;) {
    const path = `${PULLS}?${query}&$skip=${found.length}&${VERSION}`;
    const { value } = await ask<List<{ readonly pullRequestId: number }>>("GET", path);
    found.push(...value.map(({ pullRequestId }) => pullRequestId));
    if (value.length < PAGE) return found;
  }
}

/** Those that begin with our marker: anybody may write one. */
async function markedComments(pull: number): Promise<Comment[]> {
  const threads = `${PULLS}/${pull}/threads`;
  const { value } = await ask<List<Thread>>("GET", `${threads}?${VERSION}`);
  return value.flatMap(({ id, isDeleted, comments: [first] }) => {
    if (!first || isDeleted || first.isDeleted || !first.content?.startsWith(MARKER)) return [];
    const path = `${threads}/${id}/comments/${first.id}?${VERSION}`;
    return [{ content: first.content, path }];
  });
}

/** What others have written with our marker cannot be changed with our token. */
const NOT_OURS = new Set([400, 403, 404]);

async function write(pull: number, content: string): Promise<void> {
  for (const { content: before, path } of await markedComments(pull)) {
    if (before === content) return;
    try {
      await ask("PATCH", path, { content: { content } });
      return;
    } catch (error) {
      if (!(error instanceof Refused && NOT_OURS.has(error.status))) throw error;
    }
  }
  // Without a status nobody has to resolve it before the merge.
  const comments = [{ parentCommentId: 0, content, commentType: "text" }];
  await ask("POST", `${PULLS}/${pull}/threads?${VERSION}`, { content: { comments } });
}

await attempt(async () => {
  const definitions = await proposing();
  for (const pull of await openPulls()) {
    try {
      const run = await newestRun(pull, definitions);
      if (!run) continue;
      const plan = (await planOf(run, LONGEST)) ?? "There is no plan: the run failed before it.";
      const from = `Made by [a run](${pageOfRun(run.id)}) that the proposal may have changed, at ${run.sourceVersion.slice(0, 8)}.`;
      await write(pull, [MARKER, from, plan].join("\n\n"));
    } catch (error) {
      tell(error);
    }
  }
});
