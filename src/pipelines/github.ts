// GitHub as pipelines use it: comments, issues, and the approvals of a run.
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { parseJson } from "../lib/json.js";
import { apiAddress, bearer, findInPages, openApi, type Access, type Api } from "./api.js";
import { reportText } from "./report-file.js";
import { hasShape, optional, type Shaped } from "./shape.js";
import {
  approvedBy,
  DRIFT_TITLE,
  driftBody,
  markerOf,
  needed,
  notApproved,
  OWN_RUNS,
  type DriftIssues,
  type Planned,
  type Platform,
} from "./platform.js";

export const GITHUB = "https://api.github.com";
/** Who writes with the token of a job. Any user may write our marker, but only the bot has this name. */
const BOT = "github-actions[bot]";

const USER = optional({ login: "" });
/** A comment, an issue, or a pull request, which GitHub lists among issues. */
const ENTRY = {
  id: 0,
  number: optional(0),
  user: USER,
  body: optional(""),
  state: optional(""),
  pull_request: optional({}),
};
type Entry = Shaped<typeof ENTRY>;

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
    async clockRuns() {
      const shape = { created_at: "" };
      const path = `/actions/workflows/portal.yml/runs?event=schedule&status=success&per_page=1`;
      const { workflow_runs: runs } = await api.read(path, { workflow_runs: [shape] });
      const run = await api.read(`/actions/runs/${needed(io.env, "GITHUB_RUN_ID")}`, shape);
      return { current: run.created_at, last: runs[0]?.created_at };
    },
    assertApproved: (environment) => assertApproved(io, api, environment),
  };
}

const EVENT = {
  workflow_run: {
    head_branch: "",
    head_sha: "",
    html_url: "",
    head_repository: { owner: { login: "" } },
  },
  repository: { default_branch: "" },
};

/** A fork's run does not say which pull request it is of. Of one branch into another there is one at most. */
async function planned(io: Io, api: Api, folder: string): Promise<Planned[]> {
  const event = parseJson(reportText(io, needed(io.env, "GITHUB_EVENT_PATH")) ?? "");
  if (!hasShape(event, EVENT)) {
    throw new Failure(
      "answer-not-understood",
      "GITHUB_EVENT_PATH names no event of a finished run.",
      "Run it in a workflow that begins with `workflow_run`.",
    );
  }
  const { head_branch, head_sha, html_url, head_repository } = event.workflow_run;
  const head = encodeURIComponent(`${head_repository.owner.login}:${head_branch}`);
  const base = encodeURIComponent(event.repository.default_branch);
  const pulls = await api.read(`/pulls?state=open&head=${head}&base=${base}`, [
    { number: 0, head: { sha: "" } },
  ]);
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
        const own = await findOwn(api, comments, marker);
        if (!own) return [];
        const change = async (body: string) => {
          await api.write("PATCH", `/issues/comments/${own.id}`, { body });
          return true;
        };
        return [{ body: own.body ?? "", change }];
      },
      write: (body) => api.write("POST", comments, { body }),
    },
  ];
}

function findOwn(api: Api, path: string, marker: string): Promise<Entry | undefined> {
  return findInPages(api, path, ENTRY, ({ user, body, pull_request: pull }) => {
    return user?.login === BOT && (body ?? "").startsWith(marker) && pull == null;
  });
}

function issuesOf(io: Io, api: Api): DriftIssues {
  const marker = markerOf("drift");
  return {
    async find() {
      const query = "/issues?state=all&sort=created&direction=desc";
      const issue = await findOwn(api, query, marker);
      if (!issue) return undefined;
      const { number, state, body } = issue;
      return { name: `#${number}`, isOpen: state === "open", body: body ?? "" };
    },
    write(issue, report, isOpen) {
      const body = driftBody(report, runUrl(io));
      if (!issue) return api.write("POST", "/issues", { title: DRIFT_TITLE, body });
      const state = isOpen ? "open" : "closed";
      return api.write("PATCH", `/issues/${issue.name.slice(1)}`, { body, state });
    },
  };
}

function runUrl({ env }: Io): string {
  const repository = `${env["GITHUB_SERVER_URL"] ?? ""}/${env["GITHUB_REPOSITORY"] ?? ""}`;
  return `${repository}/actions/runs/${env["GITHUB_RUN_ID"] ?? ""}`;
}

export const GITHUB_ENVIRONMENT = {
  protection_rules: optional([
    { type: "", prevent_self_review: optional(false), reviewers: optional([{}]) },
  ]),
  can_admins_bypass: optional(false),
};

/** What lets a job of the environment begin without another person. A run asks for it more than once, and does not say which approval was for which job. */
export function whyUnreviewed(
  found: Shaped<typeof GITHUB_ENVIRONMENT>,
  environment: string,
): string | undefined {
  const rule = found.protection_rules?.find(({ type, reviewers }) => {
    return type === "required_reviewers" && (reviewers ?? []).length > 0;
  });
  if (!rule) return `The environment "${environment}" has no required reviewers.`;
  if (rule.prevent_self_review !== true) return OWN_RUNS;
  return found.can_admins_bypass === false ? undefined : "Administrators can bypass the reviewers.";
}

async function assertApproved(io: Io, api: Api, environment: string): Promise<string> {
  const path = `/environments/${encodeURIComponent(environment)}`;
  const found = await api.find(path, GITHUB_ENVIRONMENT);
  const help = `Require reviewers, prevent self-review, and let no administrator bypass them: Settings > Environments > ${environment}. A private repository needs GitHub Enterprise for that. The command:\n  lintel ci setup --platform github`;
  if (!found) throw notApproved(`The environment "${environment}" does not exist.`, help);
  const why = whyUnreviewed(found, environment);
  if (why !== undefined) throw notApproved(why, help);
  const run = needed(io.env, "GITHUB_RUN_ID");
  const given = await api.read(`/actions/runs/${run}/approvals`, [
    { state: "", environments: [{ name: "" }], user: USER },
  ]);
  const reviews = given
    .filter(({ state, environments }) => {
      // A comment alone is pending.
      return state !== "pending" && environments.some((each) => each.name === environment);
    })
    .map(({ state, user }) => {
      // An account that was deleted may be of the person who started the run.
      const login = user?.login ?? needed(io.env, "GITHUB_ACTOR");
      return { id: login, name: login, isApproval: state === "approved" };
    });
  const startedBy = ["GITHUB_ACTOR", "GITHUB_TRIGGERING_ACTOR"].map((each) => needed(io.env, each));
  // A workflow of any branch can start one with its token.
  const bot = startedBy.find((name) => name.endsWith("[bot]"));
  if (bot !== undefined)
    throw notApproved(
      `${bot} started this run, so the reviewer may have started it.`,
      "Start it yourself: Actions > portal > Run workflow.",
    );
  return approvedBy(reviews, startedBy);
}
