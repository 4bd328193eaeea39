// Slips that people made on the way: each has a way out of its own.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { lintel } from "../run/call.js";
import { BIN, folderOf, runProgram } from "../support/run.js";

const GOOD =
  'targetVersion: "11.5"\nportal: { url: "https://gis.example.com/portal/sharing/rest", id: "${portal.name}" }\n';

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = folderOf(files);
  onTestFinished(() => folder.remove());
  return folder.path;
}

test("a report that cannot be written is one error without a stack trace", async () => {
  const cwd = folderWith({ "good.yaml": GOOD });
  const { exit, stderr } = await lintel(["validate", "good.yaml", "-o", "json=/proc/no"], { cwd });
  expect(exit).toBe(1);
  expect(stderr.match(/cannot be written/g)).toHaveLength(1);
  expect(stderr).not.toMatch(/\n {4}at /);
});

test("--quiet leaves away that there is no problem; it is no option where a report is what was asked for", async () => {
  const cwd = folderWith({ "good.yaml": GOOD });
  expect((await lintel(["validate", "-q", "good.yaml"], { cwd })).stdout).toBe("");
  for (const words of [
    ["schema", "-q", "11.5"],
    ["explain", "--quiet", "text"],
  ]) {
    expect(await lintel(words, { cwd })).toMatchObject({ exit: 64, stdout: "" });
  }
});

test("init in a folder writes the usual file there", async () => {
  const cwd = folderWith({ "portals/readme.txt": "" });
  const url = ["--url", "https://gis.example.com/portal/sharing/rest", "--target", "12.1"];
  expect((await lintel(["init", "portals", ...url], { cwd })).exit).toBe(0);
  expect((await lintel(["init", "new/", ...url], { cwd })).exit).toBe(0);
  expect(existsSync(join(cwd, "portals/portal.yaml"))).toBe(true);
  expect(readFileSync(join(cwd, "new/portal.yaml"), "utf8")).toContain("targetVersion");
});

test("init writes no password into a file", async () => {
  const cwd = folderWith({});
  const url = ["--url", "https://admin:hunter2@gis.example.com/portal/sharing/rest"];
  expect((await lintel(["init", ...url], { cwd })).exit).toBe(64);
  expect(existsSync(join(cwd, "portal.yaml"))).toBe(false);
});

test("an error in a shared base is reported once, with the number of files", async () => {
  const cwd = folderWith({
    "_base.yaml": "settings: { blockBetaApps: 1 }\n",
    "a.yaml": `${GOOD}extends: _base.yaml\n`,
    "b.yaml": `${GOOD}extends: _base.yaml\n`,
  });
  const { exit, stdout } = await lintel(["validate", "."], { cwd });
  expect(exit).toBe(3);
  expect(stdout).toContain("This concerns 2 files. Write true or false.");
  expect(stdout).toContain("2 files: 1 error.");
  expect((await lintel(["validate", "a.yaml"], { cwd })).stdout).not.toContain("concerns");
});

describe("a key that is missing in a base", () => {
  const portal = (name: string) => `portal: { url: "https://${name}.example.com/sharing/rest" }\n`;
  const files = {
    "_lowest.yaml": "# All portals.\nsignIn:\n  method: login\n",
    "_base.yaml": "extends: _lowest.yaml\nsignIn: { carry: form-token }\n",
    "a.yaml": `extends: _base.yaml\n${portal("a")}signIn: { username: a }\n`,
    "b.yaml": `extends: _base.yaml\n${portal("b")}signIn: { username: b }\n`,
    "c.yaml": `extends: _base.yaml\ntargetVersion: "11.5"\n${portal("c")}signIn: { url: "https://accounts.example.com" }\n`,
  };

  test.each(["validate", "plan --offline"])(
    "is one error where one line mends it: %s",
    async (words) => {
      const cwd = folderWith(files);
      const { exit, stdout } = await lintel([...words.split(" "), "-o", "json", "."], { cwd });
      const { diagnostics } = JSON.parse(stdout) as { diagnostics: Record<string, unknown>[] };
      expect(exit).not.toBe(0);
      expect(diagnostics).toMatchObject([
        {
          message: 'The key "targetVersion" is missing.',
          file: "_lowest.yaml",
          line: 2,
          help: expect.stringMatching(/^This concerns 2 files\. Say which version/) as string,
          related: [
            { file: "_base.yaml", line: 1 },
            { file: "a.yaml", line: 1 },
          ],
        },
        { message: 'The key "url" is missing in "signIn".', file: "_lowest.yaml", line: 3 },
      ]);
    },
  );

  test("and where one file alone misses it, an error of that file", async () => {
    const cwd = folderWith(files);
    const { stdout } = await lintel(["validate", "a.yaml", "c.yaml"], { cwd });
    expect(stdout).toContain('a.yaml:1:1: error: The key "targetVersion" is missing.');
    expect(stdout).toContain('a.yaml:3:1: error: The key "url" is missing in "signIn".');
    expect(stdout).toContain("2 files: 2 errors.");
  });
});

test("two files for one portal are reported once, at the second; a base does not count", async () => {
  const portal = 'portal: { url: "https://gis.example.com/portal/sharing/rest" }\n';
  const file = `targetVersion: "11.5"\n${portal}`;
  const cwd = folderWith({
    "a.yaml": file,
    "b.yaml": `# The same, spelled otherwise.\n${file.replace("/rest", "/rest/").replace("gis", "GIS")}`,
    "c.yaml": file,
    "_part.yaml": portal,
    "wrong.yaml": `${file}setings: {}\n`,
  });
  const { exit, stdout } = await lintel(["validate", "a.yaml", "b.yaml", "c.yaml"], { cwd });
  expect(exit).toBe(3);
  expect(stdout).toContain(
    'b.yaml:3:16: error: "a.yaml", "b.yaml" and "c.yaml" configure the same portal. [same-portal-twice]',
  );
  expect(stdout).toContain("  a.yaml:2:16 is where");
  expect(stdout).toContain("  c.yaml:2:16 is where");
  expect(stdout).toContain("3 files: 1 error.");
  expect((await lintel(["validate", "a.yaml", "_part.yaml"], { cwd })).exit).toBe(0);
  const { stdout: both } = await lintel(["validate", "a.yaml", "wrong.yaml"], { cwd });
  expect(both).not.toContain("[same-portal-twice]");
});

test("two files with one state are reported once, and each may have its own place", async () => {
  const file = (id: string, name: string) =>
    `targetVersion: "11.5"\nportal: { url: "https://gis.example.com/portal/sharing/rest", id: ${id} }\nstate: "https://states.example.com/${name}"\n`;
  const cwd = folderWith({
    "a.yaml": file("a", "gis"),
    "b.yaml": file("b", "gis"),
    "c.yaml": file("c", "${portal.key}"),
    "d.yaml": file("d", "${portal.key}"),
  });
  const { exit, stdout } = await lintel(["validate", "a.yaml", "b.yaml", "c.yaml", "d.yaml"], {
    cwd,
  });
  expect(exit).toBe(3);
  expect(stdout).toContain(
    'b.yaml:3:8: error: "a.yaml" and "b.yaml" use one address for their states, which can contain the state of one portal. [state-place-shared]',
  );
  expect(stdout).toContain("  a.yaml:3:8 is where");
  expect(stdout).toContain("4 files: 1 error.");
});

test("what validate passes, plan does not refuse for what the file says", async () => {
  const cwd = folderWith({
    "elsewhere.yaml": `${GOOD}state: ftp://states.example.com/portals\n`,
    "nowhere.yaml": 'targetVersion: "11.5"\n',
    "nameless.yaml": 'targetVersion: "11.5"\nportal: { name: north }\n',
    "odd.yaml": `${GOOD}state: file:///a%2Fb\n`,
  });
  for (const file of ["elsewhere.yaml", "nowhere.yaml", "nameless.yaml", "odd.yaml"]) {
    const checked = await lintel(["validate", file], { cwd });
    const planned = await lintel(["plan", "--offline", file], { cwd });
    expect([file, checked.exit, planned.exit]).toEqual([file, 3, 3]);
  }
});

test("commands that only read settings accept a file without a portal", async () => {
  const file = 'targetVersion: "11.4"\nsettings: { blockBetaApps: true }\n';
  const cwd = folderWith({ "draft.yaml": file });
  const calls = [
    ["explain", "blockBetaApps", "--file", "draft.yaml"],
    ["upgrade", "draft.yaml", "--to", "11.5"],
    ["preview", "draft.yaml", "--output", "html=draft.html"],
  ];
  for (const words of calls)
    expect([words, (await lintel(words, { cwd })).exit]).toEqual([words, 0]);
});

test("plan --load distinguishes a missing plan from a file that is not a plan", async () => {
  const cwd = folderWith({ "portal.yaml": GOOD });
  const missing = await lintel(["plan", "--load", "nope.json"], { cwd });
  expect(missing).toMatchObject({ exit: 64, stdout: "" });
  expect(missing.stderr).toContain('There is no file "nope.json".');
  const other = await lintel(["plan", "--load", "portal.yaml"], { cwd });
  expect(other.stderr).toContain('"portal.yaml" is no saved plan.');
});

test("a file that is not there is answered with those that are", async () => {
  const cwd = folderWith({
    "staging.yaml": GOOD,
    "portals/north.yaml": GOOD,
    "_part.yaml": "settings: {}\n",
  });
  const helpFor = async (...words: string[]) => (await lintel(words, { cwd })).stdout;
  expect(await helpFor("plan", "stagin.yaml")).toContain('help: Did you mean "staging.yaml"?');
  expect(await helpFor("validate", "staging")).toContain('help: Did you mean "staging.yaml"?');
  expect(await helpFor("validate", "north.yaml")).toContain('Did you mean "portals/north.yaml"?');
  expect(await helpFor("plan", "elsewhere/quite-different.yaml")).toContain("Check the spelling");
  expect(await helpFor("validate", "_prt.yaml")).toContain('Did you mean "_part.yaml"?');
  expect(await lintel(["validate", "x.yaml"], { cwd: folderWith({}) })).toMatchObject({
    exit: 3,
    stdout: expect.stringContaining("lintel init") as string,
  });
});

test("apply reports a missing file before a missing terminal", async () => {
  const cwd = folderWith({ "portal.yaml": GOOD });
  const missing = await lintel(["apply", "nope.yaml", "-o", "json"], { cwd });
  expect(missing.exit).toBe(3);
  expect(JSON.parse(missing.stdout)).toMatchObject({
    command: "apply",
    failure: null,
    diagnostics: [{ code: "file-not-found", file: "nope.yaml" }],
  });
  const asked = await lintel(["apply"], { cwd });
  expect(asked.exit).toBe(64);
  expect(asked.stderr).toContain("Cannot prompt");
});

test("migrate onto a file that is there names the way to add to it", async () => {
  const cwd = folderWith({
    "old config.js": "window.esriGeowConfig = { tokenExpiration: 30 };\n",
    "my portal.yaml": GOOD,
  });
  const { exit, stderr } = await lintel(
    ["migrate", "old config.js", "--target", "11.5", "--out", "my portal.yaml"],
    { cwd },
  );
  expect(exit).toBe(1);
  expect(stderr).toContain("  lintel migrate 'old config.js' --into 'my portal.yaml'\n");
});

test("a pattern that matches no file is named", async () => {
  const cwd = folderWith({ "good.yaml": GOOD });
  for (const pattern of ["[abc", "por{a,b"]) {
    const { exit, stderr } = await lintel(["serve", pattern], { cwd });
    expect(exit).toBe(64);
    expect(stderr).toContain(pattern);
  }
  const { stderr } = await lintel(["serve", "a[bc].yaml"], { cwd });
  expect(stderr).toContain('No file matches "a[bc].yaml"; parts (_*.yaml) do not count.');
});

test("a port that there is not is answered with one that may be free", async () => {
  const cwd = folderWith({ "good.yaml": GOOD });
  const { exit, stderr } = await lintel(["serve", "good.yaml", "--port", "99999"], { cwd });
  expect(exit).toBe(64);
  expect(stderr).toContain("Write a whole number from 0 to 65535, such as:\n          --port 8080");
});

/** In a file system of its own, where this machine lets anybody have one. */
const READ_ONLY = ["--user", "--map-root-user", "--mount", "sh", "-c"];
const MOUNT = "mount -t tmpfs none place && mkdir place/there && mount -o remount,ro place";
const mayMount = () => {
  const made = folderOf({ "place/.keep": "" });
  const { status } = spawnSync("unshare", [...READ_ONLY, MOUNT], { cwd: made.path });
  made.remove();
  return status === 0;
};

test.skipIf(!mayMount()).each(["there", "new", "new/deep"])(
  "the folder of --data on a read-only file system is told as that: %s",
  async (name) => {
    const cwd = folderWith({ "good.yaml": GOOD, "place/.keep": "" });
    const call = `${MOUNT} && exec "${process.execPath}" "${BIN}" serve good.yaml --data place/${name}`;
    const { exit, stderr } = await runProgram("unshare", [...READ_ONLY, call], { cwd });
    expect(exit).toBe(1);
    expect(stderr).toContain("cannot be used: the file system is read-only.");
  },
);
