// Shared by tests of states on a branch: stores as other processes open them, and the content of a checkout.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Io } from "../../src/io.js";
import { openGitStates } from "../../src/state/git-store.js";
import { identityOf, type PortalIdentity } from "../../src/state/key.js";
import type { StatesAt, StateStore } from "../../src/state/state-store.js";
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

export function storeOf(states: StatesAt, portal = PORTAL): StateStore {
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
