// Who is given what: the secrets, the tokens and the permissions of each job, on each platform.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { INSTALL_ENV, PIPELINE_FILES, pipelineTexts } from "../../src/pipelines/pipeline.js";
import type { Pipelined } from "../../src/pipelines/pipelined.js";
import { folderOf } from "../support/run.js";
import { azureSteps, SAMPLE, STEPS } from "./platform.js";

const BUCKET = "s3://bucket/lintel?region=eu-central-1";
type More = Partial<Pipelined>;

interface GithubJob {
  readonly name?: string;
  readonly if?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly env?: object;
  readonly concurrency?: object;
  readonly "timeout-minutes": number;
  readonly steps: readonly {
    readonly run?: string;
    readonly uses?: string;
    readonly with?: Readonly<Record<string, unknown>>;
    readonly env?: Readonly<Record<string, string>>;
  }[];
}

interface Filter {
  readonly branches?: readonly string[];
  readonly paths?: readonly string[];
}

interface Workflow {
  readonly on: Readonly<Record<string, Filter | null>>;
  readonly env: Readonly<Record<string, string>>;
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, GithubJob>>;
}

const workflows = (more: More = {}, isMinimal = false) =>
  Object.values(pipelineTexts("github", { ...SAMPLE, ...more }, isMinimal)).map(
    (text) => parse(text) as Workflow,
  );
const workflow = (more?: More, isMinimal?: boolean) => workflows(more, isMinimal)[0] as Workflow;

/** Job, environment, and the number of secrets, of each step that has any. */
const secretSteps = ({ jobs }: Workflow) =>
  Object.entries(jobs).flatMap(([name, { steps, environment }]) =>
    steps.flatMap(({ env = {}, run }) => {
      const { length } = Object.values(env).filter((value) => value.includes("secrets."));
      return length === 0
        ? []
        : [[name, environment, length, run?.split(" ").slice(0, 2).join(" ")]];
    }),
  );

test("GitHub: secrets are for the steps that sign in, in the environment with reviewers", () => {
  expect(secretSteps(workflow({ cron: undefined }))).toEqual([
    ["plan", "portal", 1, "lintel plan"],
    ["apply", "portal", 1, "lintel apply"],
  ]);
  expect(secretSteps(workflow())).toEqual([
    ["plan", "portal-unattended", 1, "lintel plan"],
    ["apply", "portal", 1, "lintel apply"],
    ["clock", "portal-unattended", 1, "lintel ci"],
  ]);
  expect(secretSteps(workflow({}, true))).toEqual([["apply", "portal", 1, "lintel plan"]]);
  for (const { env, jobs } of workflows()) {
    expect(JSON.stringify([env, Object.values(jobs).map((job) => job.env)])).not.toMatch(
      /secrets\.|vars\./,
    );
  }
});

test("GitHub: a job may do what it is for, and nothing else", () => {
  const rights = (more?: More) =>
    workflows(more).map(({ jobs, permissions }) =>
      Object.fromEntries(
        Object.entries(jobs).map(([name, job]) => [name, job.permissions ?? permissions]),
      ),
    );
  const read = { contents: "read" };
  expect(rights()).toEqual([
    {
      propose: read,
      plan: read,
      apply: { actions: "read", ...read },
      clock: { actions: "read", ...read, issues: "write" },
    },
    { comment: { actions: "read", "pull-requests": "write" } },
  ]);
  // What is kept elsewhere is not pushed, and a bucket takes the token of the job.
  expect(rights({ states: [BUCKET] })[0]).toEqual({
    propose: read,
    plan: { ...read, "id-token": "write" },
    apply: { actions: "read", contents: "read", "id-token": "write" },
    clock: { actions: "read", contents: "read", issues: "write", "id-token": "write" },
  });
});

test("GitHub: what it uses of others is named by commit, no expression is in a shell, and all ends", () => {
  const all = [...workflows(), ...workflows({ states: [BUCKET] }), workflow({}, true)];
  for (const job of all.flatMap(({ jobs }) => Object.values(jobs))) {
    expect(job["timeout-minutes"]).toBeLessThanOrEqual(60);
    for (const { uses, run = "" } of job.steps) {
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
      expect(run).not.toContain("${{");
    }
  }
});

test("GitHub: what waits keeps its place in one group, and an apply that waits for a person is in none", () => {
  const groups = Object.entries(workflow().jobs).map(([name, { concurrency }]) => [
    name,
    concurrency,
  ]);
  const queued = { group: "portal", queue: "max" };
  expect(groups).toEqual([
    ["propose", expect.objectContaining({ "cancel-in-progress": true })],
    ["plan", queued],
    ["apply", undefined],
    ["clock", queued],
  ]);
});

test("GitHub: every pull request is planned, and every merge", () => {
  const { on } = workflow();
  // A fork's pull request would get secrets by pull_request_target.
  expect(Object.keys(on)).toEqual(["pull_request", "push", "workflow_dispatch", "schedule"]);
  expect([on["pull_request"], on["push"]]).toEqual([null, { branches: ["main"] }]);
});

test("GitHub: no run on another branch than the default one skips the check that a merge requires", () => {
  for (const isMinimal of [true, false]) {
    const { on, jobs } = workflow({ branch: "it's+a" }, isMinimal);
    expect(on["push"]?.branches).toEqual(["it's\\+a"]);
    const { propose, ...others } = jobs;
    expect([propose?.name, propose?.if]).toEqual([undefined, "github.ref != 'refs/heads/it''s+a'"]);
    const signsIn = isMinimal ? others["apply"] : others["plan"];
    expect(signsIn?.if).toMatch(/^github\.ref == 'refs\/heads\/it''s\+a'( && |$)/);
    expect(Object.values(others).map(({ name }) => name)).not.toContain("propose");
  }
});

test("GitHub: git's credentials stay in the checkout only where a branch holds the state, and only jobs that push have the deploy key", () => {
  const given = (states: readonly string[], isMinimal = false) =>
    Object.values(workflow({ states }, isMinimal).jobs).map(({ steps }) => {
      const found = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
      const [{ with: { "persist-credentials": kept, "ssh-key": key } = {} } = {}] = found;
      return key ?? kept;
    });
  const key = "${{ secrets.LINTEL_DEPLOY_KEY }}";
  expect(given(["git:lintel-state"])).toEqual([true, true, key, key]);
  expect(given(["git:lintel-state"], true)).toEqual([true, key]);
  expect(given([BUCKET])).toEqual([false, false, false, false]);
});

interface GitlabJob {
  readonly environment?: string | { readonly name: string; readonly action: string };
  readonly id_tokens?: object;
  readonly timeout: string;
  readonly interruptible?: boolean;
  readonly resource_group?: string;
  readonly artifacts?: { readonly access?: string };
}

const gitlab = (more: More = {}) =>
  parse(pipelineTexts("gitlab", { ...SAMPLE, ...more })[PIPELINE_FILES.gitlab] ?? "") as Record<
    string,
    GitlabJob
  > & { readonly default: { readonly image: string; readonly before_script: readonly string[] } };

test("GitLab: secrets are given by the environment, and every job that has those of portal deploys to it", () => {
  const names = ["propose", "plan", "apply", "clock", "report"];
  const file = gitlab();
  expect(names.map((name) => file[name]?.environment)).toEqual([
    undefined,
    { name: "portal-unattended", action: "access" },
    "portal",
    "portal-unattended",
    { name: "portal-report", action: "access" },
  ]);
  // GitLab requires approvals of deployments alone, and every other action is none.
  expect(gitlab({ cron: undefined })["plan"]?.environment).toBe("portal");
  for (const name of names) expect(file[name]?.timeout).toMatch(/^(5|15) minutes$|^1 hour$/);
  expect(names.filter((name) => file[name]?.interruptible)).toEqual(["propose"]);
  expect(names.filter((name) => file[name]?.resource_group === "portal")).toEqual([
    "apply",
    "clock",
  ]);
  expect([file["plan"]?.artifacts?.access, file["clock"]?.artifacts?.access]).toEqual([
    "developer",
    "developer",
  ]);
  expect(file.default.image).toMatch(/^node:24\.\d+\.\d+-\w+@sha256:[0-9a-f]{64}$/);
  const before = file.default.before_script.join("\n");
  const [, given = ""] = /^env -i (.*) sh -e <<'END'$/ms.exec(before.replace(/\\\n +/, "")) ?? [];
  const own = ["LINTEL_PACKAGE", "LINTEL_SHA256"];
  expect(given).toBe([...INSTALL_ENV, ...own].map((name) => `${name}="$${name}"`).join(" "));
});

test("GitLab: a bucket takes the token of the job, which the pull request's job does not have", () => {
  const file = gitlab({ states: [BUCKET] });
  const names = Object.keys(file).filter((name) => file[name]?.id_tokens !== undefined);
  expect(names).toEqual(["plan", "apply", "clock"]);
  expect(JSON.stringify(file)).not.toContain("AWS_SECRET_ACCESS_KEY");
});

test.each(["github", "azure"] as const)(
  "%s: a token for AWS that is refused ends the step",
  (kind) => {
    const folder = folderOf();
    onTestFinished(() => folder.remove());
    for (const [name, text] of [
      ["curl", "exit 22"],
      ["jq", "exit 0"],
      ["lintel", "echo it goes on"],
    ] as const)
      writeFileSync(join(folder.path, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    const texts = pipelineTexts(kind, { ...SAMPLE, states: [BUCKET] });
    const step = STEPS[kind](texts, "apply", { secrets: {}, plain: {} }).find(({ text }) =>
      text.includes("curl"),
    );
    const env = {
      PATH: `${folder.path}:${process.env["PATH"]}`,
      AWS_WEB_IDENTITY_TOKEN_FILE: join(folder.path, "token"),
    };
    const { status, stdout } = spawnSync("bash", ["--norc", "-c", step?.text ?? ""], {
      env,
      encoding: "utf8",
    });
    expect([status === 0, stdout]).toEqual([false, ""]);
  },
);

test("a place of an own store takes keys, and no token of AWS", () => {
  const states = ["s3://bucket/lintel?endpoint=https://s3.example.com:9000"];
  for (const kind of ["github", "gitlab", "azure"] as const) {
    const text = Object.values(pipelineTexts(kind, { ...SAMPLE, states })).join("\n");
    expect(text).not.toMatch(/aws-token|AWS_ROLE_ARN|AWS_TOKEN/);
    if (kind !== "gitlab") expect(text).toContain("AWS_SECRET_ACCESS_KEY");
  }
});

test("GitHub: a tag with the name of the default branch starts nothing", () => {
  for (const isMinimal of [true, false]) {
    const [text = ""] = Object.values(pipelineTexts("github", SAMPLE, isMinimal));
    expect(text).not.toMatch(/ref_name|contains\(/);
    expect(text).toContain("github.ref == 'refs/heads/main'");
  }
});

interface Stage {
  readonly stage: string;
  readonly condition: string;
  readonly lockBehavior?: string;
  readonly variables?: readonly { readonly group: string }[] | Readonly<Record<string, string>>;
  readonly jobs: readonly {
    readonly timeoutInMinutes: number;
    readonly steps: readonly object[];
  }[];
}

interface AzureFile {
  readonly trigger: unknown;
  readonly lockBehavior: string;
  readonly stages: readonly Stage[];
}

const AZURE_SAMPLE = { ...SAMPLE, states: ["git:lintel-state@portal-states"] };
const azureTexts = (more: More = {}) => pipelineTexts("azure", { ...AZURE_SAMPLE, ...more });
const azure = (more?: More) => parse(azureTexts(more)[PIPELINE_FILES.azure] ?? "") as AzureFile;

test("Azure: a step is given the secrets of its stage's group, and what was installed before it nothing", () => {
  const texts = azureTexts();
  const own = {
    LINTEL_BEID: "$(LINTEL_BEID)",
  };
  const always = { SYSTEM_ACCESSTOKEN: "$(System.AccessToken)" };
  const given = azure().stages.map(({ stage, variables, jobs }) => [
    stage,
    Array.isArray(variables) ? variables[0]?.group : variables,
    jobs
      .flatMap(({ steps }) => steps)
      .flatMap((step) => azureSteps(step, texts))
      .flatMap(({ env }) => (env ? [env] : [])),
  ]);
  expect(given).toEqual([
    ["propose", { LINTEL_ALLOWED_HOSTS: "gis.example.com" }, [always]],
    ["plan", "portal-unattended", [{ ...always, ...own }]],
    ["apply", "portal", [{ ...always, ...own }]],
    ["clock", "portal-unattended", [{ ...always, ...own }]],
    ["report", "portal-report", [{ ...always, LINTEL_REPORT_TOKEN: "$(LINTEL_REPORT_TOKEN)" }]],
  ]);
  expect(azure({ cron: undefined }).stages[1]?.variables).toEqual([{ group: "portal" }]);
});

test("Azure: what runs Lintel may set the one variable that it is for, and everything ends", () => {
  const texts = azureTexts();
  const targets = azure().stages.flatMap(({ jobs }) =>
    jobs.flatMap(({ steps, timeoutInMinutes }) => {
      expect(timeoutInMinutes).toBeLessThanOrEqual(60);
      return steps
        .flatMap((step) => azureSteps(step, texts) as { name?: string; target?: unknown }[])
        .flatMap(({ name, target }) => (name === "lintel" ? [target] : []));
    }),
  );
  const restricted = { commands: "restricted", settableVariables: ["changes"] };
  expect(targets).toEqual(targets.map(() => restricted));
  expect(targets).toHaveLength(5);
});

test("Azure: no stage that waits for the secrets is cancelled by a newer one", () => {
  const { lockBehavior, stages } = azure();
  expect(lockBehavior).toBe("sequential");
  for (const { lockBehavior: own = lockBehavior } of stages) expect(own).toBe("sequential");
});

test("Azure: the default branch starts it", () => {
  const { trigger, stages } = azure({ branch: "it's" });
  expect(trigger).toEqual({ branches: { include: ["it's"] } });
  for (const { stage, condition } of stages) {
    if (stage === "propose" || stage === "apply") continue;
    expect(condition).toContain("eq(variables['Build.SourceBranch'], 'refs/heads/it''s')");
  }
});

test("no name of a file is in a step, and no key of AWS in any file", () => {
  const target = "-my portals/$(touch pwned)";
  for (const kind of ["github", "gitlab", "azure"] as const) {
    const texts = pipelineTexts(kind, {
      ...SAMPLE,
      target,
      states: [BUCKET],
    });
    for (const text of Object.values(texts)) {
      expect(text).not.toMatch(/AWS_(SECRET_)?ACCESS_KEY/);
      const steps = text.replace(/^ *LINTEL_FILES.*$/gm, "");
      expect([kind, steps]).toEqual([kind, expect.not.stringContaining("pwned")]);
    }
  }
});
