// GitHub as pipelines use it: comments, issues, the approvals of a run, and the runs by the clock.
import type { Io } from "../io.js";
import { apiAddress, bearer, findInPages, openApi, Refused, type Access, type Api } from "./api.js";
import { reportText } from "./report-file.js";
import {
  approvedBy,
  DRIFT_TITLE,
  markerOf,
  needed,
  notApproved,
  OWN_RUNS,
  type Comment,
  type DriftIssues,
  type Planned,
  type Platform,
} from "./platform.js";

const PAGE = 100;
export const GITHUB = "https://api.github.com";
/** Who writes with the token of a job. Anybody may write our marker, and nobody else has this name. */
const BOT = "github-actions[bot]";

interface Entry {
  readonly id: number;
  readonly number: number;
  readonly user: { readonly login: string } | null;
  readonly body: string | null;
  readonly state?: string;
  readonly pull_request?: unknown;
}

export function githubApi(io: Pick<Io, "env">, access: Access, token: string): Api {
  const base = apiAddress(io.env["GITHUB_API_URL"] ?? GITHUB);
  return openApi(access, {
    base: `${base}/repos/${needed(io.env, "GITHUB_REPOSITORY")}`,
    headers: {
      authorization: bearer(token),
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
    },
    advice: "Check `permissions:` of the job, or the permissions of the token.",
  });
}

export function openGithub(io: Io, access: Access): Platform {
  const api = githubApi(io, access, needed(io.env, "GITHUB_TOKEN"));
  return {
    longest: 65_000,
    planned: (folder = ".") => planned(io, api, folder),
    issues: issuesOf(io, api),
    assertApproved: (environment) => assertApproved(io, api, environment),
    lastClockRun: () => lastClockRun(io, api),
  };
}

interface RunEvent {
  readonly workflow_run: {
    readonly head_branch: string;
    readonly head_sha: string;
    readonly html_url: string;
    readonly head_repository: { readonly owner: { readonly login: string } };
  };
  readonly repository: { readonly default_branch: string };
}

/** A fork's run does not say which pull request it is of. Of one branch into another there is one at most. */
async function planned(io: Io, api: Api, folder: string): Promise<Planned[]> {
  const event = JSON.parse(
    reportText(io, needed(io.env, "GITHUB_EVENT_PATH")) ?? "null",
  ) as RunEvent;
  const { head_branch, head_sha, html_url, head_repository } = event.workflow_run;
  const head = encodeURIComponent(`${head_repository.owner.login}:${head_branch}`);
  const base = encodeURIComponent(event.repository.default_branch);
  const pulls = await api.read<
    readonly { readonly number: number; readonly head: { readonly sha: string } }[]
  >(`/pulls?state=open&head=${head}&base=${base}`);
  const pull = pulls.find((each) => each.head.sha === head_sha);
  if (!pull) return [];
  const comments = `/issues/${pull.number}/comments`;
  return [
    {
      name: `#${pull.number}`,
      run: () => {
        const plan = reportText(io, `${folder}/plan.md`);
        return Promise.resolve({ plan, url: html_url, commit: head_sha });
      },
      async comments(marker) {
        const own = await findOwn(api, `${comments}?`, marker);
        return own ? [commentAt(api, own)] : [];
      },
      write: async (body) => void (await api.write("POST", comments, { body })),
    },
  ];
}

function commentAt(api: Api, { id, body }: Entry): Comment {
  const change = async (text: string) => {
    await api.write("PATCH", `/issues/comments/${id}`, { body: text });
    return true;
  };
  return { body: body ?? "", change };
}

function findOwn(api: Api, path: string, marker: string): Promise<Entry | undefined> {
  return findInPages(
    (page) => api.read<readonly Entry[]>(`${path}per_page=${PAGE}&page=${page}`),
    PAGE,
    ({ user, body, pull_request: pull }) =>
      user?.login === BOT && (body ?? "").startsWith(marker) && pull === undefined,
  );
}

function issuesOf(io: Io, api: Api): DriftIssues {
  const marker = markerOf("drift");
  const bodyOf = (mark: string, text: string) =>
    `${marker}\n<!-- ${mark} -->\n\n${text.trim()}\n\nFound by [a run](${runUrl(io)}).`;
  return {
    async find() {
      const query = "/issues?state=all&sort=created&direction=desc&";
      const issue = await findOwn(api, query, marker);
      if (!issue) return undefined;
      const { number, state, body } = issue;
      return { name: `#${number}`, isOpen: state === "open", body: body ?? "" };
    },
    async open({ mark, text }) {
      await api.write("POST", "/issues", { title: DRIFT_TITLE, body: bodyOf(mark, text) });
    },
    async update({ name }, { mark, text }) {
      const content = { body: bodyOf(mark, text), state: "open" };
      await api.write("PATCH", `/issues/${name.slice(1)}`, content);
    },
    async close({ name }, sentence) {
      const content = { body: bodyOf("", sentence), state: "closed", state_reason: "completed" };
      await api.write("PATCH", `/issues/${name.slice(1)}`, content);
    },
  };
}

function runUrl({ env }: Io): string {
  const repository = `${env["GITHUB_SERVER_URL"] ?? ""}/${env["GITHUB_REPOSITORY"] ?? ""}`;
  return `${repository}/actions/runs/${env["GITHUB_RUN_ID"] ?? ""}`;
}

export interface GithubEnvironment {
  readonly protection_rules?: readonly {
    readonly type: string;
    readonly prevent_self_review?: boolean;
    readonly reviewers?: readonly object[];
  }[];
  readonly can_admins_bypass?: boolean;
}

/** What lets a job of the environment begin without another person. A run asks for it more than once, and does not say which approval was for which job. */
export function whyUnreviewed(found: GithubEnvironment, environment: string): string | undefined {
  const rule = found.protection_rules?.find(({ type, reviewers = [] }) => {
    return type === "required_reviewers" && reviewers.length > 0;
  });
  if (!rule) return `The environment "${environment}" has no required reviewers.`;
  if (rule.prevent_self_review !== true) return OWN_RUNS;
  return found.can_admins_bypass === true ? "Administrators can bypass the reviewers." : undefined;
}

async function assertApproved(io: Io, api: Api, environment: string): Promise<string> {
  const found = await api
    .read<GithubEnvironment>(`/environments/${encodeURIComponent(environment)}`)
    .catch((error: unknown) => {
      if (error instanceof Refused && error.status === 404) return undefined;
      throw error;
    });
  const help = `Require reviewers, prevent self-review, and let no administrator bypass them: Settings > Environments > ${environment}. A private repository needs GitHub Enterprise for that. The command:\n  lintel ci setup --platform github`;
  if (!found) throw notApproved(`The environment "${environment}" does not exist.`, help);
  const why = whyUnreviewed(found, environment);
  if (why !== undefined) throw notApproved(why, help);
  interface Given {
    readonly state: string;
    readonly environments: readonly { readonly name: string }[];
    readonly user: { readonly login: string } | null;
  }
  const run = needed(io.env, "GITHUB_RUN_ID");
  const given = await api.read<readonly Given[]>(`/actions/runs/${run}/approvals`);
  const reviews = given
    .filter(({ state, environments }) => {
      // A comment alone is pending.
      return state !== "pending" && environments.some((each) => each.name === environment);
    })
    .map(({ state, user }) => {
      // An account that was deleted may have been the author's.
      const login = user?.login ?? needed(io.env, "GITHUB_ACTOR");
      return { id: login, name: login, isApproval: state === "approved" };
    });
  const authors = ["GITHUB_ACTOR", "GITHUB_TRIGGERING_ACTOR"].map((each) => needed(io.env, each));
  return approvedBy(reviews, authors, "");
}

/** A run has a number before it begins, so that this one is among those found. */
async function lastClockRun(io: Io, api: Api): Promise<number | undefined> {
  interface Run {
    readonly id: number;
    readonly created_at: string;
  }
  const [, file] = /\/([^/@]+)@/.exec(needed(io.env, "GITHUB_WORKFLOW_REF")) ?? [];
  const path = `/actions/workflows/${file}/runs?event=schedule&per_page=2`;
  const { workflow_runs: runs } = await api.read<{ readonly workflow_runs: readonly Run[] }>(path);
  const last = runs.find(({ id }) => String(id) !== io.env["GITHUB_RUN_ID"]);
  return last && Date.parse(last.created_at);
}
