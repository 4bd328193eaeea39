// What a change under review tries in order to see what it may not, or to keep a pipeline busy.
import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { folderOf, lintel } from "../support/run.js";

const HEAD = 'targetVersion: "11.5"\n';
const SECRET = "hunter2hunter2";

function repositoryWith(files: Readonly<Record<string, string>>): string {
  const folder = folderOf({ "outside.env": `password: [${SECRET}\n`, ...prefixed(files) });
  onTestFinished(() => folder.remove());
  const root = join(folder.path, "repo");
  execFileSync("git", ["init", "-q"], { cwd: root });
  execFileSync("git", ["add", "."], { cwd: root });
  return root;
}

function prefixed(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`repo/${name}`, text]));
}

test("standard input cannot extend what lies outside the repository", async () => {
  const cwd = repositoryWith({ "a.yaml": HEAD });
  for (const base of ["../outside.env", "/proc/self/environ"]) {
    const stdin = `${HEAD}extends: ${base}\n`;
    const env = { LINTEL_WEB_SERVICES_KEY: SECRET };
    const { exit, stdout, stderr } = await lintel(["validate", "-"], { cwd, stdin, env });
    expect(exit).toBe(3);
    expect(stdout).toContain("outside-repository");
    expect(stdout + stderr).not.toContain(SECRET);
  }
});

test("a link among the files leads nowhere outside the repository", async () => {
  const cwd = repositoryWith({ "portals/a.yaml": HEAD });
  symlinkSync("../../outside.env", join(cwd, "portals/b.yaml"));
  for (const words of [["portals"], ["portals/*.yaml"], ["portals/b.yaml"], []]) {
    const { exit, stdout } = await lintel(["validate", ...words], { cwd });
    expect(exit).toBe(3);
    expect(stdout).toContain("outside-repository");
    expect(stdout).not.toContain(SECRET);
  }
});

test("nor does a link to another repository, whose files are none of this review's", async () => {
  const portal = 'portal: { url: "https://gis.example.com/portal/sharing/rest" }\n';
  const cwd = repositoryWith({ "portal.yaml": HEAD + portal });
  const other = repositoryWith({ "b.yaml": `password: ${SECRET}\n` });
  symlinkSync(other, join(cwd, "portals"));
  for (const words of [["portals"], ["portals/*.yaml"], ["portals/b.yaml"]]) {
    const { exit, stdout } = await lintel(["validate", ...words], { cwd });
    expect(exit).toBe(3);
    expect(stdout).toContain("outside-repository");
    expect(stdout).not.toContain(SECRET);
  }
  // Whoever names a way to a repository from outside of any means that one.
  const way = folderOf();
  onTestFinished(() => way.remove());
  symlinkSync(cwd, join(way.path, "way"));
  expect(await lintel(["validate", "way/portal.yaml"], { cwd: way.path })).toMatchObject({
    exit: 0,
  });
});

test("refuses an open file descriptor without a path as a file of the review", async () => {
  const cwd = repositoryWith({ "a.yaml": HEAD });
  symlinkSync("/proc/self/fd/0", join(cwd, "open.yaml"));
  for (const text of [
    "extends: /proc/self/fd/0\n",
    "extends: open.yaml\n",
    'settings: { informationalBanner: { text: "${file:/proc/self/fd/0}" } }\n',
    'signIn: { url: "https://accounts.example.com", beid: "${file:/proc/self/fd/0}" }\n',
  ]) {
    writeFileSync(join(cwd, "a.yaml"), HEAD + text);
    const { exit, stdout } = await lintel(["validate", "a.yaml"], { cwd, stdin: SECRET });
    expect([text, exit]).toEqual([text, 3]);
    expect(stdout).toMatch(/outside-(?:repository|secrets)/);
  }
});

test("the address of the sign-in service holds no variable but those that are open", async () => {
  const cwd = repositoryWith({
    "portal.yaml": `${HEAD}portal: { url: "http://127.0.0.1:9/rest" }
signIn: { url: "http://\${env:LINTEL_WEB_SERVICES_KEY}.example.com" }
`,
  });
  const env = { LINTEL_BEID: "b", LINTEL_WEB_SERVICES_KEY: SECRET };
  for (const command of ["validate", "doctor"]) {
    const { exit, stdout, stderr } = await lintel([command, "portal.yaml"], { cwd, env });
    expect(exit).toBe(3);
    expect(stdout).toContain("forbidden-variable");
    expect(stdout + stderr).not.toContain(SECRET);
  }
});

test("bombs go off small: bases that multiply, texts that multiply, problems on one long line", async () => {
  const bases = Object.fromEntries(
    Array.from({ length: 15 }, (_, n) => [
      `_e${n}.yaml`,
      n < 14 ? `extends: [_e${n + 1}.yaml, _e${n + 1}.yaml, _e${n + 1}.yaml]\n` : "{}\n",
    ]),
  );
  const cwd = repositoryWith({
    ...bases,
    "extends.yaml": `${HEAD}extends: _e0.yaml\n`,
    "big.txt": "x".repeat(1_000_000),
    "texts.yaml": `${HEAD}settings: { informationalBanner: { text: "${"${file:big.txt}".repeat(300)}" } }\n`,
    "variables.yaml": `${HEAD}settings: { informationalBanner: { text: "${"${env:LINTEL_VAR_NO}".repeat(100_000)}" } }\n`,
    "keys.yaml": `{ targetVersion: "11.5", ${Array.from({ length: 12_000 }, (_, n) => `k${n}: 1`).join(", ")}, x-a: "${"y".repeat(3_000_000)}" }\n`,
    "masks.yaml": `${HEAD}"${"beid: ${file:".repeat(60_000)}": 1\n`,
  });
  for (const [name, code] of [
    ["extends", "bad-extends"],
    ["texts", "bad-reference"],
    ["variables", "undefined-variable"],
    ["keys", "unknown-key"],
    ["masks", "yaml-syntax"],
  ]) {
    const { exit, stdout } = await lintel(["validate", `${name}.yaml`], { cwd });
    expect(stdout).toContain(`[${code}]`);
    expect(exit).toBe(3);
  }
});

test("reports marks, odd numbers and bases that are no mapping", async () => {
  const cwd = repositoryWith({
    "a.yaml": 'targetVersion: "12345.0"\n',
    "b.yaml": `${HEAD}signIn: !unmanaged\n`,
    "c.yaml": `${HEAD}extends: _list.yaml\n`,
    "d.yaml": `${HEAD}portal: { url: "https://[::1/" }\n`,
    "f.yaml": `${HEAD}signIn: { url: "https://accounts.example.com${"/".repeat(500_000)}x" }\n`,
    "_list.yaml": "- a\n",
  });
  writeFileSync(join(cwd, "e.yaml"), `${HEAD}extends: _two.yaml\n`);
  writeFileSync(
    join(cwd, "_two.yaml"),
    "settings: { portalConfigProperties: { portalAGOConfigEnabled: true, portalPlatformOnlineConfigEnabled: false } }\n",
  );
  const { stdout } = await lintel(["validate", "-o", "json", "."], { cwd });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { file: string; code: string }[] };
  expect(diagnostics.map(({ file, code }) => `${file} ${code}`)).toEqual(
    expect.arrayContaining([
      "a.yaml bad-target",
      "b.yaml bad-tag",
      "_list.yaml wrong-type",
      "d.yaml wrong-format",
      // Which end of it is meant took minutes to find out.
      "f.yaml wrong-format",
      "_two.yaml two-spellings",
    ]),
  );
});
