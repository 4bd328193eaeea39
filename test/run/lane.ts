// A sandbox and a folder in which one story at a time is told, killed, and told to its end.
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "../../src/lib/json.js";
import type { SandboxOptions } from "../../src/sandbox/options.js";
import { startSandbox, type Sandbox } from "../../src/sandbox/sandbox.js";
import { readStateIn, stateFileIn, writeStateIn } from "../support/state-files.js";
import { BIN, environment, folderOf, type Folder, type Ran } from "../support/run.js";
import { call } from "./call.js";
import { keepIn, STATE_LINE, type Keeping, type Kept } from "./kept.js";
import type { Story } from "./stories.js";

export type Halt =
  | {
      /** The number of the action, from 1. */
      readonly at: number;
      readonly when: "before" | "within" | "after" | "never";
    }
  | { readonly afterMs: number };

/** A run that waits for an earlier update waits for some seconds. */
const SPEED = 20;

export interface Lane {
  readonly sandbox: Sandbox;
  readonly folder: Folder;
  readonly env: Readonly<Record<string, string>>;
  /** Where the states are, if not in the folder. */
  readonly kept?: Kept;
}

/** Where a story stands: what the portal holds, and the state to the byte. */
export interface Standing {
  readonly portal: JsonObject;
  readonly state: string | undefined;
}

export async function openLane(options: SandboxOptions = {}, keeping?: Keeping): Promise<Lane> {
  // A second goes by whenever the sandbox looks at its clock, so that nobody meets the limit of sign-ins.
  let ticks = 0;
  const sandbox = await startSandbox({ now: () => Date.now() + ++ticks * 1000, ...options });
  const { beid, webServicesKey } = sandbox;
  const folder = folderOf();
  return {
    sandbox,
    folder,
    env: { LINTEL_BEID: beid, LINTEL_WEB_SERVICES_KEY: webServicesKey },
    ...(keeping && { kept: keepIn(keeping, { url: sandbox.portalUrl, folder: folder.path }) }),
  };
}

export async function closeLane({ sandbox, folder }: Lane): Promise<void> {
  await sandbox.close();
  folder.remove();
}

export function writeFile(
  { sandbox, folder, kept }: Lane,
  { isNeverRead }: Story,
  rest: string,
): void {
  const { portalUrl, signInUrl } = sandbox;
  const read = isNeverRead ? ", read: never" : "";
  const head = `targetVersion: "12.1"\nportal: { url: "${portalUrl}"${read} }\nsignIn: { url: "${signInUrl}" }\n`;
  writeFileSync(join(folder.path, "portal.yaml"), head + (kept ? STATE_LINE : "") + rest);
}

/** Runs it in this process. */
export function tell({ folder, env, kept }: Lane, words: string): Promise<Ran> {
  return call(words.split(" "), { cwd: folder.path, env: { ...env, ...kept?.env() } });
}

/** Runs it in a process of its own that is killed on the way; returns what it did until then, without what it only began. */
export async function kill({ folder, env, kept }: Lane, words: string, halt: Halt): Promise<Notes> {
  const notes = join(folder.path, "notes");
  const place = "at" in halt ? halt : { at: 0, when: "never" };
  const mark = randomUUID();
  const child = spawn(
    process.execPath,
    ["--require", join(import.meta.dirname, "halt.cjs"), BIN, ...words.split(" ")],
    {
      cwd: folder.path,
      env: environment({
        ...env,
        ...kept?.env(),
        // What it begins can be told by it from all others.
        RUN_OF_TEST: mark,
        // The state is put back for the next kill, and older than this run has seen it.
        LINTEL_STATE_CACHE: join(folder.path, "seen", mark),
        // What other servers do takes its own time.
        LINTEL_TEST_HALT: JSON.stringify({ ...place, notes, speed: kept ? 1 : SPEED }),
      }),
      stdio: "ignore",
    },
  );
  const timer =
    "afterMs" in halt ? setTimeout(() => child.kill("SIGKILL"), halt.afterMs) : undefined;
  const signal = await new Promise((done, fail) => {
    child.on("error", fail).on("close", (_exit, by) => done(by));
  });
  clearTimeout(timer);
  // A git that it had begun goes on without it, and is through before a person looks.
  if (kept) await untilEnded(mark);
  const text = existsSync(notes) ? readFileSync(notes, "utf8") : "";
  const lines = text.split("\n").slice(0, -1);
  rmSync(notes, { force: true });
  return {
    isKilled: signal === "SIGKILL",
    begun: lines.filter((line) => !line.endsWith(".")),
    done: lines.filter((line) => line.endsWith(".")).map((line) => line.slice(0, -1)),
  };
}

async function untilEnded(mark: string): Promise<void> {
  while (isRunning(mark)) await sleep(5);
}

/** Whether a process has the mark in its environment; what has ended has none any more. */
function isRunning(mark: string): boolean {
  const pids = existsSync("/proc/self/environ") ? readdirSync("/proc") : [];
  return pids.some((pid) => /^\d+$/.test(pid) && environmentOf(pid).includes(mark));
}

/** Empty for one that has ended since it was listed. */
function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}

/** Runs it in a process of its own that is killed once it is time. */
export async function killWhen(
  { folder, env }: Lane,
  words: string,
  isTime: () => boolean,
): Promise<void> {
  const child = spawn(process.execPath, [BIN, ...words.split(" ")], {
    cwd: folder.path,
    env: environment(env),
    stdio: "ignore",
  });
  const ended = new Promise((done) => child.on("close", done));
  while (!isTime()) await new Promise((done) => setTimeout(done, 2));
  child.kill("SIGKILL");
  await ended;
}

export interface Notes {
  readonly isKilled: boolean;
  readonly begun: readonly string[];
  readonly done: readonly string[];
}

export function standingOf(lane: Lane): Standing {
  return { portal: lane.sandbox.settings(), state: readState(lane) };
}

export function putBack(lane: Lane, { portal, state }: Standing): void {
  lane.sandbox.change("self", portal);
  const folder = join(lane.folder.path, ".lintel");
  rmSync(folder, { recursive: true, force: true });
  writeStateIn(folder, keyOf(lane), state);
}

/** Undefined where none was ever written. */
export function readState(lane: Lane): string | undefined {
  return readStateIn(join(lane.folder.path, ".lintel"), keyOf(lane));
}

/** The newest revision; undefined where none was ever written. */
export function statePlace(lane: Lane): string | undefined {
  return stateFileIn(join(lane.folder.path, ".lintel"), keyOf(lane));
}

/** What writers that were killed have left. */
export function draftsOf(lane: Lane): readonly string[] {
  const folder = join(lane.folder.path, ".lintel", keyOf(lane));
  return readdirSync(folder).filter((name) => name.endsWith(".draft"));
}

function keyOf({ sandbox }: Lane): string {
  return `127.0.0.1_${new URL(sandbox.url).port}-portal-self`;
}
