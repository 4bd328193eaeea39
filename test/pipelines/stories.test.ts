// Each job of each pipeline as its platform runs it, against the sandbox, a bare remote, and a server that plays the
// platform (github-double.ts, gitlab-double.ts and azure-double.ts name its documentation).
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { PLATFORMS, type PipelineKind } from "../../src/pipelines/pipeline.js";
import { serveOverHttp } from "../state/git-http.js";
import { playAzure } from "./azure-double.js";
import { playGithub } from "./github-double.js";
import { playGitlab } from "./gitlab-double.js";
import { JOB_TOKEN, type Step } from "./platform.js";
import { openStory } from "./story.js";

const PLAY = { github: playGithub, gitlab: playGitlab, azure: playAzure };
const LATER = new URL("later.cjs", import.meta.url).pathname;
const CRON = "7 * * * *";

async function openTeam(system: PipelineKind, cron: string | null = CRON) {
  const platform = await PLAY[system]();
  const story = await openStory(system, {
    cron: cron ?? undefined,
    given: platform.env,
    settings: { reporting: platform.token },
  });
  const job = (name: string, options: Parameters<typeof story.job>[1] = {}) =>
    story.job(name, options);
  /** The pull request's run, and the job that comments, with what the run left. */
  async function propose(commit = story.first) {
    const settings = { plain: {}, secrets: {}, isFork: true };
    const proposed = await job("propose", { commit, settings });
    if ("by" in platform) {
      platform.pulls = [{ number: 7, head: "eve:fix", sha: commit }];
      const workflow_run = { head_branch: "fix", head_sha: commit, ...EVENT };
      const event = { workflow_run, repository: { default_branch: "main" } };
      const left = {
        "event.json": JSON.stringify(event),
        "proposal/plan.md": proposed.left("plan.md"),
      };
      const text = "lintel ci comment proposal --platform github";
      const env = { ...platform.token, GITHUB_EVENT_PATH: "event.json" };
      const commented = await job("comment", { steps: [{ text, env }], left });
      expect([commented.exit, commented.stderr]).toEqual([0, ""]);
    } else if ("merging" in platform) {
      platform.merging = [7];
      platform.plans[7] = proposed.left("plan.md");
    } else {
      platform.pulls = [7];
      const attached = /^##vso\[task\.addattachment .*;name=([^\]]+)\](.+)$/m.exec(proposed.stdout);
      const [, name = "", at = ""] = attached ?? [];
      platform.attached[7] = { [name]: readFileSync(at, "utf8") };
    }
    return proposed;
  }
  /** The job of the clock, and the one that reports with what it left. */
  async function clock(commit = story.first, given: Step["env"] = {}) {
    const ran = await job("clock", { commit, given });
    if (system === "github") return ran;
    const names = ["drift/drift.json", "drift/drift.md"];
    const left = Object.fromEntries(names.map((name) => [name, ran.left(name)]));
    const reported = await job("report", { commit, left });
    expect([reported.exit, reported.told]).toEqual([0, reported.told]);
    return ran;
  }
  /** After a merge, with the approval of another person. */
  async function apply(commit = story.first) {
    const { saved: plan = "" } = await job("plan", { commit });
    platform.approve("bea");
    const applied = await job("apply", { plan, commit });
    expect([applied.exit, applied.told]).toEqual([0, applied.told]);
  }
  return { ...story, platform, job, propose, clock, apply };
}

const EVENT = {
  html_url: "https://github.example.com/run/1",
  head_repository: { owner: { login: "eve" } },
};

describe.each(PLATFORMS)("on %s", (system) => {
  test("a pull request from a fork is planned without credentials, as intended, and commented", async () => {
    const team = await openTeam(system);
    const proposed = await team.propose();
    expect([proposed.exit, proposed.told]).toEqual([0, proposed.told]);
    expect(proposed.summary()).toContain("Preview without credentials, as intended");
    expect(proposed.summary()).not.toMatch(/export LINTEL|cannot be applied/);
    if (system !== "github") await team.clock();
    expect(team.platform.texts()).toEqual([expect.stringContaining("+ blockBetaApps: true")]);
    await team.propose(team.merge("{ blockBetaApps: false }"));
    if (system !== "github") await team.clock();
    expect(team.platform.texts()).toEqual([expect.stringContaining("+ blockBetaApps: false")]);
  });

  test("a pull request with errors is red, and its comment names them", async () => {
    const team = await openTeam(system);
    const wrong = await team.propose(team.merge("{ blockBetaApp: true }"));
    expect(wrong.exit).toBe(3);
    expect(wrong.summary()).toContain('Did you mean "blockBetaApps"');
  });

  test("a rewritten job of a pull request finds no secret", async () => {
    const team = await openTeam(system);
    const text = "env; cat .git/config";
    const steps = team.steps("propose").map((step) => ({ ...step, text }));
    const { stdout } = await team.job("propose", { steps });
    expect(stdout).toContain("LINTEL_FILES=");
    for (const key of [...team.keys, "token-of-the-reports"]) expect(stdout).not.toContain(key);
    expect(stdout).not.toMatch(/^(LINTEL_BEID|LINTEL_WEB_SERVICES_KEY|LINTEL_STATE_KEY)=./m);
  });

  test("a package with another sum is not installed, and nothing else runs", async () => {
    const team = await openTeam(system);
    writeFileSync(join(team.server.home, "package"), "something else");
    const planned = await team.job("plan");
    expect(planned.exit).not.toBe(0);
    expect(planned.told).toContain("FAILED");
    expect(readFileSync(join(team.server.home, "npm"), "utf8")).not.toMatch(/^install /m);
    expect([planned.saved, planned.changes]).toEqual([undefined, false]);
  });

  test("a merge is planned, waits for another person, and just that plan is applied; main stays as it is", async () => {
    const team = await openTeam(system);
    team.protectedMain();
    const main = team.server.git("rev-parse", "main");
    const { saved: plan = "", ...planned } = await team.job("plan");
    expect([planned.exit, planned.told]).toEqual([0, planned.told]);
    const installed = readFileSync(join(team.server.home, "npm"), "utf8");
    expect(installed).toMatch(/^install --global --ignore-scripts \/.*\.tgz$/m);
    for (const key of team.keys) expect(installed).not.toContain(key);
    if (system === "gitlab") expect(installed).not.toMatch(/TOKEN|^LINTEL_(BEID|STATE)/m);
    for (const approvers of [[], ["ada"]]) {
      team.platform.approve(...approvers);
      const refused = await team.job("apply", { plan });
      expect([refused.exit, refused.told]).toEqual([
        7,
        expect.stringMatching(/No one approved|Only the person who started/),
      ]);
    }
    expect(team.sandbox.settings("self")).not.toMatchObject({ blockBetaApps: true });
    team.platform.approve("bea");
    const applied = await team.job("apply", { plan });
    expect([applied.exit, applied.told]).toEqual([0, applied.told]);
    expect(team.sandbox.settings("self")).toMatchObject({ blockBetaApps: true });
    expect(team.server.git("rev-parse", "main")).toBe(main);
    expect(team.states.subjects()).not.toEqual([]);
    const again = await team.job("plan");
    const isTold = system !== "gitlab";
    expect([planned.changes, again.changes]).toEqual([isTold, false]);
  });

  test("an environment that lost its approvals stops the apply, and nothing is sent", async () => {
    const team = await openTeam(system);
    const { saved: plan = "" } = await team.job("plan");
    team.platform.approve("bea");
    team.platform.unprotect();
    const refused = await team.job("apply", { plan });
    expect([refused.exit, refused.told]).toEqual([7, expect.stringContaining("[not-approved]")]);
    expect(team.sandbox.settings("self")).not.toMatchObject({ blockBetaApps: true });
  });

  test("refuses a stale plan, and a new one continues from the last merge", async () => {
    const team = await openTeam(system);
    const { saved: plan = "" } = await team.job("plan");
    const commit = team.merge("{ blockBetaApps: false, aiAssistantsEnabled: true }");
    await team.apply(commit);
    const stale = await team.job("apply", { plan });
    expect([stale.exit, stale.told]).toEqual([5, expect.stringContaining("plan-stale")]);
    const again = await team.job("plan", { commit });
    expect([again.exit, again.changes]).toEqual([0, false]);
    expect(team.sandbox.settings("self")).toMatchObject({ aiAssistantsEnabled: true });
  });

  test("an apply and the clock at once: each is done once, or is stale", async () => {
    const team = await openTeam(system);
    const commit = team.merge("{ blockBetaApps: true }\ndrift: restore");
    await team.apply(commit);
    team.sandbox.change("self", { blockBetaApps: false });
    const next = team.merge("{ blockBetaApps: true, aiAssistantsEnabled: true }\ndrift: restore");
    const { saved: plan = "" } = await team.job("plan", { commit: next });
    const both = await Promise.all([
      team.job("apply", { plan, commit: next }),
      team.job("clock", { commit: next }),
    ]);
    for (const { exit, told } of both)
      expect([[0, 5].includes(exit ?? -1), told]).toEqual([true, told]);
    await team.apply(next);
    expect(team.sandbox.settings("self")).toMatchObject({
      blockBetaApps: true,
      aiAssistantsEnabled: true,
    });
  });

  test.each([
    ["secrets", { secrets: {} }],
    ["hosts", { plain: {} }],
  ])("without %s plan saves nothing to approve", async (_, settings) => {
    const team = await openTeam(system);
    const planned = await team.job("plan", { settings });
    expect([1, 4]).toContain(planned.exit);
    expect(planned.told).toMatch(/The plan was not saved: /);
    expect([planned.saved, planned.changes]).toEqual([undefined, false]);
  });

  test("a plan that a guard blocks fails, and waits for no approval", async () => {
    const team = await openTeam(system);
    await team.apply();
    team.sandbox.change("self", { ...team.sandbox.settings("self"), blockBetaApps: false });
    const planned = await team.job("plan");
    expect([planned.exit, planned.told]).toEqual([
      7,
      expect.stringContaining("This plan cannot be applied. Blocked by overwrite-drift."),
    ]);
    expect(planned.changes).toBe(false);
  });

  test("policies that no step fetches stop the plan", async () => {
    const team = await openTeam(system);
    const planned = await team.job("plan", { given: { LINTEL_POLICY: "company-policies" } });
    expect([planned.exit, planned.told]).toEqual([3, expect.stringContaining("company-policies")]);
    expect([planned.saved, planned.changes]).toEqual([undefined, false]);
  });

  test("drift is opened as an issue, updated and closed; the clock stays green", async () => {
    const team = await openTeam(system);
    await team.apply();
    expect((await team.clock()).exit).toBe(0);
    expect(team.platform.drift()).toEqual([]);
    const before = team.sandbox.settings("self");
    team.sandbox.change("self", { ...before, blockBetaApps: false });
    const clock = await team.clock();
    expect([clock.exit, clock.told]).toEqual([0, clock.told]);
    const seen = { isOpen: true, body: expect.stringContaining("blockBetaApps") as string };
    expect(team.platform.drift()).toEqual([seen]);
    team.sandbox.change("self", before);
    await team.clock();
    expect(team.platform.drift()).toMatchObject([{ isOpen: false }]);
  });

  test(
    "a portal that cannot be read makes the clock red, and closes no issue",
    { tags: ["long"] },
    async () => {
      const team = await openTeam(system);
      await team.apply();
      team.sandbox.change("self", { ...team.sandbox.settings("self"), blockBetaApps: false });
      await team.clock();
      await team.sandbox.close();
      expect((await team.clock()).exit).toBe(4);
      expect(team.platform.drift()).toMatchObject([{ isOpen: true }]);
    },
  );

  test("the clock opens and closes a window, and sends no changes of the file", async () => {
    const team = await openTeam(system);
    const at = (minutes: number) =>
      `${new Date(Date.now() + 60_000 * minutes).toISOString().slice(0, 19)}Z`;
    const schedule = `schedule: { beta: { from: ${at(10)}, until: ${at(30)}, settings: { blockBetaApps: true } } }`;
    await team.apply(team.merge(`{ blockBetaApps: false }\n${schedule}`));
    const commit = team.merge(`{ blockBetaApps: false, aiAssistantsEnabled: true }\n${schedule}`);
    for (const [minutes, isOpen] of [
      [5, false],
      [20, true],
      [40, false],
    ] as const) {
      const given = { NODE_OPTIONS: `--require=${LATER}`, LATER_MINUTES: `${minutes}` };
      const clock = await team.job("clock", { commit, given });
      expect([clock.exit, clock.told]).toEqual([0, clock.told]);
      expect(team.sandbox.settings("self")).toMatchObject({ blockBetaApps: isOpen });
      expect(team.sandbox.settings("self")).not.toMatchObject({ aiAssistantsEnabled: true });
    }
  });

  test("what files and portals hold commands no platform", async () => {
    const team = await openTeam(system);
    const rude = String.raw`"::error::a\n::set-output name=changes::yes\n##[add-mask]a ##vso[task.complete result=Failed]a"`;
    const commit = team.merge(`{ informationalBanner: { text: ${rude}, enabled: true } }`);
    const proposed = await team.job("propose", { commit });
    const planned = await team.job("plan", { commit });
    team.platform.approve("bea");
    const applied = await team.job("apply", { plan: planned.saved ?? "", commit });
    const clock = await team.job("clock", { commit });
    for (const { exit, told } of [proposed, planned, applied, clock]) {
      expect([exit, told]).toEqual([0, told]);
      expect(told).not.toMatch(/^\s*::(?:error::a|set-output)|##\[|##vso\[task\.complete/m);
    }
    expect(planned.stdout).toContain("#<U+0023>vso[task.complete result=Failed]a");
  });

  test("without a cron, every job that signs in is in the environment that waits", async () => {
    const team = await openTeam(system, null);
    const all = Object.values(team.texts).join("\n");
    expect(all).not.toMatch(/unattended|schedule/i);
    const { saved: plan = "" } = await team.job("plan");
    team.platform.approve("bea");
    expect(await team.job("apply", { plan })).toMatchObject({ exit: 0 });
  });
});

test("on azure, states are pushed to a repository of their own, which no pull request names", async () => {
  const team = await openTeam("azure");
  await team.apply();
  expect(team.states.git("branch", "--list")).toContain("lintel-state");
  expect(team.server.git("branch", "--list")).not.toContain("lintel-state");
  const { stages } = parse(team.texts["azure-pipelines.yml"] ?? "") as {
    stages: { stage: string; jobs: { uses?: object }[] }[];
  };
  expect(stages.filter(({ jobs }) => jobs[0]?.uses).map(({ stage }) => stage)).toEqual([
    "plan",
    "apply",
    "clock",
  ]);
});

test("on github, a job without the deploy key pushes no state, and nothing is sent", async () => {
  const team = await openTeam("github");
  const { saved: plan = "" } = await team.job("plan");
  team.platform.approve("bea");
  const { LINTEL_DEPLOY_KEY: _, ...secrets } = team.secrets;
  const refused = await team.job("apply", { plan, settings: { secrets } });
  expect([refused.exit, refused.told]).toEqual([expect.toBeOneOf([1, 4]), refused.told]);
  expect(team.sandbox.settings("self")).not.toMatchObject({ blockBetaApps: true });
  await team.apply();
  expect(team.sandbox.settings("self")).toMatchObject({ blockBetaApps: true });
});

test("on azure, the token of the run reads and pushes the states, and no other secret does", async () => {
  const team = await openTeam("azure");
  const own = `Basic ${Buffer.from(`:${JOB_TOKEN}`).toString("base64")}`;
  let isAllowed = true;
  const over = await serveOverHttp(team.server, (given) => isAllowed && given === own);
  const { saved: plan = "", ...planned } = await team.job("plan", { remote: over.url });
  expect([planned.exit, planned.told]).toEqual([0, planned.told]);
  team.platform.approve("bea");
  isAllowed = false;
  const refused = await team.job("apply", { plan, remote: over.url });
  expect([refused.exit, refused.told]).toEqual([expect.toBeOneOf([1, 4]), refused.told]);
  expect(team.sandbox.settings("self")).not.toMatchObject({ blockBetaApps: true });
  isAllowed = true;
  const applied = await team.job("apply", { plan, remote: over.url });
  expect([applied.exit, applied.told]).toEqual([0, applied.told]);
  expect(over.asked.some((each) => each.startsWith("POST") && each.includes("receive-pack"))).toBe(
    true,
  );
  expect(team.states.subjects()).not.toEqual([]);
});
