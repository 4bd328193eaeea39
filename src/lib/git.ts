// Runs git in a repository under review, so that none of its files is executed.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { devNull } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import { readFile, statOf } from "./files.js";
import { isPipeline, type Io } from "../io.js";
import { pathWithin, realPathOf, waysTo } from "./paths.js";
import { shellWord, showForeign } from "./text.js";

// Git searches its repository from the current folder, and a pull request can make any folder look like a bare one. So
// the root is found here, and each call names it with GIT_DIR and GIT_WORK_TREE: no repository below it counts. Only
// untracked configuration remains: that of the repository (.git/config), the user and the system.

export interface Repository {
  /** The top of the work tree, with links resolved. */
  readonly root: string;
  /** The git directory: ".git", or the folder that a file of that name points to. */
  readonly folder: string;
  /** The whole configuration of git in its order: later values override earlier ones. */
  readonly settings: readonly Setting[];
  /** Runs in the root. */
  readonly run: (words: readonly string[], call?: GitCall) => Promise<Ended>;
  readonly runSync: (words: readonly string[]) => Ended;
}

export type Setting = readonly [name: string, value: string];

/** Why an existing repository is not used. */
export interface Unusable {
  /** Continues a sentence. */
  readonly why: string;
  readonly help: string;
}

export interface GitCall {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string | Uint8Array;
  /** Stops git, or prevents its start; absent for calls that must complete. */
  readonly signal?: AbortSignal | undefined;
  /** May connect to remotes, with git's credentials and the SSH program of the configuration. */
  readonly mayConnect?: boolean;
  /** Detached from the terminal, so that Ctrl+C there does not reach it. */
  readonly isApart?: boolean;
  readonly limitMs?: number;
}

export interface Ended {
  /** Undefined if it was stopped, by Lintel or from outside. */
  readonly exit: number | undefined;
  /** Bytes, because git's output has no encoding. */
  readonly stdout: Buffer;
  readonly stderr: string;
  /** In words; undefined if git's own output explains the error. */
  readonly trouble?: string;
}

type GitIo = Pick<Io, "env"> & Partial<Pick<Io, "stdin">>;

type At = Pick<Repository, "root" | "folder">;

/** Lets git search for its repository, starting at the root. */
const FOUND_BY_GIT: GitCall = { env: { GIT_DIR: undefined, GIT_WORK_TREE: undefined } };

/** Keeps git outside any repository, even if the current folder is in one. */
const NOWHERE: At = { root: sep, folder: devNull };

/** Only programs that prompt for a passphrase take longer. */
const LIMIT_MS = 120_000;
/** For local questions while a user waits. */
export const SHORT_LIMIT_MS = 10_000;
/** The time between the request to stop and the kill. */
const GRACE_MS = 2_000;
/** In bytes: enough for a list of many thousands of files, and for any state. */
const LARGEST = 256 * 1024 * 1024;

const INTERRUPTED = "it was interrupted";
const NOT_INSTALLED = "git is not installed";

/** Overrides all other configuration. The repository's own may name tracked files as programs: ".githooks". */
const OVERRIDES = [
  // Not "false", which git before 2.36 runs as a program.
  "core.fsmonitor=",
  `core.hooksPath=${devNull}`,
  "protocol.ext.allow=never",
  // Submodules are repositories of their own.
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  "push.recurseSubmodules=no",
  "safe.bareRepository=explicit",
].flatMap((each) => ["-c", each]);

/** With these, as in a git hook, git would use another repository than the file's. */
const ELSEWHERE =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|PREFIX|SHALLOW_FILE|NAMESPACE|CONFIG|QUARANTINE_PATH|GRAFT_FILE|REPLACE_REF_BASE|IMPLICIT_WORK_TREE|INTERNAL_SUPER_PREFIX|(GLOB|NOGLOB|LITERAL|ICASE)_PATHSPECS)$/i;

/** Removes only Lintel's variables, which include all its secrets; a credential helper may need any other. */
const OWN = /^LINTEL_/i;

/** English messages, because they are parsed; and no lock that could disturb a user's own git commands. */
const ALWAYS = { LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0" };
/** For git's helpers, too. */
const NO_QUESTIONS = { GIT_TERMINAL_PROMPT: "0", GCM_INTERACTIVE: "never" };
/** No protocol has this name, so a partial clone fetches nothing and starts no SSH program. */
const NO_REMOTES = { GIT_ALLOW_PROTOCOL: "none" };

/**
 * The repository that contains a folder, after checks of its owner and configuration. Undefined outside of git. Runs
 * two short git commands synchronously.
 */
export function openRepository(io: GitIo, folder: string): Repository | Unusable | undefined {
  const root = findRoot(folder);
  return root === undefined
    ? undefined
    : checked(io, { root, folder: folderAt(join(root, ".git")) });
}

/** The repository named by GIT_DIR, as in a hook, for a folder in no repository. */
export function openNamedRepository(io: GitIo, folder: string): Repository | Unusable | undefined {
  const { GIT_DIR: named, GIT_WORK_TREE: tree = folder } = io.env;
  if (!named) return undefined;
  const root = resolve(folder, tree);
  return configured(io, { root: realPathOf(root) ?? root, folder: resolve(folder, named) });
}

/** Lintel's own bare repository, created if it is missing. */
export function openBareRepository(io: GitIo, folder: string): Repository | Unusable {
  const at = { root: folder, folder };
  if (!existsSync(join(folder, "HEAD"))) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const made = runSync(io, at, ["init", "--quiet", "--bare", folder], FOUND_BY_GIT);
    if (made.exit !== 0) return unusable(at, made);
  }
  return configured(io, at);
}

export function isUnusable(opened: object): opened is Unusable {
  return "why" in opened;
}

export function isUsable(opened: Repository | Unusable | undefined): opened is Repository {
  return opened !== undefined && !isUnusable(opened);
}

/** Searches like git: the first ".git" above a folder, with links resolved. */
export function findRoot(folder: string): string | undefined {
  let root = existsSync(folder) ? realPathOf(folder) : undefined;
  while (root !== undefined && !existsSync(join(root, ".git"))) {
    const above = dirname(root);
    root = above === root ? undefined : above;
  }
  return root;
}

/** In a linked work tree and in a submodule, ".git" is a file that names the folder. */
function folderAt(path: string): string {
  if (!statOf(path)?.isFile()) return path;
  const text = readFile(path, { largest: 64 * 1024, links: "followed" }).toString("utf8");
  const [, named = path] = /^gitdir: (.+?)[\r\n]*$/.exec(text) ?? [];
  return resolve(dirname(path), named);
}

function checked(io: GitIo, at: At): Repository | Unusable {
  // Uses git's own search, because only then does git check the owner.
  const found = runSync(io, at, ["rev-parse", "--absolute-git-dir"], FOUND_BY_GIT);
  if (found.exit !== 0) return unusable(at, found);
  const isSame = realPathOf(textOf(found)) === realPathOf(at.folder);
  return isSame ? configured(io, at) : unusable(at, found);
}

function configured(io: GitIo, at: At): Repository | Unusable {
  const listed = runSync(io, at, ["config", "--list", "--show-origin", "-z"]);
  if (listed.exit !== 0) return unusable(at, listed);
  const { settings, files } = settingsIn(listed);
  const filtersOff = withoutFilters(settings);
  const repository: Repository = {
    ...at,
    settings,
    run: (words, call) => run(io, at, [...filtersOff, ...words], call),
    runSync: (words) => runSync(io, at, [...filtersOff, ...words]),
  };
  return whyUntrusted(files, repository) ?? repository;
}

function settingsIn({ stdout }: Ended) {
  // "file:PATH", then the name and, behind a line end, the value; each ends with a NUL.
  const parts = stdout.toString("utf8").split("\0");
  const settings: Setting[] = [];
  const files = new Set<string>();
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [, file] = /^file:(.+)$/s.exec(parts[at] ?? "") ?? [];
    if (file !== undefined) files.add(file);
    const [name = "", ...value] = (parts[at + 1] ?? "").split("\n");
    settings.push([name, value.join("\n")]);
  }
  return { settings, files };
}

/** A filter may be a script of the work tree, and the repository's ".gitattributes" selects filters. */
function withoutFilters(settings: readonly Setting[]): string[] {
  const drivers = settings.flatMap(([name]) => /^filter\..+(?=\.)/s.exec(name) ?? []);
  return [...new Set(drivers)].flatMap((driver) =>
    ["clean=", "smudge=", "process=", "required=false"].flatMap((each) => [
      "-c",
      `${driver}.${each}`,
    ]),
  );
}

/** Refuses configuration that a pull request can change: an included file, or one of a home in the work tree. */
function whyUntrusted(files: ReadonlySet<string>, repository: Repository): Unusable | undefined {
  const { root } = repository;
  const inside = [...files].flatMap((file) =>
    waysTo(resolve(root, file)).flatMap((way) => {
      const path = pathWithin(root, way);
      return path === undefined ? [] : [{ file, path }];
    }),
  );
  // Nothing in the git directory is tracked.
  if (inside.every(({ path }) => /^\.git(\/|$)/.test(path))) return undefined;
  const tracked = trackedFiles(repository);
  if (isUnusable(tracked)) return tracked;
  // A folder on the path may itself be a link or a submodule.
  const found = inside.find(({ path }) => {
    const parts = path.split("/");
    return parts.some((_, at) => tracked.has(parts.slice(0, at + 1).join("/")));
  });
  return found && trackedConfiguration(repository, found.file);
}

/** The paths in the index, relative to the root, with slashes. */
export function trackedFiles(repository: Repository): ReadonlySet<string> | Unusable {
  const listed = repository.runSync(["ls-files", "-z"]);
  if (listed.exit !== 0) return unusable(repository, listed);
  return new Set(listed.stdout.toString("utf8").split("\0").filter(Boolean));
}

/** The effective value; undefined if none is set. */
export function settingOf(settings: readonly Setting[], name: string): string | undefined {
  return settings.findLast(([each]) => each === name)?.[1];
}

/** The user's and system's configuration, outside of any repository; empty if git is not installed. */
export function userSettings(io: GitIo): readonly Setting[] {
  return settingsIn(runSync(io, NOWHERE, ["config", "--list", "--show-origin", "-z"])).settings;
}

function unusable({ root }: At, { exit, stderr, trouble }: Ended): Unusable {
  if (trouble === NOT_INSTALLED) {
    return { why: trouble, help: "Install git 2.31 or later, where this command finds it." };
  }
  // Messages of git since 2.37, and before.
  const owner = /(?:dubious ownership in repository at |unsafe repository \()'(.+?)'/.exec(
    stderr,
  )?.[1];
  if (owner !== undefined) {
    return {
      why: `the repository "${showForeign(root, [])}" belongs to another user, and git does not read it`,
      help: `If you trust it, mark it as safe:\n  git config --global --add safe.directory ${shellWord(owner)}`,
    };
  }
  const [line = ""] = stderr.split("\n").filter(Boolean);
  const said = trouble ?? (exit === 0 ? "not a git repository" : line.replace(/^fatal: /, ""));
  return {
    why: `git cannot use the repository "${showForeign(root, [])}": ${showForeign(said, [], 300)}`,
    help: `See what git says there:\n  cd ${shellWord(root)}\n  git status`,
  };
}

function trackedConfiguration({ root }: At, file: string): Unusable {
  return {
    why: `"${showForeign(file, [])}" is part of git's configuration and tracked by the repository, so that a pull request could make git run any program`,
    help: `Keep that file outside of the work tree. See what leads to it:\n  cd ${shellWord(root)}\n  git config --list --show-origin`,
  };
}

interface Invocation {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly mayAsk: boolean;
}

/** The only place that builds git's arguments and environment. */
function invocation(
  { env: given, stdin }: GitIo,
  at: At,
  words: readonly string[],
  { env, mayConnect = false }: GitCall = {},
): Invocation {
  const mayAsk = stdin?.isTerminal === true && !isPipeline(given);
  const inherited = Object.entries(given).filter(
    ([name, value]) => value !== undefined && !ELSEWHERE.test(name) && !OWN.test(name),
  );
  return {
    words: [...OVERRIDES, ...words],
    cwd: at.root,
    env: {
      ...(Object.fromEntries(inherited) as Record<string, string>),
      ...ALWAYS,
      ...(!mayAsk && NO_QUESTIONS),
      ...(!mayConnect && NO_REMOTES),
      GIT_DIR: at.folder,
      GIT_WORK_TREE: at.root,
      ...env,
    },
    mayAsk,
  };
}

function runSync(io: GitIo, at: At, words: readonly string[], call?: GitCall): Ended {
  const { words: all, cwd, env } = invocation(io, at, words, call);
  const { status, stdout, stderr, error } = spawnSync("git", all, {
    cwd,
    env,
    input: "",
    timeout: SHORT_LIMIT_MS,
    killSignal: "SIGKILL",
    maxBuffer: LARGEST,
    windowsHide: true,
  });
  const ended = {
    exit: status ?? undefined,
    stdout: stdout ?? Buffer.alloc(0),
    stderr: stderr?.toString("utf8") ?? "",
  };
  return error ? { ...ended, exit: undefined, trouble: troubleOf(error, SHORT_LIMIT_MS) } : ended;
}

function troubleOf({ code }: NodeJS.ErrnoException, limitMs: number): string {
  if (code === "ENOENT") return NOT_INSTALLED;
  if (code === "ETIMEDOUT") return `git did not end within ${limitMs / 1000} s`;
  return code === "ENOBUFS" ? "git says more than can be" : "git cannot be started";
}

function run(io: GitIo, at: At, words: readonly string[], call: GitCall = {}): Promise<Ended> {
  const { signal, input, isApart = false, limitMs = LIMIT_MS } = call;
  // A started process could finish before it receives the signal.
  if (signal?.aborted)
    return Promise.resolve({
      exit: undefined,
      stdout: Buffer.alloc(0),
      stderr: "",
      trouble: INTERRUPTED,
    });
  const { words: all, cwd, env, mayAsk } = invocation(io, at, words, call);
  return new Promise((done) => {
    // Without a terminal, no program can prompt there and wait forever.
    const detached = !mayAsk || isApart;
    const child = spawn("git", all, { cwd, env, detached, windowsHide: true });
    const out: Buffer[] = [];
    const complaint: Buffer[] = [];
    let [size, trouble] = [0, undefined as string | undefined];
    const stop = (why: string) => {
      trouble ??= why;
      child.kill("SIGTERM");
      hard ??= setTimeout(() => child.kill("SIGKILL"), GRACE_MS).unref();
    };
    let hard: NodeJS.Timeout | undefined;
    const limit = setTimeout(() => stop(`git did not end within ${limitMs / 1000} s`), limitMs);
    const interrupt = () => stop(INTERRUPTED);
    const collect = (list: Buffer[]) => (part: Buffer) => {
      size += part.length;
      if (size > LARGEST) stop("git says more than can be");
      else list.push(part);
    };
    child.stdout.on("data", collect(out));
    child.stderr.on("data", collect(complaint));
    // If git ends before it has read everything, its own error explains why.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    const end = (exit: number | null | undefined) => {
      clearTimeout(limit);
      clearTimeout(hard);
      signal?.removeEventListener("abort", interrupt);
      const stderr = Buffer.concat(complaint).toString("utf8");
      const ended = { exit: exit ?? undefined, stdout: Buffer.concat(out), stderr };
      done(trouble === undefined ? ended : { ...ended, exit: undefined, trouble });
    };
    child.on("error", (error: NodeJS.ErrnoException) => {
      trouble = troubleOf(error, limitMs);
      end(undefined);
    });
    child.on("close", end);
    // After a stop, helpers of git may keep the pipes open.
    child.on("exit", (exit) => {
      if (trouble === undefined) return;
      for (const pipe of [child.stdout, child.stderr]) pipe.destroy();
      end(exit);
    });
    signal?.addEventListener("abort", interrupt, { once: true });
  });
}

/** Removes user and password from an address. */
export function withoutSignIn(text: string): string {
  return text.replaceAll(/\/\/[^/\s@]*@/g, "//…@");
}

/** Why git failed. Text below the first empty line is advice. */
export function errorTextOf({ trouble, stderr }: Pick<Ended, "trouble" | "stderr">): string {
  const [first = ""] = stderr.trim().split(/\n\s*\n/);
  const lines = first.split("\n").map((line) => line.trim().replace(/^(?:fatal|error): /, ""));
  const text = trouble ?? lines.slice(0, 3).join("; ").replace(/\.$/, "");
  return showForeign(withoutSignIn(text), []);
}

export function textOf({ stdout }: Pick<Ended, "stdout">): string {
  return stdout.toString("utf8").trim();
}
