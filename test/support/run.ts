// The built command as a person runs it, and a folder of its own to run it in.
import { spawn, type SpawnOptions } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const PROJECT = realpathSync(join(dirname(fileURLToPath(import.meta.url)), "../.."));
export const BIN = join(PROJECT, "dist/bin.cjs");

export interface Ran {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Buffer;
}

/** Only what a test sets, and PATH: what the machine has set must not decide. */
export function environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], HOME: process.env["HOME"], ...more };
}

export function lintel(words: readonly string[], options: Running = {}): Promise<Ran> {
  return runProgram(process.execPath, [BIN, ...words], options);
}

export async function runProgram(
  program: string,
  words: readonly string[],
  { cwd = PROJECT, env, stdin }: Running = {},
): Promise<Ran> {
  const options: SpawnOptions = { cwd, env: environment(env) };
  const child = spawn(program, [...words], { ...options, stdio: "pipe" });
  // A child that ends before it has read everything is not what the test is about.
  child.stdin.on("error", () => {});
  child.stdin.end(stdin);
  const [stdout, stderr, exit] = await Promise.all([
    child.stdout.setEncoding("utf8").reduce((all: string, part: string) => all + part, ""),
    child.stderr.setEncoding("utf8").reduce((all: string, part: string) => all + part, ""),
    new Promise<number | null>((done, fail) => child.on("error", fail).on("close", done)),
  ]);
  return { exit, stdout, stderr };
}

export interface Folder {
  readonly path: string;
  remove(): void;
}

/** A folder of files. */
export function folderOf(files: Readonly<Record<string, string | Buffer>> = {}): Folder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "lintel-")));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
