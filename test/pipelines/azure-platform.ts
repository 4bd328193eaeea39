// Pull requests, runs and work items → a server that answers as Azure DevOps does, page by page and with its rules.
import { createServer, type ServerResponse } from "node:http";
import { answerJson, collect, listen, type Received } from "../support/network.js";

export const TOKEN = "token-of-the-reports";
const OURS = "reports@example.com";
const MOST = 150_000;
const PROJECT = "/gis/0a1b";
const GUIDS = "11111111-2222-3333-4444-555555555555/66666666-7777-8888-9999-000000000000";

export interface Comment {
  content: string;
  readonly author: string;
  readonly isDeleted?: boolean;
}

interface Run {
  readonly id: number;
  readonly pull: number;
  readonly result?: string;
  /** By their names; of the type that Lintel's are. */
  readonly attached?: Readonly<Record<string, string>>;
}

interface Item {
  readonly id: number;
  readonly type: string;
  fields: Record<string, string>;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Basic, Scrum and a process of one's own name what is done in different words. */
const STATES = [
  { name: "To Do", category: "Proposed" },
  { name: "Doing", category: "InProgress" },
  { name: "Done 'n' dusted", category: "Completed" },
  { name: "Removed", category: "Removed" },
];

export async function playAzure() {
  const platform = {
    pulls: [] as number[],
    runs: [] as Run[],
    comments: {} as Record<number, Comment[]>,
    items: [] as Item[],
    /** What was written, without its content. */
    writes: [] as string[],
    /** What is answered instead. */
    rude: (_asked: string): Answer | undefined => undefined,
  };
  const page = <Entry>(all: readonly Entry[], query: URLSearchParams) => {
    const skip = Number(query.get("$skip") ?? 0);
    return { value: all.slice(skip, skip + Number(query.get("$top") ?? 100)) };
  };

  function runs(query: URLSearchParams) {
    const pull = /^refs\/pull\/(\d+)\/merge$/.exec(query.get("branchName") ?? "")?.[1];
    const results = query.get("resultFilter")?.split(",") ?? [];
    const isAsked =
      query.get("definitions") === "4,6" &&
      query.get("reasonFilter") === "pullRequest" &&
      query.get("statusFilter") === "completed";
    const found = platform.runs
      .filter((run) => isAsked && run.pull === Number(pull))
      .filter(({ result = "succeeded" }) => results.includes(result))
      .toReversed()
      .map(({ id }) => ({ id, sourceVersion: `${id}`.repeat(40).slice(0, 40) }));
    return page(found, query);
  }

  function attachments(id: string, base: string) {
    const attached = platform.runs.find((run) => run.id === Number(id))?.attached ?? {};
    const value = Object.keys(attached).map((name) => {
      const href = `${base}/_apis/build/builds/${id}/${GUIDS}/attachments/lintel-plan/${name}`;
      return { name, _links: { self: { href } } };
    });
    return { value };
  }

  function writeComment(pull: number, at: number | undefined, body: string): Answer | undefined {
    const asked = JSON.parse(body) as { content?: string; comments?: [{ content: string }] };
    const content = asked.content ?? asked.comments?.[0].content ?? "";
    if (content.length > MOST)
      return {
        status: 400,
        body: `A discussion comment cannot be longer than ${MOST} characters.`,
      };
    const all = (platform.comments[pull] ??= []);
    if (at === undefined) all.push({ content, author: OURS });
    else if (all[at]?.author !== OURS) return { status: 403, body: "TF401027" };
    else all[at].content = content;
    return undefined;
  }

  function find(query: string) {
    const [, tag = ""] = /\[System\.Tags\] CONTAINS '([^']*)'/.exec(query) ?? [];
    const [, over = ""] = /NOT IN \((.*)\)/.exec(query) ?? [];
    const names = [...over.matchAll(/'((?:[^']|'')*)'/g)].map(([, name = ""]) =>
      name.replaceAll("''", "'"),
    );
    const found = platform.items.filter(
      ({ fields }) =>
        fields["System.Tags"]?.includes(tag) && !names.includes(fields["System.State"] ?? ""),
    );
    return { workItems: found.map(({ id }) => ({ id })) };
  }

  function writeItem(item: Item, body: string): void {
    const operations = JSON.parse(body) as { op: string; path: string; value: string }[];
    for (const { path, value } of operations) {
      // It writes what is marked up in its own way.
      item.fields[path.replace("/fields/", "")] = value.replace(/<p>/g, '<p style="">');
    }
  }

  function answer({ method, path, headers, body }: Received, response: ServerResponse): void {
    const url = new URL(path, `http://${headers.host}`);
    const query = url.searchParams;
    const at = url.pathname.replace(`${PROJECT}/_apis/`, "");
    const asked = `${method} ${at}`;
    if (method !== "GET" && at !== "wit/wiql") platform.writes.push(asked);
    const send = ({ status, body: said }: Answer) => void response.writeHead(status).end(said);
    const rude = platform.rude(asked);
    if (rude) return send(rude);
    if (headers.authorization !== `Basic ${Buffer.from(`:${TOKEN}`).toString("base64")}`) {
      const isPlain = headers["x-tfs-fedauthredirect"] === "Suppress";
      return send({ status: isPlain ? 401 : 203, body: "<html>Sign in</html>" });
    }
    if (!query.has("api-version"))
      return send({ status: 400, body: "No api-version was supplied" });
    const pulls = "git/repositories/repo/pullrequests";
    const [, pull, thread] =
      new RegExp(`^${pulls}/(\\d+)/threads(?:/(\\d+)/comments/1)?$`).exec(at) ?? [];
    const [, run, name] =
      /^build\/builds\/(\d+)\/.*attachments\/lintel-plan\/?(.*)$/.exec(at) ?? [];
    const [, item] = /^wit\/workitems\/(\$?\w+)$/.exec(at) ?? [];
    if (at === pulls && query.get("searchCriteria.targetRefName") === "refs/heads/main") {
      const all = platform.pulls.map((pullRequestId) => ({ pullRequestId }));
      return answerJson(response, page(all, query));
    }
    if (at === "build/definitions") return answerJson(response, { value: DEFINITIONS });
    if (at === "build/builds") return answerJson(response, runs(query));
    if (run !== undefined && name === "") {
      return answerJson(response, attachments(run, `${url.origin}${PROJECT}`));
    }
    if (run !== undefined && name !== undefined) {
      const text = platform.runs.find(({ id }) => id === Number(run))?.attached?.[name];
      return send({ status: text === undefined ? 404 : 200, body: text ?? "" });
    }
    if (pull !== undefined && method === "GET") {
      const all = platform.comments[Number(pull)] ?? [];
      const value = all.map(({ content, isDeleted = false }, id) => ({
        id,
        isDeleted: false,
        comments: [{ id: 1, content, isDeleted }],
      }));
      return answerJson(response, { value });
    }
    if (pull !== undefined) {
      const wrong = writeComment(Number(pull), thread ? Number(thread) : undefined, body);
      return wrong ? send(wrong) : answerJson(response, {});
    }
    if (/^wit\/workitemtypes\/(Task|Bug)$/.test(at))
      return answerJson(response, { states: STATES });
    if (at === "wit/wiql") {
      return answerJson(response, find((JSON.parse(body) as { query: string }).query));
    }
    if (at === "wit/workitems") {
      const ids = new Set(query.get("ids")?.split(",").map(Number));
      return answerJson(response, { value: platform.items.filter(({ id }) => ids.has(id)) });
    }
    if (item !== undefined && headers["content-type"] === "application/json-patch+json") {
      const known = platform.items.find(({ id }) => id === Number(item));
      const one = known ?? {
        id: platform.items.length + 1,
        type: item.slice(1),
        fields: { "System.State": "To Do" },
      };
      if (!known) platform.items.push(one);
      writeItem(one, body);
      return answerJson(response, one);
    }
    return send({ status: 404, body: `Nothing is at ${asked}` });
  }

  const host = await listen(createServer(collect([], answer)));
  const env = {
    SYSTEM_COLLECTIONURI: `http://${host}/gis/`,
    SYSTEM_TEAMPROJECTID: "0a1b",
    SYSTEM_DEFINITIONID: "12",
    BUILD_REPOSITORY_ID: "repo",
    BUILD_SOURCEBRANCH: "refs/heads/main",
    BUILD_BUILDID: "900",
  };
  return Object.assign(platform, { env });
}

const DEFINITIONS = [
  { id: 3, process: { type: 2, yamlFilename: "azure-pipelines-comment.yml" } },
  { id: 4, process: { type: 2, yamlFilename: "/azure-pipelines.yml" } },
  { id: 5, process: { type: 1 } },
  { id: 6, process: { type: 2, yamlFilename: "azure-pipelines.yml" } },
];
