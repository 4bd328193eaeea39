// A person at a terminal, who answers line by line; and what was shown there.
import type { Io } from "../../src/io.js";
import { makeRun } from "./network.js";

export interface Sitting {
  readonly io: Io;
  /** Questions and everything that was written. */
  readonly shown: string[];
  /** The questions alone. */
  readonly asked: string[];
  /** Answers that nobody asked for. */
  readonly left: string[];
}

export function sitDown(
  cwd: string,
  env: Readonly<Record<string, string>>,
  answers: readonly string[],
): Sitting {
  const left = [...answers];
  const [shown, asked]: [string[], string[]] = [[], []];
  const output = { write: (text: string) => void shown.push(text), isTerminal: true };
  const ask = (question: string) => {
    shown.push(question);
    asked.push(question);
    return Promise.resolve(left.shift());
  };
  const io: Io = {
    ...makeRun().io,
    env,
    cwd,
    stdin: {
      isTerminal: true,
      read: () => Promise.resolve(new Uint8Array()),
      askUnseen: ask,
      ask,
    },
    stdout: output,
    stderr: output,
    now: () => Date.now(),
  };
  return { io, shown, asked, left };
}
