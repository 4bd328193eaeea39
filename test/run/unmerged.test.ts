// Two people applied, each in a clone of their own, and git could not merge the two states: every command says so, and how to go on.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { identityOf } from "../../src/state/key.js";
import { sidesOf } from "../../src/state/unmerged.js";
import { openPlace, type Place } from "./place.js";

const banner = (text: string) =>
  `settings: { informationalBanner: { text: ${text}, enabled: true } }\n`;

function git(place: Place, ...words: string[]): string {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  const { stdout, stderr } = spawnSync("git", [...who, ...words], {
    cwd: place.folder.path,
    encoding: "utf8",
  });
  return stdout + stderr;
}

const fileOf = ({ sandbox }: Place) =>
  join(".lintel", identityOf(sandbox.portalUrl, "self").key, "000004.json");

async function applied(place: Place, text: string, LOGNAME: string, startMs: number) {
  place.write(banner(text));
  // To each of them, what the other one applied looks as if somebody had changed it by hand.
  const words = "apply --yes --allow overwrite-drift";
  const ran = await place.run(words, { env: { LOGNAME }, startMs });
  expect(ran).toMatchObject({ exit: 0 });
  git(place, "add", ".");
  git(place, "commit", "--quiet", "-m", text);
}

const DAY_MS = Date.UTC(2026, 5, 15, 12);

/** Anna and Ben applied once each, Ben later: both wrote revisions of the same numbers. */
async function conflict(style = "merge"): Promise<Place> {
  const place = await openPlace();
  git(place, "init", "--quiet", "--initial-branch", "main");
  git(place, "config", "merge.conflictStyle", style);
  await applied(place, "One", "anna", DAY_MS);
  git(place, "branch", "ben");
  await applied(place, "Two", "anna", DAY_MS + 3_600_000);
  git(place, "checkout", "--quiet", "ben");
  await applied(place, "Four", "ben", DAY_MS + 10_800_000);
  git(place, "checkout", "--quiet", "main");
  git(place, "merge", "ben");
  place.write(banner("Four"));
  expect(readFileSync(join(place.folder.path, fileOf(place)), "utf8")).toContain("<<<<<<< ");
  return place;
}

const flat = (text: string) => text.replace(/\s+/g, " ");

describe.each(["merge", "diff3"])("a conflict in the style %s", (style) => {
  test("is reported by every command, with both serials, authors and a fix", async () => {
    const place = await conflict(style);
    for (const words of ["plan", "apply --yes", "status", "doctor", "drift", "state show"]) {
      const { exit, stdout, stderr } = await place.run(words);
      expect([words, exit]).toEqual([words, 1]);
      const told = flat(stdout + stderr);
      expect(told).toContain("because two people applied: serial 4 by anna, serial 4 by ben");
      expect(told).toContain("Keep the one that was applied last, serial 4 by ben");
      expect(told).toMatch(/git checkout --theirs (\S+) git add \1 lintel plan/);
      expect(told).not.toMatch(/last apply never|aside|another name/);
    }
    expect(place.updates()).toHaveLength(3);
  });
});

test("the suggested command keeps the right one", async () => {
  const place = await conflict();
  const { stdout } = await place.run("plan");
  const [, side = "", path = ""] = /git checkout --(\w+) (\S+)\n/.exec(stdout) ?? [];
  expect(side).toBe("theirs");
  git(place, "checkout", `--${side}`, path);
  const again = await place.run("plan");
  expect(again.stdout).toMatch(/^No changes\./m);
});

test("other damage suggests git to restore the state", async () => {
  const place = await conflict();
  const path = join(place.folder.path, fileOf(place));
  writeFileSync(path, "<<<<<<<\n{}");
  const odd = (await place.run("plan")).stdout;
  expect(odd).toContain("[state-unmerged]");
  expect(flat(odd)).toContain("one without serial and author, one without serial and author.");
  expect(flat(odd)).toContain("applied last, whose time is unknown;");
  writeFileSync(path, "{");
  const { stdout } = await place.run("plan");
  expect(stdout).toContain("[state-damaged]");
  expect(stdout).toContain(`git checkout COMMIT -- ${dirname(path)}`);
  expect(stdout).not.toMatch(/aside|another name|begins a new/);
});

test("ignores a marker inside of a text", () => {
  expect(sidesOf('{ "text": "<<<<<<< HEAD" }')).toBeUndefined();
  expect(sidesOf("<<<<<<<<<<< eleven")).toBeUndefined();
});
