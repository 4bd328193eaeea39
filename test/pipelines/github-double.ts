// Plays GitHub's REST API for one repository, after these pages of docs.github.com/rest: issues/comments, issues/issues,
// pulls/pulls, deployments/environments, deployments/branch-policies, actions/workflow-runs (with the review history),
// actions/secrets, actions/variables, actions/permissions, repos/rules, repos/contents, deploy-keys, repos/repos (the errors of code owners).
import { NOW, openDouble, pageOf, said } from "./double.js";

export const BOT = "github-actions[bot]";

interface Written {
  readonly id: number;
  readonly number: number;
  readonly user: { readonly login: string };
  body: string;
  state: string;
}

export async function playGithub() {
  let lastId = 1000;
  const by = (body: string, login = BOT): Written => {
    const id = ++lastId;
    return { id, number: id, user: { login }, body, state: "open" };
  };
  const platform = {
    /** When the run by the cron began that succeeded last. */
    lastClock: undefined as string | undefined,
    workflow: "active",
    pulls: [] as { number: number; head: string; sha: string }[],
    comments: [] as Written[],
    issues: [] as Written[],
    /** What protects environments, by name; one that is not here does not exist. */
    environments: { portal: ["bea"], "portal-unattended": [] } as Record<string, readonly string[]>,
    selfReview: false,
    isBypassed: false as boolean | undefined,
    /** Who approved the environment "portal" in this run, and, after a "-", who rejected it. */
    approvals: [] as string[],
    secrets: { portal: [], "portal-unattended": [] } as Record<string, readonly string[]>,
    open: [] as string[],
    branches: ["main"],
    branchType: "branch",
    isPublic: false,
    isApprovedByWorkflows: false,
    /** The same in each environment. */
    variables: { LINTEL_ALLOWED_HOSTS: "gis.example.com" } as Record<string, string>,
    owners: "# Ours\n* @gis/all\n\n/.github/ @bea\n" as string | undefined,
    ownerErrors: [] as string[],
    /** The titles of the deploy keys that can write. */
    keys: ["portal"],
    rules: [
      {
        type: "pull_request",
        parameters: { required_approving_review_count: 2, require_code_owner_review: true },
      },
      {
        type: "required_status_checks",
        parameters: { required_status_checks: [{ context: "propose", integration_id: 15368 }] },
      },
      { type: "deletion" },
      { type: "non_fast_forward" },
    ] as object[],
    stateRules: ["creation", "update", "deletion", "non_fast_forward"].map((type) => ({ type })),
    by,
  };
  const environment = (name: string) => {
    const reviewers = platform.environments[name];
    if (!reviewers) return undefined;
    const rule = {
      type: "required_reviewers",
      prevent_self_review: !platform.selfReview,
      reviewers: reviewers.map((login) => ({ type: "User", reviewer: { login } })),
    };
    return {
      name,
      can_admins_bypass: platform.isBypassed,
      protection_rules: [{ type: "branch_policy" }, ...(reviewers.length > 0 ? [rule] : [])],
      deployment_branch_policy: { protected_branches: false, custom_branch_policies: true },
    };
  };
  const changed = (all: readonly Written[], id: string | undefined, body: object) => {
    const own = all.find((each) => String(each.id) === id);
    return own && Object.assign(own, body);
  };
  const added = (all: Written[], body: string) => {
    all.push(by(body));
    return all.at(-1);
  };
  const secretsAt = (names: readonly string[] = []) => ({
    secrets: names.map((name) => ({ name })),
  });
  const double = await openDouble({
    base: "/repos/gis/portals",
    refusal: (_, { authorization }) =>
      authorization === "Bearer token-of-the-run" ? undefined : said(401, "{}"),
    routes: [
      [/^GET $/, () => ({ id: 1, private: !platform.isPublic })],
      [
        /^GET \/pulls$/,
        ({ query }) =>
          platform.pulls
            .filter(({ head }) => head === query.get("head") && query.get("base") === "main")
            .map(({ number, sha }) => ({ number, head: { sha } })),
      ],
      [/^GET \/issues\/\d+\/comments$/, ({ query }) => pageOf(platform.comments, query)],
      [/^POST \/issues\/\d+\/comments$/, ({ body }) => added(platform.comments, body.body)],
      [
        /^PATCH \/issues\/comments\/(\d+)$/,
        ({ parts: [id], body }) => changed(platform.comments, id, body),
      ],
      [/^GET \/issues$/, ({ query }) => pageOf(platform.issues.toReversed(), query)],
      [/^POST \/issues$/, ({ body }) => added(platform.issues, body.body)],
      [/^PATCH \/issues\/(\d+)$/, ({ parts: [id], body }) => changed(platform.issues, id, body)],
      [/^GET \/environments\/([\w-]+)$/, ({ parts: [name = ""] }) => environment(name)],
      [
        /^GET \/environments\/[\w-]+\/deployment-branch-policies$/,
        () => ({
          branch_policies: platform.branches.map((name) => ({ name, type: platform.branchType })),
        }),
      ],
      [
        /^GET \/environments\/([\w-]+)\/secrets$/,
        ({ parts: [name = ""] }) => secretsAt(platform.secrets[name]),
      ],
      [/^GET \/actions\/secrets$/, () => secretsAt(platform.open)],
      [
        /^GET \/environments\/[\w-]+\/variables\/(\w+)$/,
        ({ parts: [name = ""] }) =>
          platform.variables[name] === undefined
            ? undefined
            : { name, value: platform.variables[name] },
      ],
      [
        /^GET \/actions\/permissions\/workflow$/,
        () => ({ can_approve_pull_request_reviews: platform.isApprovedByWorkflows }),
      ],
      [
        /^GET \/contents\/\.github\/CODEOWNERS$/,
        () =>
          platform.owners === undefined
            ? undefined
            : { encoding: "base64", content: Buffer.from(platform.owners).toString("base64") },
      ],
      [/^GET \/keys$/, () => platform.keys.map((title) => ({ title, read_only: false }))],
      [
        /^GET \/codeowners\/errors$/,
        () => ({ errors: platform.ownerErrors.map((message) => ({ message })) }),
      ],
      [/^GET \/rules\/branches\/main$/, () => platform.rules],
      [/^GET \/rules\/branches\/lintel-state$/, () => platform.stateRules],
      [/^GET \/actions\/workflows\/portal.yml$/, () => ({ state: platform.workflow })],
      [
        /^GET \/actions\/workflows\/portal.yml\/runs$/,
        ({ query }) => ({
          workflow_runs:
            platform.lastClock &&
            query.get("event") === "schedule" &&
            query.get("status") === "success"
              ? [{ id: 8, created_at: platform.lastClock }]
              : [],
        }),
      ],
      [/^GET \/actions\/runs\/9$/, () => ({ id: 9, created_at: NOW })],
      [
        /^GET \/actions\/runs\/9\/approvals$/,
        () =>
          platform.approvals.map((name) => ({
            state: name.startsWith("-") ? "rejected" : "approved",
            environments: [{ name: "portal" }],
            user: { login: name.replace("-", "") },
          })),
      ],
    ],
  });
  const env = {
    GITHUB_ACTIONS: "true",
    GITHUB_API_URL: double.url,
    GITHUB_SERVER_URL: "https://github.example.com",
    GITHUB_REPOSITORY: "gis/portals",
    GITHUB_RUN_ID: "9",
    GITHUB_ACTOR: "ada",
    GITHUB_TRIGGERING_ACTOR: "ada",
  };
  return Object.assign(platform, double, {
    env,
    /** What a step is given that calls the platform. */
    token: { GITHUB_TOKEN: "token-of-the-run" },
    texts: () => platform.comments.map(({ body }) => body),
    drift: () => platform.issues.map(({ state, body }) => ({ isOpen: state === "open", body })),
    approve: (...names: readonly string[]) => void (platform.approvals = [...names]),
    unprotect: () => void (platform.environments["portal"] = []),
  });
}
