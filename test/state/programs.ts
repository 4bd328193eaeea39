// Starts programs with the real code in processes that a test stops and kills.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import { afterAll, onTestFinished } from "vitest";
import { environment, PROJECT, type Environment } from "../support/run.js";

export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "lintel-state-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Program {
  readonly process: ChildProcess;
  /** Rejects with what the program printed where it ends with another status than 0. */
  readonly ended: Promise<{ readonly signal: NodeJS.Signals | null; readonly said: string }>;
  /** Resolves once the program has printed the word. */
  says(word: string): Promise<void>;
}

/** Runs a file of this folder, which finds `errand` as JSON in its arguments. */
export async function startProgram(
  file: string,
  errand: object,
  env: Environment = {},
): Promise<Program> {
  const child = spawn(process.execPath, [await bundleOf(file), JSON.stringify(errand)], {
    env: environment(env),
    stdio: ["pipe", "pipe", "pipe"],
  });
  let [said, complaint] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (part: string) => (said += part));
  child.stderr.setEncoding("utf8").on("data", (part: string) => (complaint += part));
  const ended = new Promise<{ signal: NodeJS.Signals | null; said: string }>((done, fail) => {
    child.on("error", fail).on("close", (exit, signal) => {
      if (exit) fail(new Error(`${said}${complaint}`));
      else done({ signal, said });
    });
    // A git that it started may keep the pipes open after it was killed.
    child.on("exit", (_, signal) => {
      if (signal) for (const pipe of [child.stdout, child.stderr]) pipe.destroy();
    });
  });
  // A test that ends early has another reason.
  ended.catch(() => {});
  onTestFinished(() => void child.kill("SIGKILL"));
  return {
    process: child,
    ended,
    says: async (word) => {
      while (!said.includes(word)) {
        if (child.exitCode !== null || child.signalCode !== null) {
          throw new Error(`${said}${complaint}`);
        }
        await sleep(2);
      }
    },
  };
}

const bundles = new Map<string, Promise<string>>();
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** The program in one file, which starts fast. */
function bundleOf(file: string): Promise<string> {
  const found = bundles.get(file) ?? bundle(file);
  bundles.set(file, found);
  return found;
}

async function bundle(file: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "lintel-program-"));
  folders.push(folder);
  const outfile = join(folder, `${basename(file, ".ts")}.cjs`);
  const entryPoints = [join(PROJECT, "test/state", file)];
  await build({ entryPoints, outfile, bundle: true, platform: "node", format: "cjs" });
  return outfile;
}
