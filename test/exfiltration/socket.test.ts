// A database's socket: whoever listens in its folder may be another user, so it gets nothing unless the allowlist names the folder.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseState, printState } from "../../src/state/format.js";
import { identityOf } from "../../src/state/key.js";
import { call } from "../run/call.js";
import { folderOf, type Environment } from "../support/run.js";
import { stateFileIn } from "../support/state-files.js";
import { sitDown } from "../support/terminal.js";
import { BANNER, environmentOf, layOut, ours, type Ground } from "./ground.js";
import { main } from "../../src/cli/main.js";

const PASSWORD = "word-Rk4Vb9Xt2Hs7Jd1M";

interface Thief {
  readonly folder: string;
  /** Everything that arrived; a connection that says nothing is an empty text. */
  readonly received: string[];
}

/** A PostgreSQL server of somebody else: asks each client for its password. */
async function listenInFolder(): Promise<Thief> {
  const own = folderOf();
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    const at = received.push("") - 1;
    socket.on("data", (bytes) => {
      received[at] += bytes.toString("latin1");
      const asksForPassword = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);
      if (received[at]?.includes(PASSWORD)) socket.destroy();
      else socket.write(asksForPassword);
    });
  });
  await new Promise<void>((done) => server.listen(join(own.path, ".s.PGSQL.5432"), done));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    own.remove();
  });
  return { folder: own.path, received };
}

/** Each run of a command that comes to the state. */
const COMMANDS = [
  "plan",
  "plan --offline",
  "apply --yes --allow unread-portal",
  "status",
  "drift",
  "state show",
  "history",
  "state unlock --yes",
  "doctor",
];

function write(ground: Ground, state: string): void {
  const text = ours(ground, `state: ${JSON.stringify(state)}\n${BANNER}`)["portal.yaml"];
  writeFileSync(join(ground.repo, "portal.yaml"), text);
}

async function runAll(ground: Ground, more: Environment): Promise<string[]> {
  const env = environmentOf(ground, { PGPASSWORD: PASSWORD, PGUSER: "lintel", ...more });
  const said: string[] = [];
  for (const words of COMMANDS) {
    const { exit, stdout, stderr } = await call(words.split(" "), { cwd: ground.repo, env });
    expect([words, exit]).not.toEqual([words, 0]);
    said.push(stdout + stderr);
  }
  return said;
}

test("gets nothing where a list does not name it, and the message names the entry", async () => {
  const [ground, thief] = [await layOut(), await listenInFolder()];
  write(ground, `postgres:///lintel?host=${thief.folder}`);
  for (const said of await runAll(ground, {})) {
    expect(said).toContain(`"unix:${thief.folder}"`);
    expect(said).toMatch(/LINTEL_ALLOWED_HOSTS/);
  }
  expect(thief.received).toEqual([]);
});

test("gets nothing where no list is set and no terminal can ask", async () => {
  const [ground, thief] = [await layOut(), await listenInFolder()];
  write(ground, `postgres:///lintel?host=${thief.folder}`);
  await runAll(ground, { LINTEL_ALLOWED_HOSTS: undefined });
  expect(thief.received).toEqual([]);
});

test("gets nothing as the database of a queue either", async () => {
  const [ground, thief] = [await layOut(), await listenInFolder()];
  const env = environmentOf(ground, { PGPASSWORD: PASSWORD, PGUSER: "lintel" });
  const words = ["queue", "status", "--queue", `postgres:///lintel?host=${thief.folder}`];
  const { exit, stdout, stderr } = await call(words, { cwd: ground.repo, env });
  expect(exit).toBe(4);
  expect(stdout + stderr).toContain(`"unix:${thief.folder}"`);
  expect(thief.received).toEqual([]);
});

test("gets the password where the list names its folder", async () => {
  const [ground, thief] = [await layOut(), await listenInFolder()];
  write(ground, `postgres:///lintel?host=${thief.folder}`);
  const list = `${ground.sandbox.url},unix:${thief.folder}`;
  const env = environmentOf(ground, { PGPASSWORD: PASSWORD, PGUSER: "lintel" });
  const words = ["state", "show"];
  await call(words, { cwd: ground.repo, env: { ...env, LINTEL_ALLOWED_HOSTS: list } });
  expect(thief.received.join()).toContain(PASSWORD);
});

test.each([
  ["its parent", (folder: string) => join(folder, "..")],
  ["a folder in it", (folder: string) => join(folder, "x")],
  ["a folder whose name begins alike", (folder: string) => `${folder}-x`],
])("gets nothing where the list names %s", async (_, listed) => {
  const [ground, thief] = [await layOut(), await listenInFolder()];
  write(ground, `postgres:///lintel?host=${thief.folder}`);
  const list = `${ground.sandbox.url},unix:${listed(thief.folder)}`;
  await runAll(ground, { LINTEL_ALLOWED_HOSTS: list });
  expect(thief.received).toEqual([]);
});

test("cannot be reached through a link of the checkout and the name of a listed folder", async () => {
  const [ground, thief] = [await layOut(), await listenInFolder()];
  // What the text comes to is listed; what the system would come to is the thief's.
  const listed = join(ground.repo, "listed");
  mkdirSync(listed);
  mkdirSync(join(thief.folder, "deep"));
  symlinkSync(thief.folder, join(thief.folder, "listed"));
  symlinkSync(join(thief.folder, "deep"), join(ground.repo, "link"));
  write(ground, `postgres:///lintel?host=${ground.repo}/link/../listed`);
  await runAll(ground, { LINTEL_ALLOWED_HOSTS: `${ground.sandbox.url},unix:${listed}` });
  expect(thief.received).toEqual([]);
});

test.each([
  [
    "a host that is percent-encoded",
    (folder: string) => `postgres://${encodeURIComponent(folder)}/lintel`,
  ],
  [
    "one beside a socket",
    (folder: string) => `postgres://${encodeURIComponent(folder)}/lintel?host=/nowhere`,
  ],
  [
    "a folder that is percent-encoded",
    (folder: string) => `postgres:///lintel?host=${encodeURIComponent(folder)}`,
  ],
  ["a folder that a variable names", () => "postgres:///lintel?host=${env:LINTEL_VAR_SOCKET}"],
  ["several folders", (folder: string) => `postgres:///lintel?host=/nowhere,${folder}`],
  ["a host and a folder", (folder: string) => `postgres://127.0.0.1,${folder}/lintel`],
])("gets nothing by %s", async (_, addressOf) => {
  const [ground, thief] = [await layOut(), await listenInFolder()];
  write(ground, addressOf(thief.folder));
  await runAll(ground, {
    LINTEL_VAR_SOCKET: thief.folder,
    LINTEL_ALLOWED_HOSTS: `${ground.sandbox.url},unix:/nowhere`,
  });
  expect(thief.received).toEqual([]);
});

test("is not read because the mark of a moved state names it", async () => {
  const [ground, thief] = [await layOut(), await listenInFolder()];
  writeFileSync(join(ground.repo, "portal.yaml"), ours(ground, BANNER)["portal.yaml"]);
  const unsigned = { LINTEL_STATE_KEY: undefined, LINTEL_STATE_KEY_OLD: undefined };
  const env = environmentOf(ground, { PGPASSWORD: PASSWORD, PGUSER: "lintel", ...unsigned });
  const run = async (words: string) => call(words.split(" "), { cwd: ground.repo, env });
  expect(await run("apply --yes --allow unread-portal")).toMatchObject({ exit: 0 });
  const file = readFileSync(join(ground.repo, "portal.yaml"), "utf8");
  expect(await run("state move portal.yaml file:elsewhere --yes")).toMatchObject({ exit: 0 });
  writeFileSync(join(ground.repo, "portal.yaml"), file);
  const portal = identityOf(ground.sandbox.portalUrl, "self");
  const path = stateFileIn(join(ground.repo, ".lintel"), portal.key) ?? "";
  const mark = parseState(readFileSync(path, "utf8"), { place: path, portal });
  if (!mark.moved) throw new Error("the state was not moved");
  const { folder: _own, ...moved } = mark.moved;
  const to = `postgres:///lintel?host=${thief.folder}`;
  writeFileSync(path, printState({ ...mark, moved: { ...moved, to } }));
  for (const words of ["plan", "status", "state show"]) {
    const { exit, stderr, stdout } = await run(words);
    expect([words, exit]).toEqual([words, 3]);
    expect(stdout + stderr).toContain("state-moved");
  }
  // Whoever gives the move up, sure of it, sends no credentials there either.
  expect(await run("state move portal.yaml file:.lintel --yes")).toMatchObject({ exit: 3 });
  expect(thief.received).toEqual([]);
});

test("is asked about at a terminal without a list, once, and gets nothing after a no", async () => {
  const [ground, thief] = [await layOut(), await listenInFolder()];
  const config = folderOf();
  onTestFinished(() => config.remove());
  write(ground, `postgres:///lintel?host=${thief.folder}`);
  const { LINTEL_ALLOWED_HOSTS: _list, ...env } = environmentOf(ground, {
    PGPASSWORD: PASSWORD,
    PGUSER: "lintel",
    XDG_CONFIG_HOME: config.path,
  }) as Record<string, string>;
  const no = sitDown(ground.repo, env, ["no"]);
  await main(["state", "show"], no.io);
  expect(no.asked).toHaveLength(1);
  expect(no.shown.join("")).toContain(`  unix:${thief.folder}\n`);
  expect(thief.received).toEqual([]);
  const yes = sitDown(ground.repo, env, ["yes"]);
  await main(["state", "show"], yes.io);
  expect(thief.received.join()).toContain(PASSWORD);
  const again = sitDown(ground.repo, env, []);
  await main(["state", "show"], again.io);
  expect(again.asked).toEqual([]);
});

test("and a host of the environment takes no address's place", async () => {
  const [ground, thief] = [await layOut(), await listenInFolder()];
  write(ground, "postgres://lintel@127.0.0.1:1/lintel");
  const list = `${ground.sandbox.url},postgres://127.0.0.1:1`;
  const own = process.env;
  const names = { PGHOST: thief.folder, PGHOSTADDR: "127.0.0.2", PGSERVICE: "thief" };
  // The package that speaks to the server reads the process's own.
  process.env = { ...own, ...names };
  onTestFinished(() => void (process.env = own));
  await runAll(ground, { LINTEL_ALLOWED_HOSTS: list, ...names });
  expect(thief.received).toEqual([]);
});
