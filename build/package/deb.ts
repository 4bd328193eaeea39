// Makes a Debian package of the executable and its other files.
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import packageFacts from "../../package.json" with { type: "json" };

export interface Deb {
  readonly executable: string;
  readonly architecture: string;
  /** Beside the executable, by their paths. */
  readonly files: Readonly<Record<string, string | Buffer>>;
  readonly epochS: number;
  /** For tests: larger, and made in a tenth of the time. */
  readonly isQuick: boolean;
}

export function writeDeb(
  { executable, architecture, files, epochS, isQuick }: Deb,
  path: string,
): void {
  const tree = mkdtempSync(join(tmpdir(), "lintel-deb-"));
  const run = (program: string, ...words: string[]) =>
    execFileSync(program, words, {
      cwd: tree,
      encoding: "utf8",
      env: { ...process.env, SOURCE_DATE_EPOCH: String(epochS) },
    });
  const write = (name: string, content: string | Buffer) => {
    mkdirSync(dirname(join(tree, name)), { recursive: true });
    writeFileSync(join(tree, name), content);
  };
  try {
    for (const [name, content] of Object.entries(files)) write(name, content);
    mkdirSync(join(tree, "usr/bin"));
    copyFileSync(executable, join(tree, "usr/bin/lintel"));
    const names = readdirSync(tree, { recursive: true, encoding: "utf8" })
      .filter((name) => statSync(join(tree, name)).isFile())
      .toSorted();
    const bytes = names.reduce((sum, name) => sum + statSync(join(tree, name)).size, 0);
    write("DEBIAN/md5sums", run("md5sum", ...names));
    write("DEBIAN/control", control(architecture, Math.ceil(bytes / 1024)));
    // The umask of whoever makes the package must not matter.
    run("chmod", "-R", "u=rwX,go=rX", ".");
    const compression = isQuick ? ["-Zgzip", "-z1"] : ["-Zxz"];
    run("dpkg-deb", ...compression, "--root-owner-group", "--build", ".", path);
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

/** Depends on what the builds of Node 24 link to. */
function control(architecture: string, kilobytes: number): string {
  return `Package: lintel
Version: ${packageFacts.version}
Section: admin
Priority: optional
Architecture: ${architecture}
Depends: libc6 (>= 2.28), libstdc++6 (>= 5.2), libgcc-s1
Recommends: git
Installed-Size: ${kilobytes}
Maintainer: The Lintel maintainers <maintainers@example.com>
Homepage: ${packageFacts.homepage}
Description: keeps the settings of ArcGIS Enterprise portals in git
 One YAML file describes the desired state of a portal. Lintel validates the
 file, shows a plan, applies that plan and nothing else, and can be killed at
 any step. It includes a sandbox portal to try it on. Node is part of the
 program and need not be installed.
`;
}
