// Writers of states in processes of their own, which tests stop and kill.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import { afterAll, onTestFinished } from "vitest";
import { environment, PROJECT } from "../support/run.js";
import type { Errand } from "./writer.js";

export type { Errand };

export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "lintel-state-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

let bundle: Promise<string> | undefined;
const bundles: string[] = [];

/** The program of writer.ts with the real code, in one file that starts fast. */
async function writerProgram(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "lintel-writer-"));
  bundles.push(folder);
  const outfile = join(folder, "writer.cjs");
  const entryPoints = [join(PROJECT, "test/state/writer.ts")];
  await build({ entryPoints, outfile, bundle: true, platform: "node", format: "cjs" });
  return outfile;
}

afterAll(() => {
  for (const folder of bundles) rmSync(folder, { recursive: true, force: true });
});

export interface Writer {
  readonly process: ChildProcess;
  /** Rejects with what the process complained of. */
  readonly ended: Promise<{ readonly signal: NodeJS.Signals | null; readonly said: string }>;
  /** Resolves once the process has printed it. */
  says(word: string): Promise<void>;
}

export async function startWriter(errand: Errand): Promise<Writer> {
  const program = await (bundle ??= writerProgram());
  const child = spawn(process.execPath, [program, JSON.stringify(errand)], {
    env: environment({}),
    stdio: ["pipe", "pipe", "pipe"],
  });
  let [said, complaint] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (part: string) => (said += part));
  child.stderr.setEncoding("utf8").on("data", (part: string) => (complaint += part));
  const ended = new Promise<{ signal: NodeJS.Signals | null; said: string }>((done, fail) => {
    child.on("error", fail).on("close", (exit, signal) => {
      if (exit || said.includes("failed ")) fail(new Error(`${said}${complaint}`));
      else done({ signal, said });
    });
  });
  // A test that ends early has another reason.
  ended.catch(() => {});
  return {
    process: child,
    ended,
    says: async (word) => {
      while (!said.includes(word)) {
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`${said}${complaint}`);
        await sleep(2);
      }
    },
  };
}
