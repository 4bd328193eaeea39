// What a release is made of works on a machine with nothing else, is the same whenever it is made, and says what is in it.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { NODE_VERSION } from "../build/package/executable.js";
import packageFacts from "../package.json" with { type: "json" };
import { assertInstalls, assertWorks } from "./support/journey.js";
import { openMachine, whyNoMachine } from "./support/machine.js";
import { namesIn, rowsUnder } from "./support/manual.js";
import { PROJECT, folderOf, runProgram, type Folder } from "./support/run.js";

const { version } = packageFacts;
const EXECUTABLE = `lintel-linux-${process.arch}`;
const ARCHIVE = `lintel-${version}-win-x64.zip`;
const BILL = `lintel-${version}.cdx.json`;

let folder: Folder;
let release = "";

beforeAll(async () => {
  folder = folderOf();
  release = join(folder.path, "release");
  await makeRelease(release);
}, 300_000);

afterAll(() => folder.remove());

const hasZip = ["zip", "unzip"].every((name) => spawnSync(name, ["-v"]).status === 0);

/** npm downloads Node, and a machine's network may need a proxy, or certificates of its own. */
function networkOf({ NODE_EXTRA_CA_CERTS, HTTPS_PROXY, NO_PROXY }: NodeJS.ProcessEnv) {
  return { NODE_EXTRA_CA_CERTS, HTTPS_PROXY, NO_PROXY };
}

async function makeRelease(path: string): Promise<void> {
  const tsx = join(PROJECT, "node_modules/tsx/dist/cli.mjs");
  const words = [tsx, "build/package/package.ts", "--quick", path];
  const made = await runProgram(process.execPath, words, {
    cwd: PROJECT,
    env: networkOf(process.env),
  });
  if (made.exit !== 0) throw new Error(made.stderr);
}

/** With nothing in it but the file. */
function emptyFolderWith(name: string): string {
  const own = mkdtempSync(join(folder.path, "alone-"));
  copyFileSync(join(release, name), join(own, name));
  return own;
}

test("everything is made, with its sum, and the same again the next time", async () => {
  const names = ["Dockerfile", "SHA256SUMS", "THIRD-PARTY.txt", BILL, `lintel-${version}.tgz`];
  const programs = [EXECUTABLE, "lintel.cjs", ...(hasZip ? [ARCHIVE] : [])];
  const made = readdirSync(release).toSorted();
  expect(made.filter((name) => !name.endsWith(".deb"))).toEqual([...names, ...programs].toSorted());
  const checked = await runProgram("sha256sum", ["--check", "--quiet", "--strict", "SHA256SUMS"], {
    cwd: release,
  });
  expect(checked).toEqual({ exit: 0, stdout: "", stderr: "" });
  const sums = readFileSync(join(release, "SHA256SUMS"), "utf8");
  expect(sums.match(/(?<= {2}).*/g)).toEqual(made.filter((name) => name !== "SHA256SUMS"));
  await makeRelease(join(folder.path, "again"));
  expect(readFileSync(join(folder.path, "again/SHA256SUMS"), "utf8")).toBe(sums);
});

/** A copy of this machine's root, which takes what is written, in a mount namespace that ends with the shell. */
const IN_CHROOT = `set -e
mkdir over root
mount -t tmpfs none over
mkdir over/upper over/work
mount -t overlay none -o lowerdir=/,upperdir=over/upper,workdir=over/work root
cp lintel-*.tgz root/tmp/
chroot root sh -e`;

const hasChroot = spawnSync("unshare", ["--mount", "chroot", "/", "true"]).status === 0;

test.skipIf(!hasChroot)("the steps of the Dockerfile install a command that runs", async () => {
  const cwd = emptyFolderWith(`lintel-${version}.tgz`);
  const text = readFileSync(join(release, "Dockerfile"), "utf8");
  expect(text).toMatch(/^FROM node:\S+@sha256:[0-9a-f]{64}$/m);
  const [, step = ""] = /^RUN ((?:.*\\\n)*.*)$/m.exec(text) ?? [];
  const words = ["--mount", "sh", "-c", IN_CHROOT];
  const ran = await runProgram("unshare", words, {
    cwd,
    stdin: `${step}\ncd /\nlintel --version\n`,
  });
  expect([ran.exit, ran.stdout]).toEqual([
    0,
    expect.stringMatching(new RegExp(`^${version}$`, "m")),
  ]);
  const other = step.replace(/"[0-9a-f]/, '"x');
  expect((await runProgram("unshare", words, { cwd, stdin: other })).exit).not.toBe(0);
});

test("the page on installing names the files that are made", () => {
  const rows = rowsUnder("docs/install.md", "File | For").map(([name = ""]) => namesIn(name)[0]);
  const named = rows.map((name = "") => name.replace("VERSION", version));
  const made = readdirSync(release).filter((name) =>
    /\.(deb|tgz|zip|cjs)$|^lintel-linux/.test(name),
  );
  // Where there is no dpkg or no zip, these are not made.
  const others = (names: string[]) => names.filter((name) => !/\.(deb|zip)$/.test(name));
  expect(others(named).toSorted()).toEqual(others(made).toSorted());
  expect(named).toEqual(expect.arrayContaining(made));
});

test("the single file works alone in an empty folder", async () => {
  const cwd = emptyFolderWith("lintel.cjs");
  await assertWorks({ words: [process.execPath, join(cwd, "lintel.cjs")], cwd, path: "/nowhere" });
});

test("the executable works alone in an empty folder, and no Node is on the path", async () => {
  const cwd = emptyFolderWith(EXECUTABLE);
  await assertWorks({ words: [join(cwd, EXECUTABLE)], cwd, path: "/nowhere" });
});

test("the executable needs no newer libraries than Debian 11 and Ubuntu 20.04 have", () => {
  const program = readFileSync(join(release, EXECUTABLE), "latin1");
  const newestOf = (library: string) => {
    const found = program.matchAll(new RegExp(`\\b${library}_(\\d+(?:\\.\\d+)+)\\0`, "g"));
    const inOrder = new Intl.Collator("en", { numeric: true });
    return [...found]
      .map(([, version = ""]) => version)
      .toSorted(inOrder.compare)
      .at(-1);
  };
  // What "Depends" of the Debian package stands for.
  expect(newestOf("GLIBC")).toBe("2.28");
  expect(newestOf("GLIBCXX")).toBe("3.4.21");
});

test("the bill of materials is valid, and names what is bundled, but no tool of the build", async () => {
  const text = readFileSync(join(release, BILL), "utf8");
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  expect(await validator.validate(text)).toBe(null);
  const bill = JSON.parse(text);

  const texts = readFileSync(join(release, "THIRD-PARTY.txt"), "utf8");
  const parts: { purl: string; name: string; group?: string; version: string }[] = bill.components;
  const packages = parts.filter(({ purl }) => purl.startsWith("pkg:npm/"));
  for (const { name, group, version } of packages) {
    expect(texts).toContain(`${group ? `${group}/` : ""}${name} ${version}\n`);
  }
  const names = packages.map(({ name }) => name);
  for (const each of ["yaml", "pg", "yargs", "diff", "acorn", "ajv", "quickjs-emscripten-core"]) {
    expect(names).toContain(each);
  }
  for (const each of ["vitest", "esbuild", "typescript", "postject"]) {
    expect(names).not.toContain(each);
  }
  expect(parts.map(({ name, version }) => `${name} ${version}`)).toContain(`node ${NODE_VERSION}`);
  expect(texts).toMatch(/^Node [\d.]+, which is part of the executables\n\n[^]+Copyright/m);
});

test.skipIf(!hasZip)(
  "the archive for Windows has Node, the single file and a command",
  async () => {
    const cwd = emptyFolderWith(ARCHIVE);
    expect(await runProgram("unzip", ["-q", ARCHIVE], { cwd })).toMatchObject({ exit: 0 });
    const inside = join(cwd, ARCHIVE.replace(".zip", ""));
    const files = ["THIRD-PARTY.txt", "lintel.cjs", "lintel.cmd", "node.exe"];
    expect(readdirSync(inside).toSorted()).toEqual(files.toSorted());
    const read = (name: string, end?: number) => readFileSync(join(inside, name)).subarray(0, end);
    expect(read("lintel.cjs")).toEqual(readFileSync(join(release, "lintel.cjs")));
    expect(read("node.exe", 2).toString()).toBe("MZ");
    expect(read("lintel.cmd").toString()).toBe(
      '@echo off\r\n"%~dp0node.exe" "%~dp0lintel.cjs" %*\r\n',
    );
  },
);

describe("the package for Debian", () => {
  const reason = whyNoMachine();
  if (reason) console.warn(`${reason}: the package for Debian is not installed.`);

  test.skipIf(reason)(
    "installs where there is no Node, works, brings its page and completions, and goes without a trace",
    async () => {
      const machine = await openMachine({ below: "/", shared: folder.path });
      onTestFinished(() => machine.close());
      const { run } = machine;
      await assertInstalls(machine, { release, shared: folder.path });

      if ((await run("which", "man")).exit === 0) {
        for (const language of ["C.UTF-8", "C"]) {
          const page = ["env", "MANWIDTH=100", `LC_ALL=${language}`, "man", "--warnings", "lintel"];
          const shown = await run(...page);
          expect(shown).toMatchObject({ exit: 0, stderr: "" });
          expect(shown.stdout.split("\n").length).toBeLessThanOrEqual(500);
          const words = ["lintel plan [FILE...]", "--detailed-exitcode", "lintel state unlock"];
          for (const each of words) {
            expect(shown.stdout.replaceAll(/\s+/g, " ")).toContain(each);
          }
        }
      } else console.warn("No man on this machine: the manual page is not read.");
      const completed = await run(
        "bash",
        "-c",
        `. /usr/share/bash-completion/completions/lintel
COMP_WORDS=(lintel val) COMP_CWORD=1; _lintel_yargs_completions; echo "\${COMPREPLY[@]}"`,
      );
      expect(completed.stdout).toBe("validate\n");

      const files = (await run("dpkg", "--listfiles", "lintel")).stdout.match(/.*lintel.*/g) ?? [];
      expect(files).toEqual(
        expect.arrayContaining(
          ["README.md", "docs/security.md", "examples/fleet/_base.yaml"].map(
            (name) => `/usr/share/doc/lintel/${name}`,
          ),
        ),
      );
      expect(await run("apt-get", "--yes", "purge", "lintel")).toMatchObject({ exit: 0 });
      expect(files.filter((name) => existsSync(join(machine.root, name)))).toEqual([]);
    },
  );
});
