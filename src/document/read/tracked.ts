// Tells whether git tracks a file, with one list of a repository's files for a whole run.
import { realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { marksOf } from "../../lib/files.js";
import type { Io } from "../../io.js";
import { isUnusable, openRepository, trackedFiles, type Unusable } from "../../lib/git.js";
import { isBundle } from "./repository.js";

interface Listed {
  readonly index: string;
  /** As the index stood before git was asked. */
  readonly marks: string;
  readonly files: ReadonlySet<string>;
}

/** By the root of the repository. */
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
  if (isBundle(repository)) return true;
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
  known.set(root, listed);
  return listed;
}
