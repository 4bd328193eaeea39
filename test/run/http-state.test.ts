// Commands whose state is kept by an HTTP server: what they end with, what they tell, and what the server is asked.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startStateServer, type StateServerOptions } from "../state/state-server.js";
import type { Environment } from "../support/run.js";
import { fileFor, keysOf, openSandbox } from "../support/sandbox.js";
import { call } from "./call.js";
import { isUpdate } from "./place.js";

const SETTINGS = "settings: { blockBetaApps: true }\n";

async function openPlace(options: StateServerOptions = {}) {
  const sandbox = await openSandbox({ portals: 2 });
  const server = await startStateServer(options);
  onTestFinished(() => server.close());
  const folder = mkdtempSync(join(tmpdir(), "lintel-http-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const prefix = server.url + server.pathOf("");
  write("portal.yaml", fileFor(sandbox, `state: ${prefix}\${portal.key}\n${SETTINGS}`));
  const path = server.pathOf(`127.0.0.1_${new URL(sandbox.url).port}-portal-self`);
  const run = (words: string, env: Environment = {}) =>
    call(words.split(" "), { cwd: folder, env: { ...keysOf(sandbox), ...env } });
  return { sandbox, server, prefix, path, write, run };
}

test.each(["terraform", "gitlab", "gitea"] as const)(
  "%s: applies, rolls back, unholds and releases as with a folder",
  async (dialect) => {
    const { run, server, path, sandbox, write, prefix } = await openPlace({ dialect });
    expect(await run("apply --yes --wait 0")).toMatchObject({ exit: 0 });
    expect(sandbox.settings()).toMatchObject({ blockBetaApps: true });
    expect(await run("plan")).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^No changes\./m) as string,
    });
    write(
      "portal.yaml",
      fileFor(sandbox, `state: ${prefix}\${portal.key}\nsettings: { blockBetaApps: false }\n`),
    );
    expect(await run("apply --yes")).toMatchObject({ exit: 0 });
    expect(await run("rollback --yes")).toMatchObject({ exit: 0 });
    expect(await run("apply --yes")).toMatchObject({ exit: 7 });
    expect(await run("unhold")).toMatchObject({ exit: 0 });
    expect(await run("state rm portal.yaml blockBetaApps")).toMatchObject({ exit: 0 });
    const { stdout } = await run("history");
    expect(stdout.match(/^(apply|rollback) \d+/gm)?.length).toBeGreaterThanOrEqual(3);
    expect(server.lockOf(path)).toBeUndefined();
    expect(await run("doctor")).toMatchObject({ exit: 0 });
    expect(server.lockOf(path)).toBeUndefined();
  },
);

test("commands that only read request only the state", async () => {
  const { run, server } = await openPlace();
  await run("apply --yes");
  const before = server.received.length;
  for (const words of ["plan", "status", "drift", "state show", "history", "doctor"]) {
    const { exit, stdout } = await run(words);
    expect(exit).toBe(0);
    expect(stdout).not.toMatch(/lock +/);
  }
  const asked = server.received.slice(before).map(({ method }) => method);
  expect(new Set(asked)).toEqual(new Set(["GET"]));
});

test("doctor --state locks and unlocks, and changes nothing", async () => {
  const { run, server, sandbox, path } = await openPlace();
  await run("apply --yes");
  const before = server.received.length;
  const requests = sandbox.requests.length;
  const { exit, stdout } = await run("doctor --state");
  expect(stdout).toMatch(/^ok +writing +Lintel can write the state at/m);
  expect(exit).toBe(0);
  const asked = server.received.slice(before).map(({ method }) => method);
  expect(new Set(asked)).toEqual(new Set(["GET", "LOCK", "UNLOCK"]));
  expect(server.lockOf(path)).toBeUndefined();
  expect(sandbox.requests.slice(requests).filter(isUpdate)).toEqual([]);
});

test("keeps and names the lock of another tool", async () => {
  const { run, server, path } = await openPlace();
  await run("apply --yes");
  server.lock(path, LOCK);
  const stopped = await run("state rm portal.yaml blockBetaApps");
  expect(stopped).toMatchObject({ exit: 6 });
  expect(stopped.stderr).toContain("is locked by ada@build-7 since 2026-01-02 03:04 UTC.");
  expect(stopped.stderr).toContain(`terraform force-unlock ${LOCK.ID}`);
  expect(await run("state unlock --yes")).toMatchObject({
    exit: 0,
    stdout: "The lock is held by ada@build-7, and stays.\n",
  });
  expect(server.lockOf(path)).toEqual(LOCK);
});

test("removes the lock of a killed run in the next one, or by command", async () => {
  const { run, server, path } = await openPlace();
  await run("apply --yes");
  const own = { ...LOCK, ID: "6c696e74-656c-4444-8444-555555555555" };
  server.lock(path, own);
  expect(await run("state unlock --yes")).toMatchObject({
    exit: 0,
    stdout: "The lock of Lintel is ended.\n",
  });
  expect(await run("state unlock --yes")).toMatchObject({
    stdout: "There is nothing to unlock.\n",
  });
  server.lock(path, own);
  const { exit, stderr } = await run("state rm portal.yaml blockBetaApps");
  expect(stderr).toContain("Removed the lock of a killed run");
  expect(exit).toBe(0);
});

const LOCK = {
  ID: "11111111-2222-3333-4444-555555555555",
  Operation: "OperationTypeApply",
  Info: "",
  Who: "ada@build-7",
  Version: "1.9.8",
  Created: "2026-01-02T03:04:05Z",
  Path: "",
};

test("refuses two portals at one address before anything is sent", async () => {
  const { run, server, sandbox, prefix, write } = await openPlace();
  for (const name of ["portal-1", "portal-2"]) {
    const file = fileFor(sandbox, `state: ${prefix}one\n${SETTINGS}`);
    write(`${name}.yaml`, file.replace(" }\n", `, id: ${name} }\n`));
  }
  const { exit, stdout } = await run("apply portal-1.yaml portal-2.yaml --yes");
  expect(exit).toBe(3);
  expect(
    stdout.match(/\[state-place-shared\]|use one address for their states/g)?.length,
  ).toBeGreaterThan(1);
  expect(stdout).toContain("${portal.key}");
  expect(server.received.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(sandbox.requests.filter(({ path }) => path.endsWith("/update"))).toEqual([]);
});

test("writes to a server without locks", async () => {
  const { run, sandbox } = await openPlace({ manner: "lockless" });
  expect(await run("apply --yes")).toMatchObject({ exit: 0 });
  expect(sandbox.settings()).toMatchObject({ blockBetaApps: true });
  expect(await run("plan")).toMatchObject({ exit: 0 });
});

test("sends nothing to an unlisted server in a pipeline", async () => {
  const { run, server, sandbox } = await openPlace();
  const { port } = new URL(sandbox.url);
  const signIn = new URL(sandbox.signInUrl).port;
  const env = {
    CI: "true",
    LINTEL_ALLOWED_HOSTS: `http://127.0.0.1:${port},http://127.0.0.1:${signIn}`,
    TF_HTTP_USERNAME: "me",
    TF_HTTP_PASSWORD: "hidden-word",
  };
  for (const words of ["apply --yes", "plan", "state show", "state unlock --yes"]) {
    const { exit, stdout, stderr } = await run(words, env);
    expect(exit).toBe(4);
    expect(stdout + stderr).toContain(new URL(server.url).host);
    expect(stdout + stderr).not.toContain("hidden-word");
  }
  expect(server.received).toEqual([]);
});
