// A branch of a remote → its newest commit, fetched without its history; the files in it; and whether it ever held a commit.
import type { Workshop } from "./repository.js";
import type { Ended } from "../../lib/git.js";
import * as refusal from "./refusal.js";

export interface Entry {
  readonly mode: string;
  readonly type: string;
  readonly object: string;
  /** In bytes; undefined for what is no file. */
  readonly size: number | undefined;
}

export interface Tip {
  /** Undefined where the branch is not there. */
  readonly commit: string | undefined;
  /** Names as git has them, a byte a character. */
  readonly files: ReadonlyMap<string, Entry>;
}

export interface Branch {
  readonly name: string;
  /** As messages call the place. */
  readonly shown: string;
  /** As the repository calls the remote. */
  readonly remote: string;
  readonly workshop: Workshop;
}

/** More than a branch is moved between two questions. */
const MOST_LOOKS = 8;
/** More commits than others can make while one waits for an answer. */
const MOST_COMMITS = 200;

/** Fetches it where it is another than the one known. */
export async function lookAt(
  branch: Branch,
  known: Tip | undefined,
  signal?: AbortSignal,
): Promise<Tip> {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const commit = await askRemote(branch, signal);
    if (known && commit === known.commit) return known;
    if (commit === undefined) return { commit, files: new Map() };
    await fetchTip(branch, known?.commit, signal);
    // Moved on between the question and the fetch: what came is another one.
    if (!(await isHere(branch, commit))) continue;
    return { commit, files: await listing(branch, commit, signal) };
  }
  throw refusal.cannotRead(branch, "other runs write to it all the time");
}

/** The newest commit, undefined where the branch is not there. Also tells a branch that must not hold states. */
async function askRemote(branch: Branch, signal?: AbortSignal): Promise<string | undefined> {
  const { name, workshop } = branch;
  const ref = `refs/heads/${name}`;
  const ask = async (...words: string[]) => {
    const asked = await workshop.git(["ls-remote", ...words], { signal, mayConnect: true });
    if (asked.exit !== 0) throw refusal.notReached(branch, asked, signal);
    return asked.stdout.toString("utf8");
  };
  const said = await ask("--symref", workshop.remote, "HEAD", ref);
  // A pattern also finds refs that only end like it.
  const found = said.split("\n").flatMap((line) => {
    const [value = "", key] = line.split("\t");
    return key === ref || key === "HEAD" ? [{ key, value }] : [];
  });
  const main = found.map(({ value }) => /^ref: refs\/heads\/(.+)$/.exec(value)?.[1]).find(Boolean);
  if (main === name) throw refusal.defaultBranch(branch);
  // Git takes some pages of a server that is none for a repository without anything; and on many platforms the first
  // branch that is pushed becomes the default one.
  if (found.length === 0 && (await ask("--heads", workshop.remote)) === "") {
    const { exit } = await workshop.asItStands(["rev-parse", "--verify", "--quiet", "HEAD"]);
    throw refusal.emptyRemote(branch, exit === 0);
  }
  return found.find(({ key, value }) => key === ref && !value.startsWith("ref:"))?.value;
}

async function fetchTip(branch: Branch, known: string | undefined, signal?: AbortSignal) {
  const { remote, git } = branch.workshop;
  // What else the repository holds has nothing in common with this branch, and need not be told of.
  const common =
    known === undefined ? ["-c", "fetch.negotiationAlgorithm=noop", "fetch"] : ["fetch"];
  const words = [
    ...common,
    ...(known === undefined ? [] : [`--negotiation-tip=${known}`]),
    ...FETCH,
    "--depth=1",
    remote,
    `refs/heads/${branch.name}`,
  ];
  const fetched = await git(words, { signal, mayConnect: true });
  // Somebody may have removed it a moment ago; then the next question tells.
  if (fetched.exit === 0 || /couldn't find remote ref/i.test(fetched.stderr)) return;
  throw refusal.notReached(branch, fetched, signal);
}

const FETCH = [
  "--quiet",
  "--no-tags",
  "--no-write-fetch-head",
  "--no-recurse-submodules",
  "--no-prune",
  "--update-shallow",
];

async function isHere({ workshop }: Branch, commit: string): Promise<boolean> {
  const { exit } = await workshop.git(["cat-file", "-e", `${commit}^{tree}`]);
  return exit === 0;
}

async function listing(branch: Branch, commit: string, signal?: AbortSignal) {
  const { stdout } = await locally(branch, ["ls-tree", "-z", "-l", commit], signal);
  const entries = stdout
    .toString("latin1")
    .split("\0")
    .flatMap((line): [string, Entry][] => {
      const [, mode = "", type = "", object = "", size = "", name = ""] =
        /^(\d+) (\w+) ([0-9a-f]+) +(\S+)\t(.+)$/s.exec(line) ?? [];
      const bytes = size === "-" ? undefined : Number(size);
      return name === "" ? [] : [[name, { mode, type, object, size: bytes }]];
    });
  return new Map(entries);
}

export async function blob(branch: Branch, object: string): Promise<Buffer> {
  return (await locally(branch, ["cat-file", "blob", object])).stdout;
}

/** Whether this commit is the newest one, or came before it. */
export async function holds(branch: Branch, { commit }: Tip, wanted: string): Promise<boolean> {
  if (commit === undefined) return false;
  if (commit === wanted) return true;
  const { remote, git } = branch.workshop;
  const words = ["fetch", ...FETCH, `--depth=${MOST_COMMITS}`, remote, `refs/heads/${branch.name}`];
  const fetched = await git(words, { mayConnect: true });
  if (fetched.exit !== 0) throw refusal.notReached(branch, fetched);
  const list = ["rev-list", `--max-count=${MOST_COMMITS}`, commit];
  const { stdout } = await locally(branch, list);
  return stdout.toString("utf8").split("\n").includes(wanted);
}

/** What needs no network can fail for want of room or of rights alone. */
export async function locally(
  branch: Branch,
  words: readonly string[],
  signal?: AbortSignal,
  input?: string | Uint8Array,
): Promise<Ended> {
  const ended = await branch.workshop.git(words, { signal, ...(input !== undefined && { input }) });
  if (ended.exit !== 0) throw refusal.gitFailed(branch, ended, signal);
  return ended;
}
