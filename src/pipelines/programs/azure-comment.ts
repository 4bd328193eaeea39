// The plans that the newest runs for open pull requests have made → one comment on each, found by its marker and updated.
import {
  ask,
  attempt,
  MARKER,
  markedComments,
  pageOfRun,
  read,
  REPOSITORY,
  tell,
  VERSION,
} from "./azure.js";
import { Refused } from "./call.js";

const { BUILD_REPOSITORY_ID = "", BUILD_SOURCEBRANCH = "", PIPELINE = "" } = process.env;

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

interface Build {
  readonly id: number;
  readonly sourceVersion: string;
  readonly result: string;
}

interface Attachment {
  readonly name: string;
  readonly _links: { readonly self: { readonly href: string } };
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

async function newestRun(pull: number, definitions: string): Promise<Build | undefined> {
  const query = [
    `definitions=${definitions}`,
    "reasonFilter=pullRequest",
    `branchName=refs/pull/${pull}/merge`,
    "statusFilter=completed",
    "queryOrder=finishTimeDescending",
    "$top=20",
    VERSION,
  ];
  const { value } = await ask<List<Build>>("GET", `build/builds?${query.join("&")}`);
  return value.find(({ result }) => result !== "canceled");
}

/** The run may have been rewritten by whoever proposes: what it attached is text, and where to get it is ours to say. */
async function planOf({ id }: Build): Promise<string | undefined> {
  const version = "api-version=7.0-preview.2";
  const path = `build/builds/${id}/attachments/lintel-plan?${version}`;
  const { value } = await ask<List<Attachment>>("GET", path);
  const found = value.flatMap(({ name, _links }) => {
    const [, attempted] = /^plan-(\d+)$/.exec(name) ?? [];
    const [, at] = /\/([0-9a-f-]{36}\/[0-9a-f-]{36})\/attachments\//i.exec(_links.self.href) ?? [];
    return attempted && at ? [{ attempted: Number(attempted), at }] : [];
  });
  const newest = found.toSorted((one, other) => other.attempted - one.attempted)[0];
  if (!newest) return undefined;
  const from = `build/builds/${id}/${newest.at}/attachments/lintel-plan/plan-${newest.attempted}`;
  // Half of a character that takes two is none.
  return (await read(`${from}?${version}`, LONGEST)).replace(/[\ud800-\udbff]$/, "");
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
      const plan = (await planOf(run)) ?? "There is no plan: the run failed before it.";
      const from = `Made by [a run](${pageOfRun(run.id)}) that the proposal may have changed, at ${run.sourceVersion.slice(0, 8)}.`;
      await write(pull, [MARKER, from, plan].join("\n\n"));
    } catch (error) {
      tell(error);
    }
  }
});
