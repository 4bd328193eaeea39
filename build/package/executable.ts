// Makes one program of the command and of Node, as a single executable application of Node.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installNode } from "../other-node.js";

/** The Node in the executable and in the Debian package. Raise it with each release of Node 24. */
export const NODE_VERSION = "24.21.0";

/** Node finds the appended program by this text. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** Returns the licence of Node and of its parts. */
export function writeExecutable(main: string, path: string): string {
  const bin = installNode(NODE_VERSION);
  const node = join(bin, "node");
  const folder = mkdtempSync(join(tmpdir(), "lintel-executable-"));
  try {
    // Relative paths, because the bytes must not depend on this machine.
    copyFileSync(main, join(folder, "lintel.cjs"));
    const config = {
      main: "lintel.cjs",
      output: "blob",
      disableExperimentalSEAWarning: true,
      useCodeCache: true,
    };
    writeFileSync(join(folder, "sea.json"), JSON.stringify(config));
    // Without a fixed seed each code cache has other bytes.
    const words = ["--random-seed=1", "--experimental-sea-config", "sea.json"];
    execFileSync(node, words, { cwd: folder, stdio: "pipe" });
    copyFileSync(node, path);
    chmodSync(path, 0o755);
    const postject = createRequire(import.meta.url).resolve("postject/dist/cli.js");
    const inject = [postject, path, "NODE_SEA_BLOB", "blob", "--sentinel-fuse", FUSE];
    execFileSync(process.execPath, inject, { cwd: folder, stdio: "pipe" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return readFileSync(join(bin, "../LICENSE"), "utf8").trim();
}
