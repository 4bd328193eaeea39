// Runs a command in this process as the program does, and returns the exit status and all output.
import { main } from "../../src/cli/main.js";
import { type Io, readMachine } from "../../src/io.js";
import { UTC, type Zone } from "../../src/lib/text.js";
import { assertOutput } from "../support/output-schema.js";
import { OWN_HOSTS, PROJECT, type Environment, type Ran, type Running } from "../support/run.js";

export interface Calling {
  readonly cwd: string;
  readonly env?: Environment;
  /** Nothing, when left out. */
  readonly stdin?: string | Buffer;
  /** When the run begins; now, when left out. */
  readonly startMs?: number;
  /** The minutes that the machine's clock is ahead of UTC; none, when left out. */
  readonly zone?: Zone;
  /** Of the terminal that standard output is; a pipe, when left out. */
  readonly columns?: number;
  /** Interrupts the run. */
  readonly signal?: AbortSignal;
  /** Told of every wait, with how long all of them were until then. */
  readonly onSleep?: (sleptMs: number) => void | Promise<void>;
}

const machine = readMachine(process);
const nobody = {
  ask: () => Promise.resolve(undefined),
  askUnseen: () => Promise.resolve(undefined),
  isTerminal: false,
};

interface Beat {
  readonly everyMs: number;
  readonly action: () => Promise<void>;
  dueMs: number;
}

/** Waits take no time, though the clock shows that they did. */
export function ioFor(calling: Calling) {
  const { cwd, env = {}, stdin = "", startMs = Date.now(), zone = UTC } = calling;
  const { columns, signal = new AbortController().signal } = calling;
  let sleptMs = 0;
  const said = { stdout: "", stderr: "" };
  const begunMs = Date.now();
  const beats = new Set<Beat>();
  const io: Io = {
    env: { LINTEL_ALLOWED_HOSTS: OWN_HOSTS, ...env },
    cwd,
    stdin: {
      ...nobody,
      read: (limit) => Promise.resolve(Buffer.from(stdin).subarray(0, limit + 1)),
    },
    stdout: {
      write: (text) => void (said.stdout += text),
      isTerminal: columns !== undefined,
      ...(columns !== undefined && { columns }),
    },
    stderr: { write: (text) => void (said.stderr += text), isTerminal: false },
    now: () => startMs + Date.now() - begunMs + sleptMs,
    zone,
    random: () => Math.random(),
    sleep: async (ms, until) => {
      until.throwIfAborted();
      const endMs = sleptMs + ms;
      for (;;) {
        const [next] = [...beats].toSorted((one, other) => one.dueMs - other.dueMs);
        if (!next || next.dueMs > endMs) break;
        sleptMs = Math.max(sleptMs, next.dueMs);
        next.dueMs += next.everyMs;
        await next.action();
      }
      sleptMs = Math.max(sleptMs, endMs);
      await calling.onSleep?.(sleptMs);
      return new Promise((done) => setImmediate(done));
    },
    signal,
    machine: {
      ...machine,
      elapsedMs: () => machine.elapsedMs() + sleptMs,
      every: (everyMs, action) => {
        const beat = { everyMs, action, dueMs: sleptMs + everyMs };
        beats.add(beat);
        return () => beats.delete(beat);
      },
    },
  };
  return { io, said };
}

export async function call(words: readonly string[], calling: Calling): Promise<Ran> {
  const { io, said } = ioFor(calling);
  const exit = await main(words, io);
  assertOutput(words, said.stdout);
  return { exit, ...said };
}

/** As `lintel` of support/run.ts: for what needs no process of its own, nor what the build made of the code. */
export function lintel(
  words: readonly string[],
  { cwd = PROJECT, env = {}, stdin = "" }: Running = {},
): Promise<Ran> {
  const { PATH, HOME } = process.env;
  return call(words, { cwd, env: { PATH, HOME, ...env }, stdin });
}
