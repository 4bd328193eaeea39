// Which files a desired-state file may refer to: those that a review of the same repository shows, and, for signing in, secrets.
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** The folder that holds the `.git` above a path; undefined outside of git. */
export function repositoryOf(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/**
 * Whether `target` may be brought into settings. Links are resolved first, so that one inside the repository leads
 * nowhere outside; hidden files and folders (.git, .env, .npmrc) hold what is not for others to see.
 */
export function isOpenTo(folder: string, target: string): boolean {
  const real = existsSync(target) ? realpathSync.native(target) : target;
  const way = relative(realpathSync.native(folder), real);
  const parts = way.split(sep);
  return way !== "" && !isAbsolute(way) && !parts.some((part) => part.startsWith("."));
}

/** Where containers find their secrets, unless the machine says otherwise. */
const SECRETS = "/run/secrets";

export function secretsFolder(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): string {
  return resolve(cwd, env["LINTEL_SECRETS"] || SECRETS);
}

/** Links are resolved as far as the path is there; what is not there yet leads nowhere either. */
export function isInside(folder: string, target: string): boolean {
  const way = relative(realPath(folder), realPath(target));
  return way !== "" && !isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`);
}

function realPath(path: string): string {
  if (existsSync(path)) return realpathSync.native(path);
  return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path));
}
