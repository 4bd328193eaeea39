// Azure's jobs one after the other, against the sandbox, git over HTTP that asks for tokens, and a server that answers as Azure does.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pipelineText, textsBeside } from "../../src/pipelines/pipeline.js";
import { serveOverHttp } from "../state/git-http.js";
import { run } from "../state/repositories.js";
import { PROJECT } from "../support/run.js";
import { playAzure, TOKEN } from "./azure-platform.js";
import { JOB_TOKEN, runSteps, SAMPLE, STEPS } from "./platform.js";
import { openStory } from "./story.js";

const REPORTING = { secrets: { REPORT_TOKEN: TOKEN }, plain: {} };

/** Of the repository: every job's token reads, and the one of the states pushes. */
async function overHttp(server: Parameters<typeof serveOverHttp>[0]) {
  const basic = (token: string) => `Basic ${Buffer.from(`:${token}`).toString("base64")}`;
  const refused: string[] = [];
  const { url, asked } = await serveOverHttp(server, (authorization, what) => {
    const may =
      authorization === basic("token-of-the-state") ||
      (authorization === basic(JOB_TOKEN) && !what.includes("git-receive-pack"));
    if (!may) refused.push(what);
    return may;
  });
  return { remote: url, asked, refused };
}

/** What a step told the agent to attach, as the platform keeps it. */
function attachedBy(stdout: string): Record<string, string> {
  const told = stdout.matchAll(
    /^##vso\[task\.addattachment type=lintel-plan;name=([^\]]+)\](.+)$/gm,
  );
  return Object.fromEntries(
    [...told].map(([, name = "", at = ""]) => [name, readFileSync(at, "utf8")]),
  );
}

const AHEAD = join(PROJECT, "test/pipelines/ahead.cjs");

const attempt = { SYSTEM_JOBATTEMPT: "1" };

describe("a proposal", () => {
  test("from a fork is planned and commented, and after the merge the plan says that it was reviewed", async () => {
    const [story, azure] = [await openStory("azure"), await playAzure()];
    const { remote } = await overHttp(story.server);
    const proposed = await story.job("propose", {
      remote,
      given: attempt,
      settings: { plain: {} },
    });
    expect([proposed.exit, proposed.stderr]).toEqual([
      0,
      expect.stringContaining("LINTEL_ALLOWED_HOSTS is not set"),
    ]);
    azure.pulls.push(7);
    azure.runs.push({ id: 70, pull: 7, attached: attachedBy(proposed.stdout) });
    const [text = ""] = Object.values(textsBeside("azure", SAMPLE));
    const comment = () =>
      runSteps(STEPS.azure(text, "comment", REPORTING), story.server.home, azure.env);
    expect(await comment()).toEqual({ exit: 0, stdout: "", stderr: "" });
    expect(azure.comments[7]?.[0]?.content).toContain(proposed.summary());
    // Its next push.
    const commit = story.merge("{ blockBetaApps: true, aiAssistantsEnabled: true }");
    const again = await story.job("propose", { remote, given: attempt, commit });
    azure.runs.push({ id: 71, pull: 7, attached: attachedBy(again.stdout) });
    await comment();
    expect(azure.comments[7]).toHaveLength(1);
    expect(azure.comments[7]?.[0]?.content).toContain("aiAssistantsEnabled");
    azure.merged[commit] = 7;
    const given = { ...azure.env, ...attempt, BUILD_SOURCEVERSION: commit };
    const planned = await story.job("plan", { remote, given, commit });
    expect([planned.exit, planned.told]).toEqual([0, expect.stringContaining("reviewed")]);
    expect(planned.summary()).toContain("These are the changes that were reviewed");
    // Another commit was reviewed by nobody.
    const other = await story.job("plan", {
      remote,
      given: { ...given, BUILD_SOURCEVERSION: "0" },
      commit,
    });
    expect(other.stdout).toContain("No pull request of this commit tells");
    expect(other.summary()).not.toContain("were reviewed");
  });

  test("that is wrong is commented with what is wrong, and its problems are shown with the run", async () => {
    const story = await openStory("azure");
    const wrong = Array.from({ length: 12 }, (_, at) => `"100%[wrong${at}]": true`);
    const commit = story.merge(`{ ${wrong.join(", ")} }`);
    const proposed = await story.job("propose", { given: attempt, commit });
    expect(proposed.exit).toBe(3);
    expect(Object.values(attachedBy(proposed.stdout)).join()).toContain("wrong0");
    const issues =
      proposed.stdout.match(/^##vso\[task\.logissue type=error;sourcepath=.*$/gm) ?? [];
    expect(issues).toHaveLength(9);
    expect(issues[0]).toMatch(
      /a\.yaml;linenumber=\d+;columnnumber=\d+;code=[\w-]+;\].*100%AZP25\[wrong0\]/,
    );
    expect(proposed.stdout).toContain("##vso[task.logissue type=error;]3 more");
  });

  test("whose author rewrites the pipeline gets nothing but the token of every job, which reads", async () => {
    const story = await openStory("azure");
    const { remote, refused } = await overHttp(story.server);
    const planned = story.steps("propose").find(({ text }) => text.includes("lintel plan"));
    const [, signIn = ""] = /^(export GIT_CONFIG_.*)$/m.exec(planned?.text ?? "") ?? [];
    const text = `env; git config --list; ${signIn}; git push origin HEAD:refs/heads/lintel-state`;
    const steps = [{ text, env: planned?.env ?? {} }];
    const { exit, stdout, told } = await story.job("propose", { steps, remote });
    expect([exit, told]).toEqual([128, expect.stringContaining("LINTEL_FILES=")]);
    expect(refused.some((what) => what.includes("git-receive-pack"))).toBe(true);
    for (const key of [...story.keys, "token-of-the-state", TOKEN]) expect(told).not.toContain(key);
    expect(stdout).not.toMatch(/extraheader/i);
  });
});

describe("after the merge", () => {
  test("only the job that applies pushes, with a token that no other has", async () => {
    const story = await openStory("azure");
    const { remote, asked } = await overHttp(story.server);
    const { saved: plan = "" } = await story.job("plan", { remote });
    expect(asked.filter((what) => what.includes("git-receive-pack"))).toEqual([]);
    const applied = await story.job("apply", { remote, plan });
    expect([applied.exit, applied.stderr]).toEqual([0, ""]);
    expect(story.server.subjects()).not.toEqual([]);
    expect(run(applied.cwd, story.server.env, ["config", "--list"])).not.toContain("extraheader");
    expect(readFileSync(join(applied.cwd, "apply.md"), "utf8")).toContain("blockBetaApps");
    expect((await story.job("plan", { remote })).told).toContain("No changes.");
  });

  test(
    "a token that is missing or refused, and a branch that may not be pushed, are red and named",
    { tags: ["long"] },
    async () => {
      const story = await openStory("azure");
      const { remote } = await overHttp(story.server);
      const { saved: plan = "" } = await story.job("plan", { remote });
      const steps = (token: string) =>
        story.steps("apply").map(({ text, env }) => ({ text, env: { ...env, GIT_TOKEN: token } }));
      const missing = await story.job("apply", { remote, plan, steps: steps("$(STATE_TOKEN)") });
      expect([missing.exit, missing.stdout]).toEqual([
        1,
        expect.stringContaining("no secret STATE_TOKEN"),
      ]);
      const expired = await story.job("apply", {
        remote,
        plan,
        steps: steps("expired-token-of-the-state"),
      });
      expect(expired.exit).not.toBe(0);
      expect(expired.told).not.toContain("expired-token");
      story.server.hook(
        "update",
        'test "$1" != refs/heads/lintel-state || { echo "TF402455: protected"; exit 1; }',
      );
      const refused = await story.job("apply", { remote, plan });
      expect([refused.exit, refused.told]).not.toEqual([0, expect.anything()]);
      expect(refused.told).toContain("TF402455");
      expect(story.sandbox.settings("self")).not.toMatchObject({ blockBetaApps: true });
    },
  );

  test("a plan that waited too long says on the page of the run what to do", async () => {
    const story = await openStory("azure");
    const { saved: plan = "" } = await story.job("plan");
    story.sandbox.change("self", { blockBetaApps: false, aiAssistantsEnabled: false });
    const commit = story.merge("{ aiAssistantsEnabled: true }");
    const { saved: newer = "" } = await story.job("plan", { commit });
    expect((await story.job("apply", { plan: newer, commit })).exit).toBe(0);
    const stale = await story.job("apply", { plan });
    expect([stale.exit, stale.stdout]).toEqual([
      5,
      expect.stringMatching(
        /^##vso\[task\.logissue type=error\]The plan is stale .* Choose Run pipeline/m,
      ),
    ]);
  });
});

describe("by the clock", () => {
  test("drift opens a work item, and its end closes it", { tags: ["long"] }, async () => {
    const [story, azure] = [await openStory("azure"), await playAzure()];
    const { saved: plan = "" } = await story.job("plan");
    await story.job("apply", { plan });
    const report = pipelineText("azure", SAMPLE);
    const look = async () => {
      const clock = await story.job("clock");
      expect([clock.exit, clock.stderr]).toEqual([0, ""]);
      expect(clock.stdout).toContain("##vso[task.setvariable variable=looked;isOutput=true]yes");
      // Published and downloaded under the name of the artifact.
      run(clock.cwd, story.server.env, ["init", "--quiet"]);
      const vars = { ...azure.env, PIPELINE_WORKSPACE: clock.cwd };
      const steps = STEPS.azure(report, "report", REPORTING).map(({ text, env }) => ({
        env,
        text: `mv lintel-drift drift\n${text}`,
      }));
      return await runSteps(steps, clock.cwd, vars);
    };
    expect(await look()).toEqual({ exit: 0, stdout: "", stderr: "" });
    expect(azure.items).toEqual([]);
    story.sandbox.change("self", { blockBetaApps: false });
    await look();
    const [item] = azure.items;
    expect(item?.fields["System.Description"]).toContain("blockBetaApps");
    const { length } = azure.writes;
    await look();
    expect(azure.writes).toHaveLength(length);
    story.sandbox.change("self", { blockBetaApps: true });
    await look();
    expect(item?.fields["System.State"]).toBe("Done 'n' dusted");
    expect(azure.items).toHaveLength(1);
  });

  test(
    "a window opens and closes without anybody, once the file that says so is applied",
    { tags: ["long"] },
    async () => {
      const story = await openStory("azure");
      const minute = (count: number) =>
        `${new Date(Date.now() + count * 60_000).toISOString().slice(0, 16)}Z`;
      const times = `from: "${minute(10)}", until: "${minute(20)}"`;
      const window = `schedule: { maintenance: { ${times}, settings: { blockBetaApps: false } } }`;
      const commit = story.merge(`{ blockBetaApps: true }\n${window}`);
      const shown = () => story.sandbox.settings("self")?.["blockBetaApps"];
      const clock = async (ahead: number) => {
        const given = { NODE_OPTIONS: `--require=${AHEAD}`, AHEAD_MS: `${ahead * 60_000}` };
        const { exit, told } = await story.job("clock", { commit, given });
        expect([exit, told]).toEqual([0, told]);
        return shown();
      };
      expect(await clock(15)).not.toBe(true);
      const { saved: plan = "" } = await story.job("plan", { commit });
      expect((await story.job("apply", { plan, commit })).exit).toBe(0);
      expect([await clock(0), await clock(15), await clock(25)]).toEqual([true, false, true]);
    },
  );

  test(
    "of two clocks at once none is red, and what was changed by hand is restored once",
    { tags: ["long"] },
    async () => {
      const story = await openStory("azure");
      const commit = story.merge("{ blockBetaApps: true }\ndrift: restore");
      const { saved: plan = "" } = await story.job("plan", { commit });
      await story.job("apply", { plan, commit });
      story.sandbox.change("self", { blockBetaApps: false });
      const both = await Promise.all([
        story.job("clock", { commit }),
        story.job("clock", { commit }),
      ]);
      expect(both.map(({ exit, told }) => [exit, told])).toEqual(both.map(({ told }) => [0, told]));
      expect(story.sandbox.settings("self")).toMatchObject({ blockBetaApps: true });
    },
  );
});
