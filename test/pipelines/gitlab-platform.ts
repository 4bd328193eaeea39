// Nothing → a GitLab that keeps states and issues of one project, as far as its jobs ask for them; and a story whose state it keeps.
import { onTestFinished } from "vitest";
import type { Received } from "../support/network.js";
import { keysOf } from "../support/sandbox.js";
import type { Fault, Misbehaving } from "../state/rude-server.js";
import { startStateServer } from "../state/state-server.js";
import { openStory } from "./story.js";

/** Of the role of whoever started the pipeline. */
export const JOB_TOKEN = "token-of-the-job";
export const MAINTAINER_TOKEN = "token-of-a-maintainer";
export const ISSUES_TOKEN = "token-for-issues";

export interface Issue {
  readonly iid: number;
  /** Absent where this token has made it. */
  readonly author?: string;
  title: string;
  description: string;
  state: "opened" | "closed";
  confidential?: boolean;
}

export async function openGitlab() {
  const issues: Issue[] = [];
  /** By the number of the merge request. */
  const plans = new Map<number, string>();
  /** What is asked of the states; all else is answered here. */
  let misbehaving: Misbehaving;
  const server = await startStateServer({
    dialect: "gitlab",
    accounts: {
      [`gitlab-ci-token:${JOB_TOKEN}`]: "developer",
      [`bot:${MAINTAINER_TOKEN}`]: "maintainer",
    },
    fault: (request, count) => {
      if (request.path.startsWith("/api/v4/projects/7/issues")) return answerTo(request, issues);
      if (request.path.includes("/jobs/artifacts/")) return artifactOf(request, plans);
      return misbehaving?.(request, count);
    },
  });
  onTestFinished(() => server.close());
  const writes = () =>
    server.received.filter(
      ({ method, path }) => method !== "GET" && path.startsWith("/api/v4/projects/7/issues"),
    );
  const story = await openStory("gitlab", {
    state: `${server.url}${server.pathOf("")}\${portal.key}`,
    settings: {
      secrets: { TF_HTTP_USERNAME: "bot", TF_HTTP_PASSWORD: MAINTAINER_TOKEN },
      issues: { LINTEL_ISSUES_TOKEN: ISSUES_TOKEN },
    },
    given: {
      CI_JOB_TOKEN: JOB_TOKEN,
      CI_SERVER_URL: server.url,
      CI_API_V4_URL: `${server.url}/api/v4`,
      CI_PROJECT_ID: "7",
      CI_DEFAULT_BRANCH: "main",
    },
  });
  const path = server.pathOf(`127.0.0.1_${new URL(story.sandbox.url).port}-portal-self`);
  return {
    ...story,
    /** The secrets of the sign-in alone. */
    pairs: Object.entries(keysOf(story.sandbox)),
    issues,
    plans,
    writes,
    misbehave: (next: Misbehaving) => void (misbehaving = next),
    stored: () => server.stored(path)?.toString(),
    lockOf: () => server.lockOf(path),
    /** From plan to apply, as after a merge. */
    async apply(commit?: string) {
      const { saved: plan = "" } = await story.job("plan", commit ? { commit } : {});
      return story.job("apply", { plan, ...(commit && { commit }) });
    },
  };
}

/** The plan that the newest successful job of that name has left. */
function artifactOf({ path, headers }: Received, plans: ReadonlyMap<number, string>): Fault {
  const [, number] =
    /\/refs%2Fmerge-requests%2F(\d+)%2Fhead\/raw\/plan\.md\?job=propose$/.exec(path) ?? [];
  const plan = plans.get(Number(number));
  const isJob = headers["job-token"] === JOB_TOKEN;
  return isJob && plan !== undefined ? { status: 200, body: plan } : { status: 404, body: "" };
}

function answerTo({ method, path, headers, body }: Received, issues: Issue[]): Fault {
  const answer = (status: number, value: unknown): Fault => ({
    status,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(value),
  });
  if (headers["private-token"] !== ISSUES_TOKEN)
    return answer(401, { message: "401 Unauthorized" });
  const url = new URL(path, "http://127.0.0.1");
  const [, iid] = /\/issues\/(\d+)$/.exec(url.pathname) ?? [];
  if (method === "GET") {
    const isOwn = url.searchParams.get("scope") === "created_by_me";
    const page = Number(url.searchParams.get("page") ?? 1);
    const found = issues.filter(({ author }) => !isOwn || author === undefined).toReversed();
    return answer(200, found.slice(100 * (page - 1), 100 * page));
  }
  const said = JSON.parse(body) as Partial<Issue> & { state_event?: "close" | "reopen" };
  if (method === "POST") {
    const made = { title: "", description: "", ...said, iid: issues.length + 1 };
    issues.push({ ...made, state: "opened" });
    return answer(201, issues.at(-1));
  }
  const issue = issues.find((each) => each.iid === Number(iid));
  if (method !== "PUT" || !issue) return answer(404, { message: "404 Not found" });
  const { state_event: event, ...changed } = said;
  Object.assign(issue, changed, event && { state: event === "close" ? "closed" : "opened" });
  return answer(200, issue);
}
