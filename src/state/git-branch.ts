// Reads and writes one branch of a remote with git plumbing, in the repository that contains the desired-state file.
import { randomUUID } from "node:crypto";
import { Failure, interrupted } from "../failure.js";
import {
  isUsable,
  openNamedRepository,
  openRepository,
  settingOf,
  textOf,
  type Ended,
  type GitCall,
  type Repository,
} from "../lib/git.js";
import { shellWord, showForeign } from "../lib/text.js";
import type { Io } from "../io.js";
import { secret, type Secret } from "../secret.js";
import type { BranchAddress } from "../state-address/branch.js";
import { refusedAt } from "./place-refusal.js";

// The work tree, the index, HEAD, branches and remote-tracking refs stay untouched. A private ref keeps the fetched and
// pushed commits, so that the next fetch is short and its reflog has commits that were removed from the branch. It is
// never read: only the remote decides what the branch is.

export interface Branch {
  readonly name: string;
  /** The address of the states, for messages. */
  readonly shown: string;
  /** The remote's name in the repository. */
  readonly remote: string;
  /** The remote's address without user and password. */
  readonly url: string;
  readonly ownRef: string;
  readonly repository: Repository;
}

export interface Entry {
  readonly mode: string;
  readonly type: string;
  readonly object: string;
}

/** The newest commit of the branch at one moment. */
export interface Tip {
  /** Undefined if the branch does not exist. */
  readonly commit: string | undefined;
  /** The names of git, one character for each byte. */
  readonly files: ReadonlyMap<string, Entry>;
}

interface Pushed {
  readonly isTaken: boolean;
  /** Whether the server or git refused. If not, the outcome is unknown. */
  readonly isRejected: boolean;
  readonly ended: Ended;
  readonly reason: string;
}

/** More often than a branch can plausibly be deleted or forced between a question and a fetch. */
const MOST_LOOKS = 8;
const USE_ANOTHER_BRANCH =
  "Name a branch for states only. The first apply creates it:\n  state: git:lintel-state";

interface Wanted extends BranchAddress {
  readonly shown: string;
  /** The folder of the desired-state file. */
  readonly from: string;
  readonly file: string;
}

/** Fails with bad-state-address if the repository shows that the branch cannot keep states. */
export async function openBranch(
  { name, remote: asked, shown, from, file }: Wanted,
  io: Io,
): Promise<Branch> {
  const repository = openRepository(io, from) ?? openNamedRepository(io, from);
  if (!repository) {
    throw new Failure(
      "bad-state-address",
      `The state "${shown}" is a branch of a git repository, but "${showForeign(file, [])}" is not in a repository.`,
      `Create a repository in "${showForeign(from, [])}" and add a remote, or name another place:\n  state: file:DIR`,
    );
  }
  if (!isUsable(repository)) {
    const { why, help } = repository;
    throw new Failure("state-not-readable", `The state "${shown}" cannot be read: ${why}.`, help);
  }
  const remote = await remoteOf(repository, asked, file);
  const trees = await repository.run(["worktree", "list", "--porcelain"]);
  if (textOf(trees).split("\n").includes(`branch refs/heads/${name}`)) {
    throw new Failure(
      "bad-state-address",
      `The branch "${name}" is checked out. It cannot keep states, because pushes would not update the work tree.`,
      USE_ANOTHER_BRANCH,
    );
  }
  const [, url = ""] = repository.settings.find(([each]) => each === `remote.${remote}.url`) ?? [];
  const ownRef = ownRefOf(remote, name);
  return { name, shown, remote, url: url.replace(/\/\/[^/]*@/, "//"), ownRef, repository };
}

/** Encoded, because "a" and "a/b" cannot both be refs, and an old ref stays when its branch is deleted. */
export function ownRefOf(remote: string, name: string): string {
  return `refs/lintel/${[remote, name].map(encodeURIComponent).join("/")}`;
}

/** Only a name: an address could send git's credentials anywhere. */
async function remoteOf(
  { settings, run }: Repository,
  asked: string | undefined,
  file: string,
): Promise<string> {
  const remotes = [
    ...new Set(settings.flatMap(([name]) => /^remote\.(.+)\.url$/s.exec(name)?.[1] ?? [])),
  ];
  const current = textOf(await run(["symbolic-ref", "--quiet", "--short", "HEAD"]));
  const usual = [settingOf(settings, `branch.${current}.remote`), "origin", remotes.at(-1)];
  const candidates = asked === undefined ? usual.slice(0, remotes.length === 1 ? 3 : 2) : [asked];
  const found = candidates.find((name) => name !== undefined && remotes.includes(name));
  if (found !== undefined) return found;
  const wanted = asked ?? "origin";
  const list = remotes.map((each) => `"${showForeign(each, [])}"`).join(", ");
  const add = `git remote add ${shellWord(wanted)} URL`;
  throw new Failure(
    "bad-state-address",
    `The repository of "${showForeign(file, [])}" has no remote "${showForeign(wanted, [])}".`,
    remotes.length > 0
      ? `It has ${list}. Write that name, or add the remote:\n  state: git:BRANCH@${remotes[0]}\n  ${add}`
      : `The state is a branch of a remote, so that all clones share it. Add the remote:\n  ${add}\nor name another place:\n  state: file:DIR`,
  );
}

/** Asks the remote, and fetches a new commit. Returns `known` if there is none. */
export async function lookAt(
  branch: Branch,
  known: Tip | undefined,
  signal?: AbortSignal,
): Promise<Tip> {
  let failed: { readonly commit: string; readonly fetched: Ended } | undefined;
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const commit = await askRemote(branch, signal);
    if (known && commit === known.commit) return known;
    if (commit === undefined) return { commit, files: new Map() };
    if (!(await isHere(branch, commit))) {
      if (failed?.commit === commit) break;
      const fetched = await fetchTip(branch, signal);
      // Two parallel fetches conflict only at the ref. It only matters whether the commit arrived.
      if (!(await isHere(branch, commit))) {
        // If the branch was deleted or forced meanwhile, the next question has another answer.
        if (fetched.exit !== 0) failed = { commit, fetched };
        continue;
      }
    }
    return { commit, files: await filesOf(branch, commit, signal) };
  }
  if (failed) throw await notRead(branch, failed.fetched, signal);
  throw new Failure(
    "state-not-readable",
    `The state "${branch.shown}" cannot be read: the branch was replaced each time while it was fetched.`,
    "Try again later.",
  );
}

/** Returns the newest commit. Refuses the default branch, and a remote without any branch. */
async function askRemote(branch: Branch, signal?: AbortSignal): Promise<string | undefined> {
  const { name, shown, remote, repository } = branch;
  const ref = `refs/heads/${name}`;
  const ask = async (...words: string[]) => {
    const asked = await repository.run(["ls-remote", ...words], { signal, mayConnect: true });
    if (asked.exit !== 0) throw await notRead(branch, asked, signal);
    return asked.stdout.toString("utf8");
  };
  const answer = await ask("--symref", remote, "HEAD", ref);
  // The pattern also matches longer refs with the same end.
  const found = answer.split("\n").flatMap((line) => {
    const [value = "", key] = line.split("\t");
    return key === ref || key === "HEAD" ? [{ key, value }] : [];
  });
  if (found.some(({ key, value }) => key === "HEAD" && value === `ref: ${ref}`)) {
    throw new Failure(
      "bad-state-address",
      `"${name}" is the default branch of "${remote}". It cannot keep states.`,
      USE_ANOTHER_BRANCH,
    );
  }
  // On many servers the first pushed branch becomes the default one.
  if (found.length === 0 && (await ask("--heads", remote)) === "") {
    throw new Failure(
      "state-not-readable",
      `The state "${shown}" cannot be read: the remote "${remote}" has no branch.`,
      `Push your files first, because the first branch becomes the default one:\n  git push -u ${shellWord(remote)} HEAD\nIf the remote has branches, check its address:\n  git remote --verbose`,
    );
  }
  return found.find(({ key, value }) => key === ref && !value.startsWith("ref:"))?.value;
}

function fetchTip({ name, remote, ownRef, repository }: Branch, signal?: AbortSignal) {
  const words = [
    // The reflog keeps commits that were removed from the branch.
    "-c",
    "core.logAllRefUpdates=always",
    "-c",
    `remote.${remote}.followRemoteHEAD=never`,
    "fetch",
    "--quiet",
    "--no-tags",
    "--no-write-fetch-head",
    "--no-recurse-submodules",
    "--no-prune",
    "--no-auto-maintenance",
    "--no-write-commit-graph",
    // A partial clone would fetch each state in a connection of its own.
    "--no-filter",
    // Without this, git also moves the remote-tracking ref.
    "--refmap=",
    remote,
    `+refs/heads/${name}:${ownRef}`,
  ];
  return repository.run(words, { signal, mayConnect: true });
}

/** Does not connect, although a partial clone could ask the remote. */
async function isHere({ repository }: Branch, commit: string): Promise<boolean> {
  return (await repository.run(["cat-file", "-e", commit])).exit === 0;
}

async function filesOf(branch: Branch, commit: string, signal?: AbortSignal) {
  const listed = await local(branch, ["ls-tree", "-z", commit], { signal });
  const entries = listed
    .toString("latin1")
    .split("\0")
    .flatMap((line): [string, Entry][] => {
      const [, mode = "", type = "", object = "", name] =
        /^(\d+) (\w+) ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
      return name === undefined ? [] : [[name, { mode, type, object }]];
    });
  return new Map(entries);
}

export function readBlob(branch: Branch, object: string, signal?: AbortSignal): Promise<Buffer> {
  return local(branch, ["cat-file", "blob", object], { signal });
}

/** Returns its object id. */
export async function writeBlob(branch: Branch, text: string): Promise<string> {
  const written = await local(branch, ["hash-object", "-w", "--stdin"], writing(text));
  return written.toString("utf8").trim();
}

/** An interrupt must not end these: they do not receive Ctrl+C from the terminal. */
function writing(input: string | Uint8Array): GitCall {
  return { input, isApart: true };
}

export interface Commit {
  /** Names of the files to replace, and their objects. All other files stay. */
  readonly blobs: ReadonlyMap<string, string>;
  readonly message: string;
  /** The author if git has none configured. */
  readonly author: { readonly actor: string; readonly host: string };
}

/** Two commits always differ, even with the same content in the same second. */
export async function commitOn(branch: Branch, tip: Tip, made: Commit): Promise<Tip> {
  const files = new Map(tip.files);
  for (const [name, object] of made.blobs) {
    files.set(name, { mode: "100644", type: "blob", object });
  }
  const list = [...files].map(([name, { mode, type, object }]) => {
    return `${mode} ${type} ${object}\t${name}\0`;
  });
  // A partial clone lacks files of other portals.
  const mktree = ["mktree", "-z", "--missing"];
  const tree = await local(branch, mktree, writing(Buffer.from(list.join(""), "latin1")));
  const parents = tip.commit === undefined ? [] : ["-p", tip.commit];
  const encoding = ["-c", "i18n.commitEncoding=UTF-8"];
  const words = [...encoding, "commit-tree", tree.toString("utf8").trim(), ...parents];
  const env = await identity(branch, made.author);
  const message = `${made.message}\n\nWrite-Id: ${randomUUID()}\n`;
  const commit = await local(branch, words, { ...writing(message), env });
  return { commit: commit.toString("utf8").trim(), files };
}

async function identity({ repository }: Branch, { actor, host }: Commit["author"]) {
  const asked = ["-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT"];
  if ((await repository.run(asked, { isApart: true })).exit === 0) return {};
  // Removes characters that control a terminal, and those that git does not accept in a name.
  const plain = (text: string) => text.replace(/[\p{C}<>\n]/gu, "").trim() || "lintel";
  const name = plain(actor);
  const email = (name.includes("@") ? name : `${name}@${plain(host)}`).replace(/\s+/g, ".");
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}

/** Moves the branch from one tip to the next, or leaves it unchanged. */
export async function push(
  { name, remote, ownRef, repository }: Branch,
  from: Tip,
  { commit = "" }: Tip,
  { isDry = false } = {},
): Promise<Pushed> {
  const ref = `refs/heads/${name}`;
  const words = [
    "-c",
    `remote.${remote}.mirror=false`,
    // Without this, git also moves the remote-tracking ref. Git accepts an exclusion only beside a refspec that it
    // excludes.
    "-c",
    `remote.${remote}.fetch=${ref}`,
    "-c",
    `remote.${remote}.fetch=^${ref}`,
    "push",
    "--porcelain",
    "--no-verify",
    "--no-follow-tags",
    "--no-recurse-submodules",
    "--no-signed",
    ...(isDry ? ["--dry-run"] : []),
    `--force-with-lease=${ref}:${from.commit ?? ""}`,
    remote,
    `${commit}:${ref}`,
  ];
  const ended = await repository.run(words, { mayConnect: true });
  const [, flag = "!", summary = ""] =
    ended.stdout
      .toString("utf8")
      .split("\n")
      .map((line) => /^(.)\t[^\t]*\t(.*)$/.exec(line))
      .find((found) => found !== null) ?? [];
  const isTaken = flag !== "!";
  if (isTaken && !isDry) {
    const keep = ["update-ref", "--create-reflog", "-m", "pushed by lintel", ownRef, commit];
    // Another process may hold the lock. The next fetch updates the ref.
    await repository.run(keep, { isApart: true });
  }
  return {
    isTaken,
    isRejected: /^\[(remote )?rejected\]/.test(summary),
    ended,
    reason: /\((.+)\)$/.exec(summary)?.[1] ?? "",
  };
}

/** Whether the commit is the tip, or in its history. */
export async function contains(branch: Branch, tip: Tip, { commit = "" }: Tip): Promise<boolean> {
  if (tip.commit === undefined || tip.commit === commit) return tip.commit !== undefined;
  const words = ["merge-base", "--is-ancestor", commit, tip.commit];
  const { exit } = await branch.repository.run(words, { isApart: true });
  return exit === 0;
}

/** For calls without network, except for objects that a partial clone lacks. */
async function local(
  branch: Branch,
  words: readonly string[],
  call: GitCall = {},
): Promise<Buffer> {
  const ended = await branch.repository.run(words, { mayConnect: true, ...call });
  if (ended.exit === 0) return ended.stdout;
  if (call.signal?.aborted) throw interrupted();
  const why = `git failed: ${await said(branch, ended)}`;
  throw refusedAt("git", branch.shown, "read", { why, cause: "not-found" });
}

async function notRead(branch: Branch, ended: Ended, signal?: AbortSignal): Promise<Failure> {
  if (signal?.aborted) return interrupted();
  const { shown, remote } = branch;
  const why = `git cannot reach "${remote}": ${await said(branch, ended)}`;
  const names = { remote: shellWord(remote) };
  return refusedAt("git", shown, "read", { why, cause: "not-reachable" }, { names });
}

export async function notPushed(
  branch: Branch,
  { isRejected, ended, reason }: Pushed,
): Promise<Failure> {
  const { shown, remote } = branch;
  const what = isRejected ? `"${remote}" refused the push` : `the push to "${remote}" failed`;
  const why = `${what}. Git says: ${await said(branch, ended, reason)}`;
  return refusedAt("git", shown, "written", { why, cause: "not-allowed" });
}

const MOST_LINES = 8;
const NOISE =
  /^(hint:|failed to push some refs|Could not read from remote|Please make sure you have|and the repository exists)/;

/** The message of git and the server, on one line, safe for a terminal and without credentials. */
async function said(branch: Branch, { stderr, trouble }: Ended, reason = ""): Promise<string> {
  if (trouble !== undefined) return `${trouble}.`;
  const secrets = await secretsOf(branch);
  // After a failed sign-in the helper forgets what was sent, and the server may have repeated it.
  const isUnknown = secrets.length === 0 && /Authentication failed/i.test(stderr);
  const lines = [...stderr.split(/[\r\n]+/), reason]
    .filter((line) => !isUnknown || !line.startsWith("remote:"))
    .map((line) => line.replace(/^((remote|fatal|error): ?)+/, "").trim())
    .filter((line) => line !== "" && !NOISE.test(line));
  const shown = [...new Set(lines)]
    .slice(0, MOST_LINES)
    .map((line) => showForeign(withoutUser(line), secrets, 300));
  return shown.join(" / ").replace(/([^.!?])$/, "$1.") || "no reason was given.";
}

/** Up to the last "@", because a password can contain one. */
function withoutUser(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s'"]*@/gi, "$1");
}

const QUIETLY = {
  GIT_ASKPASS: "",
  SSH_ASKPASS: "",
  GIT_TERMINAL_PROMPT: "0",
  GCM_INTERACTIVE: "never",
};
const HELPERS_MS = 10_000;
/** From this length, a user without a password is a token. */
const TOKEN_LENGTH = 20;

const secretsFound = new WeakMap<Branch, Promise<readonly Secret[]>>();

/**
 * Everything that git may send to the remote over HTTP, because a server may repeat it. Looked up only after a failure.
 */
function secretsOf(branch: Branch): Promise<readonly Secret[]> {
  const found = secretsFound.get(branch) ?? findSecrets(branch);
  secretsFound.set(branch, found);
  return found;
}

async function findSecrets({ remote, repository }: Branch): Promise<readonly Secret[]> {
  const ask = async (words: readonly string[], input = "") => {
    const signal = AbortSignal.timeout(HELPERS_MS);
    const asked = { env: QUIETLY, isApart: true, mayConnect: true, signal, input };
    const { exit, stdout } = await repository.run(words, asked);
    return exit === 0 ? stdout.toString("utf8") : "";
  };
  const fetched = await ask(["remote", "get-url", "--all", remote]);
  const pushed = await ask(["remote", "get-url", "--all", "--push", remote]);
  const addresses = [...new Set(`${fetched}${pushed}`.split("\n"))].filter(
    (each) => /^https?:/i.test(each) && URL.canParse(each),
  );
  if (addresses.length === 0) return [];
  const headers = repository.settings.filter(([name]) => /^http\..*extraheader$/.test(name));
  const inAddresses = addresses.map(async (address) => {
    const { username, password } = new URL(address);
    // Decodes the address; if it contains no password, asks the helpers.
    const filled = await ask(["credential", "fill"], `url=${address}\n\n`);
    const field = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(filled)?.[1] ?? "";
    return [...signIn(username, password), ...signIn(field("username"), field("password"))];
  });
  const inHeaders = headers.flatMap(([, line]) => inHeader(line));
  return [...(await Promise.all(inAddresses)).flat(), ...inHeaders];
}

function signIn(user: string, password: string): Secret[] {
  if (password === "") return user.length < TOKEN_LENGTH ? [] : [secret(user)];
  return [secret(password), secret(Buffer.from(`${user}:${password}`).toString("base64"))];
}

/** "Authorization: Basic …", as a pipeline's checkout configures it. */
function inHeader(line: string): Secret[] {
  const [, scheme = "", value = ""] = /:\s*(?:(\w+)\s+)?(\S+)\s*$/.exec(line) ?? [];
  if (value === "") return [];
  const [, user = "", password = ""] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(value, "base64").toString()) ?? [];
  return [secret(value), ...(/^basic$/i.test(scheme) ? signIn(user, password) : [])];
}
