// Installs the package on a Debian made by debootstrap, and runs the first day there. Requires Debian's archive.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { assertInstalls } from "./support/journey.js";
import { openMachine, whyNoMachine } from "./support/machine.js";
import { PROJECT, folderOf } from "./support/run.js";

/** Debian 12. */
const DEBIAN = "bookworm";

export async function installOnBareDebian(): Promise<Record<string, string>> {
  const reason = whyNoMachine();
  if (reason !== undefined) return { skipped: reason };
  const folder = folderOf();
  try {
    const run = (program: string, ...words: string[]) =>
      execFileSync(program, words, { cwd: PROJECT, stdio: ["ignore", "ignore", "inherit"] });
    const release = join(folder.path, "release");
    run(process.execPath, "node_modules/tsx/dist/cli.mjs", "build/package/package.ts", release);
    const below = join(folder.path, "debian");
    run("apt-get", "install", "--yes", "--quiet", "debootstrap");
    run("debootstrap", "--variant=minbase", DEBIAN, below);
    const machine = await openMachine({ below, shared: folder.path });
    try {
      await assertInstalls(machine, { release, shared: folder.path });
    } finally {
      await machine.close();
    }
    return { installed: "and all of the first day works" };
  } finally {
    folder.remove();
  }
}
