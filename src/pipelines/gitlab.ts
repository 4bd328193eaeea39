// GitLab as pipelines use it: notes, issues, the approvals of a deployment, and the runs by the clock.
import type { Io } from "../io.js";
import { secret, type Field } from "../secret.js";
import { apiAddress, findInPages, openApi, Refused, type Access, type Api } from "./api.js";
import {
  approvedBy,
  DRIFT_TITLE,
  markerOf,
  needed,
  notApproved,
  type Comment,
  type DriftIssues,
  type Planned,
  type Platform,
} from "./platform.js";

const PAGE = 100;

interface Author {
  readonly id: number;
  readonly username: string;
}

type Headers = Readonly<Record<string, Field>>;

export function gitlabApi(io: Pick<Io, "env">, access: Access, headers: Headers): Api {
  const base = apiAddress(needed(io.env, "CI_API_V4_URL"));
  const advice =
    "Check that the token has not expired, its role and its scopes:\n  lintel ci setup --platform gitlab";
  return openApi(access, { base, headers, advice });
}

export function projectOf({ env }: Pick<Io, "env">): string {
  return `/projects/${encodeURIComponent(needed(env, "CI_PROJECT_ID"))}`;
}

export function openGitlab(io: Io, access: Access): Platform {
  const project = projectOf(io);
  /** The token of a job reads deployments, and writes neither notes nor issues. */
  const job = () => gitlabApi(io, access, { "job-token": secret(needed(io.env, "CI_JOB_TOKEN")) });
  const reporting = () =>
    gitlabApi(io, access, { "private-token": secret(needed(io.env, "LINTEL_REPORT_TOKEN")) });
  return {
    longest: 900_000,
    planned: () => planned(io, reporting(), project),
    issues: issuesOf(io, reporting, project),
    assertApproved: (environment) =>
      assertApproved(io, access, { api: job(), project, environment }),
    async clockRuns() {
      const runs = await deploymentsOf(job(), project, "portal-unattended");
      return runs
        .filter(({ deployable }) => String(deployable?.id) !== io.env["CI_JOB_ID"])
        .map(({ created_at: at }) => Date.parse(at));
    },
  };
}

async function planned(io: Io, api: Api, project: string): Promise<Planned[]> {
  const branch = encodeURIComponent(needed(io.env, "CI_DEFAULT_BRANCH"));
  const { id: own } = await api.read<Author>("/user");
  const numbers: number[] = [];
  await findInPages(
    (page) =>
      api.read<readonly { readonly iid: number }[]>(
        `${project}/merge_requests?state=opened&target_branch=${branch}&per_page=${PAGE}&page=${page}`,
      ),
    PAGE,
    ({ iid }) => {
      numbers.push(iid);
      return false;
    },
  );
  const all: Planned[] = [];
  for (const iid of numbers) {
    const path = `${project}/merge_requests/${iid}`;
    const run = await newestRun(api, path);
    if (!run) continue;
    all.push({ ...run, name: `!${iid}`, ...notesOf(api, `${path}/notes`, own) });
  }
  return all;
}

interface Job {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly web_url: string;
}

/** The pipeline of a fork is one of the fork's project, which this token may not be able to read. */
async function newestRun(api: Api, path: string) {
  interface Run {
    readonly id: number;
    readonly project_id: number;
    readonly sha: string;
  }
  try {
    const [run] = await api.read<readonly Run[]>(`${path}/pipelines`);
    if (!run) return undefined;
    const own = `/projects/${run.project_id}`;
    const jobs = await api.read<readonly Job[]>(`${own}/pipelines/${run.id}/jobs?per_page=${PAGE}`);
    const job = jobs.find(({ name, status }) => {
      return name === "propose" && /^(?:success|failed)$/.test(status);
    });
    if (!job) return undefined;
    const plan = await api.readText(`${own}/jobs/${job.id}/artifacts/plan.md`);
    return { plan, runUrl: job.web_url, commit: run.sha };
  } catch (error) {
    if (error instanceof Refused && [403, 404].includes(error.status)) return undefined;
    throw error;
  }
}

function notesOf(api: Api, path: string, own: number): Pick<Planned, "comments" | "write"> {
  interface Note {
    readonly id: number;
    readonly body: string;
    readonly author: Author;
  }
  return {
    async comments(marker) {
      const note = await findInPages(
        (page) => api.read<readonly Note[]>(`${path}?per_page=${PAGE}&page=${page}`),
        PAGE,
        ({ body, author }) => author.id === own && body.startsWith(marker),
      );
      if (!note) return [];
      const change: Comment["change"] = async (body) => {
        await api.write("PUT", `${path}/${note.id}`, { body });
        return true;
      };
      return [{ body: note.body, change }];
    },
    write: async (body) => void (await api.write("POST", path, { body })),
  };
}

function issuesOf(io: Io, apiOf: () => Api, project: string): DriftIssues {
  const marker = markerOf("drift");
  const bodyOf = (mark: string, text: string) =>
    `${marker}\n<!-- ${mark} -->\n\n${text.trim()}\n\nFound by [a pipeline](${io.env["CI_PIPELINE_URL"] ?? ""}).`;
  interface Issue {
    readonly iid: number;
    readonly state: "opened" | "closed";
    readonly description: string | null;
  }
  const path = `${project}/issues`;
  const pathOf = ({ name }: { readonly name: string }) => `${path}/${name.slice(1)}`;
  return {
    /** Of those that this token's account made: a marker of somebody else does not count. */
    async find() {
      const api = apiOf();
      const query = `scope=created_by_me&order_by=created_at&sort=desc&per_page=${PAGE}`;
      const issue = await findInPages(
        (page) => api.read<readonly Issue[]>(`${path}?${query}&page=${page}`),
        PAGE,
        ({ description }) => (description ?? "").startsWith(marker),
      );
      if (!issue) return undefined;
      const { iid, state, description } = issue;
      return { name: `#${iid}`, isOpen: state === "opened", body: description ?? "" };
    },
    async open({ mark, text }) {
      const content = { title: DRIFT_TITLE, description: bodyOf(mark, text), confidential: true };
      await apiOf().write("POST", path, content);
    },
    async update(issue, { mark, text }) {
      const reopen = issue.isOpen ? {} : { state_event: "reopen" };
      await apiOf().write("PUT", pathOf(issue), { description: bodyOf(mark, text), ...reopen });
    },
    async close(issue, sentence) {
      const content = { description: bodyOf("", sentence), state_event: "close" };
      await apiOf().write("PUT", pathOf(issue), content);
    },
  };
}

interface Deployment {
  readonly id: number;
  readonly created_at: string;
  readonly user?: Author | null;
  readonly deployable?: { readonly id: number } | null;
  readonly approval_summary?: {
    readonly rules: readonly {
      readonly required_approvals: number;
      readonly deployment_approvals: readonly { readonly status: string; readonly user: Author }[];
    }[];
  };
}

function deploymentsOf(api: Api, project: string, environment: string) {
  const name = encodeURIComponent(environment);
  const query = `environment=${name}&order_by=id&sort=desc&per_page=20`;
  return api.read<readonly Deployment[]>(`${project}/deployments?${query}`);
}

interface Asked {
  readonly api: Api;
  readonly project: string;
  readonly environment: string;
}

async function assertApproved(io: Io, access: Access, asked: Asked): Promise<string> {
  const { api, project, environment } = asked;
  const found = (await deploymentsOf(api, project, environment)).find(
    ({ deployable }) => String(deployable?.id) === needed(io.env, "CI_JOB_ID"),
  );
  const whole = found && (await api.read<Deployment>(`${project}/deployments/${found.id}`));
  const rules = whole?.approval_summary?.rules ?? [];
  if (!rules.some(({ required_approvals: count }) => count > 0))
    return assertStartedByHand(io, access, asked);
  const approvers = rules
    .flatMap(({ deployment_approvals: given }) => given)
    .filter(({ status }) => status === "approved")
    .map(({ user: { username } }) => ({ id: username, name: username }));
  const authors = whole?.user ? [whole.user.username] : [];
  return approvedBy(
    approvers,
    authors,
    'Turn off "Allow pipeline triggerer to approve deployment".',
  );
}

/** Starting a manual job counts where only some people may: on a protected environment. */
async function assertStartedByHand(
  io: Io,
  access: Access,
  { project, environment }: Asked,
): Promise<string> {
  const name = `The environment "${environment}"`;
  const help = `Protect it, and add an approval rule: Settings > CI/CD > Protected environments. That needs GitLab Premium. The command:\n  lintel ci setup --platform gitlab`;
  if (io.env["CI_JOB_MANUAL"] !== "true")
    throw notApproved(`${name} has no approval rule, and this job was not started by hand.`, help);
  const token = io.env["LINTEL_CHECK_TOKEN"];
  if (!token)
    throw notApproved(
      `${name} has no approval rule, and without LINTEL_CHECK_TOKEN Lintel cannot see whether it is protected.`,
      help,
    );
  const api = gitlabApi(io, access, { "private-token": secret(token) });
  const path = `${project}/protected_environments/${encodeURIComponent(environment)}`;
  if ((await api.readText(path)) === undefined)
    throw notApproved(`${name} is not protected.`, help);
  const pipeline = `${project}/pipelines/${needed(io.env, "CI_PIPELINE_ID")}`;
  const { user } = await api.read<{ readonly user: Author }>(pipeline);
  const starter = needed(io.env, "GITLAB_USER_LOGIN");
  const setting = "Somebody else among those allowed to deploy has to start the job.";
  return approvedBy([{ id: starter, name: starter }], [user.username], setting);
}
