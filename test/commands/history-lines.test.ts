// lintel history --output jsonl: one line for each entry of all portals, for an audit.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { HistoryEntryDocument } from "../../src/report/documents.js";
import { call } from "../run/call.js";
import { openFleet, type Fleet } from "../run/fleet.js";

const ON = "{ informationalBanner: { text: Good, enabled: true } }";
const OFF = ON.replace("true", "false");
const JOB = {
  GITLAB_CI: "true",
  CI: "true",
  GITLAB_USER_LOGIN: "Ada",
  CI_JOB_URL: "https://ci.example.com/jobs/7",
  CI_COMMIT_SHA: "0123456789abcdef0123456789abcdef01234567",
};

/** Applied, held by a person, released, and applied by a pipeline with a guard opened. */
async function openAudited(): Promise<Fleet> {
  const fleet = await openFleet(2, ON, call);
  const done = async (words: string[], env?: Readonly<Record<string, string>>) =>
    expect(await fleet.run(words, env)).toMatchObject({ exit: 0 });
  await done(["apply", "portals", "--yes"]);
  await done(["hold", "portals/portal-2.yaml", "--why", "The server moves."]);
  await done(["unhold", "portals/portal-2.yaml"]);
  for (const name of ["portal-1", "portal-2"]) {
    fleet.write(name, { settings: OFF, more: "state: file:.lintel\n" });
  }
  await done(["apply", "portals", "--yes", "--allow", "disable-notice"], JOB);
  return fleet;
}

async function linesOf(fleet: Fleet, words: readonly string[] = []) {
  const ran = await fleet.run(["history", "portals", ...words, "-o", "jsonl"]);
  const lines = ran.stdout.split("\n").filter(Boolean);
  return { ...ran, lines: lines.map((line) => JSON.parse(line) as HistoryEntryDocument) };
}

test("says who did what, why, from which commit and job, with which guards, the oldest first", async () => {
  const fleet = await openAudited();
  const { exit, lines } = await linesOf(fleet);
  expect(exit).toBe(0);
  expect(lines.map(({ portal, kind }) => `${portal.name} ${kind}`).toSorted()).toEqual([
    "portal-1 apply",
    "portal-1 apply",
    "portal-2 apply",
    "portal-2 apply",
    "portal-2 hold",
    "portal-2 unhold",
  ]);
  const times = lines.map(({ time }) => time);
  expect(times).toEqual(times.toSorted());
  expect(lines.find(({ kind }) => kind === "hold")).toMatchObject({
    why: "The server moves.",
    number: null,
    changes: [],
  });
  const last = lines.findLast(({ portal }) => portal.name === "portal-1");
  expect(last).toMatchObject({
    formatVersion: 1,
    portal: { id: "portal-1", file: "portals/portal-1.yaml" },
    kind: "apply",
    number: 2,
    outcome: "done",
    actor: "Ada",
    commit: JOB.CI_COMMIT_SHA,
    job: JOB.CI_JOB_URL,
    guards: [
      {
        guard: "disable-notice",
        path: "informationalBanner.enabled",
        how: "--allow",
        reason: null,
      },
    ],
    changes: [{ path: "informationalBanner.enabled", before: true, after: false }],
  });
  expect(lines.filter(({ run }) => run === last?.run)).toHaveLength(2);
});

test("takes --since and --path like the other reports", async () => {
  const fleet = await openAudited();
  const { lines } = await linesOf(fleet, ["--since", "7d", "--path", "informationalBanner.text"]);
  expect(lines.map(({ number }) => number)).toEqual([1, 1]);
  const later = await fleet.run(["history", "portals", "--since", "2999-01-01", "-o", "jsonl"]);
  expect(later).toMatchObject({ exit: 64 });
  expect(JSON.parse(later.stdout)).toMatchObject({ failure: { code: "wrong-usage" } });
});

test("ends with a line for each portal whose history cannot be read, and fails", async () => {
  const fleet = await openAudited();
  fleet.write("portal-2", { settings: ON, more: "state: file:broken\n" });
  writeFileSync(join(fleet.folder, "broken"), "no folder\n");
  const { exit, lines } = await linesOf(fleet);
  expect(exit).toBe(1);
  expect(lines.slice(0, -1).map(({ portal }) => portal.name)).toEqual(["portal-1", "portal-1"]);
  expect(lines.at(-1)).toMatchObject({
    portal: { name: "portal-2" },
    failure: { code: expect.stringContaining("state") },
  });
  rmSync(join(fleet.folder, "portals/portal-1.yaml"));
  const alone = await linesOf(fleet);
  expect(alone.lines).toMatchObject([{ command: "history", exitCode: 1 }]);
});
