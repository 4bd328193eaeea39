// GitLab's own stories, with a state that GitLab keeps: a proposal, a fork, the merge, whose token may write, what is not recorded, and two merges at once.
import { expect, test } from "vitest";
import { OWN_HOSTS } from "../support/run.js";
import { ISSUES_TOKEN, JOB_TOKEN, MAINTAINER_TOKEN, openGitlab } from "./gitlab-platform.js";

const ON = "{ blockBetaApps: true }";

test("a proposal reads the state with its job's token, and shows counts and problems on the merge request", async () => {
  const gitlab = await openGitlab();
  expect(await gitlab.apply()).toMatchObject({ exit: 0 });
  const commit = gitlab.merge("{ blockBetaApps: false, aiAssistantsEnabled: false }");
  const proposed = await gitlab.job("propose", { commit });
  expect([proposed.exit, proposed.told]).toEqual([
    0,
    expect.stringContaining("~ blockBetaApps        true → false"),
  ]);
  expect(JSON.parse(proposed.left("widget.json"))).toEqual({ create: 1, update: 1, delete: 0 });
  expect(JSON.parse(proposed.left("code-quality.json"))).toEqual([]);
  expect(proposed.summary()).toContain("aiAssistantsEnabled");
  const wrong = await gitlab.job("propose", { commit: gitlab.merge("{ blockBetaAps: true }") });
  expect(wrong.exit).toBe(3);
  expect(JSON.parse(wrong.left("widget.json"))).not.toHaveProperty("create");
  expect(JSON.parse(wrong.left("code-quality.json"))).toMatchObject([
    { check_name: "unknown-key" },
  ]);
  expect(wrong.summary()).toContain("blockBetaAps");
});

test("the proposal of a fork has no setting of the project, may not read its state, and is planned all the same", async () => {
  const gitlab = await openGitlab();
  await gitlab.apply();
  gitlab.misbehave(() => ({ status: 403, body: '{"message":"403 Forbidden"}' }));
  const commit = gitlab.merge("{ blockBetaApps: false }");
  const fork = { settings: { isFork: true }, given: { CI_JOB_TOKEN: "token-of-the-fork" } };
  const proposed = await gitlab.job("propose", { commit, ...fork });
  expect([proposed.exit, proposed.told]).toEqual([
    0,
    expect.stringContaining("+ blockBetaApps  false"),
  ]);
  // Nobody shows it to those who do not sign in.
  expect(JSON.parse(proposed.left("widget.json"))).toEqual({ create: 1, update: 0, delete: 0 });
  // Somebody of the project itself whom GitLab does not show the state is told so, and what helps.
  const refused = await gitlab.job("propose", { commit });
  expect([refused.exit, refused.told]).toEqual([1, expect.stringContaining("--no-state")]);
  expect(refused.told).toContain("the Developer role");
});

test.each([false, true])(
  "rewritten to print all that there is, it prints no secret (from a fork: %s)",
  async (isFork) => {
    const gitlab = await openGitlab();
    const settings = { isFork };
    const steps = gitlab.steps("propose", settings).map((step) => ({ ...step, text: "env" }));
    const { stdout } = await gitlab.job("propose", { steps, settings });
    expect(stdout).toContain("LINTEL_FILES=");
    expect(stdout.includes(OWN_HOSTS)).toBe(!isFork);
    // The token of the job is there, as everywhere on GitLab: it has the role of whoever proposes.
    expect(stdout).toContain(JOB_TOKEN);
    for (const secret of [...gitlab.keys, MAINTAINER_TOKEN, ISSUES_TOKEN]) {
      expect(stdout).not.toContain(secret);
    }
  },
);

test("a merge is planned and applied with a Maintainer's token; the job's own may not, and is told which one may", async () => {
  const gitlab = await openGitlab();
  gitlab.protectedMain();
  const without = { settings: { secrets: Object.fromEntries(gitlab.pairs) } };
  const { saved: plan = "", ...planned } = await gitlab.job("plan");
  expect([planned.exit, JSON.parse(planned.left("code-quality.json"))]).toEqual([0, []]);
  const refused = await gitlab.job("apply", { plan, ...without });
  expect([refused.exit, refused.told]).toEqual([1, expect.stringContaining("the Maintainer role")]);
  expect(refused.told).toContain("project access token");
  expect([gitlab.sandbox.settings(), gitlab.stored()]).toEqual([
    expect.not.objectContaining({ blockBetaApps: true }),
    undefined,
  ]);
  const applied = await gitlab.job("apply", { plan });
  expect([applied.exit, applied.told]).toEqual([0, applied.told]);
  expect(gitlab.sandbox.settings()).toMatchObject({ blockBetaApps: true });
  expect([gitlab.stored(), gitlab.lockOf()]).toEqual([expect.any(String), undefined]);
  // Nothing is pushed anywhere.
  expect(gitlab.server.git("branch", "--list").trim()).toBe("* main");
});

test("the plan after a merge says whether it makes the changes that the merge request showed", async () => {
  const gitlab = await openGitlab();
  await gitlab.apply();
  const commit = gitlab.merge("{ blockBetaApps: false }");
  const proposed = await gitlab.job("propose", { commit });
  gitlab.plans.set(12, proposed.summary());
  gitlab.plans.set(13, "Digest of the changes: `$(touch pwned)`\nDigest of the changes: `0-0`\n");
  const after = async (message: string) => {
    const given = { CI_COMMIT_MESSAGE: `Merge branch 'a' into 'main'\n\n${message}` };
    const planned = await gitlab.job("plan", { commit, given });
    expect([planned.exit, planned.told]).toEqual([0, planned.told]);
    return planned;
  };
  const same = await after("See merge request gis/portals!12");
  expect(same.told).toContain("These are the changes that were reviewed.");
  expect(same.summary()).toContain("These are the changes that were reviewed.");
  for (const message of ["By hand", "See merge request gis/portals!13", "See merge request a!14"]) {
    const { told } = await after(message);
    expect([message, told]).toEqual([message, expect.stringContaining("No merge request")]);
    expect(told).not.toContain("These are");
  }
});

test("where the record fails after the update, the job fails, and the next plan settles it", async () => {
  const gitlab = await openGitlab();
  const { saved: plan = "" } = await gitlab.job("plan");
  let writes = 0;
  const isState = (path: string) => /\/terraform\/state\/[^/]+$/.test(path.replace(/\?.*/, ""));
  gitlab.misbehave(({ method, path }) => {
    if (method !== "POST" || !isState(path)) return undefined;
    writes += 1;
    return writes === 1 ? undefined : { status: 503 };
  });
  const applied = await gitlab.job("apply", { plan });
  expect(gitlab.sandbox.settings()).toMatchObject({ blockBetaApps: true });
  expect([applied.exit, applied.told]).not.toEqual([0, applied.told]);
  gitlab.misbehave(undefined);
  expect(await gitlab.apply()).toMatchObject({ exit: 0 });
  const settled = await gitlab.job("plan");
  expect([settled.exit, settled.told]).toEqual([0, expect.stringContaining("No changes.")]);
});

test("of two applies at once the second is stale, says how to plan again, and then goes on", async () => {
  const gitlab = await openGitlab();
  const commit = gitlab.merge("{ blockBetaApps: true, aiAssistantsEnabled: true }");
  const one = await gitlab.job("plan");
  const other = await gitlab.job("plan", { commit });
  const both = await Promise.all([
    gitlab.job("apply", { plan: one.saved ?? "" }),
    gitlab.job("apply", { plan: other.saved ?? "", commit }),
  ]);
  const exits = both.map(({ exit }) => exit ?? -1).toSorted((low, high) => low - high);
  expect([exits, both.map(({ told }) => told)]).toEqual([[0, 5], expect.anything()]);
  const stale = both.find(({ exit }) => exit === 5)?.told;
  expect(stale).toContain("Build > Pipelines > New pipeline, for main.");
  expect(await gitlab.apply(commit)).toMatchObject({ exit: 0 });
  expect(gitlab.sandbox.settings()).toMatchObject({ aiAssistantsEnabled: true });
  // The older one, started again later, undoes nothing.
  const late = await gitlab.job("apply", { plan: one.saved ?? "" });
  expect([late.exit, gitlab.sandbox.settings()]).toEqual([
    5,
    expect.objectContaining({ aiAssistantsEnabled: true }),
  ]);
});

test("the clock's job opens a window and closes it again, and sends nothing that a file wants", async () => {
  const gitlab = await openGitlab();
  const at = (minutes: number) =>
    new Date(Date.now() + 60_000 * minutes).toISOString().slice(0, 19);
  const schedule = `schedule: { beta: { from: ${at(10)}Z, until: ${at(30)}Z, settings: ${ON} } }`;
  const first = gitlab.merge(`{ blockBetaApps: false }\n${schedule}`);
  expect(await gitlab.apply(first)).toMatchObject({ exit: 0 });
  const commit = gitlab.merge(`{ blockBetaApps: false, aiAssistantsEnabled: true }\n${schedule}`);
  const clockAt = (minutes: number) =>
    gitlab.job("clock", {
      commit,
      given: { NODE_OPTIONS: `--require=${LATER}`, LATER_MINUTES: `${minutes}` },
    });
  const shown = () => gitlab.sandbox.settings()["blockBetaApps"];
  for (const [minutes, isOpen] of [
    [5, false],
    [15, true],
    [35, false],
  ] as const) {
    const ran = await clockAt(minutes);
    expect([minutes, ran.exit, shown(), ran.told]).toEqual([minutes, 0, isOpen, ran.told]);
  }
  expect(gitlab.sandbox.settings()).not.toMatchObject({ aiAssistantsEnabled: true });
});

const LATER = new URL("later.cjs", import.meta.url).pathname;
