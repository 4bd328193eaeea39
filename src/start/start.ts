// Starts the command from what V8 compiled in earlier runs, which is kept in the user's own cache folder.
import { lstatSync, mkdirSync, readdirSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { loadPieces, type Pieces } from "./pieces.js";

/** Another one for every build, which puts all three here. */
declare const BUILD: string;
declare const VERSION: string;
/** The oldest Node that runs the pieces: "20.19", as package.json says. */
declare const OLDEST_NODE: string;

/** For so many builds, versions of Node and flags something is kept; the oldest are dropped. */
const MOST_KEPT = 8;

export function start(pieces: Pieces): void {
  if (isTooOld() || isVersionTold()) return;
  // --help takes too little for a look into the cache to pay.
  loadPieces(pieces, process.argv[2]?.startsWith("-") === false ? ownFolder() : undefined);
}

/** Told before a piece is loaded, which would fail as if Lintel had a bug: Debian 12 has Node 18. */
function isTooOld(): boolean {
  const own = process.versions.node;
  if (rankOf(own) >= rankOf(OLDEST_NODE)) return false;
  process.exitCode = 1;
  process.stderr.write(
    `error: Lintel needs Node ${OLDEST_NODE} or later, and this is Node ${own}.\n` +
      "  help: Run it by a newer Node, or take what has its own: the program for Linux, or the package for Debian and Ubuntu.\n",
  );
  return true;
}

function rankOf(version: string): number {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major * 1000 + minor;
}

/** Answered here, so that nothing else needs to be loaded; the front door knows what to do about a broken output. */
function isVersionTold(): boolean {
  if (process.argv.length !== 3 || process.argv[2] !== "--version") return false;
  try {
    return writeSync(1, `${VERSION}\n`) > 0;
  } catch {
    return false;
  }
}

/**
 * Undefined where there is none that only this user may write, because V8 runs what it finds there. The first run only
 * makes the folder: in a container that is thrown away after one command, filling it would be work for nobody.
 */
function ownFolder(): string | undefined {
  const {
    NODE_DISABLE_COMPILE_CACHE,
    NODE_OPTIONS = "",
    XDG_CACHE_HOME = "",
    HOME = "",
  } = process.env;
  // A path that is not absolute is to be left alone, says the standard of these folders.
  const caches = [XDG_CACHE_HOME, join(HOME, ".cache")].find(isAbsolute);
  if (NODE_DISABLE_COMPILE_CACHE || caches === undefined) return undefined;
  const own = join(caches, "lintel");
  // V8 takes nothing that was compiled under other flags: in one folder two sets of them would oust each other.
  const flags = [...process.execArgv, NODE_OPTIONS].join("").replaceAll(/\W+/g, "");
  const folder = join(own, `${BUILD}-${process.version}-${process.arch}${flags.slice(0, 80)}`);
  try {
    // One by one, because a home that is missing is not ours to make.
    make(caches);
    make(own);
    if (isOpenToAll(caches) || !isOurs(own)) return undefined;
    if (!make(folder)) return folder;
    for (const old of byAge(own).slice(MOST_KEPT)) rmSync(old, { recursive: true });
  } catch {
    // A cache that cannot be had costs time, nothing else.
  }
  return undefined;
}

/** True where it did not exist. */
function make(folder: string): boolean {
  if (lstatSync(folder, { throwIfNoEntry: false })) return false;
  // What root makes in somebody else's home, as "sudo -E" may ask for, would lock them out of it.
  if (process.geteuid?.() === 0 && statSync(dirname(folder)).uid !== 0) {
    throw new Error(`${folder} is not root's to make.`);
  }
  mkdirSync(folder, { mode: 0o700 });
  return true;
}

function isOurs(folder: string): boolean {
  const found = lstatSync(folder);
  return found.isDirectory() && found.uid === process.geteuid?.() && (found.mode & 0o022) === 0;
}

/** Whoever may rename what is in it may put another folder there; where it is sticky, only the owner may. */
function isOpenToAll(folder: string): boolean {
  return (statSync(folder).mode & 0o1002) === 0o002;
}

/** Our own, the newest first: whatever else somebody keeps there stays. */
function byAge(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /^[0-9a-f]{12}-v\d+\.\d+\.\d+-/.test(name))
    .map((name) => ({ path: join(folder, name), at: lstatSync(join(folder, name)).mtimeMs }))
    .toSorted((one, other) => other.at - one.at)
    .map(({ path }) => path);
}
