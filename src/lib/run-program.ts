// Runs a program without a shell, and returns its limited output; its standard error is discarded.
import { spawn } from "node:child_process";

/** In bytes; a secret is far shorter. */
const LARGEST = 64 * 1024;

const STARTING: Readonly<Record<string, string>> = {
  ENOENT: "the program, or the one that its first line names, does not exist",
  EACCES: "this user may not run the program",
};

interface Bounds {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** The output; else why there is none, continuing "because". */
export function runProgram(
  [path, ...words]: readonly [string, ...string[]],
  { cwd, env, limitMs, signal }: Bounds,
): Promise<Buffer | string> {
  return new Promise((done) => {
    if (signal.aborted) return done("it was interrupted");
    const child = spawn(path, words, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "ignore"],
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (ended: Buffer | string) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", interrupt);
      done(ended);
    };
    const stop = (why: string) => {
      child.kill("SIGKILL");
      // A child of the program may hold it open.
      child.stdout.destroy();
      end(why);
    };
    const interrupt = () => stop("it was interrupted");
    const timer = setTimeout(() => stop(`it took longer than ${limitMs / 1000} s`), limitMs);
    signal.addEventListener("abort", interrupt);
    child.stdout.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > LARGEST) stop(`it printed more than ${LARGEST / 1024} KiB`);
    });
    child.once("error", (error: NodeJS.ErrnoException) =>
      end(
        STARTING[error.code ?? ""] ?? `the program cannot be started (${error.code ?? "unknown"})`,
      ),
    );
    child.once("close", (exit) =>
      end(
        exit === 0
          ? Buffer.concat(chunks)
          : `it ended with ${exit === null ? "a signal" : `status ${exit}`}`,
      ),
    );
  });
}
