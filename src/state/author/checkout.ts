// Files → who commits there, the commit that they stand in, and whether another one is part of it, as git tells it without being disturbed.
import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Io } from "../../io.js";

/** One question to git a run, folder and commit, however many portals. */
const asked = {
  names: new WeakMap<Io["env"], Map<string, Promise<string | undefined>>>(),
  checkouts: new WeakMap<Io["env"], Map<string, ReturnType<typeof readCheckout>>>(),
  ancestors: new WeakMap<Io["env"], Map<string, Promise<boolean | undefined>>>(),
};

function once<T>(
  runs: WeakMap<Io["env"], Map<string, T>>,
  { env }: Io,
  key: string,
  ask: () => T,
): T {
  const known = runs.get(env) ?? new Map<string, T>();
  runs.set(env, known);
  const answer = known.get(key) ?? ask();
  known.set(key, answer);
  return answer;
}

/** What git calls whoever commits; undefined where git is not installed, too. */
export async function committerOf(io: Io, files: readonly string[]): Promise<string | undefined> {
  const named = io.env["GIT_AUTHOR_NAME"]?.trim();
  const [first] = pathsOf(io, files);
  if (named || first === undefined) return named || undefined;
  const folder = dirname(first);
  return once(asked.names, io, folder, async () => {
    const { exit, stdout } = await git(["config", "--get", "user.name"], folder, io.env);
    return exit === 0 ? stdout.trim() || undefined : undefined;
  });
}

/**
 * The commit that files stand in, with "-dirty" where one is not as it stands in the commit, as git itself writes that.
 * Undefined outside of a repository, before its first commit, and where git is not installed.
 */
export async function commitOf(io: Io, files: readonly string[]): Promise<string | undefined> {
  const paths = pathsOf(io, files);
  const [first] = paths;
  if (first === undefined) return undefined;
  const folder = dirname(first);
  const checkout = await once(asked.checkouts, io, folder, () => readCheckout(folder, io));
  if (checkout === undefined) return undefined;
  const { root, commit, changed } = checkout;
  const isDirty = paths
    .map((path) => relative(root, path).replaceAll("\\", "/"))
    .some((path) => changed.some((each) => path === each || path.startsWith(each)));
  return isDirty ? `${commit}-dirty` : commit;
}

/** Standard input stands nowhere. */
function pathsOf({ cwd }: Io, files: readonly string[]): readonly string[] {
  return files.filter((file) => file !== "-").map((file) => resolve(cwd, file));
}

/**
 * Whether what was applied from a commit, as `commitOf` told it then, is part of these files. Undefined where git cannot
 * tell: outside of a repository, in a shallow clone, and where changes went along that were in no commit.
 */
export async function isPart(
  told: string,
  io: Io,
  files: readonly string[],
): Promise<boolean | undefined> {
  const [, commit, wasDirty] = /^([0-9a-f]{40,64})(-dirty)?$/.exec(told) ?? [];
  const here = await commitOf(io, files);
  const [file] = files;
  if (commit === undefined || here === undefined || file === undefined) return undefined;
  if (here === told) return wasDirty ? undefined : true;
  // What was in no commit then is surely not in this one as it stands.
  if (here === commit) return false;
  const folder = dirname(resolve(io.cwd, file));
  const key = `${commit} ${folder}`;
  const isWithin = await once(asked.ancestors, io, key, () => readAncestry(commit, folder, io));
  return isWithin && wasDirty ? undefined : isWithin;
}

async function readAncestry(commit: string, folder: string, { env }: Io) {
  const [shallow, within] = await Promise.all([
    git(["rev-parse", "--is-shallow-repository"], folder, env),
    git(["merge-base", "--is-ancestor", commit, "HEAD"], folder, env),
  ]);
  if (within.exit === 0) return true;
  // One that is not here at all is an error to git, and lies in no history of it; a shallow one ends early.
  return shallow.stdout === "false\n" && within.exit !== undefined ? false : undefined;
}

/** The address that it was cloned from, with whatever credentials stand in it; undefined outside of a repository. */
export async function remoteOf({ env }: Pick<Io, "env">, folder: string) {
  const { exit, stdout } = await git(["config", "--get", "remote.origin.url"], folder, env);
  return exit === 0 ? stdout.trim() || undefined : undefined;
}

async function readCheckout(folder: string, { env }: Io) {
  if (!mayBeCheckedOut(folder)) return undefined;
  const [top, status] = await Promise.all([
    git(["rev-parse", "--show-toplevel"], folder, env),
    git(["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal"], folder, env),
  ]);
  const [, commit] = /# branch\.oid ([0-9a-f]{40,64})\0/.exec(status.stdout) ?? [];
  if (top.exit !== 0 || status.exit !== 0 || commit === undefined) return undefined;
  // Paths below the root that are not as in the commit.
  const changed = status.stdout.split("\0").flatMap((line) => {
    // "1 XY …8 fields path", "2 …9 fields path", "? path", "u …10 fields path"
    const [, path] = /^(?:1(?: \S+){7}|2(?: \S+){8}|u(?: \S+){9}|\?) (.+)$/s.exec(line) ?? [];
    return path === undefined ? [] : [path];
  });
  return { root: top.stdout.trimEnd(), commit, changed };
}

/**
 * Git itself looks for a ".git" above the folder that a path leads to. Where there is none it need not be started, which
 * takes longer than a call of the portal.
 */
function mayBeCheckedOut(folder: string): boolean {
  if (!existsSync(folder)) return false;
  for (let above = realpathSync.native(folder); ; above = dirname(above)) {
    if (existsSync(join(above, ".git"))) return true;
    if (above === dirname(above)) return false;
  }
}

interface Ended {
  /** Undefined where it did not come to an end of its own. */
  readonly exit: number | undefined;
  readonly stdout: string;
}

async function git(words: readonly string[], cwd: string, { PATH, HOME }: Io["env"]) {
  // Loaded only when git is asked, because it is slow to load and a plan without changes does not need it.
  const { spawn } = await import("node:child_process");
  // Git takes no optional lock, which could disturb somebody at work, asks no server for what it lacks, and gets none of
  // the secrets in the environment.
  const env = { PATH, HOME, GIT_OPTIONAL_LOCKS: "0", GIT_NO_LAZY_FETCH: "1" };
  // A change under review could make a folder look like a repository of its own, which brings programs along.
  const safely = ["-c", "safe.bareRepository=explicit", ...words];
  return new Promise<Ended>((done) => {
    let stdout = "";
    const child = spawn("git", safely, {
      cwd,
      env,
      timeout: 10_000,
      // Nobody reads its complaints, and each pipe takes a while to make.
      stdio: ["ignore", "pipe", "ignore"],
    });
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.once("error", () => done({ exit: undefined, stdout }));
    child.once("close", (exit) => done({ exit: exit ?? undefined, stdout }));
  });
}
