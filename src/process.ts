// Runs the command in this process: streams, signals and exit status.
import { fstatSync, statSync, writeSync } from "node:fs";
import { devNull } from "node:os";
import { EXIT, interrupted } from "./failure.js";
import { givenIn, isPipeline, readMachine, sleep, zone, type Machine } from "./io.js";
import type { Input, Io, Output } from "./io.js";
import { maskLogCommands } from "./lib/log-commands.js";

const words = process.argv.slice(2);
let hasReadInput = false;
let hasLostOutput = false;
let machine: Machine | undefined;

const stdout = forLog(toOutput(1, () => process.stdout));
const stderr = forLog(toOutput(2, () => process.stderr));

/** Unread output delays the end of the process at most this long. */
const LEFT_BEHIND_MS = 1_000;
const interruption = new AbortController();
let hangup: (() => void) | undefined;
let mayLeave = false;
const ending = new AbortController();

function untilInterrupted(): Promise<never> {
  return new Promise((_, fail) => {
    const stop = () => fail(interrupted());
    if (interruption.signal.aborted) stop();
    interruption.signal.addEventListener("abort", stop, { once: true });
  });
}

function toIo(): Io {
  return {
    env: givenIn(process.env),
    cwd: currentFolder(),
    stdin: toInput(),
    stdout,
    stderr,
    now: () => Date.now(),
    zone,
    random: () => Math.random(),
    sleep,
    signal: interruptSignal(),
    ending: ending.signal,
    onHangup: (action) => {
      hangup = action;
    },
    leave: () => {
      mayLeave = true;
    },
    // Read once, if a state may be locked.
    get machine() {
      return (machine ??= readMachine(process));
    },
  };
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    stderr.write("error: The current folder no longer exists.\n");
    return process.exit(EXIT.failed);
  }
}

/** First signal: complete the step and end. Second: end at once. */
function interruptSignal(): AbortSignal {
  const onSignal = () => {
    if (interruption.signal.aborted) {
      ending.abort();
      process.exit(EXIT.interrupted);
    }
    interruption.abort();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, onSignal);
  process.on("SIGHUP", () => (hangup ?? onSignal)());
  return interruption.signal;
}

/** Written synchronously: creating the stream takes a sixth of Node's start, so it happens only if needed. */
function toOutput(descriptor: number, open: () => NodeJS.WriteStream): Output {
  let stream: NodeJS.WriteStream | undefined;
  let isGone = false;
  const lose = (error: Error) => {
    if (!isGone) giveUp(error);
    isGone = true;
  };
  return {
    write(text) {
      if (isGone) return;
      if (stream) return void stream.write(text);
      const bytes = Buffer.from(text);
      let written = 0;
      try {
        while (written < bytes.length) written += writeSync(descriptor, bytes, written);
      } catch (error) {
        // A full non-blocking pipe: the stream waits for its reader.
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return lose(error as Error);
        stream = open().on("error", lose);
        stream.write(bytes.subarray(written));
      }
    },
    get isTerminal() {
      return mayBeTerminal(descriptor) && open().isTTY;
    },
    get columns() {
      // A terminal without a known width, as in some containers, reports 0.
      return (this.isTerminal && open().columns) || undefined;
    },
  };
}

/** All output passes here, so that no report can give commands to a pipeline's platform. */
function forLog(output: Output): Output {
  if (!isPipeline(process.env)) return output;
  return {
    write: (text, syntax) => output.write(maskLogCommands(text, syntax)),
    get isTerminal() {
      return output.isTerminal;
    },
    get columns() {
      return output.columns;
    },
  };
}

/** Only a device can be a terminal, and /dev/null is none. */
function mayBeTerminal(descriptor: number): boolean {
  const found = fstatSync(descriptor);
  return found.isCharacterDevice() && found.rdev !== statSync(devNull).rdev;
}

function toInput(): Input {
  let lines: AsyncIterator<string> | undefined;
  return {
    // Accessing process.stdin opens it, which commands without input do not need.
    get isTerminal() {
      return mayBeTerminal(0) && process.stdin.isTTY;
    },
    async read(limit) {
      hasReadInput = true;
      const chunks: Buffer[] = [];
      let size = 0;
      const all = async () => {
        for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
          chunks.push(chunk);
          size += chunk.length;
          if (size > limit) break;
        }
      };
      await Promise.race([all(), untilInterrupted()]);
      return Buffer.concat(chunks);
    },
    async ask(question) {
      hasReadInput = true;
      stderr.write(question);
      // One reader for all prompts: a second one would miss lines that the first has buffered.
      if (!lines) {
        const { createInterface } = await import("node:readline");
        lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
      }
      const answered = Promise.race([lines.next(), untilInterrupted()]);
      const next = await answered.catch((error: unknown) => {
        // The next output must not be on the line of the prompt.
        stderr.write("\n");
        throw error;
      });
      return next.done ? undefined : next.value;
    },
    async askUnseen(question) {
      hasReadInput = true;
      stderr.write(question);
      const { createInterface } = await import("node:readline/promises");
      const { Writable } = await import("node:stream");
      // Discards the echo of typed text.
      const output = new Writable({ write: (_chunk, _encoding, done) => done() });
      const reader = createInterface({ input: process.stdin, output, terminal: true });
      const ended = new Promise<undefined>((done) => reader.once("close", () => done(undefined)));
      // A terminal in raw mode does not send the signal.
      reader.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
      try {
        return await Promise.race([reader.question(""), ended, untilInterrupted()]);
      } finally {
        reader.close();
        stderr.write("\n");
      }
    },
  };
}

/**
 * A reader that has seen enough (head, less) closes the pipe; that is no failure. With any error, the run continues without
 * that output: to end in the middle would leave an update without a record.
 */
function giveUp({ code, message }: NodeJS.ErrnoException): void {
  if (code === "EPIPE") return;
  hasLostOutput = true;
  process.exitCode = EXIT.failed;
  try {
    writeSync(2, `error: The output cannot be written (${code ?? message}).\n`);
  } catch {
    // The exit status reports it.
  }
}

void import("./cli/main.js").then(async ({ main }) => {
  const exit = await main(words, toIo());
  process.exitCode = exit === EXIT.done && hasLostOutput ? EXIT.failed : exit;
  if (mayLeave) setTimeout(() => process.exit(), LEFT_BEHIND_MS).unref();
  // An open input would keep the process running.
  if (hasReadInput) process.stdin.destroy();
});
