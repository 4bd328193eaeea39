#!/usr/bin/env node
// Starts the command. Refuses an old Node before it loads anything else.
import packageFacts from "../package.json" with { type: "json" };

const OLDEST_NODE = packageFacts.engines.node.replace(">=", "");

if (isTooOld(process.versions.node)) refuse();
else void import("./process.js");

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split(".").map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}

/** Debian 12 has Node 18, where everything else would fail like a bug in Lintel. */
function refuse(): void {
  process.exitCode = 1;
  process.stderr.write(
    `error: Lintel requires Node ${OLDEST_NODE} or later. This is Node ${process.versions.node}.\n` +
      "  help: Use a newer Node, or install the Debian package or the Linux executable, which include Node.\n",
  );
}
