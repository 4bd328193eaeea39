// The auth proxy: users and groups from its headers, over a Unix socket or with a secret, and what each role may do.
import { request as send } from "node:http";
import { statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ActionResult, Actions } from "../../../src/serve/dashboard/source.js";
import { folderOf } from "../../support/run.js";
import { ask, type Answered, type Said } from "./ask.js";
import { fleet, openBoard, seen, type More } from "./open.js";
import { PENDING } from "./views/sample.js";

const SECRET = "proxy-secret-0123456789abcdef";
const TOKEN = "0123456789abcdef0123456789abcdef";
const PUBLIC = "https://lintel.example.com";
const KEY = "gis.example.com-portal-1";
const ROLES = {
  viewers: ["staff"],
  operators: { admins: ["*"], north: ["Northern*"] },
};

const HOST = { host: "lintel.example.com" };
const asUser = (name: string, groups: string) => ({
  ...HOST,
  "x-lintel-proxy-secret": SECRET,
  "x-forwarded-user": name,
  "x-forwarded-groups": groups,
});

interface Call {
  readonly name: string;
  readonly key: string;
  readonly by?: object;
}

/** Writes down what it is asked to do. */
function recorder(): { readonly actions: Actions; readonly calls: Call[] } {
  const calls: Call[] = [];
  const done = (name: string) => (key: string, by?: object) => {
    calls.push({ name, key, ...(by && { by }) });
    const result: ActionResult = { message: `${name} is done.`, isDone: true };
    return Promise.resolve(result);
  };
  return {
    calls,
    actions: {
      refresh: done("refresh"),
      apply: done("apply"),
      hold: done("hold"),
      unhold: done("unhold"),
      planAfterUnhold: (key) => {
        calls.push({ name: "planAfterUnhold", key });
        return Promise.resolve({ digest: "d1", changes: [], guards: [] });
      },
    },
  };
}

const open = (more: More = {}, env: Record<string, string> = {}) =>
  openBoard(
    fleet().map((each) =>
      each.key === KEY ? { ...each, planDigest: "p1", waiting: PENDING } : each,
    ),
    { isBehindTls: true, isBehindAuthProxy: true, publicUrl: PUBLIC },
    { LINTEL_PROXY_SECRET: SECRET, ...env },
    undefined,
    { roles: ROLES, ...more },
  );

const post = (url: string, path: string, headers: Said["headers"], body = "") =>
  ask(url, {
    method: "POST",
    path,
    headers: { origin: PUBLIC, "content-type": "application/x-www-form-urlencoded", ...headers },
    body,
  });

/** Node's client sends each value of a list as a header of its own. */
async function askRaw(
  url: string,
  headers: Record<string, string | string[]>,
  method = "GET",
  path = "/",
): Promise<number> {
  const { port } = new URL(url);
  const request = send({ host: "127.0.0.1", port, method, path, headers });
  request.end();
  const [response] = (await once(request, "response")) as [{ statusCode: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

describe("users named by the proxy", () => {
  test("viewers see the dashboard, others get nothing of it", async () => {
    const { url } = await open();
    const page = await ask(url, { headers: asUser("ana@example.com", "staff,other") });
    expect(page).toMatchObject({ status: 200 });
    expect(page.body).toContain("ana@example.com");
    for (const path of [
      "/",
      `/portals/${KEY}`,
      "/api/portals",
      "/metrics",
      "/events",
      "/activity",
    ]) {
      const answer = await ask(url, { path, headers: asUser("eve", "guests") });
      expect(answer).toMatchObject({ status: 403 });
      expect(answer.body).not.toMatch(/Harbour|district/);
    }
  });

  test.each<[string, Record<string, string | string[]>]>([
    ["no user", { "x-forwarded-groups": "admins" }],
    ["an empty user", { "x-forwarded-user": "", "x-forwarded-groups": "admins" }],
    ["two users", { "x-forwarded-user": ["ana", "eve"], "x-forwarded-groups": "admins" }],
    ["two users in one header", { "x-forwarded-user": "ana, eve", "x-forwarded-groups": "admins" }],
    [
      "two lists of groups",
      { "x-forwarded-user": "eve", "x-forwarded-groups": ["staff", "admins"] },
    ],
    ["a user with markup", { "x-forwarded-user": "<b>eve</b>", "x-forwarded-groups": "admins" }],
    [
      "a user of 300 letters",
      { "x-forwarded-user": "e".repeat(300), "x-forwarded-groups": "admins" },
    ],
  ])("refuses %s, for pages and actions alike", async (_, headers) => {
    const { actions, calls } = recorder();
    const { url } = await open({ actions });
    const all = { ...HOST, origin: PUBLIC, "x-lintel-proxy-secret": SECRET, ...headers };
    expect(await askRaw(url, all)).toBe(401);
    expect(await askRaw(url, all, "POST", `/portals/${KEY}/refresh`)).toBe(401);
    expect(calls).toEqual([]);
  });

  test.each<[string, Record<string, string | string[]>]>([
    ["no secret", {}],
    ["a wrong secret", { "x-lintel-proxy-secret": `${SECRET}x` }],
    ["the secret twice", { "x-lintel-proxy-secret": [SECRET, SECRET] }],
    ["a wrong secret before the right one", { "x-lintel-proxy-secret": ["x", SECRET] }],
  ])("takes no user with %s, although the address is that of the proxy", async (_, headers) => {
    const { actions, calls } = recorder();
    const { url } = await open({ actions });
    const forged = {
      ...HOST,
      origin: PUBLIC,
      "x-forwarded-user": "eve",
      "x-forwarded-groups": "admins",
    };
    expect(await askRaw(url, { ...forged, ...headers })).toBe(401);
    expect(await askRaw(url, { ...forged, ...headers }, "POST", `/portals/${KEY}/refresh`)).toBe(
      401,
    );
    expect(calls).toEqual([]);
  });

  test("ignores user headers without --auth-proxy", async () => {
    const { actions, calls } = recorder();
    const { url } = await openBoard(fleet(), {}, {}, undefined, { roles: ROLES, actions });
    const { host } = new URL(url);
    const headers = { ...asUser("eve", "admins"), host, origin: `http://${host}` };
    expect((await ask(url, { headers })).body).not.toContain("Signed in as");
    expect(await post(url, `/portals/${KEY}/refresh`, headers)).toMatchObject({ status: 403 });
    expect(calls).toEqual([]);
  });

  test("the token can read, and cannot act", async () => {
    const { actions, calls } = recorder();
    const { url } = await open({ actions }, { LINTEL_SERVE_TOKEN: TOKEN });
    const bearer = { ...HOST, authorization: `Bearer ${TOKEN}` };
    expect(await ask(url, { path: "/metrics", headers: bearer })).toMatchObject({ status: 200 });
    expect(await post(url, `/portals/${KEY}/refresh`, bearer)).toMatchObject({ status: 401 });
    const operator = { ...asUser("ana", "admins"), authorization: `Bearer ${TOKEN}` };
    expect(await post(url, `/portals/${KEY}/refresh`, operator)).toMatchObject({ status: 303 });
    expect(calls.map(({ name }) => name)).toEqual(["refresh"]);
  });

  test("a name in UTF-8 arrives as it was sent", async () => {
    const { actions, calls } = recorder();
    const { url } = await open({ actions });
    const name = Buffer.from("Zoë Łukasz", "utf8").toString("latin1");
    await post(url, `/portals/${KEY}/refresh`, asUser(name, "admins"));
    expect(calls).toEqual([{ name: "refresh", key: KEY, by: { actor: "Zoë Łukasz" } }]);
  });
});

describe("permissions of a role", () => {
  const PATHS = ["refresh", "apply", "hold", "unhold"].map((each) => `/portals/${KEY}/${each}`);

  test("a viewer changes nothing, and sees no form", async () => {
    const { actions, calls } = recorder();
    const { url } = await open({ actions });
    for (const groups of [
      "staff",
      "",
      "admin",
      "//admins",
      "ops/admins",
      "Admins",
      "admins ops",
      "*",
      "__proto__",
    ]) {
      for (const path of PATHS) {
        const { status } = await post(url, path, asUser("eve", groups));
        expect([path, status]).toEqual([path, 403]);
      }
      expect(
        (await ask(url, { path: PATHS[3] ?? "", headers: asUser("eve", groups) })).status,
      ).toBe(403);
    }
    const page = await ask(url, { path: `/portals/${KEY}`, headers: asUser("eve", "staff") });
    expect(page.body).not.toMatch(/<form method="post"/);
    expect(calls).toEqual([]);
  });

  test("a group with a slash before it, as Keycloak writes it, is the same group", async () => {
    const { actions, calls } = recorder();
    const { url } = await open({ actions });
    expect((await ask(url, { headers: asUser("ana", "/staff") })).body).toContain(", viewer<");
    const operator = asUser("ana", "/staff,/admins");
    expect((await ask(url, { headers: operator })).body).toContain("operator of all portals");
    expect(await post(url, PATHS[0] ?? "", operator)).toMatchObject({ status: 303 });
    expect(calls).toHaveLength(1);
  });

  test("an operator of named portals acts on these alone", async () => {
    const { actions, calls } = recorder();
    const { url } = await open({ actions });
    const north = asUser("nora", "north");
    expect(await post(url, `/portals/${KEY}/refresh`, north)).toMatchObject({
      status: 303,
      headers: { location: `/portals/${KEY}` },
    });
    const other = "/portals/gis.example.com-portal-2/refresh";
    expect(await post(url, other, north)).toMatchObject({ status: 403 });
    expect(calls).toEqual([{ name: "refresh", key: KEY, by: { actor: "nora" } }]);
  });

  test("passes on the plan that the page shows, the reason and the end of a hold, and shows the result", async () => {
    const { actions, calls } = recorder();
    const { url } = await open({ actions });
    const ana = asUser("ana", "admins");
    const page = await ask(url, { path: `/portals/${KEY}`, headers: ana });
    expect(page.body).toMatch(/name="plan" value="p1"/);
    await post(url, `/portals/${KEY}/apply`, ana, "plan=p1");
    await post(url, `/portals/${KEY}/hold`, ana, "reason=The+servers+move.&hours=4");
    const confirm = await ask(url, { path: `/portals/${KEY}/unhold`, headers: ana });
    expect(confirm.body).toMatch(/name="plan" value="d1"/);
    await post(url, `/portals/${KEY}/unhold`, ana, "plan=d1");
    expect(calls).toEqual([
      { name: "apply", key: KEY, by: { actor: "ana", planDigest: "p1" } },
      {
        name: "hold",
        key: KEY,
        by: { actor: "ana", reason: "The servers move.", until: "2026-06-15T16:00:00.000Z" },
      },
      { name: "planAfterUnhold", key: KEY },
      { name: "unhold", key: KEY, by: { actor: "ana", planDigest: "d1" } },
    ]);
    const after = await ask(url, { path: `/portals/${KEY}`, headers: ana });
    expect(after.body).toContain("unhold is done.");
    const others = await ask(url, { path: `/portals/${KEY}`, headers: asUser("bob", "admins") });
    expect(others.body).not.toContain("is done.");
  });

  test("refuses actions of other sites, without an origin, and with GET", async () => {
    const { actions, calls } = recorder();
    const { url } = await open({ actions });
    const ana = asUser("ana", "admins");
    for (const path of PATHS) {
      const foreign = [
        { origin: "https://evil.example.com" },
        { origin: "null" },
        { origin: "http://lintel.example.com" },
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { host: "evil.example.com" },
      ];
      for (const headers of foreign) {
        const { status } = await post(url, path, { ...ana, ...headers });
        expect([403, 421]).toContain(status);
      }
      const bare = await ask(url, { method: "POST", path, headers: ana });
      expect(bare).toMatchObject({ status: 403 });
      const isPlan = path.endsWith("/unhold");
      if (!isPlan) expect(await ask(url, { path, headers: ana })).toMatchObject({ status: 405 });
    }
    expect(calls).toEqual([]);
  });

  test("there are no actions without --allow-actions", async () => {
    const { url } = await open();
    const ana = asUser("ana", "admins");
    for (const path of PATHS) expect((await post(url, path, ana)).status).toBe(404);
    const page = await ask(url, { path: `/portals/${KEY}`, headers: ana });
    expect(page.body).not.toMatch(/<form method="post"/);
  });

  test("limits actions to 30 a minute", async () => {
    const { actions, calls } = recorder();
    const { url, clock } = await open({ actions });
    const refresh = (name: string): Promise<Answered> =>
      post(url, `/portals/${KEY}/refresh`, asUser(name, "admins"));
    for (let count = 0; count < 30; count++) expect((await refresh("ana")).status).toBe(303);
    expect(await refresh("ana")).toMatchObject({ status: 429 });
    expect(await refresh("bob")).toMatchObject({ status: 303 });
    clock.nowMs += 60_000;
    expect(await refresh("ana")).toMatchObject({ status: 303 });
    expect(calls).toHaveLength(32);
  });
});

describe("several portals at once", () => {
  const OTHER = "gis.example.com-portal-2";
  const PATHS = ["/actions/refresh", "/actions/hold"];
  const both = `portal=${KEY}&portal=${OTHER}&reason=x&to=%2F%3Fstatus%3Ddrifted`;

  test("refreshes or holds those selected, counts each as an action, and shows the result on the list once", async () => {
    const { actions, calls } = recorder();
    const refresh: Actions["refresh"] = async (key, by) =>
      key === OTHER ? { message: "It is away.", isDone: false } : actions.refresh(key, by);
    const { url } = await open({ actions: { ...actions, refresh } });
    const ana = asUser("ana", "admins");
    const answer = await post(url, "/actions/refresh", ana, `${both}&portal=${KEY}`);
    expect(answer).toMatchObject({ status: 303, headers: { location: "/?status=drifted" } });
    const page = async () => (await ask(url, { headers: ana })).body;
    expect(await page()).toMatch(/1 of 2 portals done\.\s+<br \/>Harbour: It is away\./);
    expect(await page()).not.toContain("portals done");
    await post(url, "/actions/hold", ana, both);
    expect(calls.map(({ name, key }) => [name, key])).toEqual([
      ["refresh", KEY],
      ["hold", KEY],
      ["hold", OTHER],
    ]);
    const many = fleet().map(({ key }) => `portal=${key}`);
    expect((await post(url, "/actions/refresh", ana, many.join("&"))).status).toBe(303);
    expect((await post(url, "/actions/refresh", ana, many.slice(0, 3).join("&"))).status).toBe(429);
    expect((await post(url, "/actions/refresh", ana, many[0])).status).toBe(303);
  });

  test("refuses all of them if one is not the user's, does not exist, or the form is of another site", async () => {
    const { actions, calls } = recorder();
    const { url } = await open({ actions });
    const ana = asUser("ana", "admins");
    for (const path of PATHS) {
      expect((await post(url, path, asUser("nora", "north"), both)).status).toBe(403);
      expect((await post(url, path, asUser("eve", "staff"), both)).status).toBe(403);
      expect((await post(url, path, ana, `${both}&portal=x`)).status).toBe(404);
      expect((await post(url, path, ana, "x".repeat(20_000))).status).toBe(413);
      for (const headers of [
        { origin: "https://evil.example.com" },
        { "sec-fetch-site": "cross-site" },
      ])
        expect((await post(url, path, { ...ana, ...headers }, both)).status).toBe(403);
      expect((await ask(url, { path, headers: ana })).status).toBe(405);
      expect((await ask(url, { method: "POST", path, headers: ana, body: both })).status).toBe(403);
    }
    const evil = await post(url, "/actions/refresh", ana, "to=https%3A%2F%2Fevil.example.com");
    expect(evil.headers["location"]).toBe("/");
    expect(calls).toEqual([]);
  });

  test("offers checkboxes for the user's portals alone, and only the actions that are allowed", async () => {
    const { actions } = recorder();
    const { url } = await open({ actions, allowed: ["refresh"] });
    const boxes = async (groups: string) => {
      const { body } = await ask(url, { headers: asUser("ana", groups) });
      return [...body.matchAll(/name="portal"\s+value="([^"]*)"/g)].map(([, key]) => key);
    };
    expect(await boxes("north")).toEqual([KEY]);
    expect(await boxes("admins")).toHaveLength(24);
    expect(await boxes("staff")).toEqual([]);
    expect((await post(url, "/actions/hold", asUser("ana", "admins"), both)).status).toBe(404);
  });
});

describe("over a Unix socket", () => {
  const socketSaid = (socket: string) => ({ socket, isBehindAuthProxy: true, publicUrl: PUBLIC });

  function askSocket(socketPath: string, headers: Record<string, string>): Promise<number> {
    return new Promise((done, fail) => {
      send({ socketPath, path: "/api/portals", headers }, (response) => {
        response.resume().on("end", () => done(response.statusCode ?? 0));
      })
        .on("error", fail)
        .end();
    });
  }

  test("treats socket connections as the proxy's, and lets only owner and group open the socket", async () => {
    const folder = folderOf();
    onTestFinished(() => folder.remove());
    const socket = join(folder.path, "lintel.sock");
    await openBoard([seen(1)], socketSaid(socket), {}, undefined, { roles: ROLES });
    expect(statSync(socket).mode & 0o777).toBe(0o660);
    const user = { ...HOST, "x-forwarded-user": "ana", "x-forwarded-groups": "staff" };
    expect(await askSocket(socket, user)).toBe(200);
    expect(await askSocket(socket, HOST)).toBe(401);
    expect(await askSocket(socket, { ...user, host: "evil.example.com" })).toBe(421);
  });

  test("a secret that is set is needed there, too", async () => {
    const folder = folderOf();
    onTestFinished(() => folder.remove());
    const socket = join(folder.path, "lintel.sock");
    const env = { LINTEL_PROXY_SECRET: SECRET };
    await openBoard([seen(1)], socketSaid(socket), env, undefined, { roles: ROLES });
    const user = { ...HOST, "x-forwarded-user": "ana", "x-forwarded-groups": "staff" };
    expect(await askSocket(socket, user)).toBe(401);
    expect(await askSocket(socket, { ...user, "x-lintel-proxy-secret": SECRET })).toBe(200);
  });

  test("a socket that a killed process left is replaced, one in use and a file are not", async () => {
    const folder = folderOf();
    onTestFinished(() => folder.remove());
    const socket = join(folder.path, "lintel.sock");
    const first = await openBoard([seen(1)], socketSaid(socket));
    await expect(openBoard([seen(1)], socketSaid(socket))).rejects.toMatchObject({
      code: "wrong-usage",
    });
    await first.close();
    // A server that is closed removes its socket; one that was killed leaves it, as a rename does here.
    const left = join(folder.path, "left.sock");
    const server = createServer().listen(left);
    await once(server, "listening");
    const { renameSync } = await import("node:fs");
    renameSync(left, socket);
    server.close();
    await once(server, "close");
    await openBoard([seen(1)], socketSaid(socket));
    const file = join(folder.path, "file");
    writeFileSync(file, "kept");
    await expect(openBoard([seen(1)], socketSaid(file))).rejects.toMatchObject({
      code: "wrong-usage",
    });
  });
});

test.each<[string, object, Record<string, string>, RegExp]>([
  ["without secret or socket", {}, {}, /"--auth-proxy" needs LINTEL_PROXY_SECRET\.$/],
  ["with a short secret", {}, { LINTEL_PROXY_SECRET: "short" }, /fewer than 20/],
  [
    "without a public address",
    { publicUrl: undefined },
    { LINTEL_PROXY_SECRET: SECRET },
    /needs "--public-url"\.$/,
  ],
  ["without TLS", { isBehindTls: false }, { LINTEL_PROXY_SECRET: SECRET }, /needs "--behind-tls"/],
  [
    "with a port alone, and names all that is missing",
    { isBehindTls: false, publicUrl: undefined },
    {},
    /needs LINTEL_PROXY_SECRET, "--behind-tls" and "--public-url"\.$/,
  ],
  [
    "on a socket without a public address",
    { socket: "/tmp/never.sock", publicUrl: undefined, isBehindTls: false },
    {},
    /needs "--public-url"\.$/,
  ],
])("--auth-proxy does not start %s", async (_, said, env, message) => {
  const all = { isBehindTls: true, isBehindAuthProxy: true, publicUrl: PUBLIC, ...said };
  await expect(openBoard([seen(1)], all, env)).rejects.toThrow(message);
});
