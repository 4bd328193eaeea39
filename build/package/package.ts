// dist/ → everything that a release is made of, in one folder. As a script: package.ts [--quick] [FOLDER].
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import packageFacts from "../../package.json" with { type: "json" };
import { wrap } from "../../src/report/text/layout.js";
import type { Bundles } from "../bundled.js";
import { billOfMaterials } from "./bom.js";
import { writeDeb } from "./deb.js";
import { nodeLicence, writeExecutable } from "./executable.js";
import { oneFile } from "./file.js";
import { manualPage } from "./manual.js";

const project = join(dirname(fileURLToPath(import.meta.url)), "../..");
const { values, positionals } = parseArgs({
  options: { quick: { type: "boolean", default: false } },
  allowPositionals: true,
});
const release = resolve(positionals[0] ?? join(project, "release"));
const { version } = packageFacts;
const epochS = Number(process.env["SOURCE_DATE_EPOCH"] ?? lastCommit());
const licences = ownText("dist/THIRD-PARTY.txt");

rmSync(release, { recursive: true, force: true });
mkdirSync(release, { recursive: true });
// npm packs the rights that files have here, and they are those of whoever checked them out.
for (const name of ["package.json", "README.md", "LICENSE", "dist", "schemas", "examples"]) {
  openToAll(join(project, name));
}

const pack = ["pack", "--ignore-scripts", "--silent", "--pack-destination", release];
execFileSync("npm", pack, { cwd: project, stdio: ["ignore", "ignore", "inherit"] });

const one = oneFile(project);
write("lintel.cjs", one.text, 0o755);

const bundles = JSON.parse(ownText("generated/bundles.json")) as Bundles;
const bill = `${JSON.stringify(billOfMaterials(project, bundles, epochS), undefined, 2)}\n`;
write(`lintel-${version}.cdx.json`, bill);

if (process.platform === "linux") await makeExecutables();

const sums = readdirSync(release)
  .toSorted()
  .map((name) => `${digestOf(join(release, name))}  ${name}\n`);
write("SHA256SUMS", sums.join(""));
process.stdout.write(`${release}\n${sums.map((line) => `  ${line}`).join("")}`);

async function makeExecutables(): Promise<void> {
  const node = nodeLicence();
  const program = join(release, `lintel-linux-${process.arch}`);
  writeExecutable(one, program);
  chmodSync(program, 0o755);
  const parts = `Node ${process.versions.node}, which is part of the executable\n\n${node}\n`;
  const line = `\n${"-".repeat(72)}\n\n`;
  write("THIRD-PARTY.txt", `${licences}${line}${parts}`);
  if (!isThere("dpkg-deb")) {
    process.stderr.write("dpkg-deb is not installed: the package for Debian is left out.\n");
    return;
  }
  const architecture = { x64: "amd64" }[process.arch as string] ?? process.arch;
  const deb = join(release, `lintel_${version}_${architecture}.deb`);
  const script = (shell: string) =>
    execFileSync(process.execPath, [join(project, "dist/bin.cjs"), "completion", shell], {
      encoding: "utf8",
    });
  writeDeb(
    {
      executable: program,
      architecture,
      manual: await manual(),
      completions: { bash: script("bash"), zsh: script("zsh"), fish: script("fish") },
      copyright: [`Lintel\n\n${ownText("LICENSE")}`, licences, parts].join(line),
      bill,
      units: Object.fromEntries(
        readdirSync(join(project, "systemd")).map((name) => [name, ownText(`systemd/${name}`)]),
      ),
      changes: changes(),
      epochS,
      isQuick: values.quick,
    },
    deb,
  );
}

function manual(): Promise<string> {
  const pages = readdirSync(join(project, "docs")).toSorted();
  const topics = pages.map((page): [string, string] => {
    const [, sentence = ""] = ownText(`docs/${page}`).split("\n\n");
    return [basename(page, ".md"), sentence.replaceAll(/`|\[(.*?)\]\(.*?\)/g, "$1")];
  });
  const rows = [...ownText("docs/exit-status.md").matchAll(/^\| (\d+) \| (.*) \|$/gm)];
  const exits = rows.map(([, status = "", meaning = ""]): [string, string] => [status, meaning]);
  return manualPage({ epochS, topics, exits });
}

/** What is new in this version, as lines that are short enough for Debian's own list. */
function changes(): string[] {
  const [, newest = ""] = ownText("CHANGELOG.md").split(/^## .*\n/m);
  const items = newest.matchAll(/^- (.*)$/gm);
  return [...items].map(([, item = ""]) => wrap(item, 74).join("\n    "));
}

function openToAll(path: string): void {
  const found = statSync(path);
  const isFolder = found.isDirectory();
  chmodSync(path, isFolder || (found.mode & 0o100) !== 0 ? 0o755 : 0o644);
  if (isFolder) for (const name of readdirSync(path)) openToAll(join(path, name));
}

function ownText(path: string): string {
  return readFileSync(join(project, path), "utf8");
}

function write(name: string, text: string, mode = 0o644): void {
  writeFileSync(join(release, name), text);
  chmodSync(join(release, name), mode);
}

/** What is made of one commit is the same whenever it is made. */
function lastCommit(): string {
  try {
    const words = ["log", "-1", "--format=%ct"];
    return execFileSync("git", words, { cwd: project, encoding: "utf8", stdio: "pipe" });
  } catch {
    return "0";
  }
}

function isThere(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function digestOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
