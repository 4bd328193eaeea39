// lintel ci on servers that play the platforms: comments, the issue about drift, approvals.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { PIPELINE_FILES, type PipelineKind } from "../../src/pipelines/pipeline.js";
import { playAzure } from "../pipelines/azure-double.js";
import { playGithub } from "../pipelines/github-double.js";
import { playGitlab } from "../pipelines/gitlab-double.js";
import { TOKENS } from "../policy/rules.js";
import { call, lintel } from "../run/call.js";
import { openPlace, type Place } from "../run/place.js";
import { folderOf } from "../support/run.js";

const PLAY = { github: playGithub, gitlab: playGitlab, azure: playAzure };
type Double = Awaited<ReturnType<(typeof PLAY)[PipelineKind]>>;
const KINDS = Object.keys(PLAY) as PipelineKind[];

const PLAN = "**1 portal: 1 to set.**\n";
const EVENT = {
  workflow_run: {
    head_branch: "fix",
    head_sha: "7".repeat(40),
    html_url: "https://github.example.com/run/1",
    head_repository: { owner: { login: "eve" } },
  },
  repository: { default_branch: "main" },
};

async function open(kind: PipelineKind) {
  const double: Double = await PLAY[kind]();
  const folder = folderOf({ "event.json": JSON.stringify(EVENT) });
  onTestFinished(() => folder.remove());
  const run = (words: string, env: object = {}) =>
    call([...`ci ${words}`.split(" "), "--platform", kind], {
      cwd: folder.path,
      startMs: Date.UTC(2026, 10, 28, 12),
      env: {
        ...double.env,
        ...double.token,
        GITHUB_EVENT_PATH: join(folder.path, "event.json"),
        LINTEL_ALLOWED_HOSTS: "",
        ...env,
      },
    });
  return {
    double,
    run,
    write: (name: string, text: string) => writeFileSync(join(folder.path, name), text),
    cwd: folder.path,
  };
}

/** One pull request, and what its run made of it. */
async function proposed(kind: PipelineKind) {
  const opened = await open(kind);
  const { double, write } = opened;
  const plan = (text: string | undefined) => {
    if ("pulls" in double && "issues" in double) {
      double.pulls = [{ number: 7, head: "eve:fix", sha: "7".repeat(40) }];
      if (text !== undefined) write("plan.md", text);
    } else if ("merging" in double) {
      double.merging = [7];
      double.plans[7] = text;
    } else {
      double.pulls = [7];
      double.attached[7] = text === undefined ? {} : { "plan-1": text };
    }
  };
  return { ...opened, plan, comment: () => opened.run("comment .") };
}

describe.each(KINDS)("on %s, a comment", (kind) => {
  test("is written once, updated, and left alone where it says the same", async () => {
    const { double, plan, comment } = await proposed(kind);
    plan(PLAN);
    expect(await comment()).toMatchObject({ exit: 0, stderr: "" });
    expect(double.texts()).toEqual([
      expect.stringMatching(/^<!-- lintel proposal -->\n\[This run/),
    ]);
    expect(double.texts()[0]).toContain(PLAN);
    plan("**No changes.**\n");
    await comment();
    expect(double.texts()).toEqual([expect.stringContaining("No changes.")]);
    const { length } = double.writes();
    expect((await comment()).stdout).toContain("up to date");
    expect(double.writes()).toHaveLength(length);
  });

  test("says that there is no plan where the run made none", async () => {
    const { double, plan, comment } = await proposed(kind);
    plan(undefined);
    await comment();
    expect(double.texts()).toEqual([expect.stringContaining("There is no plan")]);
  });

  test("of a plan without end fits", async () => {
    const { double, plan, comment } = await proposed(kind);
    plan("x".repeat(2_000_000));
    expect(await comment()).toMatchObject({ exit: 0 });
    const most = { github: 65_536, gitlab: 1_000_000, azure: 150_000 };
    expect(double.texts()[0]?.length).toBeLessThanOrEqual(most[kind]);
  });

  test("of another author with the same marker stays unchanged", async () => {
    const { double, plan, comment } = await proposed(kind);
    const body = "<!-- lintel proposal -->\nMine.";
    if ("approve" in double && "issues" in double && "by" in double)
      double.comments.push(double.by(body, "eve"));
    else if ("notes" in double)
      double.notes.push({ id: 1, body, author: { id: 3, username: "eve" } });
    else double.comments[7] = [{ content: body, isOurs: false }];
    plan(PLAN);
    expect(await comment()).toMatchObject({ exit: 0 });
    expect(double.texts()).toEqual([body, expect.stringContaining(PLAN)]);
  });

  test("is not sent in a dry run, and is shown", async () => {
    const { double, plan, run } = await proposed(kind);
    plan(PLAN);
    const { exit, stdout } = await run("comment . --dry-run");
    expect([exit, stdout]).toEqual([0, expect.stringContaining("1 to set")]);
    expect(double.writes()).toEqual([]);
    for (const token of Object.values(double.token)) expect(stdout).not.toContain(token);
  });

  test("that the platform refuses fails, without the token in any output", async () => {
    const { double, plan, run } = await proposed(kind);
    plan(PLAN);
    const wrong = Object.fromEntries(Object.keys(double.token).map((name) => [name, "hunter22"]));
    const { exit, stdout, stderr } = await run("comment . --verbose", wrong);
    expect([exit, stderr]).toEqual([4, expect.stringContaining("[platform-refused]")]);
    expect(stdout + stderr).not.toContain("hunter22");
  });
});

test.each(["gitlab", "azure"] as const)(
  "on %s, a pull request whose plan is too long leaves the comments of others alone",
  async (kind) => {
    const { double, plan, comment } = await proposed(kind);
    plan("x".repeat(60_000_000));
    if ("merging" in double) [double.merging, double.plans[8]] = [[7, 8], PLAN];
    else if ("attached" in double)
      [double.pulls, double.attached[8]] = [[7, 8], { "plan-1": PLAN }];
    const { exit, stderr } = await comment();
    expect([exit, stderr]).toEqual([4, expect.stringContaining("!7: ")]);
    expect(double.texts()).toEqual([expect.stringContaining(PLAN)]);
  },
);

test.each(KINDS)("on %s, no mention and no command of a plan is sent", async (kind) => {
  const { double, plan, comment } = await proposed(kind);
  plan("Hello @acme/everyone\n /close\n@@ settings @@\n");
  expect(await comment()).toMatchObject({ exit: 0 });
  expect(double.texts()[0]).not.toMatch(/@acme|^ *\/close/m);
  expect(double.texts()[0]).toContain("@@ settings @@");
});

test("a plan that is a link is none: it could lead to what this job alone may read", async () => {
  const { double, plan, comment, cwd, write } = await proposed("github");
  write("secret", "key");
  symlinkSync(join(cwd, "secret"), join(cwd, "plan.md"));
  plan(undefined);
  await comment();
  expect(double.texts()).toEqual([expect.not.stringContaining("key")]);
});

test("the token of the platform goes to its own host only", async () => {
  const { run } = await open("github");
  const { exit, stderr } = await run("comment .", { GITHUB_API_URL: "http://api.example.com" });
  expect([exit, stderr]).toEqual([
    64,
    expect.stringContaining("is no address of a platform's API"),
  ]);
});

const DRIFT = JSON.stringify({ exitCode: 2, portals: [{ status: "changes" }] });
const NONE = JSON.stringify({ exitCode: 0, portals: [{ status: "unchanged" }] });
const FAILED = JSON.stringify({ exitCode: 4, portals: [{ status: "failed" }] });

describe.each(KINDS)("on %s, the issue about drift", (kind) => {
  const opened = async () => {
    const { double, run, write } = await open(kind);
    const look = async (json: string, text = "By hand") => {
      write("drift.json", json);
      write("drift.md", text);
      return run("drift-issue .");
    };
    return { double, look };
  };

  test("is opened, updated, closed, and opened again for other drift", async () => {
    const { double, look } = await opened();
    expect((await look(NONE)).stdout).toContain("There is no drift.");
    expect(double.drift()).toEqual([]);
    expect(await look(DRIFT)).toMatchObject({ exit: 0 });
    const open1 = { isOpen: true, body: expect.stringContaining("By hand") as string };
    expect(double.drift()).toEqual([open1]);
    const { length } = double.writes();
    expect((await look(DRIFT)).stdout).toContain("already");
    expect(double.writes()).toHaveLength(length);
    await look(DRIFT, "Something else");
    expect(double.drift()).toMatchObject([
      { isOpen: true, body: expect.stringContaining("Something else") as string },
    ]);
    expect((await look(FAILED)).stdout).toContain("stays as it is");
    expect(double.drift()).toMatchObject([{ isOpen: true }]);
    await look(NONE);
    expect(double.drift()).toMatchObject([{ isOpen: false }]);
    await look(DRIFT);
    expect(double.drift()).toMatchObject([
      { isOpen: true, body: expect.stringContaining("By hand") as string },
    ]);
  });

  test("that a person closed stays closed for the same drift", async () => {
    const { double, look } = await opened();
    await look(DRIFT);
    if ("items" in double)
      Object.assign(double.items[0]?.fields ?? {}, { "System.State": "Removed" });
    else Object.assign(double.issues[0] ?? {}, { state: kind === "gitlab" ? "closed" : "closed" });
    await look(DRIFT);
    expect(double.drift()).toMatchObject([{ isOpen: false }]);
    await look(DRIFT, "Other");
    expect(double.drift()).toMatchObject([{ isOpen: true }]);
  });

  test("opens again for drift that was acknowledged, repaired, and came back", async () => {
    const { double, look } = await opened();
    await look(DRIFT, "Hello @acme/everyone");
    expect(double.drift()[0]?.body).not.toContain("@acme");
    if ("items" in double)
      Object.assign(double.items[0]?.fields ?? {}, { "System.State": "Removed" });
    else Object.assign(double.issues[0] ?? {}, { state: "closed" });
    await look(NONE);
    const { length } = double.writes();
    await look(NONE);
    expect(double.writes()).toHaveLength(length);
    await look(DRIFT, "Hello @acme/everyone");
    expect(double.drift()).toMatchObject([{ isOpen: true }]);
  });
});

describe.each(KINDS)("on %s, drift-issue", (kind) => {
  const opened = async (lastClock: string | undefined) => {
    const { double, run, write, cwd } = await open(kind);
    mkdirSync(join(cwd, ".github/workflows"), { recursive: true });
    write(PIPELINE_FILES[kind], `# pipeline schedule "7 * * * *"`);
    write("drift.json", NONE);
    double.lastClock = lastClock;
    const summary = join(cwd, "summary.md");
    const ran = await run("drift-issue .", { GITHUB_STEP_SUMMARY: summary });
    const shown = existsSync(summary) ? readFileSync(summary, "utf8") : ran.stdout;
    return { double, run, shown, ...ran };
  };

  test("warns that runs of the clock are missing, on stderr and on the page of the run", async () => {
    const { exit, stderr, stdout, shown } = await opened("2026-11-28T08:09:00Z");
    expect([exit, stderr]).toEqual([
      0,
      expect.stringMatching(
        /^warning: No run of the clock succeeded between 2026-11-28 08:09 UTC and 2026-11-28 12:08 UTC\. The cron "7 \* \* \* \*" asks for 3 runs in that time\./,
      ),
    ]);
    expect(stdout).toContain("There is no drift.");
    if (kind === "github") expect(shown).toMatch(/^\*\*Warning:\*\* No run/);
    if (kind === "azure") expect(shown).toMatch(/^##vso\[task\.logissue type=warning\]No run/);
  });

  test.each([
    ["came as the cron says", "2026-11-28T11:07:30Z"],
    ["came late", "2026-11-28T11:55:00Z"],
    ["never came", undefined],
    ["has no time", "yesterday"],
  ])("does not warn where the last run of the clock %s", async (_, lastClock) => {
    const { exit, stderr, shown } = await opened(lastClock);
    expect([exit, stderr, shown]).toEqual([0, "", "There is no drift.\n"]);
  });

  test("goes on where the last run cannot be seen", async () => {
    const { double, run } = await opened(undefined);
    const path = double.requests.find((each) => /runs$|pipelines$|builds$/.test(each)) ?? "";
    double.rude.set(path, { status: 403, text: "{}" });
    const { exit, stderr, stdout } = await run("drift-issue .");
    expect([exit, stderr]).toEqual([
      0,
      expect.stringMatching(/^warning: The last run of the clock is not known\. .*refuses/),
    ]);
    expect(stdout).toContain("There is no drift.");
  });
});

describe.each(KINDS)("on %s, assert-approved", (kind) => {
  test("stops without required approvals, and names the setting", async () => {
    const { double, run } = await open(kind);
    double.unprotect();
    double.approve("bea");
    const { exit, stderr } = await run("assert-approved");
    expect([exit, stderr]).toEqual([7, expect.stringContaining("[not-approved]")]);
    expect(stderr).toContain(`lintel ci setup --platform ${kind}`);
  });

  test("stops without approval, or with the author's only", async () => {
    const { double, run } = await open(kind);
    const none = await run("assert-approved");
    expect([none.exit, none.stderr]).toEqual([7, expect.stringContaining("No one approved")]);
    double.approve("ada");
    const own = await run("assert-approved");
    expect([own.exit, own.stderr]).toEqual([7, expect.stringContaining("Only the person")]);
  });

  test("continues where a person other than the author approved", async () => {
    const { double, run } = await open(kind);
    double.approve("bea");
    expect(await run("assert-approved")).toMatchObject({ exit: 0, stdout: "Approved by bea.\n" });
  });

  test("stops where the platform cannot be asked", async () => {
    const { double, run } = await open(kind);
    double.approve("bea");
    const wrong = Object.fromEntries(
      [...Object.keys(double.token), "CI_JOB_TOKEN"].map((name) => [name, "hunter22"]),
    );
    const refused = await run("assert-approved", wrong);
    expect([refused.exit, refused.stderr]).toEqual([4, expect.stringContaining("refuses")]);
    const unset = Object.fromEntries(Object.keys(wrong).map((name) => [name, undefined]));
    expect((await run("assert-approved", unset)).exit).toBe(4);
  });

  test("skips the question with --unattended, and reports that", async () => {
    const { double, run } = await open(kind);
    const { exit, stdout } = await run("assert-approved --unattended");
    expect([exit, stdout]).toEqual([0, expect.stringContaining("--unattended")]);
    expect(double.requests).toEqual([]);
  });
});

type Github = Awaited<ReturnType<typeof playGithub>>;
type Gitlab = Awaited<ReturnType<typeof playGitlab>>;
type Azure = Awaited<ReturnType<typeof playAzure>>;
const DEPLOYMENT = "GET /projects/7/deployments/700";
const json = (text: string) => ({ status: 200, text });

/** What no approval may come of: [platform, what is so, how, exit status, message, variables]. */
const REFUSED: [PipelineKind, string, (double: Double) => void, number, string, object?][] = [
  ["github", "authors can approve", (d) => ((d as Github).selfReview = true), 7, "own runs"],
  [
    "github",
    "administrators can bypass the reviewers",
    (d) => ((d as Github).isBypassed = true),
    7,
    "can bypass",
  ],
  [
    "github",
    "the author approved a later job",
    (d) => d.approve("bea", "ada"),
    7,
    "The person who started",
  ],
  ["github", "a job was rejected", (d) => d.approve("bea", "-cara"), 7, "rejected"],
  ["github", "the author is unknown", () => {}, 4, "GITHUB_ACTOR", { GITHUB_ACTOR: undefined }],
  [
    "github",
    "a workflow started it",
    () => {},
    7,
    "github-actions[bot] started this run",
    { GITHUB_ACTOR: "github-actions[bot]" },
  ],
  [
    "gitlab",
    "the author approved, too",
    (d) => d.approve("bea", "ada"),
    7,
    "The person who started",
  ],
  ["gitlab", "one of three approved", (d) => ((d as Gitlab).rules = [3]), 7, "1 of 3"],
  ["gitlab", "it was rejected", (d) => d.approve("bea", "-cara"), 7, "rejected"],
  [
    "gitlab",
    "one approved twice",
    (d) => (d.approve("bea", "bea"), ((d as Gitlab).rules = [2])),
    7,
    "1 of 2",
  ],
  ["gitlab", "nobody is the author", (d) => ((d as Gitlab).author = null), 7, "who started"],
  [
    "gitlab",
    "the job deploys nothing",
    (d) => void d.rude.set("GET /projects/7/deployments", json("[]")),
    7,
    "no deployment",
  ],
  [
    "gitlab",
    "a deployment is null",
    (d) => void d.rude.set(DEPLOYMENT, json("null")),
    4,
    "not-understood",
  ],
  [
    "gitlab",
    "a deployment is a page",
    (d) => void d.rude.set(DEPLOYMENT, json("<html>")),
    4,
    "no JSON",
  ],
  [
    "gitlab",
    "the job was started by hand",
    (d) => d.unprotect(),
    7,
    "no approval rule",
    { CI_JOB_MANUAL: "true", GITLAB_USER_LOGIN: "bea" },
  ],
  ["azure", "authors can approve", (d) => ((d as Azure).isSelfApproved = true), 7, "own runs"],
  [
    "azure",
    "the author approved, too",
    (d) => d.approve("bea", "ada"),
    7,
    "The person who started",
  ],
  ["azure", "it was rejected", (d) => d.approve("bea", "-cara"), 7, "rejected"],
  ["azure", "it still waits", (d) => d.approve("-bea"), 7, "rejected"],
];

test.each(REFUSED)(
  "on %s, assert-approved stops where %s",
  async (kind, _, so, exit, message, env = {}) => {
    const { double, run } = await open(kind);
    double.approve("bea");
    so(double);
    const ran = await run("assert-approved", env);
    expect([ran.exit, ran.stderr]).toEqual([exit, expect.stringContaining(message)]);
  },
);

test("GitLab's deployment of this job is found after hundreds of later ones", async () => {
  const { double, run } = await open("gitlab");
  (double as Gitlab).later = 250;
  double.approve("bea");
  expect(await run("assert-approved")).toMatchObject({ exit: 0, stdout: "Approved by bea.\n" });
});

/** Any request of a platform may be answered with something else. */
const SHAPES = ["null", "{}", "[null]", "[{}]", '{"value":[{}]}', "", "<html>"];
const ASKED: Readonly<Record<PipelineKind, readonly string[]>> = {
  github: ["/environments/portal", "/actions/runs/9/approvals", "/pulls", "/issues"],
  gitlab: [
    "/projects/7/deployments",
    DEPLOYMENT.slice(4),
    "/user",
    "/projects/7/merge_requests",
    "/projects/7/issues",
  ],
  azure: [
    "/distributedtask/variablegroups",
    "/pipelines/checks/configurations",
    "/build/builds/900/timeline",
    "/pipelines/approvals/a2",
    "/build/builds",
    "/wit/workitems",
  ],
};

test.each(KINDS)(
  "an answer of %s in another form is no bug of Lintel's, and approves nothing",
  async (kind) => {
    for (const path of ASKED[kind]) {
      for (const shape of SHAPES) {
        const { double, run, write } = await open(kind);
        double.approve("bea");
        write("drift.json", DRIFT);
        write("drift.md", "By hand");
        double.rude.set(`GET ${path}`, json(shape));
        const actions = ["assert-approved", "comment .", "drift-issue ."];
        for (const action of actions) {
          const { exit, stderr } = await run(action);
          const asked = double.requests.splice(0).includes(`GET ${path}`);
          expect([path, shape, action, exit, stderr]).toEqual([
            path,
            shape,
            action,
            expect.toBeOneOf([0, 4, 7]),
            expect.not.stringContaining("bug"),
          ]);
          if (asked && action === "assert-approved") expect([path, shape, exit]).not.toContain(0);
        }
      }
    }
  },
);

test.each([
  ["comment .", { GITHUB_EVENT_PATH: "/none.json" }],
  ["comment .", { GITHUB_EVENT_PATH: "/etc/hostname" }],
  ["assert-approved --environment ../x", {}],
])("%s with %j ends with a sentence", async (words, env) => {
  const { run } = await open("github");
  const { exit, stderr } = await run(words, env);
  expect([exit, stderr]).toEqual([expect.toBeOneOf([1, 4, 7]), expect.not.stringContaining("bug")]);
});

test.each([
  ["a hold", "hold", async (place: Place) => place.run("hold portal.yaml --why Migration"), "hold"],
  ["a policy", "policy", () => Promise.resolve(), "policy/tokens"],
])("changes refuses a plan that %s blocks", async (_, kind, prepare, name) => {
  const place = await openPlace();
  place.write("settings:\n  portalConfigProperties:\n    tokenExpiration: 120\n");
  await prepare(place);
  const policy = folderOf({ "0.yaml": TOKENS });
  onTestFinished(() => policy.remove());
  const env = kind === "policy" ? { LINTEL_POLICY: policy.path } : {};
  expect((await place.run("plan --save plan.json", { env })).stderr).toContain("Saved plan.json");
  const { exit, stderr } = await place.run("ci changes plan.json --platform gitlab");
  expect([exit, stderr]).toEqual([7, expect.stringContaining(`Blocked by ${name}.`)]);
});

test("names its actions and its platforms", async () => {
  const cwd = "/";
  expect((await lintel(["ci"], { cwd })).stderr).toContain("The action is missing");
  expect((await lintel(["ci", "coment"], { cwd })).stderr).toContain('"comment"');
  expect((await lintel(["ci", "comment"], { cwd })).stderr).toContain("The platform is missing");
  for (const words of [
    "assert-approved x",
    "comment a b",
    "drift-issue",
    "comment --reviewer ada",
    "changes",
  ]) {
    const ran = await lintel(["ci", ...words.split(" "), "--platform", "github"], { cwd });
    expect([words, ran.exit]).toEqual([words, 64]);
  }
});
