// Azure DevOps as pipelines use it: comments, work items, and the approvals of a stage.
import type { Io } from "../io.js";
import { apiAddress, basic, openApi, Refused, type Access, type Api } from "./api.js";
import { optional, type Shaped } from "./shape.js";
import {
  approvedBy,
  DRIFT_TITLE,
  needed,
  notApproved,
  OWN_RUNS,
  type DriftIssues,
  type DriftReport,
  type Planned,
  type Platform,
} from "./platform.js";

/** The most that Azure gives at once. */
const MOST_PULLS = 1000;
const PREVIEW = "api-version=7.0-preview.2";
const CHECKS = "api-version=7.1-preview.1";

function projectUrl({ env }: Pick<Io, "env">): string {
  const collection = apiAddress(needed(env, "SYSTEM_COLLECTIONURI"));
  return `${collection}/${encodeURIComponent(needed(env, "SYSTEM_TEAMPROJECTID"))}`;
}

export function azureApi(io: Pick<Io, "env">, access: Access, token: string): Api {
  return openApi(access, {
    base: `${projectUrl(io)}/_apis`,
    // Without the second one, it answers a token that it does not know with a page to sign in.
    headers: { authorization: basic(token), "x-tfs-fedauthredirect": "Suppress" },
    advice:
      "Check that the token has not expired, and its scopes:\n  lintel ci setup --platform azure",
    version: "api-version=7.0",
  });
}

export function openAzure(io: Io, access: Access): Platform {
  const reporting = () => azureApi(io, access, needed(io.env, "LINTEL_REPORT_TOKEN"));
  const own = () => azureApi(io, access, needed(io.env, "SYSTEM_ACCESSTOKEN"));
  return {
    longest: 149_000,
    planned: () => planned(io, reporting()),
    issues: issuesOf(io, reporting),
    async clockRuns() {
      const shape = { startTime: "" };
      const query = `definitions=${needed(io.env, "SYSTEM_DEFINITIONID")}&reasonFilter=schedule&resultFilter=succeeded&queryOrder=startTimeDescending&$top=1`;
      const { value } = await reporting().read(`/build/builds?${query}`, { value: [shape] });
      const path = `/build/builds/${needed(io.env, "BUILD_BUILDID")}`;
      const { startTime: current } = await reporting().read(path, shape);
      return { current, last: value[0]?.startTime };
    },
    assertApproved: (group) => assertApproved(io, own(), group),
  };
}

const runUrl = (io: Io, id: number | string) => `${projectUrl(io)}/_build/results?buildId=${id}`;

async function planned(io: Io, api: Api): Promise<Planned[]> {
  const repository = `/git/repositories/${needed(io.env, "BUILD_REPOSITORY_ID")}`;
  const target = encodeURIComponent(needed(io.env, "BUILD_SOURCEBRANCH"));
  const query = `searchCriteria.status=active&searchCriteria.targetRefName=${target}&$top=${MOST_PULLS}`;
  const shape = { value: [{ pullRequestId: 0 }] };
  const { value: pulls } = await api.read(`${repository}/pullrequests?${query}`, shape);
  return pulls.map(({ pullRequestId: number }): Planned => {
    const threads = `${repository}/pullrequests/${number}/threads`;
    return {
      name: `!${number}`,
      async run() {
        const run = await newestRun(io, api, number);
        if (!run) return undefined;
        const plan = await planOf(api, run.id);
        return { plan, url: runUrl(io, run.id), commit: run.sourceVersion };
      },
      comments: (marker) => commentsOf(api, threads, marker),
      async write(content) {
        // Without a status, it need not be resolved before the merge.
        const comments = [{ parentCommentId: 0, content, commentType: "text" }];
        await api.write("POST", threads, { comments });
      },
    };
  });
}

async function newestRun(io: Io, api: Api, pull: number) {
  const query = [
    `definitions=${needed(io.env, "SYSTEM_DEFINITIONID")}`,
    "reasonFilter=pullRequest",
    `branchName=refs/pull/${pull}/merge`,
    "statusFilter=completed",
    "queryOrder=finishTimeDescending",
    "$top=20",
  ];
  const { value } = await api.read(`/build/builds?${query.join("&")}`, {
    value: [{ id: 0, sourceVersion: "", result: "" }],
  });
  return value.find(({ result }) => result !== "canceled");
}

/** The pull request may have changed the run: what it attached is text, and where to get it is not its to say. */
async function planOf(api: Api, run: number): Promise<string | undefined> {
  const path = `/build/builds/${run}/attachments/lintel-plan?${PREVIEW}`;
  const { value } = await api.read(path, { value: [{ name: "", _links: { self: { href: "" } } }] });
  const found = value.flatMap(({ name, _links }) => {
    const [, attempt] = /^plan-(\d+)$/.exec(name) ?? [];
    const [, at] = /\/([0-9a-f-]{36}\/[0-9a-f-]{36})\/attachments\//i.exec(_links.self.href) ?? [];
    return attempt && at ? [{ attempt: Number(attempt), at }] : [];
  });
  const newest = found.toSorted((one, other) => other.attempt - one.attempt)[0];
  if (!newest) return undefined;
  const from = `/build/builds/${run}/${newest.at}/attachments/lintel-plan/plan-${newest.attempt}`;
  return api.readText(`${from}?${PREVIEW}`);
}

/** What others wrote with our marker cannot be changed with our token. */
const NOT_OURS = [400, 403, 404];

async function commentsOf(api: Api, threads: string, marker: string) {
  const comments = [{ id: 0, content: optional(""), isDeleted: optional(false) }];
  const { value } = await api.read(threads, {
    value: [{ id: 0, isDeleted: optional(false), comments }],
  });
  return value.flatMap(({ id, isDeleted, comments: [first] }) => {
    if (!first || isDeleted || first.isDeleted || !first.content?.startsWith(marker)) return [];
    const change = async (content: string) => {
      try {
        await api.write("PATCH", `${threads}/${id}/comments/${first.id}`, { content });
        return true;
      } catch (error) {
        if (error instanceof Refused && NOT_OURS.includes(error.status)) return false;
        throw error;
      }
    };
    return [{ body: first.content, change }];
  });
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Every process of Azure has this type. */
const TYPE = "Task";
const BODY = "System.Description";

function issuesOf(io: Io, apiOf: () => Api): DriftIssues {
  // A project may have several such pipelines. The query finds parts of tags, and "(12)" is no part of "(123)".
  const tag = `lintel-drift(${io.env["SYSTEM_DEFINITIONID"] ?? ""})`;
  const link = `<a href="${escaped(runUrl(io, io.env["BUILD_BUILDID"] ?? ""))}">a run</a>`;
  // The platform writes marked-up text in its own way, so the mark is a word that people see.
  const bodyOf = ({ mark, text }: DriftReport) =>
    `<p>Found by ${link} (${mark})</p><pre>${escaped(text.slice(0, 200_000))}</pre>`;
  const send = (
    method: "POST" | "PATCH",
    item: string,
    fields: Readonly<Record<string, string>>,
  ) => {
    const all = Object.entries(fields);
    const patch = all.map(([name, value]) => ({ op: "add", path: `/fields/${name}`, value }));
    return apiOf().write(method, `/wit/workitems/${item}`, patch, "application/json-patch+json");
  };
  /** Each process has its own names, and each name a category. */
  const statesOf = async (category: string) => {
    const path = `/wit/workitemtypes/${TYPE}`;
    const { states } = await apiOf().read(path, { states: [{ name: "", category: "" }] });
    return states.filter((each) => each.category === category).map(({ name }) => name);
  };
  return {
    async find() {
      const over = [...(await statesOf("Completed")), ...(await statesOf("Removed"))];
      const all = (await itemsWith(apiOf(), tag)).map(({ id, fields }) => ({
        name: String(id),
        isOpen: !over.includes(fields["System.State"]),
        body: fields[BODY] ?? "",
      }));
      return all.find(({ isOpen }) => isOpen) ?? all[0];
    },
    async write(issue, report, isOpen) {
      const body = { [BODY]: bodyOf(report) };
      if (!issue) {
        const fields = { "System.Title": DRIFT_TITLE, "System.Tags": tag, ...body };
        return send("POST", `$${TYPE}`, fields);
      }
      const isSame = issue.isOpen === isOpen;
      const [state] = isSame ? [] : await statesOf(isOpen ? "Proposed" : "Completed");
      const fields = { ...body, ...(state !== undefined && { "System.State": state }) };
      return send("PATCH", issue.name, fields);
    },
  };
}

const ITEM = { id: 0, fields: { "System.State": "", [BODY]: optional("") } };

/** The newest first. */
async function itemsWith(api: Api, tag: string): Promise<readonly Shaped<typeof ITEM>[]> {
  const query = [
    "SELECT [System.Id] FROM WorkItems WHERE [System.TeamProject] = @project",
    `AND [System.Tags] CONTAINS '${tag}'`,
    "ORDER BY [System.Id] DESC",
  ].join(" ");
  const shape = { workItems: [{ id: 0 }] };
  const { workItems } = await api.query("/wit/wiql?$top=100", { query }, shape);
  if (workItems.length === 0) return [];
  const ids = workItems.map(({ id }) => id).join(",");
  const path = `/wit/workitems?ids=${ids}&fields=System.State,${BODY}`;
  const { value } = await api.read(path, { value: [ITEM] });
  return value.toSorted((one, other) => other.id - one.id);
}

const CHECK = {
  type: { name: "" },
  isDisabled: optional(false),
  settings: optional({
    definitionRef: optional({ name: optional("") }),
    inputs: optional({
      allowedBranches: optional(""),
      ensureProtectionOfBranch: optional(""),
    }),
    requesterCannotBeApprover: optional(false),
  }),
};
export type Check = Shaped<typeof CHECK>;

const GROUP = { id: 0, name: "", variables: optional({}) };

interface AzureVariable {
  readonly value?: string | null;
  readonly isSecret?: boolean | null;
  /** Whether a person who queues a run can set it. */
  readonly allowOverride?: boolean | null;
}

/** By their names, which no shape lists. */
type AzureVariables = Readonly<Record<string, AzureVariable | undefined>>;

/** Azure keeps secrets in variable groups, and guards those as it guards environments. */
export async function groupNamed(api: Api, name: string): Promise<Guarded | undefined> {
  const found = (await groupsOf(api)).find((each) => each.name === name);
  return found && { type: "variablegroup", id: found.id };
}

export async function groupsOf(api: Api) {
  const { value } = await api.read("/distributedtask/variablegroups", { value: [GROUP] });
  return value.map((each) => ({ ...each, variables: (each.variables ?? {}) as AzureVariables }));
}

const PIPELINE = { id: 0, variables: optional({}), repository: optional({ id: "" }) };

/** The pipeline whose job this is, else of that which `lintel ci setup` creates. */
export async function pipelineOf(api: Api, { env }: Pick<Io, "env">) {
  const id = env["SYSTEM_DEFINITIONID"];
  const query = id === undefined ? "name=portal" : `definitionIds=${id}`;
  const path = `/build/definitions?${query}&includeAllProperties=true`;
  const [found] = (await api.read(path, { value: [PIPELINE] })).value;
  return found && { ...found, variables: (found.variables ?? {}) as AzureVariables };
}

/** What Azure guards by checks, and by a list of the pipelines that can use it. */
export interface Guarded {
  readonly type: "variablegroup" | "repository";
  readonly id: number | string;
}

export async function repositoryNamed(api: Api, name: string): Promise<Guarded | undefined> {
  const path = `/git/repositories/${encodeURIComponent(name)}`;
  const found = await api.find(path, { id: "", project: { id: "" } });
  return found && { type: "repository", id: `${found.project.id}.${found.id}` };
}

export async function checksOf(api: Api, { type, id }: Guarded): Promise<readonly Check[]> {
  const query = `resourceType=${type}&resourceId=${id}&$expand=settings&${CHECKS}`;
  const path = `/pipelines/checks/configurations?${query}`;
  const { value } = await api.read(path, { value: [CHECK] });
  return value.filter(({ isDisabled }) => isDisabled !== true);
}

/** Whether other pipelines can use it; and whether this one still waits for that permission. */
export async function strangersTo(api: Api, { type, id }: Guarded, own: number | undefined) {
  const shape = {
    allPipelines: optional({ authorized: false }),
    pipelines: [{ id: 0, authorized: false }],
  };
  const path = `/pipelines/pipelinepermissions/${type}/${id}?${CHECKS}`;
  const { allPipelines, pipelines } = await api.read(path, shape);
  const allowed = pipelines.filter(({ authorized }) => authorized);
  if (allPipelines?.authorized || allowed.some((each) => each.id !== own))
    return "Other pipelines can use";
  return allowed.length > 0 ? undefined : "A run waits for the permission to use";
}

/** What lets a stage with the group's secrets begin without another person. */
export async function whyUnapproved(api: Api, group: string) {
  const found = await groupNamed(api, group);
  if (!found) return `There is no variable group "${group}" that this token may see.`;
  const checks = await checksOf(api, found);
  const approval = checks.find(({ type }) => type.name === "Approval");
  if (!approval) return `The variable group "${group}" has no check "Approvals".`;
  return approval.settings?.requesterCannotBeApprover === true ? undefined : OWN_RUNS;
}

async function assertApproved(io: Io, api: Api, group: string): Promise<string> {
  const why = await whyUnapproved(api, group);
  if (why !== undefined) {
    const help = `Add the check "Approvals", without "Allow approvers to approve their own runs": Pipelines > Library > ${group} > Approvals and checks. The command:\n  lintel ci setup --platform azure`;
    throw notApproved(why, help);
  }
  const by = optional({ id: "", displayName: "" });
  const shape = { status: "", steps: optional([{ status: "", actualApprover: by }]) };
  const approvals = await Promise.all(
    (await approvalsOf(io, api)).map((id) =>
      api.read(`/pipelines/approvals/${id}?$expand=steps&${CHECKS}`, shape),
    ),
  );
  // The platform counts how many have to approve. A step without a person still waits, or was cancelled.
  const reviews = approvals.flatMap(({ steps }) =>
    (steps ?? []).flatMap(({ status, actualApprover: by }) =>
      by ? { id: by.id, name: by.displayName, isApproval: status === "approved" } : [],
    ),
  );
  const sentence = approvedBy(reviews, [needed(io.env, "BUILD_REQUESTEDFORID")]);
  if (approvals.every(({ status }) => status === "approved")) return sentence;
  throw notApproved("An approval of this stage is still open.", "Approve it on the run's page.");
}

/** The approvals that this stage waited for, in the timeline of the run: A stage has a checkpoint, which has an approval. */
async function approvalsOf(io: Io, api: Api): Promise<string[]> {
  const run = needed(io.env, "BUILD_BUILDID");
  const { records } = await api.read(`/build/builds/${run}/timeline`, {
    records: [{ id: "", parentId: optional(""), type: "", identifier: optional("") }],
  });
  const below = (ids: readonly string[], type: string) =>
    records
      .filter((each) => each.type === type && ids.includes(each.parentId ?? ""))
      .map(({ id }) => id);
  const stage = needed(io.env, "SYSTEM_STAGENAME");
  const stages = records.filter(({ type, identifier }) => type === "Stage" && identifier === stage);
  const checkpoints = below(
    stages.map(({ id }) => id),
    "Checkpoint",
  );
  return below(checkpoints, "Checkpoint.Approval");
}
