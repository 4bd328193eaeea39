// Noun: what a run touches of the outside, handed in as one value, so that a test can hand in another.
import type { Machine } from "./machine.js";

export interface Output {
  write(text: string): void;
  /** A person reads along in a terminal. */
  readonly isTerminal: boolean;
}

export interface Input {
  /** Stops reading beyond `limit` bytes: the answer is then longer than the limit, though not whole. */
  read(limit: number): Promise<Uint8Array>;
  /** Shows the question and gives the line typed; undefined once the input has ended. */
  ask(question: string): Promise<string | undefined>;
  /** The same for what nobody looking on may see. */
  askUnseen(question: string): Promise<string | undefined>;
  readonly isTerminal: boolean;
}

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Milliseconds since 1970. */
  now(): number;
  /** The minutes that the machine's clock, as TZ has it, is ahead of UTC at a moment. */
  zone(ms: number): number;
  /** From 0 up to, not including, 1. */
  random(): number;
  /** Rejects as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Aborted by the first interrupt: waits and reads end, nothing new begins, an update under way is finished. */
  readonly signal: AbortSignal;
  readonly machine: Machine;
}

/** Names that the systems set which run pipelines; whatever a terminal there looks like, nobody sits at it. */
const PIPELINES = ["CI", "TF_BUILD", "JENKINS_URL", "TEAMCITY_VERSION"];

export function isPipeline(env: Io["env"]): boolean {
  return PIPELINES.some((name) => !/^(|0|false)$/i.test(env[name]?.trim() ?? ""));
}

/** By the time zone of the process, which Node takes from TZ or from the system. */
export function zone(ms: number): number {
  return -new Date(ms).getTimezoneOffset();
}

/** For an Io that sleeps in earnest. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    signal.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      fail(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      done();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
