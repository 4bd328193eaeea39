// Starts PgBouncer in front of a PostgreSQL server, so that every transaction gets another session.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { closedPort } from "./network.js";

export const HAS_PGBOUNCER = spawnSync("pgbouncer", ["--version"]).status === 0;
export const NEEDS_PGBOUNCER = HAS_PGBOUNCER ? "" : " (skipped: there is no pgbouncer here)";

/** The port at which it listens. */
export async function openPgBouncer(port: number, user: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "lintel-pgbouncer-"));
  chmodSync(folder, 0o755);
  const own = Number((await closedPort()).split(":").at(-1));
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(join(folder, "users"), `"${user}" ""\n`);
  writeFileSync(
    file,
    `[databases]
* = host=127.0.0.1 port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, "users")}
pool_mode = transaction
default_pool_size = 3
`,
  );
  // It refuses to run for root.
  const words = process.getuid?.() === 0 ? ["-u", "nobody", file] : [file];
  const child = spawn("pgbouncer", words, { stdio: "ignore" });
  onTestFinished(() => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  while (!(await answers(own))) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`);
    await sleep(20);
  }
  return own;
}

function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, "127.0.0.1", () => done(true));
    socket.on("error", () => done(false)).on("connect", () => socket.destroy());
  });
}
