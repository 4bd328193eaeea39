// Keeps a worker's bare clone of the repository: fetches one branch, and checks out its commits in separate folders.
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, statSync } from "node:fs";
import { join } from "node:path";
import { takeRunFile } from "../events/run-file.js";
import type { Io } from "../../io.js";
import { Failure, interrupted } from "../../failure.js";
import { digestOfText } from "../../lib/digest.js";
import {
  errorTextOf,
  isUsable,
  openBareRepository,
  textOf,
  withoutSignIn,
  type Ended,
  type Repository,
} from "../../lib/git.js";
import { shellWord, showForeign } from "../../lib/text.js";

export interface CloneOptions {
  readonly io: Io;
  /** Any address that git accepts, including a local path. */
  readonly remote: string;
  /** The one branch whose commits are checked. */
  readonly branch: string;
  /** Each worker of a machine has its own clone in this folder. */
  readonly folder: string;
}

/** The relation between the commit of the last apply and the checked commit. */
export type Relation = "contained" | "ahead" | "rewritten" | "unknown";

/** The limit of checkouts; older ones are removed. */
const MOST_TREES = 3;
/** The first fetch downloads the whole repository. */
const FETCH_MS = 30 * 60_000;

export async function openClone({
  io,
  remote,
  branch,
  folder: parent,
}: CloneOptions): Promise<Clone> {
  const { folder, release } = takeFolder(io, parent, remote);
  const repository = openBareRepository(io, folder);
  if (!isUsable(repository)) {
    const message = `The worker's clone cannot be used: ${repository.why}.`;
    throw new Failure("clone-not-usable", message, repository.help);
  }
  const { signal } = io;
  await repository.run(["config", "remote.origin.url", remote], { signal });
  await repository.run(["worktree", "prune"], { signal });
  return new Clone({ repository, signal, remote, branch, folder }, release);
}

interface Opened extends Omit<CloneOptions, "io"> {
  readonly repository: Repository;
  readonly signal: AbortSignal;
}

export class Clone {
  readonly branch: string;
  /** Lets another worker of this machine use the clone. */
  readonly release: () => void;
  readonly #opened: Opened;
  /** The ref of the fetched branch. */
  readonly #tip: string;
  readonly #trees: string;
  readonly #users = new Map<string, number>();
  /** Commits that `has` found since the last fetch. */
  readonly #found = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(opened: Opened, release: () => void) {
    this.#opened = opened;
    this.branch = opened.branch;
    this.release = release;
    this.#tip = `refs/remotes/origin/${opened.branch}`;
    this.#trees = join(opened.folder, "trees");
  }

  /** Fetches the branch, and returns its newest commit. */
  fetch(): Promise<string> {
    return this.#inTurn(async () => {
      await this.#fetch();
      return textOf(await this.#git("rev-parse", "--verify", "--quiet", this.#tip));
    });
  }

  /** Runs work in a folder with the files of a commit. Fails if the commit is not on the branch. */
  async within<T>(commit: string, work: (folder: string) => Promise<T>): Promise<T> {
    // The commit becomes the name of a folder.
    if (!isCommit(commit)) throw notOnBranch(commit, this.branch);
    this.#users.set(commit, (this.#users.get(commit) ?? 0) + 1);
    try {
      return await work(await this.#inTurn(() => this.#checkOut(commit)));
    } finally {
      const users = (this.#users.get(commit) ?? 1) - 1;
      if (users > 0) this.#users.set(commit, users);
      else this.#users.delete(commit);
      if (users === 0) await this.#inTurn(() => this.#prune());
    }
  }

  /** Whether the fetched branch ever pointed at a commit. Commits inside merged branches do not count. */
  async has(commit: string): Promise<boolean> {
    if (!isCommit(commit) || this.#found.has(commit)) return isCommit(commit);
    const since = ["--first-parent", this.#tip, "--not", `${commit}^@`];
    const isFound = textOf(await this.#git("rev-list", ...since)).endsWith(commit);
    if (isFound) this.#found.add(commit);
    return isFound;
  }

  async relation(applied: string, checked: string): Promise<Relation> {
    const [commit = ""] = /^[0-9a-f]{40,64}/.exec(applied) ?? [];
    if (commit === "" || (await this.#contains(checked, commit))) return "contained";
    const found = await this.#git("cat-file", "-e", `${commit}^{commit}`);
    if (found.exit !== 0) return "unknown";
    return (await this.#contains(this.#tip, commit)) ? "ahead" : "rewritten";
  }

  #git(...words: readonly string[]): Promise<Ended> {
    const { repository, signal } = this.#opened;
    return repository.run(words, { signal });
  }

  /** Two git calls at once would conflict over lock files. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #contains(head: string, commit: string): Promise<boolean> {
    return (await this.#git("merge-base", "--is-ancestor", commit, head)).exit === 0;
  }

  async #fetch(): Promise<void> {
    const { repository, signal, remote, branch } = this.#opened;
    const refs = `+refs/heads/${branch}:${this.#tip}`;
    const words = ["fetch", "--quiet", "--no-tags", "--prune", "origin", refs];
    const fetched = await repository.run(words, { signal, mayConnect: true, limitMs: FETCH_MS });
    this.#found.clear();
    const help = `Git's own credentials have to work without a terminal. Try it as the worker's user:\n  git ls-remote ${shellWord(withoutSignIn(remote))} ${shellWord(branch)}`;
    this.#assertDone(fetched, `fetch the branch "${branch}"`, help);
  }

  async #checkOut(commit: string): Promise<string> {
    const path = join(this.#trees, commit);
    if (!(await this.has(commit))) await this.#fetch();
    if (!(await this.has(commit))) throw notOnBranch(commit, this.branch);
    if (existsSync(join(path, ".git"))) {
      utimesSync(path, new Date(), new Date());
      return path;
    }
    // A killed process may have left a locked draft under another name, hence "--force" twice.
    const draft = join(this.#trees, `${commit}.new`);
    for (const each of [path, draft]) rmSync(each, { recursive: true, force: true });
    const force = ["--force", "--force"];
    const [what, help] = [`check out ${commit.slice(0, 10)}`, "Check the free space of the disk."];
    const add = ["worktree", "add", "--quiet", "--detach", ...force, draft, commit];
    this.#assertDone(await this.#git(...add), what, help);
    this.#assertDone(await this.#git("worktree", "move", draft, path), what, help);
    return path;
  }

  async #prune(): Promise<void> {
    if (!existsSync(this.#trees)) return;
    const age = (name: string) => statSync(join(this.#trees, name)).mtimeMs;
    const unused = readdirSync(this.#trees).filter((name) => !this.#users.has(name));
    const old = unused.toSorted((one, other) => age(other) - age(one)).slice(MOST_TREES);
    for (const name of old)
      await this.#git("worktree", "remove", "--force", join(this.#trees, name));
  }

  #assertDone(ended: Ended, what: string, help: string): void {
    if (ended.exit === 0) return;
    if (this.#opened.signal.aborted) throw interrupted();
    throw new Failure("clone-not-usable", `git cannot ${what}: ${errorTextOf(ended)}.`, help);
  }
}

const MOST_WORKERS = 64;

/** The first clone of the repository that no other running worker uses. */
function takeFolder(io: Io, parent: string, remote: string) {
  const name = digestOfText(remote).slice(0, 16);
  for (let nth = 1; ; nth++) {
    const folder = join(parent, `${name}-${nth}`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    try {
      const runFile = takeRunFile(io, folder);
      return { folder, release: () => runFile.release() };
    } catch (error) {
      const isTaken = error instanceof Failure && error.code === "data-in-use";
      if (!isTaken || nth === MOST_WORKERS) throw error;
    }
  }
}

/** Other names, such as branches, can point to another commit later. */
export function isCommit(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

export function notOnBranch(commit: string, branch: string): Failure {
  return new Failure(
    "commit-not-on-branch",
    `The commit ${showForeign(commit.slice(0, 10), [])} is not on the branch "${branch}" of this worker's repository.`,
    "Push it, or check --branch and --repository of this worker. If the branch was rewritten, run this in the checkout of `lintel serve`:\n  git reset --keep @{upstream}",
  );
}
