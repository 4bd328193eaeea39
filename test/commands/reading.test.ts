// Reading commands: none of them can write to a portal, whatever the portal does; and none of them lets a secret out.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ALL } from "../../src/cli/all.js";
import { catalog } from "../../src/catalog/catalog.js";
import { openHttp, readOnlyClient } from "../../src/http/http.js";
import { updateRequest } from "../../src/portal/update.js";
import { signInPass } from "../../src/request.js";
import type { Fault } from "../../src/sandbox/faults.js";
import { makeRun } from "../support/network.js";
import { lintel } from "../run/call.js";
import { folderOf, PROJECT, type Ran } from "../support/run.js";
import { fileFor, keysOf, openSandbox } from "../support/sandbox.js";

const folder = folderOf();
afterAll(() => folder.remove());

/** Every command, with words that bring it as far as it goes; those that begin or serve something write by design. */
const READING: Readonly<Record<string, string[]>> = {
  validate: ["portal.yaml"],
  doctor: ["portal.yaml", "--verbose"],
  plan: ["portal.yaml", "--verbose"],
  status: ["portal.yaml", "--verbose"],
  drift: ["portal.yaml", "--all", "--verbose"],
  diff: ["portal.yaml", "live:portal.yaml", "--verbose"],
  history: ["portal.yaml", "--verbose"],
  pull: ["portal.yaml", "--verbose"],
  explain: ["tokenExpiration"],
  schema: ["11.5"],
  completion: ["bash"],
  upgrade: ["portal.yaml", "--to", "12.1"],
  policy: ["test", join(PROJECT, "examples/policy")],
  help: ["doctor"],
};
const WRITING = [
  "init",
  "preview",
  "sandbox",
  "migrate",
  "apply",
  "rollback",
  "state",
  "hold",
  "unhold",
  "serve",
  "worker",
  "ci",
  "queue",
];

test("every command is listed as reading or writing", () => {
  expect([...Object.keys(READING), ...WRITING].toSorted()).toEqual(
    ALL.map(({ name }) => name).toSorted(),
  );
});

test.each(Object.keys(READING))("%s sends nothing but GET and sign-ins", async (command) => {
  const sandbox = await openSandbox();
  const env = keysOf(sandbox);
  const file = fileFor(sandbox, "settings: { blockBetaApps: true }");
  writeFileSync(join(folder.path, "portal.yaml"), file);
  await lintel(["plan", "--save", "plan.json"], { cwd: folder.path, env });
  const earlier = sandbox.requests.length;
  const before = sandbox.settings();
  const ran = await lintel([command, ...(READING[command] ?? [])], {
    cwd: folder.path,
    env,
  });
  expect(ran.exit).toBe(["status", "diff"].includes(command) ? 2 : 0);
  const signIns = catalog.operations
    .filter(({ method }) => method === "POST")
    .map(({ path }) => `POST /accounts${path}`);
  for (const { method, path } of sandbox.requests.slice(earlier)) {
    expect([`GET ${path}`, ...signIns]).toContain(`${method} ${path}`);
  }
  expect(sandbox.settings()).toEqual(before);
  expect(readdirSync(folder.path)).toEqual(["plan.json", "portal.yaml"]);
});

describe("the read-only client", () => {
  test("blocks every update, for any header of the request", async () => {
    const sandbox = await openSandbox();
    const { io } = makeRun();
    const http = openHttp(io);
    const client = readOnlyClient(http);
    const update = updateRequest({ url: sandbox.portalUrl, id: "self" }, { blockBetaApps: true });
    const tries = [
      update,
      { ...update, method: "PUT" },
      { ...update, method: "GET" },
      { ...update, method: "post" },
      { ...update, url: update.url.replace("/update", "/%75pdate") },
      { ...update, url: `${update.url}/` },
      { ...update, signIn: signInPass("/api/auth/loginadmin") },
      { ...update, signIn: { path: "/settings/update" } },
    ];
    for (const request of tries) {
      await expect(client.call(request)).rejects.toMatchObject({ code: "a-bug-in-lintel" });
    }
    await http.close();
    expect(sandbox.requests).toEqual([]);
  });
});

describe("what goes wrong on the way has a message of its own, the right exit status, and no secret in it", () => {
  const token: Fault["match"] = /loginadmin/;
  const settings: Fault["match"] = /settings/;
  const cases: [name: string, command: string, faults: Fault[], code: RegExp][] = [
    [
      "a web page instead of a token",
      "doctor",
      [{ kind: "html", match: token }],
      /web page|not understood|token/i,
    ],
    ["a redirect to a sign-in page", "doctor", [{ kind: "redirect", match: token }], /redirects/],
    ["an error with status 200", "doctor", [{ kind: "error-json", match: token }], /refused|token/],
    ["500 with a web page", "doctor", [{ kind: "server-error", match: token }], /500/],
    [
      "an answer that is cut off",
      "doctor",
      Array.from({ length: 9 }, (): Fault => ({ kind: "cut", match: settings })),
      /cut off/,
    ],
    [
      "a connection that is closed",
      "doctor",
      Array.from({ length: 9 }, (): Fault => ({ kind: "drop-before", match: settings })),
      /closed the connection/,
    ],
    ["an answer of 100 MB", "doctor", [{ kind: "huge", match: settings }], /longer than/],
    ["a server that hangs", "doctor", [{ kind: "hang", match: settings }], /did not answer within/],
    [
      "a web page instead of the settings",
      "doctor",
      [{ kind: "html", match: settings }],
      /web page/,
    ],
    [
      "a redirect instead of the settings",
      "doctor",
      [{ kind: "redirect", match: settings }],
      /redirects/,
    ],
    [
      "an error instead of the settings",
      "doctor",
      [{ kind: "error-json", match: settings }],
      /refused/,
    ],
  ];

  async function run(command: string, faults: Fault[], env?: Record<string, string>): Promise<Ran> {
    const sandbox = await openSandbox();
    writeFileSync(join(folder.path, "portal.yaml"), fileFor(sandbox));
    sandbox.faults.push(...faults);
    const ran = await lintel(
      [command, "portal.yaml", "--verbose", "--timeout", "2", "-o", "text", "-o", "json=out.json"],
      { cwd: folder.path, env: { ...keysOf(sandbox), LINTEL_DEBUG: "1", ...env } },
    );
    const json = readFileSync(join(folder.path, "out.json"), "utf8");
    const everything = ran.stdout + ran.stderr + json;
    const tokens = sandbox.requests.map(({ headers }) => headers["authorization"]?.slice(7) ?? "-");
    for (const secret of [sandbox.webServicesKey, sandbox.password, ...tokens]) {
      if (secret !== "-") expect(everything).not.toContain(secret);
    }
    expect(everything).not.toMatch(/\n {4}at |a bug in Lintel/);
    return ran;
  }

  test.each(cases)("%s", async (_, command, faults, message) => {
    const { exit, stdout, stderr } = await run(command, faults);
    expect(stdout + stderr).toMatch(message);
    expect(exit).toBe(4);
  });

  test("a wrong key", async () => {
    const { exit, stdout } = await run("doctor", [], { LINTEL_WEB_SERVICES_KEY: "not-the-key" });
    expect(stdout).toMatch(/refused/);
    expect(stdout).not.toContain("not-the-key");
    expect(exit).toBe(4);
  });

  test("an account that is not active", async () => {
    const sandbox = await openSandbox();
    sandbox.setActive(sandbox.beid, false);
    writeFileSync(join(folder.path, "portal.yaml"), fileFor(sandbox));
    const ran = await lintel(["doctor"], { cwd: folder.path, env: keysOf(sandbox) });
    expect(ran.stdout).toMatch(/refused[\s\S]*Active/);
    expect(ran.exit).toBe(4);
    expect(sandbox.requests.filter(({ path }) => path.includes("loginadmin"))).toHaveLength(1);
  });

  test("no server at the address", async () => {
    const text =
      'targetVersion: "12.1"\nportal: { url: "http://127.0.0.1:9/rest" }\nsignIn: { url: "http://127.0.0.1:9" }\n';
    writeFileSync(join(folder.path, "portal.yaml"), text);
    const env = { LINTEL_BEID: "a", LINTEL_WEB_SERVICES_KEY: "b" };
    const ran = await lintel(["doctor"], { cwd: folder.path, env });
    expect(ran.stdout).toMatch(/cannot be reached/);
    expect(ran.exit).toBe(4);
  });
});

test("doctor says of each step what to do, and skips what cannot be tried", async () => {
  const sandbox = await openSandbox({ version: "11.0" });
  writeFileSync(join(folder.path, "portal.yaml"), fileFor(sandbox));
  const { exit, stdout } = await lintel(["doctor", "-o", "json"], { cwd: folder.path });
  expect(exit).toBe(4);
  const { steps } = JSON.parse(stdout) as {
    steps: { name: string; status: string; help: string }[];
  };
  expect(steps.map(({ name, status }) => `${name} ${status}`)).toEqual([
    "file ok",
    "credentials failed",
    "address ok",
    "name ok",
    "connection warning",
    "version warning",
    "sign-in skipped",
    "reading skipped",
    "privilege skipped",
    "state ok",
  ]);
  expect(steps.find(({ name }) => name === "credentials")?.help).toContain("export LINTEL_BEID=");
});

test("doctor reports errors in the file and exits with 3", async () => {
  writeFileSync(join(folder.path, "portal.yaml"), 'targetVersion: "12.1"\nsetings: {}\n');
  const { exit, stdout } = await lintel(["doctor"], { cwd: folder.path });
  expect(exit).toBe(3);
  expect(stdout).toMatch(/failed {3}file[\s\S]*unknown-key/);
});
