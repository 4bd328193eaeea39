// GitHub's workflows: who may do what, who is given which secret, when they start, and what they use of others.
import { expect, test } from "vitest";
import { parse } from "yaml";
import { pipelineText, textsBeside } from "../../src/pipelines/pipeline.js";
import { SAMPLE } from "./platform.js";

interface Job {
  readonly if?: string;
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly concurrency?: { readonly "cancel-in-progress": boolean };
  readonly "timeout-minutes"?: number;
  readonly steps: readonly {
    readonly run?: string;
    readonly uses?: string;
    readonly with?: Readonly<Record<string, unknown>>;
    readonly env?: Readonly<Record<string, string>>;
  }[];
}

interface Workflow {
  readonly on: Readonly<Record<string, { readonly paths?: readonly string[] } | null>>;
  readonly env: Readonly<Record<string, string>>;
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

const BRANCH = "git:lintel-state";

function workflow(state = BRANCH, places: readonly string[] = ["portals/"]): Workflow {
  return parse(
    pipelineText("github", {
      ...SAMPLE,
      values: [["LINTEL_VAR_TITLE", "GIS"]],
      states: [state],
      places,
    }),
  ) as Workflow;
}

const comment = () =>
  parse(textsBeside("github", SAMPLE)[".github/workflows/portal-comment.yml"] ?? "") as Workflow;

test("a job may do what it is for, and nothing else", () => {
  const rightsOf = ({ jobs, permissions }: Workflow) =>
    Object.fromEntries(
      Object.entries(jobs).map(([name, job]) => [name, job.permissions ?? permissions]),
    );
  const read = { contents: "read" };
  const write = { contents: "write" };
  expect(rightsOf(workflow())).toEqual({
    propose: read,
    scan: { ...read, "security-events": "write" },
    plan: { ...read, "pull-requests": "read" },
    approve: {},
    apply: write,
    clock: write,
    drift: { ...read, issues: "write" },
  });
  // What is kept elsewhere is not pushed.
  expect(rightsOf(workflow("s3://bucket/lintel?region=eu-central-1"))).toMatchObject({
    apply: read,
    clock: read,
  });
  expect(rightsOf(comment())).toEqual({
    comment: {
      ...read,
      actions: "read",
      "pull-requests": "write",
      "security-events": "write",
    },
  });
});

test("a secret is for the step that signs in, in the environment of the default branch", () => {
  const { jobs, env } = workflow();
  const given = Object.entries(jobs).flatMap(([name, { steps, environment }]) =>
    steps.flatMap((step) => {
      const secrets = Object.values(step.env ?? {}).filter((value) => value.includes("secrets."));
      return secrets.length === 0 ? [] : [[name, environment, secrets.length, step.run]];
    }),
  );
  expect(given).toEqual([
    ["plan", "portal", 3, expect.stringContaining("lintel plan")],
    ["apply", "portal", 3, expect.stringContaining("lintel apply plan.json")],
    ["clock", "portal", 3, expect.stringContaining("--due schedule,drift")],
    ["clock", "portal", 3, expect.stringContaining("lintel drift")],
  ]);
  expect(JSON.stringify(env)).not.toContain("secrets.");
  expect(env).toMatchObject({ LINTEL_VAR_TITLE: "GIS" });
});

test("what it uses of others is named by commit, and everything ends at last", () => {
  const all = [workflow(), comment()].flatMap(({ jobs }) => Object.values(jobs));
  for (const { steps, "timeout-minutes": minutes } of all) {
    expect(minutes).toBeLessThanOrEqual(60);
    for (const { uses, run } of steps) {
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
      // GitHub puts something in the place of an expression before the shell reads it.
      expect(run ?? "").not.toContain("${{");
    }
  }
});

test("nothing that may be under way is cancelled but a look at a proposal", () => {
  const cancelled = Object.entries(workflow().jobs).flatMap(([name, { concurrency }]) =>
    concurrency ? [[name, concurrency["cancel-in-progress"]]] : [],
  );
  expect(cancelled).toEqual([
    ["propose", true],
    ["apply", false],
    ["clock", false],
    ["drift", false],
  ]);
});

test("every proposal is looked at, and after a merge only what may concern the portals", () => {
  const { on } = workflow(BRANCH, ["portals/", "shared/a[1]*.yaml"]);
  // A fork's proposal would get secrets by pull_request_target.
  expect(Object.keys(on)).toEqual(["pull_request", "push", "workflow_dispatch", "schedule"]);
  expect(on["pull_request"]).toBeNull();
  expect(on["push"]?.paths).toEqual([
    "portals/**",
    "shared/a\\[1\\]\\*.yaml",
    ".github/workflows/portal.*",
  ]);
  expect(workflow(BRANCH, [""]).on["push"]).toBeNull();
});

test("a proposal compares with a state that it can read, and looks where it may without credentials", () => {
  const proposed = (state: string) => {
    const { steps, env } = workflow(state).jobs["propose"] ?? { steps: [] };
    return { env, plan: steps.find(({ run }) => run?.includes("lintel plan"))?.run };
  };
  const { env, plan } = proposed(BRANCH);
  expect(plan).not.toContain("--no-state");
  expect(env).toEqual({ LINTEL_ALLOWED_HOSTS: "gis.example.com" });
  for (const state of [
    "s3://bucket/lintel?region=eu-central-1",
    "postgres://db.example.com/lintel",
  ])
    expect(proposed(state).plan).toMatch(/ --no-state$/);
});

test("credentials of the repository stay where git has to sign in", () => {
  const kept = ({ jobs }: Workflow) =>
    Object.entries(jobs).flatMap(([name, { steps }]) => {
      const checkout = steps.find(({ uses }) => uses?.startsWith("actions/checkout@"));
      return checkout && checkout.with?.["persist-credentials"] !== false ? [name] : [];
    });
  expect(kept(workflow())).toEqual(["propose", "plan", "apply", "clock"]);
  expect(kept(workflow("s3://bucket/lintel?region=eu-central-1"))).toEqual([]);
  expect(kept(comment())).toEqual([]);
});
