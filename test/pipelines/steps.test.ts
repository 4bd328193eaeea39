// The shell steps of each written pipeline, run against the sandbox and a bare remote whose main is protected: a proposal, the merge, what came in between, and the clock.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PIPELINE_FILES, type PipelineKind } from "../../src/pipelines/pipeline.js";
import { openStory } from "./story.js";

const SYSTEMS = Object.keys(PIPELINE_FILES) as PipelineKind[];

describe.each(SYSTEMS)("for %s", (system) => {
  test("a proposal is planned without anything that its author could take", async () => {
    const story = await openStory(system);
    const proposed = await story.job("propose");
    expect([proposed.exit, proposed.stderr]).toEqual([0, ""]);
    expect(proposed.summary()).toContain("blockBetaApps");
    // Rewritten by whoever proposes it, to print all that there is.
    const steps = story.steps("propose").map((step) => ({ ...step, text: "env" }));
    const { stdout } = await story.job("propose", { steps });
    expect(stdout).toContain("LINTEL_FILES=");
    for (const key of story.keys) expect(stdout).not.toContain(key);
    expect(stdout).not.toMatch(/^(LINTEL_BEID|LINTEL_STATE_KEY)=./m);
  });

  test("a merge is planned by a package that runs no script, and just that plan applied; main stays as it is", async () => {
    const story = await openStory(system);
    story.protectedMain();
    const main = story.server.git("rev-parse", "main");
    const planned = await story.job("plan");
    expect([planned.exit, planned.told]).toEqual([0, planned.told]);
    expect(story.sandbox.settings("self")).not.toMatchObject({ blockBetaApps: true });
    const installed = readFileSync(join(story.server.home, "npm"), "utf8");
    expect(installed).toMatch(/^install --global --ignore-scripts https:/);
    for (const key of story.keys) expect(installed).not.toContain(key);
    const { saved: plan = "" } = planned;
    const applied = await story.job("apply", { plan });
    expect([applied.exit, applied.told]).toEqual([0, applied.told]);
    expect(story.sandbox.settings("self")).toMatchObject({ blockBetaApps: true });
    expect(story.server.git("rev-parse", "main")).toBe(main);
    expect(story.server.subjects()).not.toEqual([]);
    const again = await story.job("plan");
    expect([again.exit, again.told]).toEqual([0, again.told]);
    // Nobody is asked to approve nothing. GitLab's job waits to be started, whatever was planned.
    const isTold = system !== "gitlab";
    expect([planned.changes, again.changes]).toEqual([isTold, false]);
  });

  test("what files and portals say commands no platform", async () => {
    const story = await openStory(system);
    const rude = String.raw`"::error::a\n::set-output name=changes::yes\n##[add-mask]a ##vso[task.complete result=Failed]a"`;
    const commit = story.merge(`{ informationalBanner: { text: ${rude}, enabled: true } }`);
    story.sandbox.change("self", {
      informationalBanner: {
        text: `${JSON.parse(rude) as string}\n${JSON.parse(rude) as string}`,
        enabled: false,
      },
    });
    const proposed = await story.job("propose", { commit });
    const planned = await story.job("plan", { commit });
    const applied = await story.job("apply", { plan: planned.saved ?? "", commit });
    const clock = await story.job("clock", { commit });
    for (const { exit, told } of [proposed, planned, applied, clock]) {
      expect([exit, told]).toEqual([0, told]);
      expect(told).not.toMatch(/^\s*::(?:error::a|set-output)|##\[|##vso\[task\.complete/m);
    }
    expect(planned.stdout).toContain("#<U+0023>vso[task.complete result=Failed]a");
  });

  test.each([
    ["secrets", { secrets: {} }],
    ["hosts", { plain: {} }],
  ])("without %s plan saves nothing to approve", async (_, settings) => {
    const story = await openStory(system);
    const planned = await story.job("plan", { settings });
    // 4 where the platform says that this is the default branch, which has credentials.
    expect([1, 4]).toContain(planned.exit);
    expect(planned.told).toMatch(/The plan was not saved, because (that|there is none) for/);
    expect(planned.told).toMatch(/export LINTEL_(BEID|ALLOWED_HOSTS)=/);
    expect([planned.saved, planned.changes]).toEqual([undefined, false]);
  });

  test("a secret that nobody has set is not taken for its own name", async () => {
    const story = await openStory(system);
    const steps = story.steps("apply").map(({ text, env }) => ({
      env,
      text: text.replace(/lintel apply.*/, 'echo "key:${LINTEL_STATE_KEY-}, id:${LINTEL_BEID-}"'),
    }));
    const { stdout } = await story.job("apply", { steps });
    expect(stdout).toContain(`key:, id:${story.beid}\n`);
  });
});

/** What state and plan decide, whichever platform calls: the jobs differ in what the tests above see. */
describe("for one platform as for each", () => {
  test("a push to main in the middle of an apply loses neither the push nor the state", async () => {
    const story = await openStory("github");
    const { saved: plan = "" } = await story.job("plan");
    const next = story.merge("{ aiAssistantsEnabled: false }");
    story.server.git("update-ref", "refs/heads/main", story.first);
    story.server.hook("post-receive", `git update-ref refs/heads/main ${next}`);
    const applied = await story.job("apply", { plan });
    expect([applied.exit, applied.told]).toEqual([0, applied.told]);
    expect(story.server.git("rev-parse", "main").trim()).toBe(next);
    const after = await story.job("plan", { commit: story.first });
    expect([after.exit, after.told]).toEqual([0, expect.stringContaining("No changes.")]);
  });

  test("of two applies at once the second is told to plan again, and then goes on", async () => {
    const story = await openStory("github");
    const commit = story.merge("{ blockBetaApps: true, aiAssistantsEnabled: true }");
    const one = await story.job("plan");
    const other = await story.job("plan", { commit });
    const both = await Promise.all([
      story.job("apply", { plan: one.saved ?? "" }),
      story.job("apply", { plan: other.saved ?? "", commit }),
    ]);
    const exits = both.map(({ exit }) => exit ?? -1).toSorted((low, high) => low - high);
    expect([exits, both.map(({ told }) => told)]).toEqual([[0, 5], expect.anything()]);
    const planned = await story.job("plan", { commit });
    const { saved: plan } = planned;
    const later = plan === undefined ? planned : await story.job("apply", { plan, commit });
    expect([planned.exit, later.exit, later.told]).toEqual([0, 0, later.told]);
    expect(story.sandbox.settings("self")).toMatchObject({ aiAssistantsEnabled: true });
  });

  test("a run of long ago that is run again says that something newer was applied", async () => {
    const story = await openStory("github");
    const commit = story.merge("{ blockBetaApps: false }");
    const { saved: plan = "" } = await story.job("plan", { commit });
    expect((await story.job("apply", { plan, commit })).exit).toBe(0);
    const again = await story.job("plan");
    expect([again.exit, again.told]).toEqual([0, again.told]);
    expect(again.summary()).toContain("which is not part of what is checked out here");
  });
});
