// Pull requests, runs and work items → a server that answers as Azure DevOps does, page by page and with its rules.
import { createServer, type ServerResponse } from "node:http";
import { JOB_TOKEN } from "./platform.js";
import { answerJson, collect, listen, type Received } from "../support/network.js";

export const TOKEN = "token-of-the-reports";
const OURS = "reports@example.com";
const MOST = 150_000;
const PROJECT = "/gis/0a1b";
const GUIDS = "11111111-2222-3333-4444-555555555555/66666666-7777-8888-9999-000000000000";

function basic(token: string): string {
  return `Basic ${Buffer.from(`:${token}`).toString("base64")}`;
}

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

export interface Item {
  readonly id: number;
  readonly type: string;
  readonly fields: Record<string, string>;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

interface Asked {
  readonly parts: readonly (string | undefined)[];
  readonly query: URLSearchParams;
  readonly body: string;
  readonly type: string;
  /** Where the project's pages begin. */
  readonly base: string;
}

function isAnswer(made: unknown): made is Answer {
  return typeof made === "object" && made !== null && "status" in made && "body" in made;
}

/** Each process has words of its own. */
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
    /** By the commits of their merges. */
    merged: {} as Record<string, number>,
    /** What was written, without its content. */
    writes: [] as string[],
    /** What is answered instead. */
    rude: (_asked: string): Answer | undefined => undefined,
  };
  const page = <Entry>(all: readonly Entry[], query: URLSearchParams) => {
    const skip = Number(query.get("$skip") ?? 0);
    return { value: all.slice(skip, skip + Number(query.get("$top") ?? 100)) };
  };

  function pulls(query: URLSearchParams) {
    if (query.get("searchCriteria.targetRefName") !== "refs/heads/main") return { value: [] };
    const all = platform.pulls.map((pullRequestId) => ({ pullRequestId }));
    return page(all, query);
  }

  function merged(body: string) {
    const { queries } = JSON.parse(body) as { queries: [{ type: string; items: [string] }] };
    const [{ type, items: commits }] = queries;
    const found = type === "lastMergeCommit" ? platform.merged[commits[0]] : undefined;
    const result = { [commits[0]]: [{ pullRequestId: found, status: "completed" }] };
    return { results: [found === undefined ? {} : result] };
  }

  function runs(query: URLSearchParams) {
    const pull = /^refs\/pull\/(\d+)\/merge$/.exec(query.get("branchName") ?? "")?.[1];
    const isAsked =
      ["4,6", "6"].includes(query.get("definitions") ?? "") &&
      query.get("reasonFilter") === "pullRequest" &&
      query.get("statusFilter") === "completed";
    const found = platform.runs
      .filter((run) => isAsked && run.pull === Number(pull))
      .toReversed()
      .map(({ id, result = "succeeded" }) => {
        return { id, result, sourceVersion: `${id}`.repeat(40).slice(0, 40) };
      });
    return page(found, query);
  }

  function attachments(run: number, base: string) {
    const names = Object.keys(platform.runs.find(({ id }) => id === run)?.attached ?? {});
    const value = names.map((name) => {
      const href = `${base}/_apis/build/builds/${run}/${GUIDS}/attachments/lintel-plan/${name}`;
      return { name, _links: { self: { href } } };
    });
    return { value };
  }

  function attached(run: number, name: string): Answer {
    const text = platform.runs.find(({ id }) => id === run)?.attached?.[name];
    return { status: text === undefined ? 404 : 200, body: text ?? "" };
  }

  function threads(pull: number) {
    const value = (platform.comments[pull] ?? []).map(({ content, isDeleted = false }, id) => ({
      id,
      comments: [{ id: 1, content, isDeleted }],
    }));
    return { value };
  }

  function writeComment(pull: number, at: number | undefined, body: string): Answer | object {
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
    return {};
  }

  function find(query: string) {
    const [, tag = ""] = /\[System\.Tags\] CONTAINS '([^']*)'/.exec(query) ?? [];
    const found = platform.items.filter(({ fields }) => fields["System.Tags"]?.includes(tag));
    return { workItems: found.map(({ id }) => ({ id })) };
  }

  function items(query: URLSearchParams) {
    const ids = new Set(query.get("ids")?.split(",").map(Number));
    return { value: platform.items.filter(({ id }) => ids.has(id)) };
  }

  function writeItem({ parts: [name = ""], body, type }: Asked): Answer | object {
    if (type !== "application/json-patch+json") return { status: 415, body: "Unsupported" };
    const known = platform.items.find(({ id }) => id === Number(name));
    const id = platform.items.length + 1;
    const item = known ?? { id, type: name.slice(1), fields: { "System.State": "To Do" } };
    if (!known) platform.items.push(item);
    const operations = JSON.parse(body) as { op: string; path: string; value: string }[];
    for (const { path, value } of operations) {
      // It writes what is marked up in its own way.
      item.fields[path.replace("/fields/", "")] = value.replace(/<p>/g, '<p style="">');
    }
    return item;
  }

  /** What stands after "_apis/", in its order, and what is answered to it. */
  const ROUTES: readonly (readonly [RegExp, (asked: Asked) => unknown])[] = [
    [/^GET git\/repositories\/repo\/pullrequests$/, ({ query }) => pulls(query)],
    [/^POST git\/repositories\/repo\/pullrequestquery$/, ({ body }) => merged(body)],
    [/^GET .*\/pullrequests\/(\d+)\/threads$/, ({ parts: [pull] }) => threads(Number(pull))],
    [
      /^POST .*\/pullrequests\/(\d+)\/threads$/,
      ({ parts: [pull], body }) => writeComment(Number(pull), undefined, body),
    ],
    [
      /^PATCH .*\/pullrequests\/(\d+)\/threads\/(\d+)\/comments\/1$/,
      ({ parts: [pull, at], body }) => writeComment(Number(pull), Number(at), body),
    ],
    [/^GET build\/definitions$/, () => ({ value: DEFINITIONS })],
    [/^GET build\/builds$/, ({ query }) => runs(query)],
    [
      /^GET build\/builds\/(\d+)\/attachments\/lintel-plan$/,
      ({ parts: [run], base }) => attachments(Number(run), base),
    ],
    [
      /^GET build\/builds\/(\d+)\/[-\w/]+\/attachments\/lintel-plan\/(.+)$/,
      ({ parts: [run, name = ""] }) => attached(Number(run), name),
    ],
    [/^GET wit\/workitemtypes\/(?:Task|Bug)$/, () => ({ states: STATES })],
    [/^POST wit\/wiql$/, ({ body }) => find((JSON.parse(body) as { query: string }).query)],
    [/^GET wit\/workitems$/, ({ query }) => items(query)],
    [/^(?:POST|PATCH) wit\/workitems\/(\$?\w+)$/, writeItem],
  ];

  function answer({ method, path, headers, body }: Received, response: ServerResponse): void {
    const url = new URL(path, `http://${headers.host}`);
    const base = `${url.origin}${PROJECT}`;
    const asked = `${method} ${url.pathname.replace(`${PROJECT}/_apis/`, "")}`;
    const isWrite = method !== "GET" && !/(wiql|pullrequestquery)$/.test(asked);
    if (isWrite) platform.writes.push(asked);
    const send = ({ status, body: said }: Answer) => void response.writeHead(status).end(said);
    const rude = platform.rude(asked);
    if (rude) return send(rude);
    const by = headers.authorization;
    if (by !== basic(TOKEN) && by !== basic(JOB_TOKEN)) {
      const isPlain = headers["x-tfs-fedauthredirect"] === "Suppress";
      return send({ status: isPlain ? 401 : 203, body: "<html>Sign in</html>" });
    }
    if (isWrite && by === basic(JOB_TOKEN)) return send({ status: 403, body: "TF401027" });
    const query = url.searchParams;
    if (!query.has("api-version"))
      return send({ status: 400, body: "No api-version was supplied" });
    for (const [route, make] of ROUTES) {
      const [whole, ...parts] = route.exec(asked) ?? [];
      if (whole === undefined) continue;
      const made = make({ parts, query, body, base, type: headers["content-type"] ?? "" });
      return isAnswer(made) ? send(made) : answerJson(response, made);
    }
    return send({ status: 404, body: `Nothing is at ${asked}` });
  }

  const host = await listen(createServer(collect([], answer)));
  const env = {
    SYSTEM_COLLECTIONURI: `http://${host}/gis/`,
    SYSTEM_TEAMPROJECTID: "0a1b",
    SYSTEM_DEFINITIONID: "6",
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
