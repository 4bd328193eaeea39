// lintel ci setup and lintel doctor --ci: the steps that are left to a person, counted, and each setting checked.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { PIPELINE_FILES, type PipelineKind } from "../../src/pipelines/pipeline.js";
import { playAzure } from "../pipelines/azure-double.js";
import { playGithub } from "../pipelines/github-double.js";
import { playGitlab } from "../pipelines/gitlab-double.js";
import { lintel } from "../run/call.js";
import { gitEnvironment, run as git } from "../state/repositories.js";
import { folderOf } from "../support/run.js";

const FILE = `targetVersion: "11.5"
portal: { name: a, url: "https://gis.example.com/portal/sharing/rest" }
signIn: { method: generate-token }
state: git:lintel-state
settings: { blockBetaApps: true }
`;
const SECRETS = ["LINTEL_USERNAME", "LINTEL_PASSWORD"];

async function repository(kind: PipelineKind, ...words: readonly string[]) {
  const folder = folderOf({ "portal.yaml": FILE, "lintel-0.1.0.tgz": "package" });
  onTestFinished(() => folder.remove());
  const cwd = folder.path;
  git(cwd, gitEnvironment(cwd), ["init", "--quiet", "--initial-branch=main"]);
  const begun = await lintel(["init", "--ci", kind, "--package", "./lintel-0.1.0.tgz", ...words], {
    cwd,
  });
  expect([begun.exit, begun.stderr]).toEqual([0, ""]);
  return cwd;
}

const MOST: Readonly<Record<PipelineKind, number>> = { github: 5, gitlab: 6, azure: 8 };
const CLOCK = ["--cron", "7 * * * *"];

describe.each(Object.keys(MOST) as PipelineKind[])("on %s, setup", (kind) => {
  test.each([[[]], [CLOCK]])(
    "takes few steps, each a command that a shell can read (%j)",
    async (words) => {
      const cwd = await repository(kind, ...words);
      const asked = [
        "ci",
        "setup",
        "--platform",
        kind,
        "--reviewer",
        "bea",
        "--reviewer",
        "gis/leads",
      ];
      const { exit, stdout } = await lintel(asked, { cwd });
      expect(exit).toBe(0);
      const steps = stdout.match(/^# \d+\. /gm) ?? [];
      expect(steps).toEqual(steps.map((_, at) => `# ${at + 1}. `));
      expect(steps.length).toBeLessThanOrEqual(MOST[kind]);
      expect(stdout).toContain(`# ${steps.length} steps.`);
      for (const name of [...SECRETS, "bea", "gis.example.com", "LINTEL_ALLOWED_HOSTS"])
        expect(stdout).toContain(name);
      expect(stdout.includes("portal-unattended")).toBe(words.length > 0);
      const checked = spawnSync("bash", ["-n"], { input: stdout, encoding: "utf8" });
      expect([checked.status, checked.stderr]).toEqual([0, ""]);
    },
  );

  test("wants the names of those who approve, and a pipeline", async () => {
    const cwd = await repository(kind);
    const missing = await lintel(["ci", "setup", "--platform", kind], { cwd });
    expect([missing.exit, missing.stderr]).toEqual([64, expect.stringContaining("--reviewer ada")]);
    const odd = ["ci", "setup", "--platform", kind, "--reviewer", "$(touch pwned)"];
    expect(await lintel(odd, { cwd })).toMatchObject({ exit: 64 });
    const empty = folderOf({ "portal.yaml": FILE });
    onTestFinished(() => empty.remove());
    const none = await lintel([...odd.slice(0, 4), "--reviewer", "bea"], { cwd: empty.path });
    expect([none.exit, none.stderr]).toEqual([64, expect.stringContaining(PIPELINE_FILES[kind])]);
  });
});

test("the JSON of GitHub's steps is JSON once the numbers are looked up", async () => {
  const cwd = await repository("github");
  const { stdout } = await lintel(["ci", "setup", "--platform", "github", "--reviewer", "bea"], {
    cwd,
  });
  const bodies = [...stdout.matchAll(/<<JSON\n(.*?)\nJSON/gs)].map(([, body = ""]) => body);
  const [environment, rules] = bodies.map((body) => {
    return JSON.parse(body.replaceAll(/\$\([^)]*\)/g, "42")) as unknown;
  });
  expect(environment).toMatchObject({
    prevent_self_review: true,
    reviewers: [{ type: "User", id: 42 }],
  });
  expect(rules).toMatchObject({ enforcement: "active" });
});

async function doctor(kind: PipelineKind, env: object, words: readonly string[] = []) {
  const cwd = await repository(kind, ...words);
  mkdirSync(join(cwd, "lib"), { recursive: true });
  writeFileSync(join(cwd, "lib/x"), "");
  const { exit, stdout } = await lintel(["doctor", "--ci", "--json"], { cwd, env: { ...env } });
  const { steps } = JSON.parse(stdout) as {
    steps: readonly { name: string; status: string; message: string }[];
  };
  const wrong = steps.filter(({ status }) => status !== "ok");
  return { exit, names: steps.map(({ name }) => name), wrong };
}

describe("doctor --ci", () => {
  test("checks each setting of GitHub", async () => {
    const github = await playGithub();
    const env = { ...github.env, ...github.token };
    github.secrets = { portal: SECRETS, "portal-unattended": SECRETS };
    const fine = await doctor("github", env, CLOCK);
    expect(fine).toMatchObject({
      exit: 0,
      wrong: [],
      names: ["approval", "branches", "secrets", "elsewhere", "hosts", "merges"],
    });
    github.unprotect();
    github.secrets = {};
    github.open = ["LINTEL_PASSWORD"];
    github.branches = ["main", "feature/*"];
    github.variables = [];
    github.rules = ["pull_request"];
    const bad = await doctor("github", env);
    expect([bad.exit, bad.wrong.map(({ message }) => message)]).toEqual([
      1,
      [
        expect.stringContaining("no required reviewers"),
        expect.stringContaining("feature/*"),
        expect.stringContaining("LINTEL_USERNAME, LINTEL_PASSWORD"),
        expect.stringContaining("Every job can read LINTEL_PASSWORD"),
        expect.stringContaining("LINTEL_ALLOWED_HOSTS is not set"),
        expect.stringContaining("needs no review, or no check"),
      ],
    ]);
  });

  test("says what a token cannot see", async () => {
    const github = await playGithub();
    github.rude.set("GET /environments/portal/secrets", { status: 403, text: "{}" });
    const { exit, wrong } = await doctor("github", { ...github.env, ...github.token });
    expect([exit, wrong]).toEqual([
      0,
      [expect.objectContaining({ name: "secrets", status: "warning" })],
    ]);
  });

  test("checks each setting of GitLab", async () => {
    const gitlab = await playGitlab();
    const env = { ...gitlab.env, ...gitlab.checking };
    const variable = (key: string, environment_scope: string) => {
      return { key, environment_scope, protected: true, masked: true };
    };
    gitlab.variables = [
      ...SECRETS.flatMap((key) => [variable(key, "portal"), variable(key, "portal-unattended")]),
      variable("LINTEL_ALLOWED_HOSTS", "*"),
    ];
    const fine = await doctor("gitlab", env, CLOCK);
    expect(fine).toMatchObject({
      exit: 0,
      wrong: [],
      names: ["approval", "secrets", "elsewhere", "hosts", "merges", "clock"],
    });
    gitlab.isProtected = false;
    gitlab.variables = [variable("LINTEL_PASSWORD", "*")];
    gitlab.schedules = [];
    const bad = await doctor("gitlab", env, CLOCK);
    expect([bad.exit, bad.wrong.map(({ message }) => message)]).toEqual([
      1,
      [
        expect.stringContaining("is not protected"),
        expect.stringContaining("LINTEL_USERNAME, LINTEL_PASSWORD"),
        expect.stringContaining('LINTEL_PASSWORD for "*"'),
        expect.stringContaining("LINTEL_ALLOWED_HOSTS is not set"),
        expect.stringContaining("No active pipeline schedule"),
      ],
    ]);
  });

  test("checks each setting of Azure", async () => {
    const azure = await playAzure();
    const env = { ...azure.env, ...azure.token };
    azure.secrets = SECRETS;
    const fine = await doctor("azure", env, CLOCK);
    expect(fine).toMatchObject({
      exit: 0,
      wrong: [],
      names: ["approval", "branches", "secrets", "merges"],
    });
    azure.checks = {};
    azure.secrets = [];
    azure.isValidated = false;
    const bad = await doctor("azure", env);
    expect([bad.exit, bad.wrong.map(({ message }) => message)]).toEqual([
      1,
      [
        expect.stringContaining('no check "Approvals"'),
        expect.stringContaining('no check "Branch control"'),
        expect.stringContaining("LINTEL_USERNAME, LINTEL_PASSWORD"),
        expect.stringContaining("No build validation"),
      ],
    ]);
  });
});
