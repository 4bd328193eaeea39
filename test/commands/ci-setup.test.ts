// lintel ci setup and lintel doctor --ci: the steps that are left to a person, counted, and each setting checked.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
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
const AZURE_FILE = FILE.replace("lintel-state", "lintel-state@portal-states");
const SECRETS = ["LINTEL_USERNAME", "LINTEL_PASSWORD"];
/** With what jobs need to push states to a branch. */
const NEEDED: Readonly<Record<PipelineKind, readonly string[]>> = {
  github: [...SECRETS, "LINTEL_DEPLOY_KEY"],
  gitlab: SECRETS,
  azure: SECRETS,
};

async function repository(kind: PipelineKind, ...words: readonly string[]) {
  return repositoryWith(kind === "azure" ? AZURE_FILE : FILE, kind, words);
}

async function repositoryWith(file: string, kind: PipelineKind, words: readonly string[] = []) {
  const folder = folderOf({ "portal.yaml": file, "lintel-0.1.0.tgz": "package" });
  onTestFinished(() => folder.remove());
  const cwd = folder.path;
  git(cwd, gitEnvironment(cwd), ["init", "--quiet", "--initial-branch=main"]);
  const begun = await lintel(["init", "--ci", kind, "--package", "./lintel-0.1.0.tgz", ...words], {
    cwd,
  });
  expect([begun.exit, begun.stderr]).toEqual([0, ""]);
  return cwd;
}

const setupBy = (kind: PipelineKind, ...reviewers: readonly string[]) => [
  "ci",
  "setup",
  "--platform",
  kind,
  ...reviewers.flatMap((each) => ["--reviewer", each]),
];

const KEPT =
  "https://gitlab.example.com/api/v4/projects/gis%2Fportals/terraform/state/${portal.key}";
const MOST: Readonly<Record<PipelineKind, number>> = { github: 5, gitlab: 6, azure: 5 };
const CLOCK = ["--cron", "7 * * * *"];

describe.each(Object.keys(MOST) as PipelineKind[])("on %s, setup", (kind) => {
  test.each([[[]], [CLOCK]])(
    "takes few steps, each a command that a shell can read (%j)",
    async (words) => {
      const cwd = await repository(kind, ...words);
      const { exit, stdout } = await lintel(setupBy(kind, "bea", "gis/leads"), { cwd });
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

  test("requires the names of the approvers, and a pipeline", async () => {
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

test.each(Object.keys(MOST) as PipelineKind[])(
  "on %s, setup allows the host that takes the tokens of jobs for a bucket of Amazon's, and none for another store",
  async (kind) => {
    const at = async (state: string) => {
      const cwd = await repositoryWith(FILE.replace("git:lintel-state", state), kind);
      return (await lintel(["ci", "setup", "--platform", kind, "--reviewer", "bea"], { cwd }))
        .stdout;
    };
    const amazon = await at("s3://bucket/lintel?region=eu-central-1");
    expect(amazon).toContain("bucket.s3.eu-central-1.amazonaws.com");
    expect(amazon).toContain("sts.eu-central-1.amazonaws.com");
    expect(amazon).toContain("Put your account and the name of your role for ACCOUNT and ROLE");
    const own = await at("s3://bucket/lintel?endpoint=https://s3.example.com:9000");
    expect(own).not.toMatch(/\bsts\.|AWS_ROLE_ARN/);
    expect(own).toContain("AWS_SECRET_ACCESS_KEY");
  },
);

/** In this order: what holds a secret must be protected before the secret is there. */
const ORDER: Readonly<Record<PipelineKind, readonly string[]>> = {
  github: [
    'ruleset "$branch"',
    "git push",
    "can_approve_pull_request_reviews=false",
    "ruleset portal",
    "codeowners/errors",
    "environments/portal",
    "can_admins_bypass",
    "deployment-branch-policies",
    "gh variable set",
    "gh secret set",
    "doctor --ci",
    "gh workflow run",
  ],
  gitlab: [
    'protect "$branch"',
    "git push",
    "protect main",
    "ci_config_path",
    "approval_rules",
    "protected_environments",
    "glab variable set LINTEL_ALLOWED_HOSTS",
    'store "$name"',
    "glab schedule create",
    "store LINTEL_REPORT_TOKEN",
    "doctor --ci",
    "glab ci run",
  ],
  azure: [
    "git push",
    "repos policy create",
    "policy build create",
    "generalsettings",
    "--deny-bit",
    "protect repository",
    "--allow-bit 20",
    "variable-group create",
    "protect variablegroup",
    "ExclusiveLock",
    "Approval",
    "variable create",
    "doctor --ci",
    "az pipelines run",
  ],
};

test.each(Object.keys(MOST) as PipelineKind[])(
  "on %s, setup stores secrets only when all that protects them is there",
  async (kind) => {
    const cwd = await repository(kind, ...CLOCK);
    const words = ["ci", "setup", "--platform", kind, "--reviewer", "gis/leads"];
    const { stdout } = await lintel(words, { cwd });
    let at = 0;
    for (const part of ORDER[kind]) {
      const found = stdout.indexOf(part, at);
      expect([part, found]).toEqual([part, expect.any(Number)]);
      expect([part, found >= at]).toEqual([part, true]);
      at = found + part.length - 1;
    }
    // The first step must start no run that would look for them.
    expect(stdout).toMatch(/\[skip ci\]|--push-option ci\.skip|--skip-first-run true/);
  },
);

/** The platform's command, git and lintel, which show the content that they are given, one line each. */
const PROGRAMS = `
git() { case "$*" in "remote get-url origin") echo https://example.com/gis/portals ;; ls-remote*) false ;; esac; }
lintel() { :; }
jq() { case "$*" in -nr*) ;; *) cat > /dev/null ;; esac; echo 42; [[ "$*" != "-e "* || "$*" == "-e .eligible"* || "$*" == "-e all(.[]; .push"* ]]; }
stub() {
  case "$*" in
    *--raw* | *"secret set"*) cat > /dev/null ;;
    *"security group list"*) echo 42 ;;
    *" --input -"*) tr '\\n' ' ' >&2; echo >&2 ;;
    *--config*) tr '\\n' ' ' < "\${@: -1}" >&2; echo >&2 ;;
    *--in-file*) cat "$(sed 's/.*--in-file \\([^ ]*\\).*/\\1/' <<< "$*")" | tr '\\n' ' ' >&2; echo >&2 ;;
    *.project.url*) echo https://dev.azure.com/gis/_apis/projects/1 ;;
    *codeowners/errors* | "repo deploy-key list"*) ;;
    *"configurations --api"* | *"group list"* | *"policy list"* | *"ref list"* | *".name =="*) ;;
    *) echo 42 ;;
  esac
}
gh() { stub "$@"; }
glab() { stub "$@"; }
az() { stub "$@"; }
`;

test.each(Object.keys(MOST) as PipelineKind[])(
  "on %s, the steps run to their end, and all that they send is JSON",
  async (kind) => {
    const cwd = await repository(kind, ...CLOCK);
    const { stdout } = await lintel(setupBy(kind, "bea", "gis/leads"), { cwd });
    const script = join(cwd, "steps.sh");
    writeFileSync(script, `set -euo pipefail\n${PROGRAMS}\n${stdout}`);
    const ran = spawnSync("bash", [script], { cwd, input: "key\n".repeat(9), encoding: "utf8" });
    const sent = ran.stderr.split("\n").filter((line) => line.startsWith("{"));
    expect([ran.status, ran.stderr.replaceAll(/^\{.*\n/gm, "")]).toEqual([0, expect.any(String)]);
    expect(sent.length).toBeGreaterThanOrEqual(3);
    for (const body of sent) expect(() => JSON.parse(body) as unknown).not.toThrow();
  },
);

/** One command of each step before the secrets, as a part of its words, and what stores a secret. */
const REFUSED: Readonly<Record<PipelineKind, readonly string[]>> = {
  github: ["/rulesets", "environments/portal ", "deployment-branch-policies", "variable set"],
  gitlab: ["merge_if_pipeline", "POST projects/:id/approvals", "protected_environments", "HOSTS"],
  azure: ["repos policy create", "policy build create", "generalsettings", "--deny-bit"],
};
const STORED = /gh secret set|--raw|LINTEL_REPORT_TOKEN|--secret true|variable-group create/;

test.each(
  Object.entries(REFUSED).flatMap(([kind, all]) =>
    ["nothing", ...all].map((refused) => [kind as PipelineKind, refused] as const),
  ),
)("on %s, pasted steps store no secret if %s is refused", async (kind, refused) => {
  const cwd = await repository(kind, ...CLOCK);
  const { stdout } = await lintel(setupBy(kind, "gis/leads"), { cwd });
  const command = { github: "gh", gitlab: "glab", azure: "az" }[kind];
  // As in a shell of a person, which goes on after an error.
  const refusing = `${command}() {
    echo "${command} $*" >&2
    case "$* " in *"${refused}"*) return 1 ;; esac
    stub "$@" 2> /dev/null
  }`;
  const script = join(cwd, "steps.sh");
  writeFileSync(script, `${PROGRAMS}\n${refusing}\n${stdout}`);
  const ran = spawnSync("bash", [script], { cwd, input: "key\n".repeat(9), encoding: "utf8" });
  const stored = ran.stderr.split("\n").filter((line) => STORED.test(line));
  expect([refused, stored.length > 0]).toEqual([refused, refused === "nothing"]);
  expect(ran.stderr.includes("have to succeed first")).toBe(refused !== "nothing");
});

test.each(Object.keys(MOST) as PipelineKind[])(
  "on %s, steps that are pasted twice succeed twice, and create nothing twice",
  async (kind) => {
    const cwd = await repository(kind, ...CLOCK);
    const { stdout } = await lintel(setupBy(kind, "gis/leads"), { cwd });
    const script = join(cwd, "steps.sh");
    const platform = readFileSync(new URL("../pipelines/twice.sh", import.meta.url), "utf8");
    const end = `cat "$made.refused" >&2; ls "$made" >&2`;
    writeFileSync(script, `${platform}\n${stdout}\n${stdout}\n${end}`);
    const ran = spawnSync("bash", [script], { cwd, input: "key\n".repeat(9), encoding: "utf8" });
    expect(ran.stderr).not.toMatch(/succeed first|There is already/);
    expect(ran.stderr.split("\n")).toEqual(
      expect.arrayContaining(CREATED[kind].map((name) => `${name}_`)),
    );
  },
);

/** Some of what the steps create, as the files of twice.sh. */
const CREATED: Readonly<Record<PipelineKind, readonly string[]>> = {
  github: ["ruleset__name____portal_", "ruleset__name____lintel_state_"],
  gitlab: [
    "environment__name____portal_",
    "variable_LINTEL_REPORT_TOKEN_portal_report",
    "rule",
    "rule_reviewers",
  ],
  azure: ["repository", "check_Task_Check_resourceId_42_42", "check_Approval_resourceId_portal"],
};

test("setup protects the states on GitHub, and pushes the files of the portals", async () => {
  const cwd = await repository("github");
  writeFileSync(join(cwd, "desired-state.schema.json"), "{}");
  const words = ["ci", "setup", "--platform", "github", "--reviewer", "gis/leads"];
  const { stdout } = await lintel(words, { cwd });
  expect(stdout).toContain("git add .github desired-state.schema.json portal.yaml\n");
  expect(stdout).toContain('"include": ["refs/heads/$branch"]');
  expect(stdout).toContain("for branch in lintel-state; do");
  expect(stdout).toContain('{ "type": "creation" }, { "type": "update" }, { "type": "deletion" }');
});

test("setup for GitHub gives jobs the one key that pushes the states, where they are a branch", async () => {
  const setup = async (state: string) => {
    const cwd = await repositoryWith(FILE.replace("git:lintel-state", state), "github", CLOCK);
    return (await lintel(setupBy("github", "gis/leads"), { cwd })).stdout;
  };
  const onBranch = await setup("git:lintel-state");
  expect(onBranch).toContain('"actor_type": "DeployKey"');
  expect(onBranch).toContain("has_key portal && has_key portal-unattended");
  const elsewhere = await setup("s3://bucket/lintel?region=eu-central-1");
  expect(elsewhere).not.toMatch(/DeployKey|deploy-key|LINTEL_DEPLOY_KEY/);
});

test("setup for GitHub makes the reviewers the owners of the pipeline, once", async () => {
  const cwd = await repository("github");
  const { stdout } = await lintel(setupBy("github", "bea", "gis/leads"), { cwd });
  const owning = stdout.split("\n").find((line) => line.includes("tail -n 1")) ?? "";
  writeFileSync(join(cwd, ".github/CODEOWNERS"), "* @gis/all");
  for (let times = 0; times < 2; times++) spawnSync("bash", ["-c", owning], { cwd });
  const text = readFileSync(join(cwd, ".github/CODEOWNERS"), "utf8");
  expect(text).toBe("* @gis/all\n/.github/ @bea @gis/leads\n");
});

test("setup for GitLab warns that each of several reviewers has to approve", async () => {
  const cwd = await repository("gitlab");
  const setup = async (...names: readonly string[]) => {
    const reviewers = names.flatMap((name) => ["--reviewer", name]);
    return (await lintel(["ci", "setup", "--platform", "gitlab", ...reviewers], { cwd })).stdout;
  };
  expect(await setup("bea", "ada")).toContain("Each of these reviewers has to approve");
  expect(await setup("gis/leads")).not.toContain("Each of these reviewers");
});

test("setup for GitLab lets the reviewers approve merges, people and groups apart", async () => {
  const cwd = await repository("gitlab");
  const { stdout } = await lintel(setupBy("gitlab", "bea", "gis/leads"), { cwd });
  expect(stdout).toContain("reviewer0=$(glab api 'users?username=bea' | jq");
  expect(stdout).toContain("reviewer1=$(glab api groups/gis%2Fleads | jq");
  expect(stdout).toMatch(/"user_ids": \[\$\{reviewer0:[^}]*\}\], "group_ids": \[\$\{reviewer1:/);
});

test("setup for GitLab lets only Maintainers push the states, and run jobs that hold secrets", async () => {
  const cwd = await repository("gitlab", ...CLOCK);
  const words = ["ci", "setup", "--platform", "gitlab", "--reviewer", "gis/leads"];
  const { stdout } = await lintel(words, { cwd });
  expect(stdout).toMatch(
    /^for branch in lintel-state; do protect "\$branch" 40 0; done$.*^protect main 0 40$/ms,
  );
  for (const name of ["portal-unattended", "portal-report"]) expect(stdout).toContain(name);
  expect(stdout.match(/"deploy_access_levels": \[\{ "access_level": 40 \}\]/g)).toHaveLength(2);
  const elsewhere = await repositoryWith(FILE.replace("git:lintel-state", KEPT), "gitlab");
  expect((await lintel(words, { cwd: elsewhere })).stdout).not.toContain("for branch in");
});

test("setup for Azure lets the token of a run push the states, and nothing else", async () => {
  const cwd = await repository("azure");
  const env = gitEnvironment(cwd);
  git(cwd, env, ["remote", "add", "origin", "https://dev.azure.com/gis/portals/_git/portals"]);
  git(cwd, env, ["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"]);
  const words = ["ci", "setup", "--platform", "azure", "--reviewer", "bea"];
  const { stdout } = await lintel(words, { cwd });
  expect(stdout).not.toContain("STATE_TOKEN");
  const [, steps = ""] = /(\n# 2\. .*?)\n# 3\. /s.exec(stdout) ?? [];
  const [, rights = ""] = /(\n# 4\. .*?)\n# 5\. /s.exec(stdout) ?? [];
  // It answers as the command does, and shows what it was called with.
  const az = `git() { [ "$1" = ls-remote ] || command git "$@"; }
  az() {
    echo "$*" >&2
    case "$*" in
      *"policy list"*) ;;
      *".project.url"*) echo https://dev.azure.com/gis/_apis/projects/42 ;;
      *".project.name"*) echo "GIS portals" ;;
      *".project.id"*) echo project-id ;;
      "repos list"*) echo repository-id ;;
      "repos show"*) echo states-id ;;
      "pipelines show"*) echo 6 ;;
      *"user show"*) echo bea ;;
      *"group list"*) echo contributors ;;
      *"identities"*) echo svc.account ;;
    esac
  }`;
  const input = `${az}\n${steps}\n${rights}`;
  const { stderr, status } = spawnSync("bash", ["--norc"], { cwd, env, input, encoding: "utf8" });
  expect(status).toBe(0);
  expect(stderr).toContain("filterValue=GIS portals Build Service (gis)");
  const given = [...stderr.matchAll(/--token (.*)/g)].map(([, all]) => all);
  expect(given).toEqual([
    "project-id/6 --subject contributors --deny-bit 6272",
    "project-id/6 --subject svc.account --deny-bit 6272",
    "repoV2/project-id/repository-id --subject svc.account --deny-bit 65532",
    "repoV2/project-id/states-id --subject svc.account --allow-bit 20",
    "repoV2/project-id/states-id --subject contributors --deny-bit 20",
  ]);
});

test("setup for Azure lets no run of a pull request use a repository of states", async () => {
  const cwd = await repository("azure");
  const { stdout } = await lintel(setupBy("azure", "bea"), { cwd });
  expect(stdout).toContain('protect repository "$project_id.$states"');
  expect(stdout).toContain('"disableClassicBuildPipelineCreation":true');
});

test("setup for Azure lets only this pipeline use the groups", async () => {
  const cwd = await repository("azure");
  const words = ["ci", "setup", "--platform", "azure", "--reviewer", "bea"];
  const { stdout } = await lintel(words, { cwd });
  expect(stdout).toContain("--authorize false");
  expect(stdout).toContain(
    '{\\"allPipelines\\":{\\"authorized\\":false},\\"pipelines\\":[{\\"id\\":$pipeline,\\"authorized\\":true}]}',
  );
});

test("setup for Azure looks a group up as a group", async () => {
  const cwd = await repository("azure");
  const words = ["ci", "setup", "--platform", "azure", "--reviewer", "acme/ops"];
  const { stdout } = await lintel(words, { cwd });
  expect(stdout).toContain("[?principalName=='[acme]\\\\ops']");
  expect(stdout).not.toContain("--user acme");
});

test("setup for Azure stops with a sentence where origin is no repository of the project", async () => {
  const cwd = await repository("azure");
  const env = gitEnvironment(cwd);
  git(cwd, env, ["remote", "add", "origin", "git@ssh.example.com:v3/gis/portals/portals"]);
  git(cwd, env, ["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"]);
  const words = ["ci", "setup", "--platform", "azure", "--reviewer", "bea"];
  const { stdout } = await lintel(words, { cwd });
  const [, steps = ""] = /(\n# 2\. .*?)\n# 3\. /s.exec(stdout) ?? [];
  const run = (answer: string) => {
    const input = `az() { ${answer}; }\n${steps}\necho "$project and $repository"`;
    return spawnSync("bash", ["--norc"], { cwd, env: { ...env }, input, encoding: "utf8" });
  };
  expect(run("true")).toMatchObject({
    stdout: "",
    stderr: expect.stringContaining("Set origin to the address that Azure shows") as string,
  });
  expect(run("echo found").stdout).toBe("found and found\n");
  expect(run('echo "$*" >&2').stderr).toContain("'git@ssh.example.com:v3/gis/portals/portals'");
});

test("setup says what a single reviewer cannot do, and how the settings are checked", async () => {
  const cwd = await repository("github");
  const setup = async (...names: readonly string[]) => {
    const reviewers = names.flatMap((name) => ["--reviewer", name]);
    return (await lintel(["ci", "setup", "--platform", "github", ...reviewers], { cwd })).stdout;
  };
  expect(await setup("bea")).toContain("Name two");
  expect(await setup("gis/leads")).not.toContain("Name two");
  const both = await setup("bea", "ada");
  expect(both).not.toContain("Name two");
  expect(both).toContain("GITHUB_TOKEN=$(gh auth token) lintel doctor --ci");
});

test("setup requires a review of each merge, and forbids pushes and typed variables", async () => {
  const setup = async (kind: PipelineKind) => {
    const cwd = await repository(kind, ...CLOCK);
    const words = ["ci", "setup", "--platform", kind, "--reviewer", "bea"];
    return (await lintel(words, { cwd })).stdout;
  };
  const onGitlab = await setup("gitlab");
  for (const part of [
    "allow_force_push=false",
    "approvals_required=1",
    "merge_requests_author_approval=false",
    "ci_pipeline_variables_minimum_override_role=no_one_allowed",
    'ci_config_path=".gitlab-ci.yml@$project:refs/heads/$branch"',
  ])
    expect(onGitlab).toContain(part);
  expect(await setup("azure")).toMatch(
    /"minimumApproverCount":2,"creatorVoteCounts":false.*"blockLastPusherVote":true.*policy create/s,
  );
});

test("the JSON of GitHub's steps is JSON once the numbers are looked up", async () => {
  const cwd = await repository("github");
  const { stdout } = await lintel(["ci", "setup", "--platform", "github", "--reviewer", "bea"], {
    cwd,
  });
  const bodies = [...stdout.matchAll(/<<JSON\n(.*?)\nJSON/gs)].map(([, body = ""]) => body);
  const [, rules, environment] = bodies.map((body) => {
    return JSON.parse(body.replaceAll(/\$\{reviewer[^}]*\}/g, "42")) as unknown;
  });
  expect(environment).toMatchObject({
    prevent_self_review: true,
    can_admins_bypass: false,
    reviewers: [{ type: "User", id: 42 }],
  });
  expect(rules).toMatchObject({ enforcement: "active" });
  expect(JSON.stringify(rules)).toContain('"context":"propose","integration_id":15368');
});

async function doctor(kind: PipelineKind, env: object, words: readonly string[] = []) {
  const cwd = await repository(kind, ...words);
  const { exit, stdout } = await lintel(["doctor", "--ci", "--json"], { cwd, env: { ...env } });
  const { steps } = JSON.parse(stdout) as {
    steps: readonly { name: string; status: string; message: string; help: string | null }[];
  };
  const wrong = steps.filter(({ status }) => status !== "ok");
  return { exit, names: steps.map(({ name }) => name), wrong };
}

/** Each platform as it is after setup, and as `doctor --ci` may ask it. */
const READY = {
  async github() {
    const double = await playGithub();
    double.secrets = { portal: NEEDED.github, "portal-unattended": NEEDED.github };
    return { double, env: { ...double.env, ...double.token } };
  },
  async gitlab() {
    const double = await playGitlab();
    double.variables = [
      ...NEEDED.gitlab.flatMap((key) => [
        variable(key, "portal"),
        variable(key, "portal-unattended"),
      ]),
      variable("LINTEL_ALLOWED_HOSTS", "*"),
    ];
    return { double, env: { ...double.env, ...double.checking } };
  },
  async azure() {
    const double = await playAzure();
    double.secrets = [...NEEDED.azure];
    return { double, env: { ...double.env, ...double.token } };
  },
};
type Github = Awaited<ReturnType<typeof playGithub>>;
type Gitlab = Awaited<ReturnType<typeof playGitlab>>;
type Azure = Awaited<ReturnType<typeof playAzure>>;

function variable(key: string, environment_scope: string) {
  return { key, environment_scope, value: "long-enough", protected: true, masked: true };
}

/** Another project than that of the token. */
const LOST = {
  github: { GITHUB_REPOSITORY: "gis/other" },
  gitlab: { CI_PROJECT_ID: "8" },
  azure: { SYSTEM_TEAMPROJECTID: "other" },
};

const NAMES: Readonly<Record<PipelineKind, readonly string[]>> = {
  github: [
    "project",
    "approval",
    "branches",
    "secrets",
    "elsewhere",
    "hosts",
    "merges",
    "pushes",
    "readers",
    "clock",
  ],
  gitlab: [
    "project",
    "approval",
    "pipelines",
    "secrets",
    "elsewhere",
    "hosts",
    "variables",
    "merges",
    "pushes",
    "clock",
  ],
  azure: [
    "project",
    "approval",
    "branches",
    "pipelines",
    "lock",
    "secrets",
    "elsewhere",
    "hosts",
    "runs",
    "states",
    "merges",
  ],
};

/** What is not as setup makes it, and the one complaint about it. */
const github = (change: (double: Github) => void, wrong: string) =>
  ["github", wrong, change as (double: object) => void] as const;
const gitlab = (change: (double: Gitlab) => void, wrong: string) =>
  ["gitlab", wrong, change as (double: object) => void] as const;
const azure = (change: (double: Azure) => void, wrong: string) =>
  ["azure", wrong, change as (double: object) => void] as const;
const WRONG = [
  github((it) => it.unprotect(), "no required reviewers"),
  github((it) => (it.selfReview = true), "approve their own runs"),
  github((it) => (it.isBypassed = true), "can bypass the reviewers"),
  github((it) => (it.isBypassed = undefined), "can bypass the reviewers"),
  github((it) => (it.secrets = {}), "LINTEL_USERNAME, LINTEL_PASSWORD"),
  github(
    (it) => (it.secrets = { ...it.secrets, "portal-unattended": SECRETS }),
    '"portal-unattended" has no secret LINTEL_DEPLOY_KEY',
  ),
  github((it) => (it.open = ["LINTEL_PASSWORD"]), 'can read LINTEL_PASSWORD in "repository"'),
  github((it) => (it.branches = ["main", "feature/*"]), "feature/*"),
  github((it) => (it.branchType = "tag"), "the tag main"),
  github((it) => (it.variables = {}), "LINTEL_ALLOWED_HOSTS is not set"),
  github((it) => (it.variables = { LINTEL_ALLOWED_HOSTS: "" }), "LINTEL_ALLOWED_HOSTS is not set"),
  github((it) => it.rules.splice(1, 1), 'no check "propose"'),
  github((it) => it.rules.shift(), "no review"),
  github((it) => (it.isApprovedByWorkflows = true), "Workflows can approve"),
  github((it) => it.rules.splice(2, 1), "People can delete the branch main"),
  ...[0, 1, 2].map((at) =>
    github(
      (it) => it.stateRules.splice(at, 1),
      "Members can push the branch lintel-state, so they can push back an older state",
    ),
  ),
  github((it) => {
    const parameters = { required_approving_review_count: 2 };
    it.rules[0] = { type: "pull_request", parameters };
  }, "needs no review of an owner"),
  github((it) => it.keys.push("release"), 'The deploy key "release" can push the states, too'),
  github((it) => (it.owners = undefined), "names no owner of /.github/"),
  github((it) => (it.owners = "/.github/ @bea\n* @gis/all\n"), "names no owner of /.github/"),
  github((it) => (it.owners = "/.github/\n"), "names no owner of /.github/"),
  github((it) => (it.ownerErrors = ["Unknown owner on line 4"]), "Unknown owner on line 4"),
  github((it) => {
    const parameters = { required_approving_review_count: 0 };
    it.rules[0] = { type: "pull_request", parameters };
  }, "no review"),
  github((it) => {
    const parameters = { required_status_checks: [{ context: "lint" }] };
    it.rules[1] = { type: "required_status_checks", parameters };
  }, 'no check "propose"'),
  github((it) => {
    const parameters = { required_status_checks: [{ context: "propose" }] };
    it.rules[1] = { type: "required_status_checks", parameters };
  }, 'no check "propose" of GitHub Actions'),
  github((it) => (it.workflow = "disabled_inactivity"), "portal.yml is disabled"),
  gitlab((it) => it.environments.shift(), '"portal" is not protected'),
  gitlab((it) => it.environments.splice(1, 1), '"portal-unattended" is not protected'),
  gitlab(
    (it) => (it.deployers = 30),
    'Others than Maintainers can run jobs of the environment "portal"',
  ),
  gitlab((it) => (it.isPushed = false), "Jobs cannot push the states"),
  gitlab((it) => (it.others = {}), "lintel-state is not protected"),
  gitlab(
    (it) => (it.others["lintel-state"] = 30),
    "Others than Maintainers can change lintel-state",
  ),
  gitlab((it) => (it.named = 7), "Others than Maintainers can change lintel-state"),
  gitlab((it) => (it.others["release/*"] = 30), "Others than Maintainers can change release/*"),
  gitlab((it) => (it.tags["v*"] = 30), "Others than Maintainers can change v*"),
  gitlab((it) => (it.rules = [0]), "has no approval rule"),
  gitlab((it) => (it.isOwnApproved = true), "can approve its deployment"),
  gitlab((it) => void it.variables.splice(0, 4), "LINTEL_USERNAME, LINTEL_PASSWORD"),
  gitlab((it) => (it.file = null), "Every branch brings its own pipeline"),
  gitlab((it) => (it.file = ".gitlab-ci.yml@gis/portals:main"), "Every branch brings its own"),
  gitlab((it) => (it.variables[0]!.masked = false), '"portal" has no secret LINTEL_USERNAME'),
  gitlab((it) => (it.variables[0]!.protected = false), '"portal" has no secret LINTEL_USERNAME'),
  gitlab((it) => it.variables.push(variable("LINTEL_PASSWORD", "*")), 'LINTEL_PASSWORD in "*"'),
  gitlab((it) => void it.variables.pop(), "LINTEL_ALLOWED_HOSTS is not set"),
  gitlab((it) => {
    it.variables[4] = variable("LINTEL_ALLOWED_HOSTS", "other");
  }, "LINTEL_ALLOWED_HOSTS is not set"),
  gitlab((it) => (it.schedules = []), "No active pipeline schedule"),
  gitlab((it) => (it.schedules[0]!.ref = "not-main"), "No active pipeline schedule"),
  gitlab((it) => (it.isForced = true), "can force a push"),
  gitlab((it) => (it.pushers = [40]), "push to main without"),
  gitlab((it) => (it.reviews = [0]), "needs no review"),
  gitlab((it) => (it.role = "developer"), "People can enter variables"),
  gitlab((it) => (it.isGreenNeeded = false), "needs no green pipeline"),
  gitlab((it) => (it.reviews = undefined), "Use GitLab Premium"),
  gitlab((it) => (it.isAuthorCounted = true), "approve their own merge requests"),
  azure((it) => it.unprotect(), 'no check "Approvals"'),
  azure((it) => (it.isSelfApproved = true), "approve their own runs"),
  azure((it) => (it.allowed = "*"), "allows refs/heads/main alone"),
  azure((it) => (it.checks["portal-unattended"] = ["branch"]), '"Exclusive lock"'),
  azure((it) => (it.checks["portal-unattended"] = ["ExclusiveLock"]), "refs/heads/main alone"),
  azure((it) => (it.secrets = []), "LINTEL_USERNAME, LINTEL_PASSWORD"),
  azure((it) => (it.owned = undefined), "no vote of a required reviewer"),
  azure((it) => (it.owned = ["/portals/*"]), "no vote of a required reviewer"),
  azure((it) => (it.open = ["LINTEL_PASSWORD"]), 'LINTEL_PASSWORD in "other"'),
  azure((it) => (it.plain = {}), 'LINTEL_ALLOWED_HOSTS is not set in "portal"'),
  azure((it) => (it.isProtectionNeeded = "false"), "while it has a policy"),
  azure((it) => (it.settings.enforceSettableVar = false), "can set any variable"),
  azure((it) => {
    it.variables = { LINTEL_POLICY: { value: "a", allowOverride: true }, other: { value: "b" } };
  }, "can set LINTEL_POLICY."),
  azure((it) => (it.isOpen = true), 'Other pipelines can use the variable group "portal"'),
  azure((it) => it.allowedPipelines.push(7), "Other pipelines can use"),
  azure((it) => (it.allowedPipelines = []), "waits for the permission"),
  azure((it) => (it.settings.enforceJobAuthScope = false), "reaches other projects"),
  azure((it) => (it.settings.enforceReferencedRepoScopedToken = false), "every repository"),
  azure((it) => (it.settings.disableClassicBuildPipelineCreation = false), "classic build"),
  azure(
    (it) => (it.settings.disableClassicReleasePipelineCreation = false),
    '"Disable creation of classic release pipelines"',
  ),
  azure((it) => (it.checks["portal-states"] = []), 'for the repository "portal-states"'),
  azure(
    (it) => it.statePipelines.push(7),
    'Other pipelines can use the repository "portal-states"',
  ),
  azure((it) => (it.governed = "another"), "No build validation"),
  azure((it) => (it.validated = 7), "No build validation"),
  azure((it) => (it.isValidated = false), "No build validation"),
  azure((it) => (it.voters = 0), "no vote of another person"),
  azure((it) => (it.isAuthorCounted = true), "no vote of another person"),
  azure((it) => (it.isPusherBlocked = false), "the person who pushed last can vote"),
  azure((it) => (it.isResetByPush = false), "stay after a push"),
];

describe("doctor --ci", () => {
  test.each(Object.keys(MOST) as PipelineKind[])(
    "finds nothing wrong on %s after setup",
    async (kind) => {
      const { env } = await READY[kind]();
      expect(await doctor(kind, env, CLOCK)).toEqual({ exit: 0, wrong: [], names: NAMES[kind] });
    },
  );

  test.each(WRONG)("on %s, complains: %s", async (kind, message, change) => {
    const { double, env } = await READY[kind]();
    change(double);
    const { exit, wrong } = await doctor(kind, env, CLOCK);
    expect([exit, wrong.map((each) => each.message)]).toEqual([
      1,
      [expect.stringContaining(message)],
    ]);
  });

  test("warns that everyone can read the plans of a public repository", async () => {
    const { double, env } = await READY.github();
    double.isPublic = true;
    const { exit, wrong } = await doctor("github", env);
    expect([exit, wrong]).toMatchObject([0, [{ name: "readers", status: "warning" }]]);
    expect(wrong[0]?.message).toContain("plan.json");
    expect(wrong[0]?.help).toContain("--minimal");
  });

  test("fails on Azure where any pull request can push the states", async () => {
    const { env } = await READY.azure();
    const cwd = await repository("azure", ...CLOCK);
    writeFileSync(join(cwd, "portal.yaml"), FILE);
    const { exit, stdout } = await lintel(["doctor", "--ci"], { cwd, env });
    expect([exit, stdout]).toEqual([
      1,
      expect.stringMatching(/^failed {3}states +The run of any pull request can push the states/m),
    ]);
  });

  test("warns that a reviewer can reach the secrets of the clock alone, with one approval on GitHub", async () => {
    const { double, env } = await READY.github();
    const parameters = { required_approving_review_count: 1, require_code_owner_review: true };
    double.rules[0] = { type: "pull_request", parameters };
    const { exit, wrong } = await doctor("github", env, CLOCK);
    expect([exit, wrong]).toMatchObject([0, [{ name: "merges", status: "warning" }]]);
    expect((await doctor("github", env)).wrong).toEqual([]);
  });

  test("warns of it with one vote on Azure", async () => {
    const { double, env } = await READY.azure();
    double.voters = 1;
    const { exit, wrong } = await doctor("azure", env, CLOCK);
    expect([exit, wrong]).toMatchObject([0, [{ name: "merges", status: "warning" }]]);
  });

  test("takes Azure's policies for all repositories", async () => {
    const { double, env } = await READY.azure();
    double.governed = null;
    expect(await doctor("azure", env, CLOCK)).toMatchObject({ exit: 0, wrong: [] });
  });

  test("fails where a token cannot see a setting, and names the rights that it needs", async () => {
    const { double, env } = await READY.github();
    double.rude.set("GET /environments/portal/secrets", { status: 403, text: "{}" });
    const { exit, wrong } = await doctor("github", env);
    const unseen = ["secrets", "elsewhere", "hosts"];
    expect([exit, wrong]).toMatchObject([4, unseen.map((name) => ({ name, status: "failed" }))]);
    expect(wrong[0]).toMatchObject({
      message: "Not checked. This token cannot see it (403).",
      help: expect.stringMatching(/^Set GITHUB_TOKEN to a token that may read .*Secrets/) as string,
    });
  });

  test.each(Object.keys(MOST) as PipelineKind[])(
    "fails on %s where any of its questions is refused",
    async (kind) => {
      const { double, env } = await READY[kind]();
      await doctor(kind, env, CLOCK);
      for (const asked of new Set(double.requests)) {
        double.rude.clear();
        double.rude.set(asked, { status: 403, text: "{}" });
        const { exit, wrong } = await doctor(kind, env, CLOCK);
        const isFailed = wrong.some(({ status }) => status === "failed");
        expect([asked, exit, isFailed]).toEqual([asked, 4, true]);
      }
    },
  );

  test("checks nothing without a token, and says which one it needs", async () => {
    const { env } = await READY.github();
    const cwd = await repository("github");
    const given = { ...env, GITHUB_TOKEN: "" };
    const { exit, stderr } = await lintel(["doctor", "--ci"], { cwd, env: given });
    expect([exit, stderr]).toEqual([
      4,
      expect.stringMatching(/GITHUB_TOKEN is not set.*that may read/s),
    ]);
  });

  test.each(Object.keys(MOST) as PipelineKind[])(
    "says on %s that the token or the project is wrong, and skips the rest",
    async (kind) => {
      const { env } = await READY[kind]();
      const { exit, names, wrong } = await doctor(kind, { ...env, ...LOST[kind] }, CLOCK);
      expect([exit, names]).toEqual([4, NAMES[kind]]);
      const [project, ...others] = wrong;
      expect(project).toMatchObject({
        name: "project",
        status: "failed",
        message: expect.stringMatching(
          /^Not checked\. The project ".*" at http.* does not exist, or this token cannot see it/,
        ) as string,
        help: expect.stringMatching(/^Set \w+ to a token /) as string,
      });
      expect(others.map(({ name }) => name)).toEqual(NAMES[kind].slice(1));
      for (const { status, message } of others)
        expect([status, message]).toEqual(["skipped", 'Needs "project".']);
    },
  );

  test("says that there is none, or that the token cannot see it", async () => {
    const { double, env } = await READY.github();
    double.environments = {};
    const { exit, wrong } = await doctor("github", env, CLOCK);
    expect([exit, wrong]).toMatchObject([4, [{ name: "approval", status: "failed" }]]);
    expect(wrong[0]?.message).toBe(
      "Not checked. It does not exist, or this token cannot see it (404).",
    );
  });

  test("an answer in another form is no bug of Lintel's", async () => {
    for (const text of ["null", "[null]", "<html>"]) {
      const { double, env } = await READY.github();
      double.rude.set("GET /rules/branches/main", { status: 200, text });
      const { exit, wrong } = await doctor("github", env);
      expect([text, exit === 0, wrong.map(({ name }) => name)]).toEqual([
        text,
        expect.anything(),
        ["merges", "pushes"],
      ]);
    }
  });
});
