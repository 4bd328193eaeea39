// What a team meets on GitHub, job by job, against the sandbox, a bare remote, and a server that answers as GitHub does.
import { join } from "node:path";
import { expect, test } from "vitest";
import { PROJECT } from "../support/run.js";
import { openGitHub } from "./github-server.js";
import type { Step } from "./platform.js";
import { openStory } from "./story.js";

const LATER = join(PROJECT, "test/pipelines/later.cjs");
const HEAD = "eve:fix";
const NUMBER = 7;
const BANNER = "{ informationalBanner: { text: Welcome, enabled: false } }";

async function openTeam() {
  const story = await openStory("github");
  const pulls = [{ number: NUMBER, head: HEAD, sha: story.first, merged: "" }];
  const github = await openGitHub(pulls);
  const program = (word: string, env: Step["env"] = {}): Step[] => [
    { text: `node .github/workflows/portal.mjs ${word}`, env: { TOKEN: "token", ...env } },
  ];
  const onGitHub = { ...github.env, GITHUB_REF: "refs/heads/main" };
  const job = (name: string, options: Parameters<typeof story.job>[1] = {}) =>
    story.job(name, {
      ...options,
      given: { ...onGitHub, GITHUB_SHA: options.commit ?? story.first, ...options.given },
    });
  return {
    ...story,
    github,
    job,
    /** From a fork: without variables, without secrets; then the comment, with what the run has left. */
    async propose(commit = story.first) {
      Object.assign(pulls[0] ?? {}, { sha: commit });
      const proposed = await job("propose", { commit, settings: { plain: {}, secrets: {} } });
      const env = { HEAD, SHA: commit, RUN: "https://github.example.com/run/1" };
      const left = Object.fromEntries(
        ["plan.md", "lintel.sarif", "pull.txt"].map((at) => [`proposal/${at}`, proposed.left(at)]),
      );
      const commented = await job("comment", { steps: program("comment", env), left });
      expect([commented.exit, commented.told]).toEqual([0, ""]);
      return proposed;
    },
    comments: () => github.commentsOf(NUMBER).map(({ body }) => body),
    /** It is another commit that reaches the default branch. */
    land: (sha: string) => void Object.assign(pulls[0] ?? {}, { merged: sha }),
    /** The clock's job, and the one that writes the issue with what it has left. */
    async clock(commit = story.first) {
      const clock = await job("clock", { commit });
      const left = { "drift.md": clock.left("drift.md"), "drift.json": clock.left("drift.json") };
      const issue = await job("drift", { left });
      expect([issue.exit, issue.stderr]).toEqual([0, ""]);
      return clock;
    },
  };
}

test("a proposal from a fork is planned and commented, also where its file is wrong; the comment is updated", async () => {
  const team = await openTeam();
  const proposed = await team.propose();
  expect(proposed.exit).toBe(0);
  expect(proposed.left("summary.md")).toContain("blockBetaApps");
  expect(team.comments()).toEqual([expect.stringContaining("+ blockBetaApps: true")]);
  const wrong = await team.propose(team.merge("{ blockBetaApp: true }"));
  expect([wrong.exit, wrong.stdout]).toEqual([3, expect.stringContaining("::error file=")]);
  expect(team.comments()).toEqual([expect.stringContaining('Did you mean "blockBetaApps"')]);
  expect(team.github.scans.map(({ ref }) => ref)).toEqual([
    `refs/pull/${NUMBER}/head`,
    `refs/pull/${NUMBER}/head`,
  ]);
  expect(team.github.scans[1]?.sarif).toContain("blockBetaApp");
});

test("what a proposal's author can reach is nothing: all that its run knows is printed", async () => {
  const team = await openTeam();
  const text = "env; cat .git/config; ls -a ~";
  const steps = team.steps("propose").map((step) => ({ ...step, text }));
  const { stdout } = await team.job("propose", { steps });
  expect(stdout).toContain("LINTEL_FILES=");
  for (const key of team.keys) expect(stdout).not.toContain(key);
  expect(stdout).not.toMatch(/^(LINTEL_BEID|LINTEL_WEB_SERVICES_KEY|LINTEL_STATE_KEY|TOKEN)=./m);
});

test("a merge says whether it makes the changes that were reviewed", async () => {
  const team = await openTeam();
  await team.propose();
  const reviewed = team.first;
  team.land(reviewed);
  const same = await team.job("plan");
  expect([same.exit, same.changes]).toEqual([0, true]);
  expect(same.summary()).toContain("These are the changes that were reviewed.");
  // Something else was merged beside it.
  const commit = team.merge("{ blockBetaApps: true, aiAssistantsEnabled: false }");
  team.land(commit);
  const other = await team.job("plan", { commit });
  expect([other.exit, other.changes]).toEqual([0, true]);
  expect(other.summary()).toContain("These are not the changes that were reviewed.");
});

test("where nobody can say what was reviewed, a merge is planned all the same", async () => {
  const team = await openTeam();
  team.github.rude.set(`GET /commits/${team.first}/pulls`, { status: 502, text: "<html>" });
  const planned = await team.job("plan");
  expect([planned.exit, planned.changes]).toEqual([0, true]);
  expect(planned.summary()).toContain("Digest of the changes");
  expect(planned.summary()).not.toContain("reviewed");
});

test("a stale plan is refused with what to run, and that goes on from what was merged last; the clock sends nothing of a file", async () => {
  const team = await openTeam();
  const { saved: plan = "" } = await team.job("plan");
  const clock = await team.job("clock");
  expect([clock.exit, clock.stderr]).toEqual([0, ""]);
  expect(team.sandbox.settings("self")).not.toMatchObject({ blockBetaApps: true });
  const commit = team.merge("{ blockBetaApps: false, aiAssistantsEnabled: true }");
  const { saved: newer = "" } = await team.job("plan", { commit });
  expect((await team.job("apply", { plan: newer, commit })).exit).toBe(0);
  const stale = await team.job("apply", { plan });
  expect(stale.exit).toBe(5);
  expect(stale.stdout).toMatch(/^::error title=The plan is stale::.*'Run workflow'/m);
  expect(stale.left("summary.md")).toContain("stale");
  const again = await team.job("plan", { commit });
  expect([again.exit, again.changes]).toEqual([0, false]);
  expect(team.sandbox.settings("self")).toMatchObject({
    blockBetaApps: false,
    aiAssistantsEnabled: true,
  });
});

test(
  "an apply whose record cannot be pushed is a red job, and the next one settles it",
  { tags: ["long"] },
  async () => {
    const team = await openTeam();
    const { saved: plan = "" } = await team.job("plan");
    const refuse = 'test "$1" != refs/heads/lintel-state || { echo "no more" >&2; exit 1; }';
    team.server.hook("update", refuse);
    const early = await team.job("apply", { plan });
    expect(early.exit).not.toBe(0);
    expect(team.sandbox.settings("self")).not.toMatchObject({ blockBetaApps: true });
    // The journal gets through, and what became of it does not.
    const once = `test "$1" != refs/heads/lintel-state || test ! -e seen || { echo "no more" >&2; exit 1; }; touch seen`;
    team.server.hook("update", once);
    const late = await team.job("apply", { plan });
    expect(late.exit).not.toBe(0);
    expect(team.sandbox.settings("self")).toMatchObject({ blockBetaApps: true });
    team.server.hook("update", "exit 0");
    const planned = await team.job("plan");
    const after =
      planned.saved === undefined ? planned : await team.job("apply", { plan: planned.saved });
    expect([planned.exit, after.exit, after.told]).toEqual([0, 0, after.told]);
    expect((await team.job("plan")).changes).toBe(false);
  },
);

test("what somebody changed by hand becomes an issue, and its end closes it; the clock's job stays green", async () => {
  const team = await openTeam();
  const commit = team.merge(BANNER);
  const { saved: plan = "" } = await team.job("plan", { commit });
  expect((await team.job("apply", { plan, commit })).exit).toBe(0);
  expect((await team.clock(commit)).exit).toBe(0);
  expect(team.github.issues).toEqual([]);
  const before = team.sandbox.settings("self");
  const banner = { text: "By hand", enabled: false };
  team.sandbox.change("self", { ...before, informationalBanner: banner });
  expect((await team.clock(commit)).exit).toBe(0);
  expect(team.github.issues).toMatchObject([
    { state: "open", body: expect.stringContaining('"By hand"') },
  ]);
  team.sandbox.change("self", before);
  expect((await team.clock(commit)).exit).toBe(0);
  expect(team.github.issues).toMatchObject([{ state: "closed" }]);
});

test(
  "a portal that cannot be looked at makes the clock's job red and closes no issue",
  { tags: ["long"] },
  async () => {
    const team = await openTeam();
    const commit = team.merge(BANNER);
    const { saved: plan = "" } = await team.job("plan", { commit });
    await team.job("apply", { plan, commit });
    const before = team.sandbox.settings("self");
    team.sandbox.change("self", {
      ...before,
      informationalBanner: { text: "By hand", enabled: false },
    });
    await team.clock(commit);
    await team.sandbox.close();
    const clock = await team.clock(commit);
    expect([clock.exit, clock.told]).toEqual([4, clock.told]);
    expect(team.github.issues).toMatchObject([{ state: "open" }]);
  },
);

test(
  "the clock opens a window and closes it again, and sends nothing that a changed file wants",
  { tags: ["long"] },
  async () => {
    const team = await openTeam();
    const at = (minutes: number) =>
      `${new Date(Date.now() + 60_000 * minutes).toISOString().slice(0, 19)}Z`;
    const schedule = `schedule: { beta: { from: ${at(10)}, until: ${at(30)}, settings: { blockBetaApps: true } } }`;
    const first = team.merge(`{ blockBetaApps: false }\n${schedule}`);
    const { saved: plan = "" } = await team.job("plan", { commit: first });
    expect((await team.job("apply", { plan, commit: first })).exit).toBe(0);
    const commit = team.merge(`{ blockBetaApps: false, aiAssistantsEnabled: true }\n${schedule}`);
    for (const [minutes, isBlocked] of [
      [5, false],
      [20, true],
      [40, false],
    ] as const) {
      const given = { NODE_OPTIONS: `--require=${LATER}`, LATER_MINUTES: `${minutes}` };
      const clock = await team.job("clock", { commit, given });
      expect([clock.exit, clock.told]).toEqual([0, clock.told]);
      const settings = team.sandbox.settings("self");
      expect(settings).toMatchObject({ blockBetaApps: isBlocked });
      expect(settings).not.toMatchObject({ aiAssistantsEnabled: true });
    }
  },
);

test("a clock that something else was faster than tries once more, and then is red", async () => {
  const team = await openTeam();
  const tries = async (...ends: readonly number[]) => {
    const steps = team.steps("clock").filter(({ text }) => text.includes("--due"));
    const lintel = `lintel() { ends=(${ends.join(" ")}); echo "try $1"; count=$((count + 1)); return "\${ends[count - 1]}"; }; count=0`;
    const told = steps.map((step) => ({ ...step, text: `${lintel}\n${step.text}` }));
    const { exit, stdout } = await team.job("clock", { steps: told });
    return [exit, stdout.split("try apply").length - 1];
  };
  expect(await tries(0)).toEqual([0, 1]);
  expect(await tries(5, 0)).toEqual([0, 2]);
  expect(await tries(5, 5)).toEqual([5, 2]);
  expect(await tries(7)).toEqual([7, 1]);
});
