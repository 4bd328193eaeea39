// What the clock's job finds of drift, and the one issue that the job after it opens, updates and closes.
import { expect, test } from "vitest";
import { ISSUES_TOKEN, openGitlab } from "./gitlab-platform.js";

/** After an apply, so that there is something to drift from. */
async function openDrift() {
  const gitlab = await openGitlab();
  expect(await gitlab.apply()).toMatchObject({ exit: 0 });
  const look = async () => {
    const clock = await gitlab.job("clock");
    expect([clock.exit, clock.told]).toEqual([0, clock.told]);
    return { "drift.md": clock.left("drift.md"), "drift.json": clock.left("drift.json") };
  };
  return { ...gitlab, look };
}

test("drift is one confidential issue: opened, left alone while nothing changes, updated, and closed", async () => {
  const gitlab = await openDrift();
  // Somebody else's that looks like ours, and more of our own than a page holds.
  const description = "<!-- lintel drift -->\n\nMine";
  gitlab.issues.push({ iid: 1, author: "eve", title: "Eve's", description, state: "opened" });
  const run = async () => gitlab.job("drift", { left: await gitlab.look() });
  expect(await run()).toMatchObject({ exit: 0, stdout: "There is no drift.\n" });
  gitlab.sandbox.change("self", { blockBetaApps: false });
  expect(await run()).toMatchObject({ exit: 0, stdout: "Issue #2 is opened.\n", stderr: "" });
  expect(gitlab.issues.at(-1)).toMatchObject({
    state: "opened",
    confidential: true,
    description: expect.stringMatching(/^<!-- lintel drift -->[^]*blockBetaApps/) as string,
  });
  expect(await run()).toMatchObject({ exit: 0, stdout: "Issue #2 tells of it already.\n" });
  expect(gitlab.writes()).toHaveLength(1);
  const more = gitlab.merge("{ blockBetaApps: true, aiAssistantsEnabled: true }");
  gitlab.sandbox.change("self", { blockBetaApps: true });
  expect(await gitlab.apply(more)).toMatchObject({ exit: 0 });
  gitlab.sandbox.change("self", { blockBetaApps: false, aiAssistantsEnabled: false });
  expect(await run()).toMatchObject({ exit: 0, stdout: "Issue #2 is updated.\n" });
  gitlab.sandbox.change("self", { blockBetaApps: true, aiAssistantsEnabled: true });
  expect(await run()).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining("#2 is closed") as string,
  });
  expect(gitlab.issues.map(({ state }) => state)).toEqual(["opened", "closed"]);
  expect(gitlab.issues[0]?.description).toBe(description);
  gitlab.sandbox.change("self", { blockBetaApps: false });
  expect(await run()).toMatchObject({ exit: 0, stdout: "Issue #2 is opened again.\n" });
});

test("who closes it has seen it, and it is found behind all others that the token has made", async () => {
  const gitlab = await openDrift();
  gitlab.sandbox.change("self", { blockBetaApps: false });
  const left = await gitlab.look();
  await gitlab.job("drift", { left });
  const [issue] = gitlab.issues;
  if (issue) issue.state = "closed";
  for (let iid = 2; iid <= 120; iid += 1) {
    gitlab.issues.push({ iid, title: "Another", description: "", state: "opened" });
  }
  const again = await gitlab.job("drift", { left });
  expect([again.stdout, gitlab.issues[0]?.state]).toEqual([
    "Issue #1 tells of it already.\n",
    "closed",
  ]);
});

test("without a token drift is a warning that says what to set; without drift nothing is wanted", async () => {
  const gitlab = await openDrift();
  const settings = { issues: {} };
  const none = await gitlab.job("drift", { left: await gitlab.look(), settings });
  expect([none.exit, none.stdout]).toEqual([0, "There is no drift.\n"]);
  gitlab.sandbox.change("self", { blockBetaApps: false });
  const found = await gitlab.job("drift", { left: await gitlab.look(), settings });
  expect([found.exit, found.stdout]).toEqual([2, expect.stringContaining("LINTEL_ISSUES_TOKEN")]);
  const refused = await gitlab.job("drift", {
    left: await gitlab.look(),
    settings: { issues: { LINTEL_ISSUES_TOKEN: "expired" } },
  });
  expect([refused.exit, refused.stdout, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/ 401 [^]*has expired or may not write issues/),
    "",
  ]);
  expect(gitlab.issues).toEqual([]);
});

test("what could not be looked at closes no issue, and the clock's job fails", async () => {
  const gitlab = await openDrift();
  gitlab.sandbox.change("self", { blockBetaApps: false });
  await gitlab.job("drift", { left: await gitlab.look() });
  gitlab.misbehave(() => ({ status: 403, body: '{"message":"403 Forbidden"}' }));
  const clock = await gitlab.job("clock");
  expect(clock.exit).not.toBe(0);
  const left = { "drift.md": clock.left("drift.md"), "drift.json": clock.left("drift.json") };
  for (const each of [left, {}]) {
    const after = await gitlab.job("drift", { left: each });
    expect([after.exit, after.stdout]).toEqual([0, expect.stringContaining("Its log says why")]);
  }
  expect(gitlab.issues.map(({ state }) => state)).toEqual(["opened"]);
});

test("the job that writes the issue is given its token, and nothing of Lintel's", async () => {
  const gitlab = await openGitlab();
  const print = (job: string) =>
    gitlab.job(job, { steps: gitlab.steps(job).map((step) => ({ ...step, text: "env" })) });
  const [drift, clock] = [await print("drift"), await print("clock")];
  expect(drift.stdout).toContain(ISSUES_TOKEN);
  expect(clock.stdout).not.toContain(ISSUES_TOKEN);
  for (const key of gitlab.keys) {
    expect([drift.stdout.includes(key), clock.stdout.includes(key)]).toEqual([false, true]);
  }
});

test("a report that is longer than GitLab takes is cut", async () => {
  const gitlab = await openDrift();
  gitlab.sandbox.change("self", { blockBetaApps: false });
  const left = {
    ...(await gitlab.look()),
    "drift.md": `<!-- lintel drift -->${"x".repeat(2_000_000)}`,
  };
  expect(await gitlab.job("drift", { left })).toMatchObject({ exit: 0, stderr: "" });
  expect(gitlab.issues.at(-1)?.description?.length).toBeLessThan(1_048_576);
});
