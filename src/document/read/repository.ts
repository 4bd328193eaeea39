// Decides which files a desired-state file may refer to: those in its repository's review, and secrets.
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Io } from "../../io.js";
import { marksOf } from "../../lib/files.js";
import { isUnusable, openRepository, trackedFiles, type Unusable } from "../../lib/git.js";
import { pathWithin, realPathOf } from "../../lib/paths.js";

/**
 * The folder with the `.git` above a path; undefined outside of git. A link to another repository is part of the first
 * one, whose review does not show the other's content.
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
 * Whether settings may include `target`. Resolves links first, so that none leads outside of the repository. Hidden
 * files and folders (.git, .env, .npmrc) may contain secrets.
 */
export function isOpenTo(folder: string, target: string): boolean {
  const real = realPathOf(target);
  const way = real && pathWithin(realpathSync.native(folder), real);
  return way !== undefined && !way.split("/").some((part) => part.startsWith("."));
}

/** The usual folder for secrets in containers, unless LINTEL_SECRETS sets another one. */
const SECRETS = "/run/secrets";

export function secretsFolder(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): string {
  return resolve(cwd, env["LINTEL_SECRETS"] || SECRETS);
}

/** Resolves links as far as the path exists. */
export function isInside(folder: string, target: string): boolean {
  const [base, real] = [realPathOf(folder), realPathOf(target)];
  return base !== undefined && real !== undefined && pathWithin(base, real) !== undefined;
}

interface Listed {
  readonly index: string;
  /** The index's marks before git was called. */
  readonly marks: string;
  readonly files: ReadonlySet<string>;
}

const MOST_KNOWN = 16;
/** The tracked files of each repository, cached for a whole run. */
const known = new Map<string, Listed>();

/**
 * `repository` is a folder with a ".git"; `path` has its folders' links resolved. Returns git's error if git cannot
 * answer.
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
  // Limits the cache, because a worker has a folder for each commit.
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(root, listed);
  return listed;
}
