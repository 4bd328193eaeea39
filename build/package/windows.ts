// Makes a zip archive of the command and of Node for Windows.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { installNode } from "../other-node.js";
import { NODE_VERSION } from "./executable.js";

/** The last line gives its exit status to the caller. */
const COMMAND = '@echo off\r\n"%~dp0node.exe" "%~dp0lintel.cjs" %*\r\n';

interface Archive {
  readonly main: string;
  readonly licences: string;
  readonly epochS: number;
  /** For tests: larger, and made faster. */
  readonly isQuick: boolean;
}

export function writeArchive({ main, licences, epochS, isQuick }: Archive, path: string): void {
  const tree = mkdtempSync(join(tmpdir(), "lintel-windows-"));
  const name = basename(path, ".zip");
  const inTree = (file: string) => join(tree, name, file);
  const run = (program: string, ...words: string[]) =>
    execFileSync(program, words, { cwd: tree, env: { ...process.env, TZ: "UTC" } });
  try {
    mkdirSync(join(tree, name));
    copyFileSync(join(installNode(NODE_VERSION, "win-x64"), "node.exe"), inTree("node.exe"));
    copyFileSync(main, inTree("lintel.cjs"));
    writeFileSync(inTree("lintel.cmd"), COMMAND);
    writeFileSync(inTree("THIRD-PARTY.txt"), licences.replaceAll("\n", "\r\n"));
    const files = ["THIRD-PARTY.txt", "lintel.cjs", "lintel.cmd", "node.exe"];
    const paths = files.map((file) => `${name}/${file}`);
    // Neither the umask nor the time may matter.
    run("chmod", "u=rwX,go=rX", ...paths);
    run("touch", "-d", `@${epochS}`, ...paths);
    run("zip", "-X", "-q", isQuick ? "-1" : "-9", path, ...paths);
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}
