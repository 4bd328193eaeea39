// GitLab as pipelines use it: notes, issues, and the approvals of a deployment.
import type { Io } from "../io.js";
import { secret } from "../secret.js";
import { apiAddress, findInPages, openApi, Refused, type Access, type Api } from "./api.js";
import { optional } from "./shape.js";
import {
  approvedBy,
  DRIFT_TITLE,
  driftBody,
  markerOf,
  needed,
  notApproved,
  type Comment,
  type DriftIssues,
  type Planned,
  type Platform,
} from "./platform.js";

const AUTHOR = { id: 0, username: "" };

type Header = "private-token" | "job-token";

export function gitlabApi(
  io: Pick<Io, "env">,
  access: Access,
  token: string,
  header: Header = "private-token",
): Api {
  return openApi(access, {
    base: apiAddress(needed(io.env, "CI_API_V4_URL")),
    headers: { [header]: secret(token) },
    advice:
      "Check that the token has not expired, its role and its scopes:\n  lintel ci setup --platform gitlab",
  });
}

export function projectOf({ env }: Pick<Io, "env">): string {
  return `/projects/${encodeURIComponent(needed(env, "CI_PROJECT_ID"))}`;
}

export function openGitlab(io: Io, access: Access): Platform {
  const project = projectOf(io);
  /** The token of a job reads deployments, and writes neither notes nor issues. */
  const job = () => gitlabApi(io, access, needed(io.env, "CI_JOB_TOKEN"), "job-token");
  const reporting = () => gitlabApi(io, access, needed(io.env, "LINTEL_REPORT_TOKEN"));
  return {
    longest: 900_000,
    planned: () => planned(io, reporting(), project),
    issues: issuesOf(io, reporting, project),
    async clockRuns() {
      const path = `${project}/pipelines?source=schedule&status=success&per_page=1`;
      const [last] = await reporting().read(path, [{ created_at: "" }]);
      return { current: needed(io.env, "CI_PIPELINE_CREATED_AT"), last: last?.created_at };
    },
    assertApproved: (environment) => assertApproved(io, job(), project, environment),
  };
}

async function planned(io: Io, api: Api, project: string): Promise<Planned[]> {
  const branch = encodeURIComponent(needed(io.env, "CI_DEFAULT_BRANCH"));
  const { id: own } = await api.read("/user", AUTHOR);
  const numbers: number[] = [];
  const all = `${project}/merge_requests?state=opened&target_branch=${branch}`;
  await findInPages(api, all, { iid: 0 }, ({ iid }) => {
    numbers.push(iid);
    return false;
  });
  return numbers.map((iid) => {
    const path = `${project}/merge_requests/${iid}`;
    const notes = notesOf(api, `${path}/notes`, own);
    return { ...notes, name: `!${iid}`, run: () => newestRun(api, path) };
  });
}

/** The pipeline of a fork is one of the fork's project, which this token may not be able to read. */
async function newestRun(api: Api, path: string) {
  try {
    const [run] = await api.read(`${path}/pipelines`, [{ id: 0, project_id: 0, sha: "" }]);
    if (!run) return undefined;
    const own = `/projects/${run.project_id}`;
    const jobs = await api.read(`${own}/pipelines/${run.id}/jobs?per_page=100`, [
      { id: 0, name: "", status: "", web_url: "" },
    ]);
    const job = jobs.find(({ name, status }) => {
      return name === "propose" && /^(?:success|failed)$/.test(status);
    });
    if (!job) return undefined;
    const plan = await api.readText(`${own}/jobs/${job.id}/artifacts/plan.md`);
    return { plan, url: job.web_url, commit: run.sha };
  } catch (error) {
    if (error instanceof Refused && [403, 404].includes(error.status)) return undefined;
    throw error;
  }
}

function notesOf(api: Api, path: string, own: number): Pick<Planned, "comments" | "write"> {
  const shape = { id: 0, body: "", author: { id: 0 } };
  return {
    async comments(marker) {
      const note = await findInPages(api, path, shape, ({ body, author }) => {
        return author.id === own && body.startsWith(marker);
      });
      if (!note) return [];
      const change: Comment["change"] = async (body) => {
        await api.write("PUT", `${path}/${note.id}`, { body });
        return true;
      };
      return [{ body: note.body, change }];
    },
    write: (body) => api.write("POST", path, { body }),
  };
}

function issuesOf(io: Io, apiOf: () => Api, project: string): DriftIssues {
  const marker = markerOf("drift");
  const shape = { iid: 0, state: "", description: optional("") };
  const path = `${project}/issues`;
  return {
    /** Of those that this token's account made: a marker of another author does not count. */
    async find() {
      const api = apiOf();
      const all = `${path}?scope=created_by_me&order_by=created_at&sort=desc`;
      const issue = await findInPages(api, all, shape, ({ description }) => {
        return (description ?? "").startsWith(marker);
      });
      if (!issue) return undefined;
      const { iid, state, description } = issue;
      return { name: `#${iid}`, isOpen: state === "opened", body: description ?? "" };
    },
    write(issue, report, isOpen) {
      const description = driftBody(report, io.env["CI_PIPELINE_URL"] ?? "");
      if (!issue) {
        const content = { title: DRIFT_TITLE, description, confidential: true };
        return apiOf().write("POST", path, content);
      }
      const event = issue.isOpen === isOpen ? {} : { state_event: isOpen ? "reopen" : "close" };
      return apiOf().write("PUT", `${path}/${issue.name.slice(1)}`, { description, ...event });
    },
  };
}

const DEPLOYMENT = {
  user: optional(AUTHOR),
  approval_summary: optional({
    rules: [{ required_approvals: 0, deployment_approvals: [{ status: "", user: AUTHOR }] }],
  }),
};

/** The deployment of this very job, with what its environment requires. The token of the job may read both. */
async function assertApproved(
  io: Io,
  api: Api,
  project: string,
  environment: string,
): Promise<string> {
  const job = needed(io.env, "CI_JOB_ID");
  const made = `${project}/deployments?environment=${encodeURIComponent(environment)}&order_by=id&sort=desc`;
  const shape = { id: 0, deployable: optional({ id: 0 }) };
  const found = await findInPages(
    api,
    made,
    shape,
    ({ deployable }) => String(deployable?.id) === job,
  );
  const name = `The environment "${environment}"`;
  if (!found) {
    const help = `Write "environment: ${environment}" in the job, without another action.`;
    throw notApproved(`This job is no deployment to "${environment}".`, help);
  }
  const { approval_summary: summary, user } = await api.read(
    `${project}/deployments/${found.id}`,
    DEPLOYMENT,
  );
  const rules = (summary?.rules ?? []).filter(({ required_approvals: count }) => count > 0);
  if (rules.length === 0) {
    const help = `Protect it, and add one: Settings > CI/CD > Protected environments. That needs GitLab Premium. The command:\n  lintel ci setup --platform gitlab`;
    throw notApproved(`${name} has no approval rule.`, help);
  }
  const reviews = rules.flatMap(({ deployment_approvals: given }) =>
    given.map(({ status, user: { username } }) => {
      return { id: username, name: username, isApproval: status === "approved" };
    }),
  );
  const sentence = approvedBy(
    reviews,
    user ? [user.username] : [],
    'Turn off "Allow pipeline triggerer to approve deployment".',
  );
  for (const { required_approvals: count, deployment_approvals: given } of rules) {
    const { size } = new Set(given.map((each) => each.user.username));
    if (size >= count) continue;
    const help = "Approve it on the page of the environment, as another person.";
    throw notApproved(`This run has ${size} of ${count} required approvals.`, help);
  }
  return sentence;
}
