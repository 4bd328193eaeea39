// What a command is given to read or to write and is no plain file: refused in words, at once, and nothing else is touched.
import { execFileSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { writeReport } from "../../src/cli/write-report.js";
import type { Io } from "../../src/io.js";
import { makeRun } from "../support/network.js";
import { lintel } from "../run/call.js";
import { BIN, folderOf, runProgram, type Ran } from "../support/run.js";
import { fileFor, keysOf, openSandbox } from "../support/sandbox.js";

const GOOD =
  'targetVersion: "11.5"\nportal: { url: "http://127.0.0.1:9/portal/sharing/rest" }\nsettings: { blockBetaApps: true }\n';
const OLD = "window.esriGeowConfig = { tokenExpiration: 30 };\n";

/** A folder "here" to stand in, and beside it one that nobody has named. */
function place(files: Readonly<Record<string, string>> = {}) {
  const folder = folderOf({ "here/portal.yaml": GOOD, "elsewhere/mine.yaml": GOOD });
  onTestFinished(() => folder.remove());
  const here = join(folder.path, "here");
  const at = (name: string) => join(here, name);
  for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text);
  const elsewhere = () =>
    readdirSync(join(folder.path, "elsewhere")).map((name) => [
      name,
      readFileSync(join(folder.path, "elsewhere", name), "utf8"),
    ]);
  const untouched = elsewhere();
  return {
    here,
    at,
    run: (words: string[], env: Record<string, string> = {}): Promise<Ran> =>
      lintel(words, { cwd: here, env }),
    read: (name: string) => readFileSync(at(name), "utf8"),
    pipe: (name: string) => execFileSync("mkfifo", [at(name)]),
    link: (name: string, target: string) => symlinkSync(target, at(name)),
    expectElsewhereUntouched: () => expect(elsewhere()).toEqual(untouched),
    drafts: () => readdirSync(here).filter((name) => /draft/.test(name)),
  };
}

describe("a report", () => {
  test.each(["json", "junit", "sarif", "github", "text"])(
    "in %s is no way out through a link, wherever that leads",
    async (format) => {
      const { run, link, at, expectElsewhereUntouched } = place();
      link("live", "../elsewhere/mine.yaml");
      link("dangling", "../elsewhere/new.yaml");
      for (const name of ["live", "dangling"]) {
        const ran = await run(["validate", "portal.yaml", "--output", `${format}=${name}`]);
        expect(ran).toMatchObject({ exit: 1, stdout: "" });
        expect(ran.stderr).toContain(`"${name}" cannot be written: it is a link.`);
        expect(lstatSync(at(name)).isSymbolicLink()).toBe(true);
      }
      expectElsewhereUntouched();
    },
  );

  test("whose place cannot be written to stops the run before it does anything", async () => {
    const sandbox = await openSandbox();
    const { run, pipe } = place({
      "portal.yaml": fileFor(sandbox, "settings: { blockBetaApps: true }\n"),
    });
    pipe("pipe");
    const ran = await run(["apply", "--yes", "--output", "json=pipe"], keysOf(sandbox));
    expect(ran.exit).toBe(1);
    expect(ran.stderr).toContain('"pipe" cannot be written: it is a pipe.');
    expect(sandbox.requests).toEqual([]);
  });

  test("takes the place of a file with all its rights, and of none of its other names", async () => {
    const { run, at, read, drafts } = place({ "report.json": "old" });
    linkSync(at("report.json"), at("other.json"));
    execFileSync("chmod", ["640", at("report.json")]);
    expect((await run(["validate", "--output", "json=report.json"])).exit).toBe(0);
    expect(JSON.parse(read("report.json"))).toMatchObject({ command: "validate" });
    expect(read("other.json")).toBe("old");
    expect(statSync(at("report.json")).mode & 0o777).toBe(0o640);
    expect(drafts()).toEqual([]);
  });

  test("of many runs at once is that of one of them, whole", async () => {
    const { run, read, drafts } = place();
    const words = ["validate", "portal.yaml", "--output", "json=report.json"];
    const runs = await Promise.all(Array.from({ length: 6 }, () => run(words)));
    expect(runs.map(({ exit }) => exit)).toEqual(Array(6).fill(0));
    expect(JSON.parse(read("report.json"))).toMatchObject({ command: "validate" });
    expect(drafts()).toEqual([]);
  });

  test.each([
    ["/dev/full", "it is a device"],
    ["folder", "it is a folder"],
    ["portal.yaml/report.json", "a part of the path is a file"],
    ["n".repeat(300), "the path is too long"],
    ["/dev/fd/99", "it is not open"],
  ])("cannot be written to %.30s", async (file, why) => {
    const { run, at } = place();
    mkdirSync(at("folder"));
    const ran = await run(["validate", "portal.yaml", "--output", `json=${file}`]);
    expect(ran).toMatchObject({ exit: 1, stdout: "" });
    expect(ran.stderr).toContain(`cannot be written: ${why}.`);
  });

  test("goes where a shell leads it: to standard output, into a pipe of the shell's, and nowhere", async () => {
    const { here, read } = place();
    const command = `"${process.execPath}" "${BIN}" validate portal.yaml --output`;
    const script = `${command} json=/dev/stdout; ${command} json=>(cat > piped); wait; ${command} json=/dev/null; ${command} json=/dev/fd/7 7> opened`;
    const ran = await runProgram("bash", ["-c", script], { cwd: here });
    expect({ exit: ran.exit, stderr: ran.stderr }).toEqual({ exit: 0, stderr: "" });
    expect(ran.stdout).toMatch(/^\{\n/);
    await expect.poll(() => read("piped")).toContain('"exitCode": 0');
    expect(JSON.parse(read("opened"))).toMatchObject({ exitCode: 0 });
  });

  test("longer than a pipe holds waits for its reader, and is whole", async () => {
    const many = Array.from({ length: 190 }, (_, at) => `${"k".repeat(900)}${at}: 1\n`).join("");
    const { here, read } = place({ "portal.yaml": many });
    const script = `"${process.execPath}" "${BIN}" validate portal.yaml --output sarif=>(sleep 0.2; cat > piped); wait`;
    await runProgram("bash", ["-c", script], { cwd: here });
    await expect.poll(() => read("piped").endsWith("}\n")).toBe(true);
    expect(read("piped").length).toBeGreaterThan(128 * 1024);
    expect(() => JSON.parse(read("piped")) as unknown).not.toThrow();
  });

  test("that cannot be written after a failure is reported with it, without a stack trace", async () => {
    const { run } = place();
    const ran = await run(["validate", "no*.yaml", "--output", "json=portal.yaml/x.json"]);
    expect(ran.exit).toBe(1);
    expect(ran.stderr).not.toMatch(/\n\s+at /);
  });
});

describe("an export, a copy, a plan and a new file", () => {
  const WRITING: [name: string, words: string[]][] = [
    ["preview", ["preview", "portal.yaml", "--output", "html=FILE"]],
    ["migrate --out", ["migrate", "config.js", "--target", "11.0", "--out", "FILE"]],
    ["init", ["init", "FILE", "--url", "https://gis.example.com/portal", "--target", "12.1"]],
    ["plan --save", ["plan", "portal.yaml", "--save", "FILE"]],
  ];

  async function planned() {
    const sandbox = await openSandbox();
    const made = place({
      "portal.yaml": fileFor(sandbox, "settings: { blockBetaApps: true }\n"),
      "config.js": OLD,
    });
    return { ...made, go: (words: string[]) => made.run(words, keysOf(sandbox)) };
  }

  test.each(WRITING)("%s writes through no link", async (_, words) => {
    const { go, link, at, expectElsewhereUntouched } = await planned();
    link("dangling", "../elsewhere/new.yaml");
    const ran = await go(words.map((word) => word.replace("FILE", "dangling")));
    expect(ran.exit).toBe(1);
    expect(ran.stderr).toMatch(/"dangling" (cannot be written: it is a link|already exists)/);
    expect(lstatSync(at("dangling")).isSymbolicLink()).toBe(true);
    expectElsewhereUntouched();
  });

  test.each(WRITING)("%s neither waits for a pipe nor goes through a file", async (_, words) => {
    const { go, pipe } = await planned();
    pipe("pipe");
    for (const name of ["pipe", "config.js/x", "/dev/full", "n".repeat(300)]) {
      const ran = await go(words.map((word) => word.replace("FILE", name)));
      expect([1, 3]).toContain(ran.exit);
      expect(ran.stderr).toMatch(/\[(not-writable|file-exists)\]|\[file-not-/);
    }
  });

  test("a saved plan is for its owner alone", async () => {
    const { go, at } = await planned();
    expect((await go(["plan", "--save", "plan.json"])).exit).toBe(0);
    expect(statSync(at("plan.json")).mode & 0o777).toBe(0o600);
  });
});

describe("a file that is changed in place", () => {
  const write = ["upgrade", "portal.yaml", "--to", "12.0", "--write"];

  test.each([
    ["in its own folder", ".", "files/mine.yaml"],
    ["in its repository", ".git", "../here/files/mine.yaml"],
  ])("may be a link to one %s, and stays one", async (_, marker, target) => {
    const { run, at, link, read } = place();
    execFileSync("rm", [at("portal.yaml")]);
    mkdirSync(at("files"));
    if (marker !== ".") mkdirSync(at(marker));
    writeFileSync(at("files/mine.yaml"), GOOD);
    link("portal.yaml", target);
    expect((await run(write)).exit).toBe(0);
    expect(lstatSync(at("portal.yaml")).isSymbolicLink()).toBe(true);
    expect(read("files/mine.yaml")).toContain('"12.0"');
  });

  test("and leads out of its folder is left as it is", async () => {
    const { run, at, link, expectElsewhereUntouched } = place();
    execFileSync("rm", [at("portal.yaml")]);
    link("portal.yaml", "../elsewhere/mine.yaml");
    const ran = await run(write);
    expect(ran.exit).toBe(1);
    expect(ran.stderr).toContain('"portal.yaml" is a link that leads out of its folder');
    expectElsewhereUntouched();
  });

  test("is reached through a folder that is a link, which is the caller's own way", async () => {
    const { run, link, at } = place();
    link("way", "../elsewhere");
    expect((await run(["upgrade", "way/mine.yaml", "--to", "12.0", "--write"])).exit).toBe(0);
    expect(readFileSync(at("../elsewhere/mine.yaml"), "utf8")).toContain('"12.0"');
  });

  test("does not follow a link planted under the name of a draft", async () => {
    const { run, link, read, expectElsewhereUntouched } = place();
    link(".portal.yaml.lintel-draft", "../elsewhere/mine.yaml");
    expect((await run(write)).exit).toBe(0);
    expect(read("portal.yaml")).toContain('"12.0"');
    expectElsewhereUntouched();
  });

  test("of bytes that are no text is not pulled into", async () => {
    const sandbox = await openSandbox();
    sandbox.change("self", { blockBetaApps: true });
    const { at, run } = place({
      "portal.yaml": fileFor(sandbox, "settings: { blockBetaApps: false }\n"),
    });
    const latin = Buffer.from("settings: { blockBetaApps: false } # Stra\xdfe\n", "latin1");
    writeFileSync(at("latin.yaml"), latin);
    const ran = await run(["pull", "portal.yaml", "--into", "latin.yaml"], keysOf(sandbox));
    expect(ran.exit).toBe(3);
    expect(ran.stderr).toContain('"latin.yaml" cannot be read: it is not written in UTF-8.');
    expect(readFileSync(at("latin.yaml"))).toEqual(latin);
  });
});

describe("what is read", () => {
  const READING: [name: string, words: string[]][] = [
    ["validate", ["validate", "FILE"]],
    ["a base", ["validate", "extends.yaml"]],
    ["a text", ["validate", "refers.yaml"]],
    ["plan", ["plan", "FILE"]],
    ["apply", ["apply", "FILE", "--yes"]],
    ["plan --load", ["plan", "--load", "FILE"]],
    ["migrate", ["migrate", "FILE", "--target", "11.0"]],
    ["migrate --into", ["migrate", "config.js", "--into", "FILE"]],
    ["--ca-file", ["plan", "portal.yaml", "--ca-file", "FILE"]],
    ["--cert", ["plan", "portal.yaml", "--cert", "FILE"]],
    ["explain", ["explain", "blockBetaApps", "--file", "FILE"]],
    ["a sandbox's memory", ["sandbox", "--data", "memory"]],
  ];

  test.each(READING)("is no pipe, which %s would wait for", async (_, words) => {
    const { run, pipe, at } = place({
      "config.js": OLD,
      "extends.yaml": 'targetVersion: "11.5"\nextends: pipe\n',
      "refers.yaml":
        'targetVersion: "11.5"\nsettings: { informationalBanner: { text: "${file:pipe}" } }\n',
    });
    pipe("pipe");
    mkdirSync(at("memory"));
    pipe("memory/sandbox.json");
    const { exit, stdout, stderr } = await run(words.map((word) => word.replace("FILE", "pipe")));
    expect([1, 3, 64]).toContain(exit);
    expect(stdout + stderr).toMatch(/it is a pipe|cannot be read|is no saved plan/);
  });

  test("is nothing endless, and nothing huge", async () => {
    const { run, at, link } = place({ "huge.yaml": "" });
    truncateSync(at("huge.yaml"), 2 ** 40);
    link("endless.yaml", "/dev/zero");
    for (const words of [
      ["validate", "FILE"],
      ["migrate", "FILE", "--target", "11.0"],
      ["plan", "portal.yaml", "--key", "FILE"],
    ]) {
      for (const [name, why] of [
        ["huge.yaml", /larger than \d+ MiB/],
        ["endless.yaml", /it is a device/],
      ] as const) {
        const ran = await run(words.map((word) => word.replace("FILE", name)));
        expect(ran.stdout + ran.stderr).toMatch(why);
        expect([3, 64]).toContain(ran.exit);
      }
    }
  });

  test("comes on standard input where a shell would make a pipe of it", async () => {
    const { here } = place();
    const command = `"${process.execPath}" "${BIN}" validate`;
    const piped = await runProgram("bash", ["-c", `${command} <(cat portal.yaml)`], { cwd: here });
    expect(piped.exit).toBe(3);
    expect(piped.stdout).toContain("Hand it over on standard input");
    const read = await runProgram("bash", ["-c", `cat portal.yaml | ${command} -`], { cwd: here });
    expect(read.exit).toBe(0);
  });

  test("as a certificate may be reached by a link", async () => {
    const { run, link } = place({ "authority.pem": "no certificate" });
    link("link.pem", "authority.pem");
    const ran = await run(["plan", "portal.yaml", "--no-state", "--ca-file", "link.pem"]);
    expect(ran.stderr).not.toContain('"link.pem"');
  });
});

test("the folders on the way to a report are made, and a file among them is said to be one", async () => {
  const { run, read, at } = place();
  expect((await run(["validate", "--output", "json=a/b/report.json"])).exit).toBe(0);
  expect(existsSync(at("a/b/report.json"))).toBe(true);
  const ran = await run(["validate", "--output", "json=a/b/report.json/c.json"]);
  expect(ran).toMatchObject({ exit: 1, stdout: "" });
  expect(JSON.parse(read("a/b/report.json"))).toMatchObject({ exitCode: 0 });
});

test("an interrupt ends a report whose reader has fallen asleep", async () => {
  const { at, pipe } = place();
  pipe("pipe");
  // Both ends of the pipe are open, and nothing is ever read from it.
  const handle = openSync(at("pipe"), "r+");
  onTestFinished(() => closeSync(handle));
  const interruption = new AbortController();
  const { io } = makeRun();
  const interrupted: Io = {
    ...io,
    signal: interruption.signal,
    sleep: (_, signal) => {
      interruption.abort(new Error("interrupted"));
      return Promise.reject(signal.reason as Error);
    },
  };
  const written = writeReport(`/dev/fd/${handle}`, "x".repeat(1024 * 1024), interrupted, "text");
  await expect(written).rejects.toThrow("interrupted");
});
