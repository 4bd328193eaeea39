// Words for git → how it ended and what it said, in surroundings that hold git's own credentials and none of Lintel's secrets.
import { spawn } from "node:child_process";
import { isPipeline, type Io } from "../../io.js";

/** Only the programs of a person who types a passphrase take longer. */
const LIMIT_MS = 120_000;
/** What is asked to stop, and does not. */
const GRACE_MS = 2_000;
/** In bytes: a list of many thousands of files, or a state far longer than any is. */
const LARGEST = 256 * 1024 * 1024;

const INTERRUPTED = "it was interrupted";

export interface Called {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** Ends it, or keeps it from beginning; absent for what must not be left halfway. */
  readonly signal?: AbortSignal | undefined;
  /** Without the terminal, which interrupts whatever runs there once somebody types that. */
  readonly isApart?: boolean;
}

export interface Ended {
  /** Undefined where it was stopped, by us or by somebody else. */
  readonly exit: number | undefined;
  /** Byte for byte: git knows no characters. */
  readonly stdout: Buffer;
  readonly stderr: string;
  /** In words; undefined where git itself says what is wrong. */
  readonly trouble?: string;
}

export type Git = (words: readonly string[], called: Called) => Promise<Ended>;

/** These would lead git to another repository than the one that holds the file, such as in a hook of git. */
const ELSEWHERE =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|PREFIX|SHALLOW_FILE|NAMESPACE|CONFIG|QUARANTINE_PATH|GRAFT_FILE|REPLACE_REF_BASE|IMPLICIT_WORK_TREE|INTERNAL_SUPER_PREFIX|(GLOB|NOGLOB|LITERAL|ICASE)_PATHSPECS)$/i;

/** Everything but that, because anything may be a credential helper's own; all that is secret of Lintel's begins so. */
const OWN = /^LINTEL_/i;

/** Messages in the one language that they are understood in; no lock that could disturb somebody at work. */
const ALWAYS = { LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0" };
/** For the helpers of git, too. */
const NOBODY_ASKED = { GIT_TERMINAL_PROMPT: "0", GCM_INTERACTIVE: "never" };

export function gitFor(io: Pick<Io, "env" | "stdin">, limitMs = LIMIT_MS): Git {
  const mayAsk = io.stdin.isTerminal && !isPipeline(io.env);
  const inherited = Object.entries(io.env).filter(
    ([name, value]) => value !== undefined && !ELSEWHERE.test(name) && !OWN.test(name),
  );
  const env = {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    ...ALWAYS,
    ...(!mayAsk && NOBODY_ASKED),
  };
  return (words, called) =>
    run(
      words,
      { ...called, env: { ...env, ...called.env } },
      { detached: !mayAsk || called.isApart === true, limitMs },
    );
}

function run(
  words: readonly string[],
  { cwd, env, input, signal }: Called,
  { detached, limitMs }: { readonly detached: boolean; readonly limitMs: number },
): Promise<Ended> {
  // What was begun could be done before it hears that it is to stop.
  if (signal?.aborted)
    return Promise.resolve({
      exit: undefined,
      stdout: Buffer.alloc(0),
      stderr: "",
      trouble: INTERRUPTED,
    });
  return new Promise((done) => {
    // Without the terminal nothing can ask a question there and wait for ever.
    const child = spawn("git", [...words], { cwd, env, detached, windowsHide: true });
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
    // A git that ends before it has read everything says why itself.
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
      trouble = error.code === "ENOENT" ? "git is not installed" : "git cannot be started";
      end(undefined);
    });
    child.on("close", end);
    // Its own helpers may keep the pipes open when it was stopped.
    child.on("exit", (exit) => {
      if (trouble === undefined) return;
      for (const pipe of [child.stdout, child.stderr]) pipe.destroy();
      end(exit);
    });
    signal?.addEventListener("abort", interrupt, { once: true });
  });
}
