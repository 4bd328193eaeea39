// Files → who commits there, the commit that they stand in, and whether another one is part of it, as git tells it without being disturbed.
import { dirname, relative, resolve } from "node:path";
import type { Io } from "../../io.js";

/** One question to git a folder and run, however many portals. */
const checkouts = new WeakMap<Io["env"], Map<string, ReturnType<typeof readCheckout>>>();

interface Checkout {
  /** What git calls whoever commits. */
  readonly name?: string | undefined;
  /** With "-dirty" where a file is not as it stands in the commit, as git itself writes that. */
  readonly commit?: string | undefined;
}

export async function checkoutOf(io: Io, files: readonly string[]): Promise<Checkout> {
  const paths = files.filter((file) => file !== "-").map((file) => resolve(io.cwd, file));
  const [first] = paths;
  if (first === undefined) return {};
  const folder = dirname(first);
  const known = checkouts.get(io.env) ?? new Map<string, ReturnType<typeof readCheckout>>();
  checkouts.set(io.env, known);
  const asked = known.get(folder) ?? readCheckout(folder, io);
  known.set(folder, asked);
  const { name, root, commit, changed } = await asked;
  if (root === undefined) return { name };
  const isDirty = paths
    .map((path) => relative(root, path).replaceAll("\\", "/"))
    .some((path) => changed.some((each) => path === each || path.startsWith(each)));
  return { name, commit: isDirty ? `${commit}-dirty` : commit };
}

/** One question to git a commit and run. */
const ancestors = new WeakMap<Io["env"], Map<string, Promise<boolean | undefined>>>();

/**
 * Whether what was applied from a commit, as `checkoutOf` told it then, is part of these files. Undefined where git cannot
 * tell: outside of a repository, in a shallow clone, and where changes went along that were in no commit.
 */
export async function isPart(
  told: string,
  io: Io,
  files: readonly string[],
): Promise<boolean | undefined> {
  const [, commit, wasDirty] = /^([0-9a-f]{40,64})(-dirty)?$/.exec(told) ?? [];
  const { commit: here } = await checkoutOf(io, files);
  const [file] = files;
  if (commit === undefined || here === undefined || file === undefined) return undefined;
  if (here === told) return wasDirty ? undefined : true;
  // What was in no commit then is surely not in this one as it stands.
  if (here === commit) return false;
  const folder = dirname(resolve(io.cwd, file));
  const known = ancestors.get(io.env) ?? new Map<string, Promise<boolean | undefined>>();
  ancestors.set(io.env, known);
  const key = `${commit} ${folder}`;
  const asked = known.get(key) ?? readAncestry(commit, folder, io);
  known.set(key, asked);
  const isWithin = await asked;
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

/** The name alone outside of a repository and before its first commit; nothing where git is not installed. */
async function readCheckout(folder: string, { env }: Io) {
  const [named, top, said] = await Promise.all([
    git(["config", "--get", "user.name"], folder, env),
    git(["rev-parse", "--show-toplevel"], folder, env),
    git(["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal"], folder, env),
  ]);
  const [told, root, status] = [named, top, said].map(({ exit, stdout }) =>
    exit === 0 ? stdout : undefined,
  );
  const name = env["GIT_AUTHOR_NAME"]?.trim() || told?.trim() || undefined;
  const [, commit] = /# branch\.oid ([0-9a-f]{40,64})\0/.exec(status ?? "") ?? [];
  if (root === undefined || status === undefined || commit === undefined) return { name };
  // Paths below the root that are not as in the commit.
  const changed = status.split("\0").flatMap((line) => {
    // "1 XY …8 fields path", "2 …9 fields path", "? path", "u …10 fields path"
    const [, path] = /^(?:1(?: \S+){7}|2(?: \S+){8}|u(?: \S+){9}|\?) (.+)$/s.exec(line) ?? [];
    return path === undefined ? [] : [path];
  });
  return { name, root: root.trimEnd(), commit, changed };
}

interface Ended {
  /** Undefined where it did not come to an end of its own. */
  readonly exit: number | undefined;
  readonly stdout: string;
}

async function git(words: readonly string[], cwd: string, { PATH, HOME }: Io["env"]) {
  // Loaded only when git is asked, because it is slow to load and a plan without changes does not need it.
  const { execFile } = await import("node:child_process");
  // Git takes no optional lock, which could disturb somebody at work, asks no server for what it lacks, and gets none of
  // the secrets in the environment.
  const env = { PATH, HOME, GIT_OPTIONAL_LOCKS: "0", GIT_NO_LAZY_FETCH: "1" };
  const options = { cwd, env, timeout: 10_000, maxBuffer: 64 * 1024 * 1024 };
  // A change under review could make a folder look like a repository of its own, which brings programs along.
  const safely = ["-c", "safe.bareRepository=explicit", ...words];
  return new Promise<Ended>((done) => {
    execFile("git", safely, options, (error, stdout) => {
      const code = error ? error.code : 0;
      done({ exit: typeof code === "number" ? code : undefined, stdout });
    });
  });
}
