// The hook of the manual, in a repository of git: what is staged is checked, under any name, and nothing else.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { BIN, environment, folderOf, runProgram } from "../support/run.js";
import { blocks } from "../support/manual.js";

const [, HOOK = ""] =
  blocks("sh", ["docs/pipelines.md"]).find(([, text]) => text.startsWith("#!")) ?? [];

const FINE = `extends: ../bases/_gis.yaml
portal: { url: "https://gis.example.com/portal/sharing/rest" }
settings: { informationalBanner: { text: "\${file:../texts/banner.txt}" } }
`;
const WRONG = FINE.replace("settings", "setings");
const BASE = `targetVersion: "11.5"
signIn: { method: login, url: "https://accounts.example.com" }
state: git:lintel-state
`;
const NAMES = [
  "$(touch pwned).yaml",
  "a b.yaml",
  "-x.yaml",
  "a\nb.yaml",
  "`touch pwned`; 'c'.yaml",
];

function repository() {
  const folder = folderOf();
  onTestFinished(() => folder.remove());
  const programs = join(folder.path, "programs");
  const cwd = join(folder.path, "the portals");
  for (const path of [programs, cwd]) mkdirSync(path);
  const lintel = `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`;
  writeFileSync(join(programs, "lintel"), lintel, { mode: 0o755 });
  const temporary = join(folder.path, "tmp");
  mkdirSync(temporary);
  const env = {
    ...environment({ HOME: folder.path, TMPDIR: temporary }),
    PATH: `${programs}:${process.env["PATH"]}`,
    GIT_CONFIG_NOSYSTEM: "1",
    ...Object.fromEntries(
      ["AUTHOR", "COMMITTER"].flatMap((who) => [
        [`GIT_${who}_NAME`, "Ada"],
        [`GIT_${who}_EMAIL`, "ada@example.com"],
      ]),
    ),
  };
  const git = (...words: string[]) =>
    execFileSync("git", words, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  const write = (name: string, text: string) => {
    const path = join(cwd, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  git("init", "--quiet");
  git("remote", "add", "origin", "https://git.example.com/gis/portals.git");
  write("bases/_gis.yaml", BASE);
  write("texts/banner.txt", "Back at noon.\n");
  write("portals/gis.yaml", FINE);
  git("add", "--all");
  writeFileSync(join(cwd, ".git/hooks/pre-commit"), HOOK, { mode: 0o755 });
  return {
    git,
    write,
    remove: (name: string) => rmSync(join(cwd, name)),
    commit: async (...words: string[]) => {
      const before = git("status", "--porcelain", "-z");
      const ran = await runProgram("git", ["commit", "--quiet", "-m", "Next", ...words], {
        cwd,
        env,
      });
      // The folder of what was staged is gone again, and no name was read as a command.
      expect(readdirSync(temporary)).toEqual([]);
      expect(git("ls-files", "--others", "--cached")).not.toMatch(/^pwned$/m);
      if (ran.exit !== 0) expect(git("status", "--porcelain", "-z")).toBe(before);
      return { ...ran, told: ran.stdout + ran.stderr };
    },
  };
}

test("accepts a first commit, and one with names that a shell would change", async () => {
  const { git, write, commit } = repository();
  const first = await commit();
  expect([first.exit, first.told]).toEqual([0, "portals/gis.yaml: no problems.\n"]);
  for (const [at, name] of NAMES.entries()) {
    write(`portals/${name}`, FINE.replace("gis.example", `gis-${at}.example`));
  }
  git("add", "--all");
  const many = await commit();
  expect([many.exit, many.told]).toEqual([0, expect.stringContaining("6 files: no problems.")]);
});

test("what is staged counts, not what lies in the working tree", async () => {
  const { git, write, commit } = repository();
  write("portals/gis.yaml", WRONG);
  write("portals/untracked.yaml", WRONG);
  expect(await commit()).toMatchObject({ exit: 0 });
  git("add", "portals/gis.yaml");
  write("portals/gis.yaml", FINE);
  const refused = await commit();
  expect(refused.exit).not.toBe(0);
  expect(refused.told).toContain('portals/gis.yaml:3:1: error: The key "setings" is not known');
  expect(refused.told).not.toContain("untracked");
});

test("a wrong file of any name is refused, and named", async () => {
  const { git, write, commit, remove } = repository();
  for (const name of NAMES) {
    write(`portals/${name}`, WRONG);
    git("add", "--all");
    const { exit, told } = await commit();
    expect(exit).not.toBe(0);
    expect(told).toContain(name.replace("\n", "<U+000A>"));
    remove(`portals/${name}`);
  }
});

test("a base that changes, or goes, is checked by those that extend it", async () => {
  const { git, write, commit } = repository();
  expect(await commit()).toMatchObject({ exit: 0 });
  write("bases/_gis.yaml", BASE.replace("method: login", "method: logim"));
  git("add", "--all");
  expect((await commit()).told).toContain('"logim"');
  git("rm", "--quiet", "--force", "bases/_gis.yaml");
  expect((await commit()).told).toContain("_gis.yaml");
});

test("a commit of named files alone is checked as it will be", async () => {
  const { git, write, commit } = repository();
  expect(await commit()).toMatchObject({ exit: 0 });
  write("portals/gis.yaml", WRONG);
  write("texts/banner.txt", "Back at one.\n");
  git("add", "--all");
  expect(await commit("--", "texts")).toMatchObject({ exit: 0 });
  expect((await commit("--all")).exit).not.toBe(0);
});
