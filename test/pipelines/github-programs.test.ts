// What GitHub's workflows do in the repository, run against a server that answers as GitHub does: a comment, reports for code scanning, what was reviewed, and an issue.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { textsBeside } from "../../src/pipelines/pipeline.js";
import { folderOf } from "../support/run.js";
import { BOT, openGitHub } from "./github-server.js";
import { runSteps, SAMPLE } from "./platform.js";

const BESIDE = textsBeside("github", SAMPLE);
const MARKER = "<!-- lintel proposal -->";
const SHA = "5eaf00d5eaf00d5eaf00d5eaf00d5eaf00d5eaf0";

type GitHub = Awaited<ReturnType<typeof openGitHub>>;

interface Made {
  /** From the folder of the job; a link is written "→ where it leads". */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** As the job does, in a folder of its own. */
async function run(github: GitHub, word: string, { files = {}, env = {} }: Made = {}) {
  const folder = folderOf(BESIDE);
  onTestFinished(() => folder.remove());
  const outputs = join(folder.path, "outputs");
  for (const [name, text] of Object.entries({ outputs: "", ...files })) {
    const path = join(folder.path, name);
    mkdirSync(join(path, ".."), { recursive: true });
    if (text.startsWith("→ ")) symlinkSync(text.slice(2), path);
    else writeFileSync(path, text);
  }
  const text = `node .github/workflows/portal.mjs ${word}`;
  const ran = await runSteps([{ text, env: { TOKEN: "token", ...env } }], folder.path, {
    ...github.env,
    GITHUB_OUTPUT: outputs,
  });
  return { ...ran, outputs: readFileSync(outputs, "utf8") };
}

/** From a fork, whose branch has a name that an address has to spell otherwise. */
const PULLS = [
  { number: 6, head: "eve:a&b", sha: "older" },
  { number: 7, head: "eve:a&b", sha: SHA },
];
const comment = (github: GitHub, files: Made["files"] = {}, sha = SHA) =>
  run(github, "comment", {
    files,
    env: { HEAD: "eve:a&b", SHA: sha, RUN: "https://github.example.com/run/1" },
  });

const sarif = (name = "Lintel", count = 1) =>
  JSON.stringify({ runs: Array.from({ length: count }, () => ({ tool: { driver: { name } } })) });

test("the comment's job runs just this, and tells it no more than where it comes from", () => {
  const text = BESIDE[".github/workflows/portal-comment.yml"] ?? "";
  const { jobs } = parse(text) as {
    jobs: { comment: { steps: { run?: string; env?: object }[] } };
  };
  const steps = jobs.comment.steps.filter((step) => step.run);
  expect(steps).toMatchObject([{ run: "node .github/workflows/portal.mjs comment" }]);
  expect(Object.keys(steps[0]?.env ?? {})).toEqual(["TOKEN", "HEAD", "SHA", "RUN"]);
});

test("a plan is commented once, and the comment updated, whatever others have written", async () => {
  const github = await openGitHub(PULLS);
  const comments = github.commentsOf(7);
  for (let each = 0; each < 100; each++) comments.push(github.by(`${MARKER} Not ours`, "eve"));
  const hostile = "$(touch pwned) `touch pwned` ${{ secrets.KEY }}\nEND\n::error::x\n";
  const files = { "proposal/plan.md": hostile };
  expect(await comment(github, files)).toMatchObject({ exit: 0, stderr: "" });
  expect(comments).toHaveLength(101);
  expect(comments.at(-1)?.body).toBe(
    `${MARKER}\n\nMade by [a run](https://github.example.com/run/1) that the proposal may have changed, at 5eaf00d5.\n\n${hostile}`,
  );
  expect(await comment(github, { "proposal/plan.md": "No changes." })).toMatchObject({ exit: 0 });
  expect(comments).toHaveLength(101);
  expect(comments.at(-1)).toMatchObject({ body: expect.stringMatching(/\n\nNo changes\.$/) });
  expect(github.writes()).toEqual([
    "POST /issues/7/comments",
    `PATCH /issues/comments/${comments.at(-1)?.id}`,
  ]);
});

test.each([
  ["refs/pull/9/merge\n", 9],
  ["refs/pull/7/merge\n", 7],
  // Of somebody else's, of a branch that has moved on, of none.
  ["refs/pull/5/merge\n", 7],
  ["refs/pull/6/merge\n", 7],
  ["9$(touch pwned)\n", 7],
  ["→ /proc/self/environ", 7],
])("of two proposals of one branch the run says which it was for: %j", async (told, number) => {
  const github = await openGitHub([
    { number: 5, head: "ada:fix", sha: SHA },
    ...PULLS,
    { number: 9, head: "eve:a&b", sha: SHA, base: "next" },
  ]);
  await comment(github, { "proposal/plan.md": "A plan", "proposal/pull.txt": told });
  expect(github.writes()).toEqual([`POST /issues/${number}/comments`]);
});

test("a run without a plan says so, a link is not followed, and one that is too long is cut", async () => {
  const github = await openGitHub(PULLS);
  const told = () => github.commentsOf(7).at(-1)?.body ?? "";
  expect((await comment(github)).exit).toBe(0);
  expect(told()).toContain("There is no plan: the run failed before it.");
  await comment(github, { "proposal/plan.md": "short" });
  await comment(github, {
    "proposal/plan.md": "→ /proc/self/environ",
    "proposal/lintel.sarif": "→ /proc/self/environ",
  });
  expect(told()).toContain("There is no plan");
  // A folder of this name.
  expect((await comment(github, { "proposal/plan.md/x": "A plan" })).exit).toBe(0);
  expect(told()).toContain("There is no plan");
  await comment(github, { "proposal/plan.md": `${"ä".repeat(63_999)}${"😀".repeat(9)}` });
  expect(told()).toMatch(/ä$/);
  await comment(github, { "proposal/plan.md": "ä".repeat(70_000) });
  expect(told().length).toBeGreaterThan(60_000);
  expect(told().length).toBeLessThan(65_536);
  expect(github.scans).toEqual([]);
});

test("a proposal that has moved on, or is closed, gets none from an older run", async () => {
  const github = await openGitHub(PULLS);
  const { exit, stdout } = await comment(github, { "proposal/plan.md": "Old" }, "gone");
  expect([exit, stdout, github.writes()]).toEqual([0, expect.stringContaining("any more"), []]);
});

test("what is wrong at which lines goes to code scanning, for the proposal and for the branch", async () => {
  const github = await openGitHub(PULLS);
  const report = { "proposal/plan.md": "A plan", "proposal/lintel.sarif": sarif() };
  expect(await comment(github, report)).toMatchObject({ exit: 0, stdout: "" });
  const env = { GITHUB_REF: "refs/heads/main", GITHUB_SHA: SHA };
  const ran = await run(github, "scan", { files: { "lintel.sarif": sarif() }, env });
  expect([ran.exit, ran.stdout]).toEqual([0, ""]);
  expect(github.scans).toEqual([
    { ref: "refs/pull/7/head", sha: SHA, sarif: sarif() },
    { ref: "refs/heads/main", sha: SHA, sarif: sarif() },
  ]);
});

test.each([
  ["another tool's name", sarif("CodeQL")],
  ["another tool's beside ours", sarif("Lintel", 2)],
  ["no JSON", "{"],
  ["null", "null"],
  ["more than anybody reads", `${" ".repeat(5_000_000)}${sarif()}`],
])("a report that a proposal has made of %s goes nowhere", async (_, text) => {
  const github = await openGitHub(PULLS);
  const report = { "proposal/plan.md": "A plan", "proposal/lintel.sarif": text };
  const { exit, stdout } = await comment(github, report);
  expect([exit, stdout]).toEqual([0, "There is no report of Lintel's for code scanning.\n"]);
  expect(github.commentsOf(7)).toHaveLength(1);
});

test.each([403, 404])(
  "where code scanning is not switched on (%d), that is said, and no more",
  async (status) => {
    const github = await openGitHub(PULLS);
    const text = '{"message":"Advanced Security must be enabled for this repository."}';
    github.rude.set("POST /code-scanning/sarifs", { status, text });
    const report = { "proposal/plan.md": "A plan", "proposal/lintel.sarif": sarif() };
    const { exit, stdout } = await comment(github, report);
    expect([exit, stdout]).toEqual([0, expect.stringContaining("is not switched on")]);
  },
);

test.each([
  ["GET /pulls", 500, "oops\n::set-output name=x::y"],
  ["GET /issues/7/comments", 200, "<html>Sign in</html>"],
  ["POST /issues/7/comments", 403, '{"message":"Resource not accessible by integration"}'],
  ["POST /code-scanning/sarifs", 500, ""],
])("a rude answer to %s is told on one line, and the job is red", async (asked, status, text) => {
  const github = await openGitHub(PULLS);
  github.rude.set(asked, { status, text });
  const report = { "proposal/plan.md": "A plan", "proposal/lintel.sarif": sarif() };
  const { exit, stdout, stderr } = await comment(github, report);
  expect([exit, stderr]).toEqual([1, ""]);
  expect(stdout).toMatch(/^::error::.*\n$/);
  expect(stdout).toContain(`: ${status} `);
});

const DIGEST = "ad5a1b2c9f1e-6bba10a1b4a6";

test("which changes were reviewed is read from our comment on the merged proposal, and nothing else of it", async () => {
  const merged = [
    ...PULLS,
    { number: 9, head: "ada:fix", sha: "x", merged: SHA, base: "next" },
    { number: 8, head: "ada:fix", sha: "x", merged: SHA },
  ];
  const github = await openGitHub(merged);
  const at = (commit: string) => ({
    env: { GITHUB_SHA: commit, GITHUB_REF: "refs/heads/main" },
  });
  const digest = async () => (await run(github, "reviewed", at(SHA))).outputs;
  const elsewhere = `${MARKER}\n\nDigest of the changes: \`0${DIGEST.slice(1)}\`\n`;
  github.commentsOf(9).push(github.by(elsewhere));
  github
    .commentsOf(8)
    .push(github.by(`${MARKER}\n\nDigest of the changes: \`${DIGEST}\`\n`, "eve"));
  expect(await digest()).toBe("");
  const ours = github.by(`${MARKER}\n\nDigest of the changes: \`$(id)\`\n`);
  github.commentsOf(8).push(ours);
  expect(await digest()).toBe("");
  ours.body = `${MARKER}\n\nDigest of the changes: \`${DIGEST}\`\nmore=yes\n`;
  expect(await digest()).toBe(`digest=${DIGEST}\n`);
  expect((await run(github, "reviewed", at("other"))).outputs).toBe("");
});

const drifted = (text: string, statuses: readonly string[], exitCode: number) => ({
  files: {
    "drift.md": text,
    "drift.json": JSON.stringify({ exitCode, portals: statuses.map((status) => ({ status })) }),
  },
  env: { RUN: "https://github.example.com/run/2" },
});

test("drift is one issue: opened, updated where it is another, and closed when nothing is left", async () => {
  const github = await openGitHub();
  const look = (made: Made) => run(github, "drift", made);
  github.issues.push(
    {
      ...github.by("<!-- lintel drift issue --> Not ours", "eve"),
      number: 1,
      title: "",
      state: "open",
    },
    {
      ...github.by("<!-- lintel drift issue -->"),
      number: 2,
      title: "",
      state: "open",
      pull_request: {},
    },
  );
  expect((await look(drifted("", ["unchanged"], 0))).exit).toBe(0);
  expect(github.writes()).toEqual([]);
  await look(drifted("The banner", ["changes", "unchanged"], 2));
  expect(github.issues[2]).toMatchObject({
    title: "Somebody has changed portals by hand",
    user: { login: BOT },
    body: "<!-- lintel drift issue -->\n\nThe banner\n\nSeen by [a run](https://github.example.com/run/2).",
  });
  await look(drifted("The banner", ["changes"], 2));
  expect(github.writes()).toHaveLength(1);
  await look(drifted("The notice", ["changes"], 2));
  expect(github.issues).toHaveLength(3);
  expect(github.issues[2]?.body).toContain("The notice");
  await look(drifted("", ["unchanged"], 0));
  expect(github.issues.map(({ state }) => state)).toEqual(["open", "open", "closed"]);
  expect(github.commentsOf(3).at(-1)?.body).toContain("Nothing is left of it");
  await look(drifted("The notice", ["changes"], 2));
  expect(github.issues.map(({ state }) => state)).toEqual(["open", "open", "open"]);
  expect(github.issues[2]?.body).toContain("The notice");
});

test("who closes the issue has seen what it tells, and hears of something else", async () => {
  const github = await openGitHub();
  await run(github, "drift", drifted("The banner", ["changes"], 2));
  Object.assign(github.issues[0] ?? {}, { state: "closed" });
  await run(github, "drift", drifted("The banner", ["changes"], 2));
  await run(github, "drift", drifted("", ["unchanged"], 0));
  expect(github.writes()).toHaveLength(1);
  await run(github, "drift", drifted("The notice", ["changes"], 2));
  expect(github.issues).toMatchObject([{ state: "open" }]);
});

test("a portal that could not be looked at closes no issue, and what was seen elsewhere is told", async () => {
  const github = await openGitHub();
  const look = (made: Made) => run(github, "drift", made);
  await look(drifted("The banner", ["changes"], 2));
  await look(drifted("Failed", ["failed", "unchanged"], 4));
  await look({});
  expect(github.issues).toMatchObject([{ state: "open" }]);
  expect(github.issues[0]?.body).toContain("The banner");
  await look(drifted("The notice", ["changes", "failed"], 4));
  expect(github.issues[0]?.body).toContain("The notice");
});
