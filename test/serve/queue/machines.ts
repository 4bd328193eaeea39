// A sandbox, a database, a repository and real processes of one queue, for tests.
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { Entry } from "../../../src/state/state.js";
import { asAdmin, startPostgres, stopPostgres, type Postgres } from "../../support/postgres.js";
import { BIN, environment, folderOf, OWN_HOSTS, type Environment } from "../../support/run.js";
import { keysOf, openSandbox } from "../../support/sandbox.js";

/** Where a command runs. */
const CWD: Readonly<Record<string, (at: { desk: string; checkout: string }) => string>> = {
  serve: ({ checkout }) => checkout,
  apply: ({ desk }) => desk,
};

export interface Machine {
  readonly child: ChildProcess;
  /** All that it wrote. */
  readonly said: () => string;
  /** Its exit status, or the signal. */
  ended(): Promise<number | string>;
}

export type Machines = Awaited<ReturnType<typeof openMachines>>;

/** `callsS`: so many seconds a call may take, and hence an update be on its way. */
export async function openMachines(portals: number, callsS = 2) {
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
  const origin = join(folder, "origin.git");
  /** Where a person works, and where `serve` has its checkout. */
  const [desk, checkout] = [join(folder, "desk"), join(folder, "checkout")];
  git(folder, "init", "--quiet", "--bare", "--initial-branch=main", origin);
  git(folder, "clone", "--quiet", origin, desk);
  git(desk, "switch", "--quiet", "--create", "main");
  mkdirSync(join(desk, "portals"));
  const ids = sandbox.portals.filter((id) => id !== "self");
  for (const id of ids) {
    const portal = `portal: { url: "${sandbox.portalUrl}", id: ${id} }`;
    writeFileSync(
      join(desk, "portals", `${id}.yaml`),
      `targetVersion: "12.1"\nextends: ./_base.yaml\n${portal}\n`,
    );
  }
  const env = environment({
    ...keysOf(sandbox),
    HOME: folder,
    LINTEL_QUEUE: address,
    LINTEL_REPOSITORY: origin,
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

  const beginAs = (more: Environment, ...words: readonly string[]): Machine => {
    const child = spawn(process.execPath, [BIN, ...words, "--timeout", String(callsS)], {
      cwd: CWD[words[0] ?? ""]?.({ desk, checkout }) ?? folder,
      env: { ...env, ...more },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (part: string) => void (text += part));
    }
    // A process that breaks down says why.
    child.on("exit", (status) => status && process.stderr.write(text));
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

  /** Also after a force-push. */
  const pull = (): void => {
    if (!existsSync(checkout)) git(folder, "clone", "--quiet", origin, checkout);
    git(checkout, "fetch", "--quiet");
    git(checkout, "reset", "--quiet", "--hard", "origin/main");
  };
  return {
    sandbox,
    server,
    ids,
    updates,
    hanging,
    beginAs,
    begin: (...words: readonly string[]) => beginAs({}, ...words),
    folder,
    origin,
    desk,
    checkout,
    address,
    env,
    /**
     * Commits a text for all portals, and returns the commit: pushed unless it is "local", and pulled by the checkout of
     * `serve` unless it is "pushed".
     */
    want: (text: string, how: "pulled" | "pushed" | "local" = "pulled"): string => {
      const lines = [
        `signIn: { url: "${sandbox.signInUrl}" }`,
        `state: ${address}`,
        `settings: { informationalBanner: { text: ${text}, enabled: true } }`,
      ];
      writeFileSync(join(desk, "portals/_base.yaml"), `${lines.join("\n")}\n`);
      git(desk, "add", ".");
      git(desk, "commit", "--quiet", "-m", text);
      if (how !== "local") git(desk, "push", "--quiet", "origin", "main");
      if (how === "pulled") pull();
      return git(desk, "rev-parse", "HEAD");
    },
    pull,
    /** What a portal shows. */
    shown: (id: string) =>
      (sandbox.settings(id)["informationalBanner"] as { text?: string } | undefined)?.text,
    ask: (text: string) =>
      asAdmin(server, "lintel", (ask) => ask(`SET search_path = lintel; ${text}`)),
    git: (...words: readonly string[]) => git(desk, ...words),
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

export function git(cwd: string, ...words: readonly string[]): string {
  const who = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org"];
  return execFileSync("git", [...who, ...words], { cwd, encoding: "utf8" }).trim();
}

/** Asks again and again, until it is so. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(50);
}

/** The address of the dashboard of a `serve`. */
export async function pageOf({ said }: Machine): Promise<string> {
  const found = () => /Dashboard: (\S+)\//.exec(said())?.[1];
  await until(() => found() !== undefined);
  return found() ?? "";
}
