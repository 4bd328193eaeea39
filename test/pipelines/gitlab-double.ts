// Plays GitLab's REST API for one project, after these pages of docs.gitlab.com/api: notes, issues, merge_requests,
// pipelines, jobs, job_artifacts, deployments (with approval_summary), protected_environments, project_level_variables,
// protected_branches, protected_tags, pipeline_schedules, users; and ci/jobs/ci_job_token for what a job's own token may ask.
import { NOW, openDouble, pageOf, said } from "./double.js";

interface Note {
  readonly id: number;
  body: string;
  readonly author: { readonly id: number; readonly username: string };
}

interface Issue {
  readonly iid: number;
  readonly isOurs: boolean;
  state: "opened" | "closed";
  description: string;
  readonly confidential?: boolean;
}

const BOT = { id: 50, username: "portal-report-bot" };
const REPORTING = "token-of-the-reports";
const CHECKING = "token-of-a-maintainer";
const JOB = "token-of-the-job";

export async function playGitlab() {
  const platform = {
    /** When the pipeline by the cron began that succeeded last. */
    lastClock: undefined as string | undefined,
    merging: [] as number[],
    /** What the job `propose` left, by the number of its merge request. */
    plans: {} as Record<number, string | undefined>,
    notes: [] as Note[],
    issues: [] as Issue[],
    rules: [1] as number[],
    /** Who approved the deployment, and, after a "-", who rejected it. */
    approvals: [] as string[],
    /** Who started the pipeline. */
    author: "ada" as string | null,
    /** How many deployments came after that of this job. */
    later: 0,
    variables: [] as {
      key: string;
      value: string;
      protected: boolean;
      masked: boolean;
      environment_scope: string;
    }[],
    role: "no_one_allowed",
    /** Whether the one who starts a pipeline can approve its deployment. */
    isOwnApproved: false,
    isGreenNeeded: true,
    /** The person who may push the states, beside the roles. */
    named: null as number | null,
    /** Where pipelines take their jobs from. */
    file: ".gitlab-ci.yml@gis/portals:refs/heads/main" as string | null,
    /** Whether a job can push with its own token. */
    isPushed: true,
    isAuthorCounted: false,
    pushers: [0],
    isForced: false,
    /** The other protected branches, and the protected tags: who may push or create them. */
    others: { "lintel-state": 40 } as Record<string, number>,
    tags: {} as Record<string, number>,
    /** Who may run a job of a protected environment. */
    deployers: 40,
    /** Those that are protected. */
    environments: ["portal", "portal-unattended", "portal-report"],
    /** Undefined without GitLab Premium. */
    reviews: [1] as number[] | undefined,
    schedules: [{ ref: "refs/heads/main", active: true }],
  };
  const deployment = () => ({
    id: 700,
    user: platform.author === null ? null : { id: 1, username: platform.author },
    deployable: { id: 90 },
    approval_summary: {
      rules: platform.rules.map((required_approvals) => ({
        required_approvals,
        deployment_approvals: platform.approvals.map((name) => ({
          status: name.startsWith("-") ? "rejected" : "approved",
          user: { id: 2, username: name.replace("-", "") },
        })),
      })),
    },
  });
  const protectedBranch = (name: string, pushers: readonly number[]) => ({
    name,
    allow_force_push: platform.isForced,
    // GitLab also gives a level for a person who is named.
    push_access_levels: pushers.map((access_level) => ({
      access_level,
      user_id: name === "main" ? null : platform.named,
    })),
    merge_access_levels: [{ access_level: name === "main" ? 40 : 0 }],
  });
  const written = (issue: Issue | undefined, body: Record<string, string>) => {
    const { state_event: event, ...rest } = body;
    const state = event === "close" ? "closed" : event === "reopen" ? "opened" : undefined;
    return issue && Object.assign(issue, rest, state && { state });
  };
  const double = await openDouble({
    base: "/api/v4",
    refusal: (asked, headers) => {
      const token = headers["private-token"] ?? headers["job-token"];
      const isJobs = /\/(deployments|artifacts)/.test(asked) && token === JOB;
      const isCheck = /protected|variables|schedules|approval_rules|approvals|projects\/\d+$/.test(
        asked,
      );
      if (isCheck ? token === CHECKING : isJobs || token === REPORTING) return undefined;
      return said(token === undefined ? 401 : 403, '{"message":"403 Forbidden"}');
    },
    routes: [
      [/^GET \/user$/, () => BOT],
      [
        /^GET \/projects\/7\/pipelines$/,
        ({ query }) =>
          platform.lastClock &&
          query.get("source") === "schedule" &&
          query.get("status") === "success"
            ? [{ id: 79, created_at: platform.lastClock }]
            : [],
      ],
      [
        /^GET \/projects\/7\/merge_requests$/,
        ({ query }) =>
          pageOf(
            platform.merging.map((iid) => ({ iid })),
            query,
          ),
      ],
      [
        /^GET \/projects\/7\/merge_requests\/(\d+)\/pipelines$/,
        ({ parts: [iid] }) => [{ id: 100 + Number(iid), project_id: 7, sha: `${iid}`.repeat(40) }],
      ],
      [
        /^GET \/projects\/7\/pipelines\/(\d+)\/jobs$/,
        ({ parts: [id] }) => [
          { id: 200 + Number(id), name: "propose", status: "success", web_url: "https://g/-/jobs" },
        ],
      ],
      [
        /^GET \/projects\/7\/jobs\/(\d+)\/artifacts\/plan\.md$/,
        ({ parts: [id] }) => {
          const plan = platform.plans[Number(id) - 300];
          return plan === undefined ? undefined : said(200, plan);
        },
      ],
      [
        /^GET \/projects\/7\/merge_requests\/\d+\/notes$/,
        ({ query }) => pageOf(platform.notes, query),
      ],
      [
        /^POST \/projects\/7\/merge_requests\/\d+\/notes$/,
        ({ body }) => {
          const note = { id: platform.notes.length + 1, body: body.body, author: BOT };
          platform.notes.push(note);
          return note;
        },
      ],
      [
        /^PUT \/projects\/7\/merge_requests\/\d+\/notes\/(\d+)$/,
        ({ parts: [id], body }) => {
          const note = platform.notes.find((each) => String(each.id) === id);
          return note && Object.assign(note, body);
        },
      ],
      [
        /^GET \/projects\/7\/issues$/,
        ({ query }) => {
          const ours = query.get("scope") === "created_by_me";
          const found = platform.issues.filter(({ isOurs }) => isOurs || !ours);
          return pageOf(found.toReversed(), query);
        },
      ],
      [
        /^POST \/projects\/7\/issues$/,
        ({ body }) => {
          const iid = platform.issues.length + 1;
          platform.issues.push({ ...body, iid, isOurs: true, state: "opened" });
          return platform.issues.at(-1);
        },
      ],
      [
        /^PUT \/projects\/7\/issues\/(\d+)$/,
        ({ parts: [iid], body }) =>
          written(
            platform.issues.find((each) => String(each.iid) === iid),
            body,
          ),
      ],
      [
        /^GET \/projects\/7\/deployments$/,
        ({ query }) =>
          query.get("environment") === "portal"
            ? pageOf(
                [
                  ...Array.from({ length: platform.later }, (_, at) => ({ id: 900 - at })),
                  deployment(),
                ],
                query,
              )
            : [],
      ],
      [/^GET \/projects\/7\/deployments\/700$/, deployment],
      [
        /^GET \/projects\/7\/protected_environments\/([\w-]+)$/,
        ({ parts: [name = ""] }) =>
          platform.environments.includes(name)
            ? {
                name,
                deploy_access_levels: [{ access_level: platform.deployers }],
                approval_rules: (name === "portal" ? platform.rules : []).map(
                  (required_approvals) => ({ required_approvals }),
                ),
              }
            : undefined,
      ],
      [
        /^GET \/projects\/7\/protected_branches$/,
        () => [
          protectedBranch("main", platform.pushers),
          ...Object.entries(platform.others).map(([name, level]) => protectedBranch(name, [level])),
        ],
      ],
      [
        /^GET \/projects\/7\/protected_tags$/,
        () =>
          Object.entries(platform.tags).map(([name, access_level]) => ({
            name,
            create_access_levels: [{ access_level }],
          })),
      ],
      [/^GET \/projects\/7\/variables$/, () => platform.variables],
      [
        /^GET \/projects\/7\/protected_branches\/main$/,
        () => protectedBranch("main", platform.pushers),
      ],
      [
        /^GET \/projects\/7\/approval_rules$/,
        () => platform.reviews?.map((approvals_required) => ({ approvals_required })),
      ],
      [
        /^GET \/projects\/7$/,
        () => ({
          ci_pipeline_variables_minimum_override_role: platform.role,
          path_with_namespace: "gis/portals",
          ci_config_path: platform.file,
          only_allow_merge_if_pipeline_succeeds: platform.isGreenNeeded,
          allow_pipeline_trigger_approve_deployment: platform.isOwnApproved,
          ci_push_repository_for_job_token_allowed: platform.isPushed,
        }),
      ],
      [
        /^GET \/projects\/7\/approvals$/,
        () => ({ merge_requests_author_approval: platform.isAuthorCounted }),
      ],
      [/^GET \/projects\/7\/pipeline_schedules$/, () => platform.schedules],
    ],
  });
  const env = {
    GITLAB_CI: "true",
    CI_API_V4_URL: `${double.url}/api/v4`,
    CI_PROJECT_ID: "7",
    CI_JOB_ID: "90",
    CI_JOB_TOKEN: JOB,
    CI_PIPELINE_ID: "80",
    CI_PIPELINE_CREATED_AT: NOW,
    CI_PIPELINE_URL: "https://gitlab.example.com/-/pipelines/80",
    CI_DEFAULT_BRANCH: "main",
    GITLAB_USER_LOGIN: "ada",
  };
  return Object.assign(platform, double, {
    env,
    token: { LINTEL_REPORT_TOKEN: REPORTING },
    checking: { GITLAB_TOKEN: CHECKING },
    texts: () => platform.notes.map(({ body }) => body),
    drift: () =>
      platform.issues.map(({ state, description }) => ({
        isOpen: state === "opened",
        body: description,
      })),
    approve: (...names: readonly string[]) => void (platform.approvals = [...names]),
    unprotect: () => void (platform.rules = []),
  });
}
