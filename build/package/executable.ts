// The command as one file → one program with Node in it, by Node's own means.
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { OneFile } from "./file.js";

/** Node looks for it in itself, and then for what stands behind it. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** Made of the Node that runs this. */
export function writeExecutable({ text, executable }: OneFile, path: string): void {
  const node = process.execPath;
  if (!readFileSync(node).includes(FUSE)) {
    throw new Error(
      `${node} cannot be made an executable: it was built without that. Run this with a Node from nodejs.org, or with that of the npm package "node".`,
    );
  }
  const folder = mkdtempSync(join(tmpdir(), "lintel-executable-"));
  try {
    writeFileSync(join(folder, "main.cjs"), executable);
    writeFileSync(join(folder, "pieces"), text);
    // No path in it is of this machine, so that two machines make the same.
    const config = {
      main: "main.cjs",
      output: "blob",
      disableExperimentalSEAWarning: true,
      assets: { pieces: "pieces" },
    };
    writeFileSync(join(folder, "sea.json"), JSON.stringify(config));
    const run = (...words: readonly string[]) =>
      execFileSync(node, words, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
    run("--experimental-sea-config", "sea.json");
    copyFileSync(node, path);
    const postject = createRequire(import.meta.url).resolve("postject/dist/cli.js");
    run(postject, path, "NODE_SEA_BLOB", "blob", "--sentinel-fuse", FUSE);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Of Node and of what is part of it. */
export function nodeLicence(): string {
  const own = dirname(process.execPath);
  const near = [
    "../LICENSE",
    "../share/doc/nodejs/LICENSE",
    `../node_modules/node-linux-${process.arch}/LICENSE`,
  ];
  const found = near.map((each) => join(own, each)).find((each) => existsSync(each));
  if (found === undefined) {
    throw new Error(
      `Node's licence must travel with Node, and is not to be found beside ${process.execPath}.`,
    );
  }
  return readFileSync(found, "utf8").trim();
}
