// A command in this process, as the front door calls it: words → the exit status, and everything that was written.
import { main } from "../../src/cli.js";
import type { Io } from "../../src/io.js";
import { readMachine } from "../../src/machine.js";
import { OWN_HOSTS, type Environment, type Ran } from "../support/run.js";

export interface Calling {
  readonly cwd: string;
  readonly env?: Environment;
  /** When the run begins; now, when left out. */
  readonly startMs?: number;
  /** Interrupts the run. */
  readonly signal?: AbortSignal;
}

const machine = readMachine(process);
const nobody = {
  read: () => Promise.resolve(new Uint8Array()),
  ask: () => Promise.resolve(undefined),
  askUnseen: () => Promise.resolve(undefined),
  isTerminal: false,
};

/** Waits take no time, though the clock shows that they did. */
export async function call(words: readonly string[], calling: Calling): Promise<Ran> {
  const { cwd, env = {}, startMs = Date.now(), signal = new AbortController().signal } = calling;
  let [stdout, stderr, sleptMs] = ["", "", 0];
  const begunMs = Date.now();
  const io: Io = {
    env: { LINTEL_ALLOWED_HOSTS: OWN_HOSTS, ...env },
    cwd,
    stdin: nobody,
    stdout: { write: (text) => void (stdout += text), isTerminal: false },
    stderr: { write: (text) => void (stderr += text), isTerminal: false },
    now: () => startMs + Date.now() - begunMs + sleptMs,
    random: () => Math.random(),
    sleep: (ms, until) => {
      until.throwIfAborted();
      sleptMs += ms;
      return new Promise((done) => setImmediate(done));
    },
    signal,
    machine: { ...machine, elapsedMs: () => machine.elapsedMs() + sleptMs },
  };
  const exit = await main(words, io);
  return { exit, stdout, stderr };
}
