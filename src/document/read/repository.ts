// Decides which files a desired-state file may refer to: those that a review of its repository shows, and secrets.
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Io } from "../../io.js";
import { marksOf } from "../../lib/files.js";
import { isUnusable, openRepository, trackedFiles, type Unusable } from "../../lib/git.js";
import { pathWithin, realPathOf } from "../../lib/paths.js";

/**
 * The folder that holds the `.git` above a path; undefined outside of git. A link inside a repository that leads to
 * another one is part of the first, whose review does not show what stands in the other.
 */
export function repositoryOf(path: string): string | undefined {
  let linked: string | undefined;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) {
      if (!lstatSync(folder).isSymbolicLink()) return folder;
      linked ??= folder;
    }
    if (folder === dirname(folder)) return linked;
  }
}

/**
 * Whether `target` may be brought into settings. Links are resolved first, so that one inside the repository leads
 * nowhere outside; hidden files and folders (.git, .env, .npmrc) hold what is not for others to see.
 */
export function isOpenTo(folder: string, target: string): boolean {
  const real = realPathOf(target);
  const way = real && pathWithin(realpathSync.native(folder), real);
  return way !== undefined && !way.split("/").some((part) => part.startsWith("."));
}

/** Where containers find their secrets, unless LINTEL_SECRETS names another folder. */
const SECRETS = "/run/secrets";

export function secretsFolder(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): string {
  return resolve(cwd, env["LINTEL_SECRETS"] || SECRETS);
}

/** Links are resolved as far as the path is there; what is not there yet leads nowhere either. */
export function isInside(folder: string, target: string): boolean {
  const [base, real] = [realPathOf(folder), realPathOf(target)];
  return base !== undefined && real !== undefined && pathWithin(base, real) !== undefined;
}

interface Listed {
  readonly index: string;
  /** As the index stood before git was asked. */
  readonly marks: string;
  readonly files: ReadonlySet<string>;
}

const MOST_KNOWN = 16;
/** One list of a repository's files for a whole run, by its root. */
const known = new Map<string, Listed>();

/**
 * `repository` is a folder that holds a ".git"; of `path`, the links of its folders are resolved. Why git cannot say,
 * where it cannot.
 */
export function isTracked(
  io: Pick<Io, "env">,
  repository: string,
  path: string,
): boolean | Unusable {
  const root = realpathSync.native(repository);
  const listed = filesOf(io, root);
  if (isUnusable(listed)) return listed;
  const way = relative(root, path);
  return listed.files.has(way.split(sep).join("/"));
}

function filesOf(io: Pick<Io, "env">, root: string): Listed | Unusable {
  const before = known.get(root);
  if (before && marksOf(before.index) === before.marks) return before;
  const repository = openRepository(io, root);
  if (!repository) return { why: `"${root}" is no repository any more`, help: "Try it again." };
  if (isUnusable(repository)) return repository;
  const index = join(repository.folder, "index");
  const marks = marksOf(index);
  const files = trackedFiles(repository);
  if (isUnusable(files)) return files;
  const listed = { index, marks, files };
  // A worker has a folder for each commit.
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(root, listed);
  return listed;
}
