// What tests of states on a branch share: stores as other processes would open them, those processes, and what a checkout holds.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, onTestFinished } from "vitest";
import type { Io } from "../../src/io.js";
import { openGitStates, type GitStates } from "../../src/state/git-store.js";
import { identityOf, type PortalIdentity } from "../../src/state/key.js";
import type { StateStore } from "../../src/state/state-store.js";
import { PROJECT } from "../support/run.js";
import type { Errand } from "./git-child.js";
import { filesIn, io } from "./places.js";
import { run } from "./repositories.js";
import { PORTAL } from "./samples.js";

export const BRANCH = "git:lintel-state";
export const PORTALS = Array.from({ length: 10 }, (_, at) => portalOf(`portal-${at}`));

export function portalOf(id: string): PortalIdentity {
  return identityOf("https://gis.example.com/portal/sharing/rest", id);
}

export interface Opened {
  readonly env: Io["env"];
  readonly io?: Partial<Io>;
  readonly address?: string;
  readonly written?: string;
}

/** As another process would open it. */
export function openStates(from: string, { env, io: own, address = BRANCH, written }: Opened) {
  const states = openGitStates({ io: { ...io, ...own, env }, address, written, from });
  onTestFinished(() => states.close());
  return states;
}

export function storeIn(from: string, opened: Opened, portal = PORTAL): StateStore {
  return storeOf(openStates(from, opened), portal);
}

export function storeOf(states: GitStates, portal = PORTAL): StateStore {
  return states.storeOf({ portal, file: "portal.yaml" });
}

/** Every file of a checkout and of its git directory, and all refs, but for what git keeps for us. */
export function standingOf(checkout: string, env: Record<string, string>) {
  const git = (...words: string[]) => run(checkout, env, ["--no-optional-locks", ...words]);
  const common = git("rev-parse", "--path-format=absolute", "--git-common-dir").trim();
  const files = [checkout, common].flatMap((folder) =>
    filesIn(folder)
      .filter((name) => !/^(\.git\/)?(objects|refs\/lintel|logs\/refs\/lintel)\//.test(name))
      .map((name) => `${name} ${digestOf(join(folder, name))}`),
  );
  const refs = git("for-each-ref", "--format=%(refname) %(objectname)").split("\n");
  return {
    files,
    status: git("status", "--porcelain=v2", "--branch"),
    refs: refs.filter((line) => !line.startsWith("refs/lintel/")),
  };
}

function digestOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

let bundle: Promise<string> | undefined;
let folder: string | undefined;
afterAll(() => folder && rmSync(folder, { recursive: true, force: true }));

function childProgram(): Promise<string> {
  bundle ??= (async () => {
    folder = mkdtempSync(join(tmpdir(), "lintel-git-child-"));
    const outfile = join(folder, "child.mjs");
    const entryPoints = [join(PROJECT, "test/state/git-child.ts")];
    const banner = {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    };
    await build({ entryPoints, outfile, bundle: true, platform: "node", format: "esm", banner });
    return outfile;
  })();
  return bundle;
}

export interface Sent {
  readonly pid: number;
  readonly ended: Promise<{
    readonly signal: NodeJS.Signals | null;
    readonly written: number;
    readonly conflicts: number;
  }>;
}

export async function send(errand: Errand): Promise<Sent> {
  const words = [await childProgram(), JSON.stringify(errand)];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "pipe"] });
  const [said, complaint]: [string[], string[]] = [[], []];
  child.stdout.setEncoding("utf8").on("data", (part: string) => said.push(part));
  child.stderr.setEncoding("utf8").on("data", (part: string) => complaint.push(part));
  const ended = new Promise<Awaited<Sent["ended"]>>((done, fail) => {
    child.on("error", fail).on("close", (exit, signal) => {
      if (exit) fail(new Error(complaint.join("")));
      else done({ signal, ...resultOf(said.join("")) });
    });
    // A git that it started may keep the pipes open after it was killed.
    child.on("exit", (_, signal) => {
      if (signal) for (const pipe of [child.stdout, child.stderr]) pipe.destroy();
    });
  });
  ended.catch(() => {});
  onTestFinished(() => void child.kill("SIGKILL"));
  return { pid: child.pid ?? 0, ended };
}

function resultOf(said: string) {
  return JSON.parse(said || '{ "written": 0, "conflicts": 0 }') as {
    written: number;
    conflicts: number;
  };
}

/** "T" where it is stopped. */
export function statusOf(pid: number): string {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  return text.slice(text.lastIndexOf(")") + 2, text.lastIndexOf(")") + 3);
}
