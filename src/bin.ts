#!/usr/bin/env node
// Starts the command: refuses an old Node and answers --version before it loads anything else.
import { mkdirSync, statSync, writeSync } from "node:fs";
import module from "node:module";
import { isAbsolute, join } from "node:path";
import packageFacts from "../package.json" with { type: "json" };

const OLDEST_NODE = packageFacts.engines.node.replace(">=", "");

if (isTooOld(process.versions.node)) refuse();
else if (!isVersionPrinted()) {
  keepCompiledCode();
  void import("./process.js");
}

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split(".").map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}

/** Debian 12 has Node 18, under which everything else would fail as if Lintel had a bug. */
function refuse(): void {
  process.exitCode = 1;
  process.stderr.write(
    `error: Lintel requires Node ${OLDEST_NODE} or later. This is Node ${process.versions.node}.\n` +
      "  help: Use a newer Node, or install the Debian package or the Linux executable, which include Node.\n",
  );
}

function isVersionPrinted(): boolean {
  if (process.argv.length !== 3 || process.argv[2] !== "--version") return false;
  try {
    return writeSync(1, `${packageFacts.version}\n`) > 0;
  } catch {
    // The command itself handles a broken output.
    return false;
  }
}

/**
 * Node 22.8 and later can keep compiled code. Node runs what it finds there, so only this user may write there; Node's own
 * default is below /tmp. A home of another user stays untouched: `sudo -E` leads root there.
 */
function keepCompiledCode(): void {
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
  const { XDG_CACHE_HOME = "", HOME = "" } = process.env;
  const [base, folder] = isAbsolute(XDG_CACHE_HOME)
    ? [XDG_CACHE_HOME, join(XDG_CACHE_HOME, "lintel")]
    : [HOME, join(HOME, ".cache/lintel")];
  if (enableCompileCache === undefined || !isAbsolute(base)) return;
  try {
    if (statSync(base).uid !== process.geteuid?.()) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    enableCompileCache(folder);
  } catch {
    // Without a folder the command starts more slowly.
  }
}
