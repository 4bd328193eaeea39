// Plays the REST API of Azure DevOps for one project, after these pages of learn.microsoft.com/rest/api/azure/devops:
// git/pull-requests, git/pull-request-threads, git/pull-request-thread-comments, build/builds, build/attachments,
// build/timeline, wit/wiql, wit/work-items, wit/work-item-types, distributedtask/variablegroups,
// approvalsandchecks/check-configurations, approvalsandchecks/approvals, approvalsandchecks/pipeline-permissions,
// policy/configurations, build/general-settings.
import { NOW, openDouble, said } from "./double.js";

export const MOST = 150_000;
const GUIDS = "11111111-2222-3333-4444-555555555555/66666666-7777-8888-9999-000000000000";
const STATES_ID = "project-id.states-id";
const REPORTING = "token-of-the-reports";
export const JOB_TOKEN = "token-of-the-job";

const basic = (token: string) => `Basic ${Buffer.from(`:${token}`).toString("base64")}`;

interface Comment {
  content: string;
  readonly isOurs: boolean;
}

interface Item {
  readonly id: number;
  readonly fields: Record<string, string>;
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
    /** When the run by the cron began that succeeded last. */
    lastClock: undefined as string | undefined,
    pulls: [] as number[],
    /** What the newest run of a pull request attached, by the attempt that did. */
    attached: {} as Record<number, Record<string, string>>,
    comments: {} as Record<number, Comment[]>,
    items: [] as Item[],
    checks: {
      portal: ["Approval", "branch", "ExclusiveLock"],
      "portal-unattended": ["branch", "ExclusiveLock"],
      "portal-states": ["branch"],
    } as Record<string, readonly string[]>,
    secrets: [] as string[],
    /** Who approved the stage "apply", and, after a "-", who rejected it. */
    approvals: [] as string[],
    isSelfApproved: false,
    isValidated: true,
    /** Which pipelines can use the groups; and whether every pipeline can. */
    allowedPipelines: [6],
    isOpen: false,
    /** Which pipelines can use the repository of the states. */
    statePipelines: [6],
    allowed: "refs/heads/main",
    isProtectionNeeded: "true",
    /** Where the policies are; null for all repositories. */
    governed: "repo" as string | null,
    /** The pipeline that has to be green. */
    validated: 6,
    /** How many others have to vote for a pull request, and whether the vote of its author counts. */
    voters: 2,
    isAuthorCounted: false,
    isPusherBlocked: true,
    isResetByPush: true,
    /** Whose votes a change of these files needs. */
    owned: ["/azure-pipelines*"] as string[] | undefined,
    /** Of the groups that sign in. */
    plain: { LINTEL_ALLOWED_HOSTS: { value: "gis.example.com" } } as Record<string, object>,
    /** Of the pipeline. */
    variables: {} as Record<string, object>,
    settings: {
      enforceSettableVar: true,
      enforceJobAuthScope: true,
      enforceReferencedRepoScopedToken: true,
      disableClassicBuildPipelineCreation: true,
      disableClassicReleasePipelineCreation: true,
    },
    /** Secrets of a group that is not one of ours. */
    open: [] as string[],
  };
  const isOurs = (group: string) => /^portal(-unattended)?$/.test(group);
  const groups = ["portal", "portal-unattended", "portal-report", "other"];
  const check = (name: string, at?: string) =>
    name === "branch"
      ? {
          type: { name: "Task Check" },
          settings: {
            definitionRef: { name: "evaluatebranchProtection" },
            inputs: {
              allowedBranches: at === "portal-states" ? "refs/heads/main" : platform.allowed,
              ensureProtectionOfBranch:
                at === "portal-states" ? "true" : platform.isProtectionNeeded,
            },
          },
        }
      : { type: { name }, settings: { requesterCannotBeApprover: !platform.isSelfApproved } };
  const writeComment = (pull: number, at: number | undefined, content: string) => {
    if (content.length > MOST) return said(400, "A comment cannot be longer.");
    const all = (platform.comments[pull] ??= []);
    if (at === undefined) all.push({ content, isOurs: true });
    else if (all[at]?.isOurs !== true) return said(403, "TF401027");
    else all[at].content = content;
    return {};
  };
  const writeItem = (name: string, operations: readonly { path: string; value: string }[]) => {
    const known = platform.items.find(({ id }) => id === Number(name));
    const item = known ?? { id: platform.items.length + 1, fields: { "System.State": "To Do" } };
    if (!known) platform.items.push(item);
    for (const { path, value } of operations) {
      // It writes what is marked up in its own way.
      item.fields[path.replace("/fields/", "")] = value.replaceAll("<p>", '<p style="">');
    }
    return item;
  };
  const double = await openDouble({
    base: "/gis/portals/_apis",
    refusal: (asked, { authorization, ...headers }) => {
      if (authorization === basic(REPORTING)) return undefined;
      if (authorization === basic(JOB_TOKEN) && asked.startsWith("GET")) return undefined;
      if (authorization === basic(JOB_TOKEN)) return said(403, "TF401027");
      const isPlain = headers["x-tfs-fedauthredirect"] === "Suppress";
      return said(isPlain ? 401 : 203, "<html>Sign in</html>");
    },
    routes: [
      [
        /^GET \/git\/repositories\/repo\/pullrequests$/,
        ({ query }) => {
          const value = platform.pulls.map((pullRequestId) => ({ pullRequestId }));
          return { value: value.slice(0, Number(query.get("$top"))) };
        },
      ],
      [
        /^GET \/git\/repositories\/repo\/pullrequests\/(\d+)\/threads$/,
        ({ parts: [pull] }) => ({
          value: (platform.comments[Number(pull)] ?? []).map(({ content }, id) => ({
            id,
            comments: [{ id: 1, content }],
          })),
        }),
      ],
      [
        /^POST \/git\/repositories\/repo\/pullrequests\/(\d+)\/threads$/,
        ({ parts: [pull], body }) =>
          writeComment(Number(pull), undefined, body.comments[0].content),
      ],
      [
        /^PATCH \/git\/repositories\/repo\/pullrequests\/(\d+)\/threads\/(\d+)\/comments\/1$/,
        ({ parts: [pull, at], body }) => writeComment(Number(pull), Number(at), body.content),
      ],
      [
        /^GET \/build\/builds$/,
        ({ query }) => {
          if (query.get("reasonFilter") === "schedule" && query.get("resultFilter") === "succeeded")
            return {
              value: platform.lastClock ? [{ id: 899, startTime: platform.lastClock }] : [],
            };
          const [, pull] = /^refs\/pull\/(\d+)\/merge$/.exec(query.get("branchName") ?? "") ?? [];
          const runs = [
            { id: 63 + Number(pull), result: "succeeded", sourceVersion: "7".repeat(40) },
          ];
          return { value: platform.attached[Number(pull)] ? runs : [] };
        },
      ],
      [/^GET \/build\/builds\/900$/, () => ({ id: 900, startTime: NOW })],
      [
        /^GET \/build\/builds\/(\d+)\/attachments\/lintel-plan$/,
        ({ parts: [run], headers: { host } }) => ({
          value: Object.keys(platform.attached[Number(run) - 63] ?? {}).map((name) => ({
            name,
            _links: {
              self: {
                href: `http://${host}/_apis/build/builds/${run}/${GUIDS}/attachments/lintel-plan/${name}`,
              },
            },
          })),
        }),
      ],
      [
        /^GET \/build\/builds\/(\d+)\/[-\w/]+\/attachments\/lintel-plan\/(.+)$/,
        ({ parts: [run, name = ""] }) =>
          said(200, platform.attached[Number(run) - 63]?.[name] ?? ""),
      ],
      [
        /^GET \/build\/builds\/900\/timeline$/,
        () => ({
          records: [
            { id: "s1", parentId: null, type: "Stage", identifier: "plan" },
            { id: "s2", parentId: null, type: "Stage", identifier: "apply" },
            { id: "c2", parentId: "s2", type: "Checkpoint" },
            { id: "a2", parentId: "c2", type: "Checkpoint.Approval" },
          ],
        }),
      ],
      [
        /^GET \/pipelines\/approvals\/a2$/,
        () => ({
          status: platform.approvals.some((name) => !name.startsWith("-")) ? "approved" : "pending",
          steps: platform.approvals.map((name) => ({
            status: name.startsWith("-") ? "rejected" : "approved",
            actualApprover: { id: `id-of-${name.replace("-", "")}`, displayName: name },
          })),
        }),
      ],
      [
        /^GET \/distributedtask\/variablegroups$/,
        ({ query }) => ({
          value: groups
            .map((name, id) => ({
              id,
              name,
              variables: {
                ...(isOurs(name) && platform.plain),
                ...Object.fromEntries(
                  (isOurs(name) ? platform.secrets : name === "other" ? platform.open : []).map(
                    (each) => [each, { isSecret: true, value: null }],
                  ),
                ),
              },
            }))
            .filter(({ name }) => name === (query.get("groupName") ?? name)),
        }),
      ],
      [
        /^GET \/pipelines\/checks\/configurations$/,
        ({ query }) => {
          const isGroup = query.get("resourceType") === "variablegroup";
          const id = query.get("resourceId");
          const name = isGroup ? groups[Number(id)] : id === STATES_ID ? "portal-states" : "";
          return { value: (platform.checks[name ?? ""] ?? []).map((each) => check(each, name)) };
        },
      ],
      [
        /^GET \/pipelines\/pipelinepermissions\/variablegroup\/\d+$/,
        () => ({
          ...(platform.isOpen && { allPipelines: { authorized: true } }),
          pipelines: platform.allowedPipelines.map((id) => ({ id, authorized: true })),
        }),
      ],
      [
        /^GET \/git\/repositories\/portal-states$/,
        () => ({ id: "states-id", project: { id: "project-id" } }),
      ],
      [
        /^GET \/pipelines\/pipelinepermissions\/repository\/project-id\.states-id$/,
        () => ({ pipelines: platform.statePipelines.map((id) => ({ id, authorized: true })) }),
      ],
      [
        /^GET \/policy\/configurations$/,
        () => ({
          value: [
            {
              isEnabled: true,
              isBlocking: true,
              type: { displayName: "Minimum number of reviewers" },
              settings: {
                scope: [{ refName: "refs/heads/main", repositoryId: platform.governed }],
                minimumApproverCount: platform.voters,
                creatorVoteCounts: platform.isAuthorCounted,
                blockLastPusherVote: platform.isPusherBlocked,
                resetOnSourcePush: platform.isResetByPush,
              },
            },
            {
              isEnabled: platform.owned !== undefined,
              isBlocking: true,
              type: { displayName: "Required reviewers" },
              settings: {
                scope: [{ refName: "refs/heads/main", repositoryId: platform.governed }],
                requiredReviewerIds: ["bea"],
                filenamePatterns: platform.owned,
              },
            },
            {
              isEnabled: platform.isValidated,
              isBlocking: true,
              type: { displayName: "Build" },
              settings: {
                scope: [{ refName: "refs/heads/main", repositoryId: platform.governed }],
                buildDefinitionId: platform.validated,
              },
            },
          ],
        }),
      ],
      [
        /^GET \/build\/definitions$/,
        () => ({ value: [{ id: 6, repository: { id: "repo" }, variables: platform.variables }] }),
      ],
      [/^GET \/build\/generalsettings$/, () => platform.settings],
      [/^GET \/wit\/workitemtypes\/Task$/, () => ({ states: STATES })],
      [
        /^POST \/wit\/wiql$/,
        ({ body }) => {
          const [, tag = ""] = /CONTAINS '([^']*)'/.exec(body.query) ?? [];
          const found = platform.items.filter(({ fields }) => fields["System.Tags"]?.includes(tag));
          return { workItems: found.map(({ id }) => ({ id })) };
        },
      ],
      [/^GET \/wit\/workitems$/, () => ({ value: platform.items })],
      [
        /^(?:POST|PATCH) \/wit\/workitems\/(\$?\w+)$/,
        ({ parts: [name = ""], body, headers }) =>
          headers["content-type"] === "application/json-patch+json"
            ? writeItem(name, body)
            : said(415, "Unsupported"),
      ],
    ],
  });
  const env = {
    SYSTEM_COLLECTIONURI: `${double.url}/gis/`,
    SYSTEM_TEAMPROJECTID: "portals",
    SYSTEM_DEFINITIONID: "6",
    SYSTEM_STAGENAME: "apply",
    SYSTEM_JOBATTEMPT: "1",
    BUILD_REPOSITORY_ID: "repo",
    BUILD_SOURCEBRANCH: "refs/heads/main",
    BUILD_BUILDID: "900",
    BUILD_REQUESTEDFORID: "id-of-ada",
  };
  return Object.assign(platform, double, {
    env,
    token: { LINTEL_REPORT_TOKEN: REPORTING, SYSTEM_ACCESSTOKEN: JOB_TOKEN },
    texts: () => Object.values(platform.comments).flatMap((all) => all.map((each) => each.content)),
    drift: () =>
      platform.items.map(({ fields }) => ({
        isOpen: !/^(?:Done|Removed)/.test(fields["System.State"] ?? ""),
        body: fields["System.Description"] ?? "",
      })),
    approve: (...names: readonly string[]) => void (platform.approvals = [...names]),
    unprotect: () => void (platform.checks["portal"] = ["branch", "ExclusiveLock"]),
  });
}
