// A sandbox, a database of their own and real processes of one queue → what the portals received, what the database holds, and what the processes told.
import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { Entry } from "../../../src/state/state.js";
import { asAdmin, startPostgres, stopPostgres, type Postgres } from "../../support/postgres.js";
import { BIN, environment, folderOf, OWN_HOSTS } from "../../support/run.js";
import { keysOf, openSandbox } from "../../support/sandbox.js";

export interface Machine {
  readonly child: ChildProcess;
  /** All that it wrote. */
  readonly said: () => string;
  /** Its exit status, or the signal. */
  ended(): Promise<number | string>;
}

export type Machines = Awaited<ReturnType<typeof openMachines>>;

/** So long a call may take, and hence an update be on its way. */
const CALLS_S = "2";
const KEY = "a key that nobody else can guess, of these tests";

export async function openMachines(portals: number) {
  const sandbox = await openSandbox({ portals });
  const made = folderOf();
  const folder = made.path;
  // PostgreSQL runs as another user, where this one is root.
  chmodSync(folder, 0o755);
  const server: Postgres = await startPostgres(join(folder, "postgres"));
  onTestFinished(() => {
    stopPostgres(server.folder);
    made.remove();
  });
  const address = `postgres://lintel@127.0.0.1:${server.port}/lintel`;
  mkdirSync(join(folder, "portals"));
  const ids = sandbox.portals.filter((id) => id !== "self");
  for (const id of ids) {
    const portal = `portal: { url: "${sandbox.portalUrl}", id: ${id} }`;
    writeFileSync(
      join(folder, "portals", `${id}.yaml`),
      `targetVersion: "12.1"\nextends: ./_base.yaml\n${portal}\n`,
    );
  }
  const env = environment({
    ...keysOf(sandbox),
    HOME: folder,
    LINTEL_QUEUE: address,
    LINTEL_QUEUE_KEY: KEY,
    LINTEL_ALLOWED_HOSTS: `${OWN_HOSTS},postgres://127.0.0.1:*`,
  });
  const updates: { readonly id: string; readonly text: string }[] = [];
  const hanging = new Set<string>();
  sandbox.faults.push({
    kind: "hang",
    isLasting: true,
    match: ({ method, path, body }) => {
      const [, id = ""] = /\/portals\/([^/?]+)\/settings/.exec(path) ?? [];
      if (method === "POST" && path.includes("/settings/update")) {
        updates.push({ id, text: /text-\d+/.exec(decodeURIComponent(body))?.[0] ?? "" });
      }
      return hanging.has(id);
    },
  });

  const begin = (...words: readonly string[]): Machine => {
    const child = spawn(process.execPath, [BIN, ...words, "--timeout", CALLS_S], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (part: string) => void (text += part));
    }
    onTestFinished(() => void child.kill("SIGKILL"));
    return {
      child,
      said: () => text,
      async ended() {
        if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
        return child.exitCode ?? child.signalCode ?? "";
      },
    };
  };

  return {
    sandbox,
    server,
    ids,
    updates,
    hanging,
    begin,
    folder,
    address,
    env,
    /** From now on the base of all files wants that text. */
    want: (text: string): void => {
      const lines = [
        `signIn: { url: "${sandbox.signInUrl}" }`,
        `state: ${address}`,
        `settings: { informationalBanner: { text: ${text}, enabled: true } }`,
      ];
      writeFileSync(join(folder, "portals/_base.yaml"), `${lines.join("\n")}\n`);
    },
    /** What a portal shows. */
    shown: (id: string) =>
      (sandbox.settings(id)["informationalBanner"] as { text?: string } | undefined)?.text,
    ask: (text: string) =>
      asAdmin(server, "lintel", (ask) => ask(`SET search_path = lintel; ${text}`)),
    rows: (text: string) => asAdmin(server, "lintel", (ask) => ask(text)),
    /** The texts that the history of a portal says were set, one after the other. */
    async histories(): Promise<ReadonlyMap<string, readonly unknown[]>> {
      const rows = await asAdmin(server, "lintel", (ask) =>
        ask(`SELECT portal, entry FROM lintel.state,
          jsonb_array_elements(document::jsonb -> 'history') WITH ORDINALITY AS entries(entry, number)
          ORDER BY number`),
      );
      const found = new Map<string, unknown[]>();
      for (const { portal, entry } of rows) {
        const { changes } = entry as Entry;
        const texts = changes
          .filter(({ path }) => path.at(-1) === "text")
          .map(({ after }) => after);
        const key = String(portal);
        found.set(key, [...(found.get(key) ?? []), ...texts]);
      }
      return found;
    },
  };
}

/** Asks again and again, until it is so. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(50);
}
