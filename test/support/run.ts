// The built command as a person runs it, as long as it is what src/ says, and a folder of its own to run it in.
import { spawn, type SpawnOptions } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { assertOutput } from "./output-schema.js";

export const PROJECT = realpathSync(join(dirname(fileURLToPath(import.meta.url)), "../.."));
export const BIN = join(PROJECT, "dist/bin.cjs");

export interface Ran {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly cwd?: string;
  readonly env?: Environment;
  readonly stdin?: string | Buffer;
}

/** The servers of tests, and the hosts that files of tests name: where nobody can be asked, credentials need a list. */
export const OWN_HOSTS = [
  "http://127.0.0.1:*",
  "https://127.0.0.1:*",
  "http://localhost:*",
  "http://[::1]:*",
  "*.example.com",
  "*.example.org",
].join(",");

/** Only what a test sets, and PATH: what the machine has set must not decide. `undefined` takes away what is set here. */
export function environment(more: Environment = {}): NodeJS.ProcessEnv {
  assertBuilt();
  const { PATH, HOME } = process.env;
  return { PATH, HOME, LINTEL_ALLOWED_HOSTS: OWN_HOSTS, ...more };
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the build reads. */
const SOURCES = ["build", "src", "schemas", "docs", "examples/starters", "package.json"];

let isBuilt = false;

/** Every program that a test starts gets its environment here, so that no test passes by an old dist/. */
function assertBuilt(): void {
  if (process.env["LINTEL_FAST_TESTS"]) {
    throw new Error(
      "A fast test starts a program: name its file in SLOW of test/vitest.config.ts.",
    );
  }
  if (isBuilt) return;
  const newest = (paths: readonly string[]) =>
    paths
      .flatMap((path) => (statSync(path).isDirectory() ? [path, ...filesBelow(path)] : [path]))
      .filter((path) => !path.includes("docs/pictures"))
      .map((path) => ({ path, changed: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .reduce((one, other) => (other.changed > one.changed ? other : one));
  const source = newest(SOURCES.map((name) => join(PROJECT, name)));
  const isOld = !existsSync(BIN) || newest([dirname(BIN)]).changed < source.changed;
  if (isOld) {
    const name = relative(PROJECT, source.path);
    throw new Error(`dist/ is older than ${name}. Build it first:\n  npm run build`);
  }
  isBuilt = true;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) =>
    join(folder, name),
  );
}

export async function lintel(words: readonly string[], options: Running = {}): Promise<Ran> {
  const ran = await runProgram(process.execPath, [BIN, ...words], options);
  assertOutput(words, ran.stdout);
  return ran;
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
