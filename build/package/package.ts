// Makes what a release consists of, from dist/. As a script: package.ts [--quick] [FOLDER].
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import packageFacts from "../../package.json" with { type: "json" };
import { commonJs, options, project } from "../options.js";
import { writeDeb } from "./deb.js";
import { NODE_VERSION, writeExecutable } from "./executable.js";
import { firstSentence } from "../../src/cli/help.js";
import { PINNED } from "../../src/pipelines/pipeline.js";
import { manualPages } from "../texts.js";
import { manualPage } from "./manual.js";
import { writeArchive } from "./windows.js";

const { values, positionals } = parseArgs({
  options: { quick: { type: "boolean", default: false } },
  allowPositionals: true,
});
const { version } = packageFacts;
const release = resolve(positionals[0] ?? join(project, "release"));
const program = join(release, `lintel-linux-${process.arch}`);
const epochS = Number(process.env["SOURCE_DATE_EPOCH"] ?? lastCommit());
const licences = textOf("dist/THIRD-PARTY.txt");

rmSync(release, { recursive: true, force: true });
mkdirSync(release, { recursive: true });
packForNpm();
await buildFile();
const bill = billOfMaterials();
write(`lintel-${version}.cdx.json`, bill);
if (process.platform === "linux") {
  const node = writeExecutable(join(release, "lintel.cjs"), program);
  const line = `\n${"-".repeat(72)}\n\n`;
  const allLicences = `${licences}${line}Node ${NODE_VERSION}, which is part of the executables\n\n${node}\n`;
  write("THIRD-PARTY.txt", allLicences);
  if (spawnSync("dpkg-deb", ["--version"]).status === 0) {
    await makeDeb(`Lintel\n\n${textOf("LICENSE")}${line}${allLicences}`);
  } else process.stderr.write("dpkg-deb is not installed: no Debian package is made.\n");
  if (spawnSync("zip", ["--version"]).status === 0) {
    const main = join(release, "lintel.cjs");
    const made = { main, licences: allLicences, epochS, isQuick: values.quick };
    writeArchive(made, join(release, `lintel-${version}-win-x64.zip`));
  } else process.stderr.write("zip is not installed: no archive for Windows is made.\n");
}
write("Dockerfile", dockerfile());
const names = readdirSync(release).toSorted();
const sums = names.map((name) => `${digestOf(join(release, name))}  ${name}\n`);
write("SHA256SUMS", sums.join(""));
process.stdout.write(`${release}\n${sums.map((line) => `  ${line}`).join("")}`);

function packForNpm(): void {
  // npm packs the permissions of files, and those depend on the umask.
  const packed = ["package.json", "README.md", "LICENSE", ...packageFacts.files];
  const paths = packed.map((name) => name.replace("/*.json", ""));
  execFileSync("chmod", ["-R", "u=rwX,go=rX", ...paths], { cwd: project });
  const words = ["pack", "--ignore-scripts", "--silent", "--pack-destination", release];
  execFileSync("npm", words, { cwd: project, stdio: ["ignore", "ignore", "inherit"] });
}

/** The command as one file, which is also the program in the executable. */
async function buildFile(): Promise<void> {
  const path = join(release, "lintel.cjs");
  await build({
    ...options,
    ...commonJs,
    entryPoints: ["src/bin.ts"],
    outfile: path,
    // An older Node must be able to parse all of it, to say that it is too old.
    target: "node16.20",
    footer: { js: licences.replaceAll(/^/gm, "// ").replaceAll(/ +$/gm, "") },
  });
  chmodSync(path, 0o755);
}

/** Its image has git, which states on a branch need. It is named by digest, because a tag may be moved. */
function dockerfile(): string {
  const name = `lintel-${version}.tgz`;
  const lines = [
    "# Lintel in a container. Build it beside the package of this release, whose sum it compares:",
    "#   docker build --tag lintel .",
    `FROM ${PINNED.IMAGE}`,
    `COPY ${name} /tmp/${name}`,
    `RUN echo "${digestOf(join(release, name))}  /tmp/${name}" | sha256sum --check --strict \\`,
    `  && npm install --global --ignore-scripts /tmp/${name} && rm /tmp/${name}`,
    "USER node",
    "WORKDIR /work",
    'ENTRYPOINT ["lintel"]',
  ];
  return `${lines.join("\n")}\n`;
}

/** As the build lists it, with Node. */
function billOfMaterials(): string {
  const bill = JSON.parse(textOf("generated/lintel.cdx.json"));
  bill.metadata.timestamp = new Date(epochS * 1000).toISOString();
  bill.components.push({
    type: "platform",
    "bom-ref": `node@${NODE_VERSION}`,
    name: "node",
    version: NODE_VERSION,
    description: "In the executables only: for Linux, in the Debian package, and for Windows.",
    licenses: [{ license: { id: "MIT" } }],
    purl: `pkg:generic/node@${NODE_VERSION}`,
  });
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

/** The manual and the examples, laid out as in the repository, so that their links work. */
function documents(): Record<string, Buffer> {
  const named = ["README.md", ...packageFacts.files].filter((name) =>
    /^(docs|examples)$|\.md$/.test(name),
  );
  const names = named.flatMap((name) =>
    name.endsWith(".md")
      ? [name]
      : readdirSync(join(project, name), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => relative(project, join(entry.parentPath, entry.name))),
  );
  return Object.fromEntries(
    names.map((name) => [`usr/share/doc/lintel/${name}`, readFileSync(join(project, name))]),
  );
}

async function makeDeb(copyright: string): Promise<void> {
  const architecture = process.arch === "x64" ? "amd64" : process.arch;
  const completion = (shell: string) =>
    execFileSync(program, ["completion", shell], { encoding: "utf8" });
  const units = readdirSync(join(project, "systemd")).map((name) => [
    `usr/lib/systemd/system/${name}`,
    textOf(`systemd/${name}`),
  ]);
  writeDeb(
    {
      executable: program,
      architecture,
      files: {
        ...Object.fromEntries(units),
        "usr/share/man/man1/lintel.1.gz": gzipSync(await manual()),
        "usr/share/bash-completion/completions/lintel": completion("bash"),
        "usr/share/zsh/vendor-completions/_lintel": completion("zsh"),
        "usr/share/fish/vendor_completions.d/lintel.fish": completion("fish"),
        "usr/share/doc/lintel/copyright": copyright,
        "usr/share/doc/lintel/lintel.cdx.json": bill,
        ...documents(),
      },
      epochS,
      isQuick: values.quick,
    },
    join(release, `lintel_${version}_${architecture}.deb`),
  );
}

function manual(): Promise<string> {
  const topics = manualPages().map(({ name, path }): [string, string] => {
    return [name, firstSentence(textOf(path))];
  });
  const rows = [...textOf("docs/exit-status.md").matchAll(/^\| (\d+) \| (.*) \|$/gm)];
  const exits = rows.map(([, status = "", meaning = ""]): [string, string] => [status, meaning]);
  return manualPage({ epochS, topics, exits });
}

function textOf(path: string): string {
  return readFileSync(join(project, path), "utf8");
}

function write(name: string, text: string): void {
  writeFileSync(join(release, name), text);
}

/** Seconds, so that the same commit always makes the same bytes. */
function lastCommit(): string {
  const { status, stdout } = spawnSync("git", ["log", "-1", "--format=%ct"], {
    cwd: project,
    encoding: "utf8",
  });
  return status === 0 ? stdout : "0";
}

function digestOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
