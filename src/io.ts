// Core type: everything outside the process that a run uses, passed as one value, so that tests can pass another.
import { readFileSync, readlinkSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Syntax } from "./lib/log-commands.js";
import type { Zone } from "./lib/text.js";

export interface Output {
  /** In a pipeline nothing in the text is a command to its platform; `syntax` says how such a command is broken. */
  write(text: string, syntax?: Syntax): void;
  /** A person reads along in a terminal. */
  readonly isTerminal: boolean;
  /** Of that terminal, as it is now; absent where there is none, or it does not say. */
  readonly columns?: number | undefined;
}

export interface Input {
  /** Stops reading beyond `limit` bytes: the answer is then longer than the limit, though not whole. */
  read(limit: number): Promise<Uint8Array>;
  /** Shows the question and gives the line typed; undefined once the input has ended. */
  ask(question: string): Promise<string | undefined>;
  /** The same, without showing what is typed. */
  askUnseen(question: string): Promise<string | undefined>;
  readonly isTerminal: boolean;
}

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Texts that stand in for files, by absolute path. */
  readonly files?: ReadonlyMap<string, string> | undefined;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Milliseconds since 1970. */
  now(): number;
  /** The minutes that the machine's clock, as TZ has it, is ahead of UTC at a moment. */
  readonly zone: Zone;
  /** From 0 up to, not including, 1. */
  random(): number;
  /** Rejects as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Aborted by the first interrupt: waits and reads end, nothing new begins, an update under way is finished. */
  readonly signal: AbortSignal;
  /** Aborted by the second one, right before the process ends: for a last word. */
  readonly ending?: AbortSignal;
  /** From here on a hang-up (SIGHUP) does this instead of interrupting; absent where none can arrive. */
  onHangup?(action: () => void): void;
  /** When the command has ended, the process ends soon, even if something in it still runs, such as a call that hangs. */
  leave?(): void;
  readonly machine: Machine;
}

export interface Machine {
  readonly host: string;
  readonly pid: number;
  /** Another one after every start of the machine; undefined where the system does not report it. */
  readonly bootId: string | undefined;
  /** The same process number means another process in another namespace; undefined where the system has none. */
  readonly pidNamespace: string | undefined;
  /** When this process began, in ticks since the machine did; numbers of processes are used again. */
  readonly startTime: string | undefined;
  /** Whether the process with this number, begun at that time if one is known, still runs. */
  isRunning(pid: number, startTime: string | undefined): boolean;
  /** Milliseconds of a monotonic clock. */
  elapsedMs(): number;
  /** What this process holds of the machine's memory. */
  residentBytes(): number;
  /** Repeats an action without keeping the process alive for it; what it returns stops that. */
  every(ms: number, action: () => Promise<void>): () => void;
}

/** What Node's own `process` offers. */
export interface OwnProcess {
  readonly pid: number;
  kill(pid: number, signal: 0): unknown;
  readonly memoryUsage: { rss(): number };
}

/** Asks in a terminal; anything but a yes is a no. */
export async function saysYes({ stdin, stderr }: Pick<Io, "stdin" | "stderr">, question: string) {
  const answer = await stdin.ask(`${question} (yes or no) `);
  stderr.write("\n");
  return /^y(es)?$/i.test(answer?.trim() ?? "");
}

/** Variables that pipeline systems set: even where such a run has a terminal, no person uses it. */
const PIPELINES = ["CI", "TF_BUILD", "JENKINS_URL", "TEAMCITY_VERSION"];

export function isPipeline(env: Io["env"]): boolean {
  return PIPELINES.some((name) => !/^(|0|false)$/i.test(env[name]?.trim() ?? ""));
}

/** Azure writes "$(NAME)" in the place of a variable that it does not have or give, as to a change from a fork: it is not set. */
export function givenIn(env: Io["env"]): Io["env"] {
  const isLeft = ([name, value]: readonly [string, string | undefined]) => value === `$(${name})`;
  const all = Object.entries(env);
  return all.some(isLeft) ? Object.fromEntries(all.filter((each) => !isLeft(each))) : env;
}

/** For what can be fetched or found again; undefined for a user without a home. */
export function cacheFolder({ env }: Pick<Io, "env">): string | undefined {
  const chosen = env["XDG_CACHE_HOME"] ?? "";
  const home = env["HOME"] || env["USERPROFILE"];
  const folder = isAbsolute(chosen) ? chosen : home && join(home, ".cache");
  return folder ? join(folder, "lintel") : undefined;
}

/** Where Lintel remembers what a person has said and seen on this machine; undefined for a user without a home. */
export function configurationFolder({ env }: Pick<Io, "env">): string | undefined {
  const chosen = env["XDG_CONFIG_HOME"] ?? "";
  const home = env["HOME"] || env["USERPROFILE"];
  // A path that is not absolute is to be left alone, says the standard of these folders.
  const folder = isAbsolute(chosen) ? chosen : home && join(home, ".config");
  return folder ? join(folder, "lintel") : undefined;
}

/** Undefined in a container whose user id has no name, and without a variable that names one. */
export function systemUser({ env }: Pick<Io, "env">): string | undefined {
  const named = env["LOGNAME"] || env["USER"] || env["USERNAME"];
  if (named) return named;
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

/** By the time zone of the process, which Node takes from TZ or from the system. */
export function zone(ms: number): number {
  return -new Date(ms).getTimezoneOffset();
}

/** For an Io that sleeps in earnest. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return setTimeout(ms, undefined, { signal });
}

export function readMachine(own: OwnProcess): Machine {
  return {
    host: hostname(),
    pid: own.pid,
    bootId: unlessMissing(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    pidNamespace: unlessMissing(() => readlinkSync("/proc/self/ns/pid")),
    startTime: statusOf(own.pid)?.startTime,
    isRunning: (pid, startTime) => {
      if (!existsProcess(own, pid)) return false;
      const status = statusOf(pid);
      // Hidden from this process, or not reported by the system: it exists, and more is not known.
      if (!status) return true;
      return !status.isDefunct && (startTime === undefined || status.startTime === startTime);
    },
    elapsedMs: () => performance.now(),
    residentBytes: () => own.memoryUsage.rss(),
    every: (ms, action) => {
      const timer = setInterval(() => void action(), ms).unref();
      return () => clearInterval(timer);
    },
  };
}

function existsProcess(own: OwnProcess, pid: number): boolean {
  try {
    own.kill(pid, 0);
    return true;
  } catch (error) {
    // Any other reason, such as EPERM, is about a process that exists.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function statusOf(pid: number) {
  const text = unlessMissing(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  // The second field is a name in brackets, which may itself hold blanks and brackets; the third follows the last one.
  const [state = "", ...others] = text?.slice(text.lastIndexOf(")") + 2).split(" ") ?? [];
  const startTime = others[22 - 4];
  // Z or X: ended, but still listed until its parent asks how it ended.
  return startTime === undefined ? undefined : { startTime, isDefunct: /[ZX]/.test(state) };
}

function unlessMissing(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    // Only Linux has these files, and even there a container may hide them.
    return undefined;
  }
}
