// Where the files are → the commit that they stand in, whether each is as it is there, and whether what was published is part of it.
import { createHash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { repositoryOf } from "../../document/read/repository.js";
import type { Io } from "../../io.js";
import { isUsable, openRepository, textOf, type Ended } from "../../lib/git.js";
import { shellWord, showForeign, someOf } from "../../lib/text.js";

/** Why nothing is published, and what to do about it. */
export interface Withheld {
  readonly why: string;
  readonly help: string;
}

export interface Behind extends Withheld {
  /** Nobody can tell here what it is to what was published. */
  readonly isUnknown?: boolean;
}

export interface Origin {
  /** All files are named from there, with its links resolved: the repository; outside of git, where the run was begun. */
  readonly root: string;
  /** Null outside of git. */
  readonly commit: string | null;
  /** From the root, with slashes; undefined for what lies elsewhere, or behind a link that another machine has not. */
  nameOf(path: string): string | undefined;
  /**
   * By names from the root, what git would call their bytes, or "" for what is not there. Undefined where each file is
   * as it stands in the commit.
   */
  assertCommitted(ids: ReadonlyMap<string, string>): Promise<Withheld | undefined>;
  /** Undefined where what was published from that commit is part of this one, or is this one. */
  assertAhead(published: string | null): Promise<Behind | undefined>;
}

export async function originOf(
  io: Io,
  paths: Iterable<string>,
): Promise<Origin | { readonly withheld: Withheld }> {
  const roots = new Map<string, string | undefined>();
  for (const path of paths) {
    const folder = dirname(path);
    if (!roots.has(folder)) roots.set(folder, repositoryOf(path));
  }
  const all = [...new Set(roots.values())];
  const [repository] = all;
  if (all.length > 1) {
    const names = all.map((each) => each ?? "a folder outside of git");
    return withheld(
      `the files are in more than one repository: ${someOf(names, "other")}`,
      "Keep them in one, because one commit stands for all that is published.",
    );
  }
  if (repository === undefined) return outsideOfGit(io);
  const opened = openRepository(io, repository);
  if (!opened) return outsideOfGit(io);
  if (!isUsable(opened)) return { withheld: opened };
  const { root } = opened;
  const nameOf = (path: string) => nameFrom({ root, within: repository }, path);
  // A partial clone may lack the trees that are compared.
  const run = (words: readonly string[], input?: string) =>
    opened.run(words, {
      signal: io.signal,
      mayConnect: true,
      ...(input !== undefined && { input }),
    });
  const head = await run(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  if (head.exit !== 0) {
    const why = head.trouble ?? "the repository of the files has no commit yet";
    return withheld(why, "Commit the files, and begin anew.");
  }
  const commit = textOf(head);
  return {
    root,
    commit,
    nameOf,
    assertCommitted: (ids) => assertCommitted(ids, { run, root, commit }),
    assertAhead: (published) => assertAhead(published, { run, root, commit }),
  };
}

interface Asking {
  readonly run: (words: readonly string[], input?: string) => Promise<Ended>;
  readonly root: string;
  readonly commit: string;
}

function outsideOfGit(io: Io): Origin {
  const root = realpathSync.native(io.cwd);
  return {
    root,
    commit: null,
    nameOf: (path) => nameFrom({ root, within: io.cwd }, path),
    assertCommitted: async () => undefined,
    assertAhead: async (published) =>
      published === null
        ? undefined
        : {
            why: `the queue holds the commit ${short(published)}, and these files are in no git repository`,
            help: "Begin serve in a clone of the repository that was published.",
          },
  };
}

function nameFrom(
  { root, within }: { readonly root: string; readonly within: string },
  path: string,
): string | undefined {
  const way = relative(within, path);
  // What is not there yet is no link either.
  const isPlain = !existsSync(path) || realpathSync.native(path) === join(root, way);
  return isPlain && !way.startsWith("..") ? way.split(sep).join("/") : undefined;
}

/** What git calls these bytes, as they stand. */
export function blobId(bytes: Uint8Array, { commit }: Pick<Origin, "commit">): string {
  const hash = createHash(commit?.length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

async function assertCommitted(
  ids: ReadonlyMap<string, string>,
  { run, root, commit }: Asking,
): Promise<Withheld | undefined> {
  const listed = await run(["ls-tree", "-r", "-z", "--full-tree", commit]);
  if (listed.exit !== 0) return unasked(listed);
  const committed = new Map<string, string>();
  for (const line of listed.stdout.toString("utf8").split("\0")) {
    const [facts = "", name = ""] = line.split("\t");
    committed.set(name, facts.split(" ")[2] ?? "");
  }
  const isOther = ([name, id]: [string, string]) => (committed.get(name) ?? "") !== id;
  const others = [...ids].filter(isOther).map(([name]) => name);
  if (others.length === 0) return undefined;
  // What git keeps otherwise than it stands in the checkout, such as the ends of lines, it knows itself.
  const isThere = (name: string) => ids.get(name) !== "" && committed.has(name);
  const known = others.filter((name) => isThere(name) && !name.includes("\n"));
  const paths = known.map((name) => join(root, name));
  const hashed = await run(["hash-object", "--stdin-paths"], `${paths.join("\n")}\n`);
  const ownIds = textOf(hashed).split("\n");
  const filtered = new Map(known.map((name, at) => [name, ownIds[at]]));
  const dirty = others.filter(
    (name) => !committed.has(name) || filtered.get(name) !== committed.get(name),
  );
  if (dirty.length === 0) return undefined;
  const verb = dirty.length === 1 ? "is" : "are";
  return {
    why: `${someOf(dirty, "file")} ${verb} not as in the commit ${short(commit)}`,
    help: `What is published is what a commit holds. See what was changed there:\n  cd ${shellWord(root)}\n  git status`,
  };
}

async function assertAhead(
  published: string | null,
  { run, root, commit }: Asking,
): Promise<Behind | undefined> {
  if (published === null || published === commit) return undefined;
  const isPart = async (one: string, other: string) =>
    (await run(["merge-base", "--is-ancestor", one, other])).exit;
  const exit = await isPart(published, commit);
  if (exit === 0) return undefined;
  const cd = `  cd ${shellWord(root)}\n`;
  if (exit !== 1) {
    return {
      why: `the queue holds the commit ${short(published)}, which this checkout does not know: it lags behind, or the branch was rewritten`,
      help: `Fetch it, or leave that to --pull:\n${cd}  git fetch`,
      isUnknown: true,
    };
  }
  if ((await isPart(commit, published)) === 0) {
    return {
      why: `this checkout is at ${short(commit)}, which lags behind the commit ${short(published)} in the queue`,
      help: `Bring it forward, or leave that to --pull:\n${cd}  git pull --ff-only`,
    };
  }
  return {
    why: `the commit ${short(published)} in the queue is no part of ${short(commit)}: the branch was rewritten, or this is another one`,
    help: `Where these files are the ones that are meant, make what was published a part of their branch, and push it:\n${cd}  git merge --strategy ours ${published}`,
  };
}

function withheld(why: string, help: string): { readonly withheld: Withheld } {
  return { withheld: { why, help } };
}

function unasked({ trouble, stderr }: Ended): Withheld {
  const said = trouble ?? showForeign(stderr.split("\n")[0] ?? "", []);
  return {
    why: `git cannot say what the commit holds: ${said}`,
    help: "Check the repository:\n  git fsck",
  };
}

function short(commit: string): string {
  return commit.slice(0, 10);
}
