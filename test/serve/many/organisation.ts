// A sandbox and so many portals of it → a PostgreSQL of their own, and their files in a repository: what an organisation has that needs many machines.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "../../../src/sandbox/sandbox.js";
import {
  asAdmin,
  startPostgres,
  stopPostgres,
  type Ask,
  type Postgres,
} from "../../support/postgres.js";
import { folderOf, OWN_HOSTS, type Environment } from "../../support/run.js";

export type Served = Pick<Sandbox, "portalUrl" | "signInUrl" | "beid" | "webServicesKey">;

export interface Organisation {
  readonly folder: string;
  readonly server: Postgres;
  /** What each machine has in its environment. */
  readonly env: Environment;
  /** Of its portals. */
  readonly ids: readonly string[];
  /** What somebody merges: another text for all portals. */
  merge(text: string): void;
  /** A checkout of a machine's own, brought to what was merged last. */
  checkout(name: string): string;
  ask: Ask;
  close(): void;
}

/** As long as `openssl rand -hex 32` makes them. */
const KEY = "0123456789abcdef".repeat(4);

export async function openOrganisation(served: Served, portals: number): Promise<Organisation> {
  const own = folderOf();
  chmodSync(own.path, 0o755);
  const server = await startPostgres(join(own.path, "postgres"));
  const address = `postgres://lintel@127.0.0.1:${server.port}/lintel`;
  const ids = Array.from({ length: portals }, (_, at) => `portal-${at + 1}`);
  const [origin, desk] = [join(own.path, "origin.git"), join(own.path, "desk")];
  git("init -q --bare -b main .", origin);
  git(`clone -q ${origin} .`, desk);
  mkdirSync(join(desk, "portals"));
  for (const id of ids) {
    const text = `extends: ../_base.yaml\nportal: { url: "${served.portalUrl}", id: ${id} }\n`;
    writeFileSync(join(desk, "portals", `${id}.yaml`), text);
  }
  const clones = new Set<string>();
  return {
    folder: own.path,
    server,
    ids,
    env: {
      LINTEL_BEID: served.beid,
      LINTEL_WEB_SERVICES_KEY: served.webServicesKey,
      LINTEL_ALLOWED_HOSTS: `${OWN_HOSTS},postgres://127.0.0.1:*`,
      LINTEL_QUEUE: address,
      LINTEL_QUEUE_KEY: KEY,
    },
    merge(text) {
      writeFileSync(join(desk, "_base.yaml"), baseOf(served, address, text));
      git("add .", desk);
      git(`-c user.name=Ana -c user.email=ana@example.org commit -q -m ${text}`, desk);
      git("push -q origin main", desk);
    },
    checkout(name) {
      const path = join(own.path, name);
      git(clones.has(name) ? "pull -q --ff-only" : `clone -q ${origin} .`, path);
      clones.add(name);
      return path;
    },
    ask: (text, values) => asAdmin(server, "lintel", (ask) => ask(text, values)),
    close() {
      stopPostgres(server.folder);
      own.remove();
    },
  };
}

function git(line: string, cwd: string): void {
  mkdirSync(cwd, { recursive: true });
  execFileSync("git", line.split(" "), { cwd, stdio: "pipe" });
}

function baseOf({ signInUrl }: Served, state: string, text: string): string {
  return `targetVersion: "12.1"
signIn: { url: "${signInUrl}" }
state: "${state}"
settings: { informationalBanner: { text: ${text}, enabled: true } }
`;
}
