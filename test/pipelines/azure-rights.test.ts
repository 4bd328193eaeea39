// Azure's pipelines as they are written: who is given what, what starts them, and what the agent may be told.
import { expect, test } from "vitest";
import { parse } from "yaml";
import { PIPELINE_FILES, pipelineText, textsBeside } from "../../src/pipelines/pipeline.js";
import type { Pipelined } from "../../src/pipelines/parts.js";
import { SAMPLE } from "./platform.js";

interface Step {
  readonly bash?: string;
  readonly checkout?: string;
  readonly task?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly target?: { readonly commands: string; readonly settableVariables: unknown };
}

interface Job {
  readonly steps?: readonly Step[];
  readonly environment?: string;
  readonly timeoutInMinutes: number;
  readonly strategy?: {
    readonly runOnce: { readonly deploy: { readonly steps: readonly Step[] } };
  };
}

interface Stage {
  readonly stage: string;
  readonly condition: string;
  readonly lockBehavior?: string;
  readonly variables?: readonly { readonly group?: string }[];
  readonly jobs: readonly Job[];
}

interface Pipeline {
  readonly trigger: unknown;
  readonly schedules: readonly { readonly branches: unknown; readonly always: string }[];
  readonly variables: Stage["variables"];
  readonly stages: readonly Stage[];
}

const written = (more: Partial<Pipelined> = {}) => {
  const pipelined = { ...SAMPLE, ...more };
  const [beside = ""] = Object.values(textsBeside("azure", pipelined));
  return [pipelineText("azure", pipelined), beside].map((text) => parse(text) as Pipeline);
};

const stagesOf = (more?: Partial<Pipelined>) => written(more).flatMap(({ stages }) => stages);
const stepsOf = ({ jobs }: Stage) =>
  jobs.flatMap(({ steps, strategy }) => steps ?? strategy?.runOnce.deploy.steps ?? []);

const OWN = {
  LINTEL_BEID: "$(LINTEL_BEID)",
  LINTEL_STATE_KEY: "$(LINTEL_STATE_KEY)",
  LINTEL_STATE_KEY_OLD: "$(LINTEL_STATE_KEY_OLD)",
};
const READING = { GIT_TOKEN: "$(System.AccessToken)" };
const PUSHING = { GIT_TOKEN: "$(STATE_TOKEN)" };

test("a step is given what it needs alone, and what was installed before it nothing", () => {
  const given = stagesOf().map((stage) => [
    stage.stage,
    stage.variables?.map(({ group }) => group),
    stepsOf(stage).flatMap(({ env }) => (env ? [env] : [])),
  ]);
  const reporting = { TOKEN: "$(REPORT_TOKEN)" };
  expect(given).toEqual([
    ["propose", undefined, [READING]],
    ["plan", ["portal"], [{ TOKEN: "$(System.AccessToken)" }, { ...READING, ...OWN }]],
    ["apply", ["portal"], [{ ...PUSHING, ...OWN }]],
    [
      "clock",
      ["portal"],
      [
        { ...PUSHING, ...OWN },
        { ...PUSHING, ...OWN },
      ],
    ],
    ["report", ["portal-reports"], [reporting]],
    ["comment", undefined, [reporting]],
  ]);
  expect(
    stagesOf({ states: ["s3://bucket/lintel?region=eu-central-1"] }).flatMap(stepsOf),
  ).not.toContainEqual(
    expect.objectContaining({ env: expect.objectContaining({ GIT_TOKEN: expect.anything() }) }),
  );
  const [, beside] = written();
  const proposing = { name: "PIPELINE", value: PIPELINE_FILES.azure };
  expect(beside?.variables).toEqual([{ group: "portal-reports" }, proposing]);
});

test("no checkout keeps a credential, and no step sets more than the one variable that it is for", () => {
  const steps = stagesOf().flatMap(stepsOf);
  for (const step of steps) expect(step).not.toHaveProperty("persistCredentials");
  const free = steps.filter(
    ({ bash = "", target }) => bash !== "" && target?.commands !== "restricted",
  );
  for (const { bash = "" } of free)
    expect(bash).toMatch(/^(npm install |\[ -f (plan|apply|lintel-drift\/drift)\.md \])/);
  const set = steps.map(({ target }) => target?.settableVariables ?? "none");
  expect(set.filter((each) => each !== "none")).toEqual([
    ["LINTEL_REVIEWED"],
    ["changes"],
    ["looked"],
  ]);
});

test("what waits for a lock is done one after the other, each within its time", () => {
  for (const stage of stagesOf()) {
    if (stage.stage !== "propose") expect(stage.lockBehavior).toBe("sequential");
    for (const { timeoutInMinutes } of stage.jobs) expect(timeoutInMinutes).toBeLessThanOrEqual(60);
  }
  const environments = stagesOf().flatMap(({ jobs }) => jobs.map(({ environment }) => environment));
  expect(environments.filter(Boolean)).toEqual(["portal"]);
});

test("the default branch starts it, and there the files that matter, whatever they are called", () => {
  const [pipeline, beside] = written({ branch: "trunk", places: ["my portals/", "a*b[c]/d.yaml"] });
  expect([pipeline?.trigger, beside?.trigger]).toEqual([
    {
      branches: { include: ["trunk"] },
      paths: { include: ["my?portals", "a*b?c?/d.yaml", "azure-pipelines.yml"] },
    },
    "none",
  ]);
  for (const { schedules } of [pipeline, beside].flatMap((each) => each ?? [])) {
    expect(schedules).toMatchObject([{ branches: { include: ["trunk"] }, always: true }]);
  }
  for (const { stage, condition } of stagesOf({ branch: "it's" })) {
    if (stage === "propose" || stage === "apply" || stage === "report") continue;
    expect(condition).toContain("eq(variables['Build.SourceBranch'], 'refs/heads/it''s')");
  }
  expect(written({ places: [""] })[0]?.trigger).toEqual({ branches: { include: ["main"] } });
});

test("the first lines name the branch, and what to do where nobody could tell it", () => {
  const told = (branch?: string) =>
    pipelineText("azure", { ...SAMPLE, branch }).split("\ntrigger:")[0];
  expect(told("trunk")).toContain("after the merge to trunk,");
  expect(told("trunk")).not.toContain("Where the default branch");
  expect(told()).toContain(
    "# Where the default branch is another one than main, write that here and in",
  );
});

test("the programs hold nothing for which Azure puts something else", () => {
  for (const { bash = "" } of stagesOf().flatMap(stepsOf)) {
    if (bash.startsWith("node ")) expect(bash).not.toMatch(/\$\(|\$\{\{|\$\[/);
  }
});
