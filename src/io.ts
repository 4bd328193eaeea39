// Core type: everything outside of the process that a run uses, as one value, so that tests can replace it.
import { readFileSync, readlinkSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Syntax } from "./lib/log-commands.js";
import type { Zone } from "./lib/text.js";

export interface Output {
  /** In a pipeline, escapes commands to its platform; `syntax` decides how. */
  write(text: string, syntax?: Syntax): void;
  /** Whether the output is a terminal. */
  readonly isTerminal: boolean;
  /** The terminal's current width; absent without a terminal, or if it does not report one. */
  readonly columns?: number | undefined;
}

export interface Input {
  /** Stops reading beyond `limit` bytes: a longer result is incomplete. */
  read(limit: number): Promise<Uint8Array>;
  /** Prompts, and returns the typed line; undefined at the end of input. */
  ask(question: string): Promise<string | undefined>;
  /** The same without showing the input. */
  askUnseen(question: string): Promise<string | undefined>;
  readonly isTerminal: boolean;
}

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Texts that replace files, by absolute path. */
  readonly files?: ReadonlyMap<string, string> | undefined;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Milliseconds since 1970. */
  now(): number;
  /** The minutes of the machine's clock, by TZ, ahead of UTC at a moment. */
  readonly zone: Zone;
  /** From 0 to below 1. */
  random(): number;
  /** Rejects as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Aborted by the first interrupt: waits and reads end, nothing new starts, a running update completes. */
  readonly signal: AbortSignal;
  /** Aborted by the second interrupt, right before the process ends, for a last message. */
  readonly ending?: AbortSignal;
  /** From now on, SIGHUP calls this instead of interrupting; absent if it cannot arrive. */
  onHangup?(action: () => void): void;
  /** Ends the process soon after the command, even if something still runs, such as a hanging call. */
  leave?(): void;
  readonly machine: Machine;
}

export interface Machine {
  readonly host: string;
  readonly pid: number;
  /** Changes at every start of the machine; undefined if the system does not report it. */
  readonly bootId: string | undefined;
  /** A process id means another process in another namespace; undefined if the system has none. */
  readonly pidNamespace: string | undefined;
  /** When this process started, in ticks since the machine's start, because process ids are reused. */
  readonly startTime: string | undefined;
  /** Whether the process with this id, and this start time if known, still runs. */
  isRunning(pid: number, startTime: string | undefined): boolean;
  /** Milliseconds of a monotonic clock. */
  elapsedMs(): number;
  /** The memory that this process uses. */
  residentBytes(): number;
  /** Repeats an action without keeping the process alive. Returns a function that stops it. */
  every(ms: number, action: () => Promise<void>): () => void;
}

/** The part of Node's `process` that is used. */
export interface OwnProcess {
  readonly pid: number;
  kill(pid: number, signal: 0): unknown;
  readonly memoryUsage: { rss(): number };
}

/** Prompts in a terminal; any answer but yes means no. */
export async function saysYes({ stdin, stderr }: Pick<Io, "stdin" | "stderr">, question: string) {
  const answer = await stdin.ask(`${question} (yes or no) `);
  stderr.write("\n");
  return /^y(es)?$/i.test(answer?.trim() ?? "");
}

/** Variables of pipeline systems. Even if a job has a terminal, no person uses it. */
const PIPELINES = ["CI", "TF_BUILD", "JENKINS_URL", "TEAMCITY_VERSION"];

export function isPipeline(env: Io["env"]): boolean {
  return PIPELINES.some((name) => !/^(|0|false)$/i.test(env[name]?.trim() ?? ""));
}

/** Azure passes "$(NAME)" for a variable that is missing, or withheld from a fork: it counts as not set. */
export function givenIn(env: Io["env"]): Io["env"] {
  const isLeft = ([name, value]: readonly [string, string | undefined]) => value === `$(${name})`;
  const all = Object.entries(env);
  return all.some(isLeft) ? Object.fromEntries(all.filter((each) => !isLeft(each))) : env;
}

/** For data that can be fetched or found again; undefined for a user without a home. */
export function cacheFolder({ env }: Pick<Io, "env">): string | undefined {
  const chosen = env["XDG_CACHE_HOME"] ?? "";
  const home = env["HOME"] || env["USERPROFILE"];
  const folder = isAbsolute(chosen) ? chosen : home && join(home, ".cache");
  return folder ? join(folder, "lintel") : undefined;
}

/** The folder for a user's permissions and the last seen states; undefined for a user without a home. */
export function configurationFolder({ env }: Pick<Io, "env">): string | undefined {
  const chosen = env["XDG_CONFIG_HOME"] ?? "";
  const home = env["HOME"] || env["USERPROFILE"];
  // The standard for these folders ignores relative paths.
  const folder = isAbsolute(chosen) ? chosen : home && join(home, ".config");
  return folder ? join(folder, "lintel") : undefined;
}

/** Undefined in a container whose user id has no name, unless a variable sets one. */
export function systemUser({ env }: Pick<Io, "env">): string | undefined {
  const named = env["LOGNAME"] || env["USER"] || env["USERNAME"];
  if (named) return named;
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

/** By the process's time zone, which Node takes from TZ or the system. */
export function zone(ms: number): number {
  return -new Date(ms).getTimezoneOffset();
}

/** For an Io with a real clock. */
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
      // Hidden from this process, or not reported by the system: it exists, but nothing else is known.
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
    // Other errors, such as EPERM, mean that the process exists.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function statusOf(pid: number) {
  const text = unlessMissing(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  // The second field is a name in brackets, which may contain blanks and brackets; the third follows the last bracket.
  const [state = "", ...others] = text?.slice(text.lastIndexOf(")") + 2).split(" ") ?? [];
  const startTime = others[22 - 4];
  // Z or X: ended, but still listed until its parent reads its exit status.
  return startTime === undefined ? undefined : { startTime, isDefunct: /[ZX]/.test(state) };
}

function unlessMissing(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    // Only Linux has these files, and a container may hide them.
    return undefined;
  }
}
