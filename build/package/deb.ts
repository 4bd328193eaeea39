// The executable, its manual page, what shells complete and its licences → a package for Debian and what comes of it.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import packageFacts from "../../package.json" with { type: "json" };

export interface Deb {
  readonly executable: string;
  readonly architecture: string;
  /** As it stands in the source, without compression. */
  readonly manual: string;
  readonly completions: Readonly<Record<"bash" | "zsh" | "fish", string>>;
  readonly copyright: string;
  readonly bill: string;
  /** Of systemd, by their names. */
  readonly units: Readonly<Record<string, string>>;
  readonly changes: readonly string[];
  readonly epochS: number;
  /** For a trial: larger, and made in a tenth of the time. */
  readonly isQuick: boolean;
}

const MAINTAINERS = "The Lintel maintainers <maintainers@example.com>";

/** The newest versions of libraries that Node's own builds ask for, and the packages that have them. */
const NEEDS = [
  { symbols: /\bGLIBC_(\d+(?:\.\d+)+)\0/g, newest: "2.28", package: "libc6 (>= 2.28)" },
  { symbols: /\bGLIBCXX_(\d+(?:\.\d+)+)\0/g, newest: "3.4.21", package: "libstdc++6 (>= 5.2)" },
  { symbols: /\bGCC_(\d+(?:\.\d+)+)\0/g, newest: "4.3.0", package: "libgcc-s1" },
];

export function writeDeb(deb: Deb, path: string): void {
  assertNeeds(deb.executable);
  const folder = mkdtempSync(join(tmpdir(), "lintel-deb-"));
  try {
    // Whoever makes it has a umask of their own.
    const tree = join(folder, "lintel");
    for (const [name, content] of Object.entries(filesOf(deb))) {
      mkdirSync(dirname(join(tree, name)), { recursive: true });
      writeFileSync(join(tree, name), content);
    }
    const program = join(tree, "usr/bin/lintel");
    mkdirSync(dirname(program), { recursive: true });
    place(deb.executable, program);
    const names = readdirSync(tree, { recursive: true, encoding: "utf8" }).toSorted();
    const files = names.filter((name) => statSync(join(tree, name)).isFile());
    const bytes = files.reduce((sum, name) => sum + statSync(join(tree, name)).size, 0);
    mkdirSync(join(tree, "DEBIAN"));
    writeFileSync(join(tree, "DEBIAN/control"), control(deb, Math.ceil(bytes / 1024)));
    const sums = files.map((name) => `${digestOf(join(tree, name))}  ${name}\n`);
    writeFileSync(join(tree, "DEBIAN/md5sums"), sums.join(""));
    for (const name of ["", ...readdirSync(tree, { recursive: true, encoding: "utf8" })]) {
      const own = join(tree, name);
      chmodSync(own, statSync(own).isDirectory() || own === program ? 0o755 : 0o644);
    }
    const compressed = deb.isQuick ? ["-Zgzip", "-z1"] : ["-Zxz"];
    execFileSync("dpkg-deb", [...compressed, "--root-owner-group", "--build", tree, path], {
      env: { ...process.env, SOURCE_DATE_EPOCH: String(deb.epochS) },
      stdio: ["ignore", "ignore", "inherit"],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function filesOf({ manual, completions, copyright, bill, units, changes, epochS }: Deb) {
  const zipped = (text: string) => gzipSync(text, { level: 9 });
  return {
    "usr/share/man/man1/lintel.1.gz": zipped(manual),
    "usr/share/bash-completion/completions/lintel": completions.bash,
    "usr/share/zsh/vendor-completions/_lintel": completions.zsh,
    "usr/share/fish/vendor_completions.d/lintel.fish": completions.fish,
    ...Object.fromEntries(
      Object.entries(units).map(([name, text]) => [`usr/lib/systemd/system/${name}`, text]),
    ),
    "usr/share/doc/lintel/copyright": copyright,
    "usr/share/doc/lintel/lintel.cdx.json": bill,
    "usr/share/doc/lintel/changelog.gz": zipped(changelog(changes, epochS)),
  };
}

function control({ architecture }: Deb, kilobytes: number): string {
  return `Package: lintel
Version: ${packageFacts.version}
Section: admin
Priority: optional
Architecture: ${architecture}
Depends: ${NEEDS.map((each) => each.package).join(", ")}
Recommends: git
Installed-Size: ${kilobytes}
Maintainer: ${MAINTAINERS}
Homepage: ${packageFacts.homepage}
Description: keeps a GIS portal's settings in git
 One YAML file says how a portal should be. Lintel checks the file, shows a
 plan before it changes anything, carries out that plan and nothing else, and
 survives being killed at any step. A working portal to try that on comes with
 it. Node is part of the program, and need not be installed.
`;
}

function changelog(changes: readonly string[], epochS: number): string {
  const date = new Date(epochS * 1000).toUTCString().replace("GMT", "+0000");
  const lines = changes.map((each) => `  * ${each}\n`).join("");
  return `lintel (${packageFacts.version}) stable; urgency=medium\n\n${lines}\n -- ${MAINTAINERS}  ${date}\n`;
}

/** A Node that asks for more than the package says would be installed where it cannot run. */
function assertNeeds(executable: string): void {
  const text = readFileSync(executable, "latin1");
  for (const { symbols, newest, package: has } of NEEDS) {
    const asked = new Set([...text.matchAll(symbols)].map(([, version = ""]) => version));
    const newer = [...asked].find((version) => isNewer(version, newest));
    if (newer !== undefined) {
      throw new Error(`This Node asks for version ${newer} of what "${has}" stands for.`);
    }
  }
}

function isNewer(version: string, other: string): boolean {
  return version.localeCompare(other, "en", { numeric: true }) > 0;
}

/** A second name takes no time, where both are on one disk. */
function place(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

function digestOf(path: string): string {
  return createHash("md5").update(readFileSync(path)).digest("hex");
}
