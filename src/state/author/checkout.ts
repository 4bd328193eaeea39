// Asks git for the author, the commit of files, and whether another commit is part of it.
import { realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Io } from "../../io.js";
import {
  findRoot,
  isUsable,
  openRepository,
  settingOf,
  SHORT_LIMIT_MS,
  textOf,
  userSettings,
  type Repository,
} from "../../lib/git.js";
import { statOf } from "../../lib/files.js";

/** One git call for each run, folder and commit, for any number of portals. */
const asked = {
  repositories: new WeakMap<Io["env"], Map<string, ReturnType<typeof openRepository>>>(),
  names: new WeakMap<Io["env"], Map<string, string | undefined>>(),
  checkouts: new WeakMap<Io["env"], Map<string, ReturnType<typeof readCheckout>>>(),
  ancestors: new WeakMap<Io["env"], Map<string, Promise<boolean | undefined>>>(),
};

function once<T>(
  runs: WeakMap<Io["env"], Map<string, T>>,
  { env }: Pick<Io, "env">,
  key: string,
  ask: () => T,
): T {
  const known = runs.get(env) ?? new Map<string, T>();
  runs.set(env, known);
  const answer = known.has(key) ? (known.get(key) as T) : ask();
  known.set(key, answer);
  return answer;
}

function repositoryAt(io: Pick<Io, "env">, folder: string) {
  const root = findRoot(folder);
  return root === undefined
    ? undefined
    : once(asked.repositories, io, root, () => openRepository(io, root));
}

/** The name of git's committer; undefined also without git. */
export function committerOf(io: Io, files: readonly string[]): string | undefined {
  const named = io.env["GIT_AUTHOR_NAME"]?.trim();
  const [first] = pathsOf(io, files);
  if (named || first === undefined) return named || undefined;
  const repository = repositoryAt(io, dirname(first));
  if (repository && !isUsable(repository)) return undefined;
  const name = repository
    ? settingOf(repository.settings, "user.name")
    : once(asked.names, io, "", () => settingOf(userSettings(io), "user.name"));
  return name?.trim() || undefined;
}

/**
 * The commit of the files, with "-dirty" if one of them has uncommitted changes. Undefined outside of a repository,
 * before its first commit, and without git.
 */
export async function commitOf(io: Io, files: readonly string[]): Promise<string | undefined> {
  const paths = pathsOf(io, files);
  // A base can be in a submodule, whose own repository knows its changes.
  const folders = [...new Set(paths.map(dirname))];
  const checkouts = await Promise.all(folders.map((folder) => checkoutOf(io, folder)));
  const commit = checkouts[0]?.commit;
  if (commit === undefined) return undefined;
  const isChanged = [...new Set(checkouts)].some(
    (checkout) => checkout && paths.some((path) => isChangedIn(checkout, path)),
  );
  return isChanged ? `${commit}-dirty` : commit;
}

async function checkoutOf(io: Io, folder: string) {
  const repository = repositoryAt(io, folder);
  if (!isUsable(repository)) return undefined;
  return once(asked.checkouts, io, repository.root, () => readCheckout(repository));
}

interface Checkout extends Pick<Repository, "root"> {
  readonly commit: string;
  /** Paths below the root with uncommitted changes. */
  readonly changed: readonly string[];
}

function isChangedIn({ root, changed }: Checkout, path: string): boolean {
  const way = relative(root, path).replaceAll("\\", "/");
  return changed.some((each) => way === each || way.startsWith(each.replace(/\/?$/, "/")));
}

/** The folders with links resolved. Standard input has none. */
function pathsOf({ cwd }: Io, files: readonly string[]): readonly string[] {
  return files.flatMap((file) => {
    const path = resolve(cwd, file);
    const folder = dirname(path);
    if (file === "-" || !statOf(folder)?.isDirectory()) return [];
    return [join(realpathSync.native(folder), basename(path))];
  });
}

/**
 * Whether an apply from a commit, as `commitOf` named it, is part of these files. Undefined if git cannot know: outside
 * of a repository, in a shallow clone, and for uncommitted changes.
 */
export async function isPart(
  applied: string,
  io: Io,
  files: readonly string[],
): Promise<boolean | undefined> {
  const [, commit, wasDirty] = /^([0-9a-f]{40,64})(-dirty)?$/.exec(applied) ?? [];
  const here = await commitOf(io, files);
  const [path] = pathsOf(io, files);
  if (commit === undefined || here === undefined || path === undefined) return undefined;
  if (here === applied) return wasDirty ? undefined : true;
  // Uncommitted changes of that time are certainly not in this commit.
  if (here === commit) return false;
  const repository = repositoryAt(io, dirname(path));
  if (!isUsable(repository)) return undefined;
  const key = `${commit} ${repository.root}`;
  const isWithin = await once(asked.ancestors, io, key, () => readAncestry(commit, repository));
  return isWithin && wasDirty ? undefined : isWithin;
}

async function readAncestry(commit: string, { run }: Repository) {
  const [shallow, within] = await Promise.all([
    run(["rev-parse", "--is-shallow-repository"], { limitMs: SHORT_LIMIT_MS }),
    run(["merge-base", "--is-ancestor", commit, "HEAD"], { limitMs: SHORT_LIMIT_MS }),
  ]);
  if (within.exit === 0) return true;
  // A missing commit is an error for git, and is in no history; a shallow history ends early.
  return textOf(shallow) === "false" && within.exit !== undefined ? false : undefined;
}

/** The address of the clone, with any credentials in it; undefined outside of a repository. */
export function remoteOf(io: Pick<Io, "env">, folder: string): string | undefined {
  const repository = repositoryAt(io, folder);
  const url = isUsable(repository) ? settingOf(repository.settings, "remote.origin.url") : "";
  return url?.trim() || undefined;
}

async function readCheckout({ root, run }: Repository): Promise<Checkout | undefined> {
  const words = ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal"];
  // A submodule at another commit counts as a change; its files do not.
  const call = { limitMs: SHORT_LIMIT_MS };
  const { exit, stdout } = await run([...words, "--ignore-submodules=dirty"], call);
  const status = stdout.toString("utf8");
  const [, commit] = /# branch\.oid ([0-9a-f]{40,64})\0/.exec(status) ?? [];
  if (exit !== 0 || commit === undefined) return undefined;
  const changed = status.split("\0").flatMap((line) => {
    // "1 XY …8 fields path", "2 …9 fields path", "? path", "u …10 fields path"
    const [, path] = /^(?:1(?: \S+){7}|2(?: \S+){8}|u(?: \S+){9}|\?) (.+)$/s.exec(line) ?? [];
    return path === undefined ? [] : [path];
  });
  return { root, commit, changed };
}
