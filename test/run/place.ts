// A sandbox and a folder of a test's own, and commands that are run there in this process.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { JsonObject } from "../../src/lib/json.js";
import type { SandboxOptions } from "../../src/sandbox/options.js";
import type { Received } from "../../src/sandbox/faults.js";
import { printState } from "../../src/state/format.js";
import { identityOf } from "../../src/state/key.js";
import type { State } from "../../src/state/state.js";
import type { Ran } from "../support/run.js";
import { readStateIn } from "../support/state-files.js";
import { call, type Calling } from "./call.js";
import { closeLane, openLane, putBack, type Lane } from "./lane.js";

export interface Place extends Lane {
  /** A desired-state file of the sandbox: everything below its sign-in, and above it what takes the place of the usual. */
  write(rest: string, as?: { readonly name?: string; readonly head?: string }): void;
  run(words: string, more?: Omit<Calling, "cwd">): Promise<Ran>;
  plant(state: State): void;
  /** Undefined where nothing was ever written. */
  state(portalUrl?: string): State | undefined;
  read(name: string): string;
  /** The updates that the portal received. */
  updates(): readonly Received[];
}

export async function openPlace(
  options: SandboxOptions = {},
  settings: JsonObject = {},
): Promise<Place> {
  const lane = await openLane(options);
  onTestFinished(() => closeLane(lane));
  const { sandbox, folder } = lane;
  sandbox.change("self", settings);
  return {
    ...lane,
    write(rest, { name = "portal.yaml", head = headFor(lane) } = {}) {
      const path = join(folder.path, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, head + rest);
    },
    run: (words, { env = {}, ...more } = {}) =>
      call(words.split(" "), { ...more, cwd: folder.path, env: { ...lane.env, ...env } }),
    plant: (state) => putBack(lane, { portal: sandbox.settings(), state: printState(state) }),
    state(portalUrl = sandbox.portalUrl) {
      const text = readStateIn(join(folder.path, ".lintel"), identityOf(portalUrl, "self").key);
      if (text === undefined) return undefined;
      const json = JSON.parse(text) as JsonObject;
      const { format: _format, digest: _digest, ...state } = json;
      return state as unknown as State;
    },
    read: (name) => readFileSync(join(folder.path, name), "utf8"),
    updates: () => sandbox.requests.filter(isUpdate),
  };
}

export function headFor({ sandbox }: Lane, portal = ""): string {
  const { portalUrl, signInUrl } = sandbox;
  return `targetVersion: "12.1"\nportal: { url: "${portalUrl}"${portal} }\nsignIn: { url: "${signInUrl}" }\n`;
}

/** A request that would change the portal. */
export function isUpdate({ method, path }: Pick<Received, "method" | "path">): boolean {
  return method === "POST" && path.endsWith("/settings/update");
}
