// Every row of the sign-in reference, and what real services add to it.
import { describe, expect, test } from "vitest";
import { catalog } from "../../src/catalog/catalog.js";
import type { OperationName } from "../../schemas/names.js";
import { readSwitches } from "../../src/sandbox/options.js";
import { countCall } from "../../src/sandbox/sign-in/sign-in.js";
import type { Driven, Json } from "./drive.js";
import { postForm, postJson, sandbox } from "./drive.js";

/** A request that each operation answers with 200. */
const GOOD: Readonly<Record<OperationName, (s: Driven, url: string) => Promise<Response>>> = {
  auth: (s, url) => postJson(url, { username: s.username, password: s.password }),
  login: (s, url) => postJson(url, { username: s.username, password: s.password }),
  loginadmin: (s, url) => postJson(url, { BEID: s.beid, WebServicesKey: s.webServicesKey }),
  loginsso: async (s, url) => fetch(url, { headers: { cookie: await browserCookie(s) } }),
  getuser: async (s, url) =>
    fetch(url, { headers: { authorization: `Bearer ${await s.token()}` } }),
};

async function browserCookie(s: Driven): Promise<string> {
  const { username, password } = s;
  const response = await postForm(`${s.browserUrl}?then=/`, { username, password });
  expect(response.status).toBe(302);
  return (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

const good = (s: Driven, name: string) => {
  const operation = catalog.operations.find((each) => each.name === name);
  return GOOD[name as OperationName](s, `${s.signInUrl}${operation?.path}`);
};

describe.each(catalog.operations)("$method $path ($name)", (operation) => {
  const { name, method, path } = operation;

  test("answers", async () => {
    expect((await good(await sandbox(), name)).status).toBe(200);
  });

  test("refuses another method", async () => {
    const { signInUrl } = await sandbox();
    const response = await fetch(`${signInUrl}${path}`, {
      method: method === "GET" ? "POST" : "GET",
    });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe(method);
  });
});

const bySeconds = catalog.operations.map(({ limit, ...each }) => ({
  ...each,
  calls: limit?.calls ?? Infinity,
  seconds: limit?.seconds ?? 0,
}));

test.each(bySeconds.filter(({ calls }) => calls === Infinity))(
  "$method $path has no documented limit: the 61st call passes",
  async ({ name, path }) => {
    const s = await sandbox();
    for (let call = 0; call < 60; call++) await fetch(`${s.signInUrl}${path}`);
    expect((await good(s, name)).status).toBe(200);
  },
);

describe.each(bySeconds.filter(({ calls }) => calls < Infinity))("$method $path", (operation) => {
  const { name, method, path, calls, seconds } = operation;

  test(`lets ${calls} calls pass in ${seconds} s, and more once they are over`, async () => {
    let now = Date.UTC(2030, 0, 1);
    const s = await sandbox({ now: () => now });
    // A sign-in before getuser would not count among its calls.
    if (name === "getuser") await s.token();
    for (let call = 1; call <= calls; call++) {
      const { status, headers } = await good(s, name);
      expect(status).toBe(200);
      expect(headers.get("x-ratelimit-limit")).toBe(String(calls));
      expect(headers.get("x-ratelimit-remaining")).toBe(String(calls - call));
    }
    const over = await good(s, name);
    expect(over.status).toBe(429);
    const reset = Date.parse(over.headers.get("x-ratelimit-reset") ?? "");
    expect(reset).toBe(now + seconds * 1000);
    expect(Date.parse(over.headers.get("date") ?? "")).toBe(now);
    now = reset - 1;
    expect((await good(s, name)).status).toBe(429);
    now = reset;
    expect((await good(s, name)).status).toBe(200);
  });

  test("does not use up the calls of another operation", async () => {
    const s = await sandbox();
    const other = catalog.operations.find((each) => each.name !== name && each.limit);
    for (let call = 0; call <= calls; call++) {
      await fetch(`${s.signInUrl}${path}`, { method, body: method === "POST" ? "{}" : null });
    }
    expect((await good(s, name)).status).toBe(429);
    expect((await good(s, other?.name ?? "")).status).toBe(200);
  });
});

test("the calls of each client address are counted by themselves", () => {
  const context = { calls: new Map(), switches: readSwitches({ now: () => 0 }) };
  for (const operation of catalog.operations.filter((each) => each.limit)) {
    const isWithin = (address: string) => countCall(context, operation, address).isWithin;
    for (let call = 0; call < (operation.limit?.calls ?? 0); call++) isWithin("192.0.2.1");
    expect([isWithin("192.0.2.1"), isWithin("192.0.2.2")]).toEqual([false, true]);
  }
});

describe("signing in", () => {
  test.each(catalog.operations.filter((each) => each.answer === "token"))(
    "by $name gives a JWT that holds for a day, as plain text",
    async ({ name }) => {
      const response = await good(await sandbox(), name);
      expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      const [header, payload, seal] = (await response.text()).split(".");
      expect(seal).toBeTruthy();
      const decode = (part = ""): Json => JSON.parse(Buffer.from(part, "base64url").toString());
      expect(decode(header)).toEqual({ alg: "HS256", typ: "JWT" });
      expect(decode(payload).exp - decode(payload).iat).toBe(24 * 60 * 60);
    },
  );

  test("getuser names the account", async () => {
    const response = await good(await sandbox(), "getuser");
    expect(await response.json()).toMatchObject({ FullName: "API User", IsActive: true });
  });

  test.each([
    ["a wrong key", { WebServicesKey: "00000000-0000-0000-0000-000000000000" }, 401],
    ["a wrong BEID", { BEID: "00000000-0000-0000-0000-000000000000" }, 401],
    ["no key", { WebServicesKey: undefined }, 400],
    ["a key that is no text", { WebServicesKey: 7 }, 400],
  ])("with %s is refused", async (_, change, status) => {
    const s = await sandbox();
    const body = { BEID: s.beid, WebServicesKey: s.webServicesKey, ...change };
    expect((await postJson(`${s.signInUrl}/api/auth/loginadmin`, body)).status).toBe(status);
  });

  test.each(["auth", "auth/login"])("%s refuses a wrong password", async (path) => {
    const s = await sandbox();
    const body = { username: s.username, password: "wrong" };
    expect((await postJson(`${s.signInUrl}/api/${path}`, body)).status).toBe(401);
  });

  test.each([
    ["a form", "application/x-www-form-urlencoded", "BEID=a", 415],
    ["broken JSON", "application/json", "{", 400],
    ["JSON that is no object", "application/json", "[]", 400],
  ])("with %s is refused", async (_, type, body, status) => {
    const { signInUrl } = await sandbox();
    const headers = { "content-type": type };
    const response = await postJson(`${signInUrl}/api/auth/loginadmin`, body, headers);
    expect(response.status).toBe(status);
  });

  test("needs an active account, and says that it is not", async () => {
    const s = await sandbox();
    s.setActive(s.beid, false);
    const response = await good(s, "loginadmin");
    expect(response.status).toBe(403);
    expect(await response.text()).toContain("not active");
    s.setActive(s.beid, true);
    expect((await good(s, "loginadmin")).status).toBe(200);
  });

  test("through single sign-on needs a browser's session", async () => {
    const s = await sandbox();
    const url = `${s.signInUrl}/api/auth/loginsso`;
    expect((await fetch(url)).status).toBe(401);
    const headers = { accept: "text/html" };
    const response = await fetch(url, { headers, redirect: "manual" });
    expect(response.status).toBe(302);
    const page = await fetch(new URL(response.headers.get("location") ?? "", s.url));
    expect(await page.text()).toContain('type="password"');
  });

  test("in a browser leads to no other site", async () => {
    const s = await sandbox();
    const { username, password } = s;
    for (const then of [
      "//example.com",
      "https://example.com/",
      "/\\example.com",
      "javascript:1",
    ]) {
      const url = `${s.browserUrl}?then=${encodeURIComponent(then)}`;
      const response = await postForm(url, { username, password });
      expect(response.headers.get("location")).toBe("/");
    }
  });

  test.each([
    ["no token", undefined],
    ["a broken token", "abc"],
    ["a token with a foreign seal", "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhIn0.c2VhbA"],
  ])("is needed before getuser: %s is refused", async (_, token) => {
    const { signInUrl } = await sandbox();
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
    expect((await fetch(`${signInUrl}/api/auth/getuser`, { headers })).status).toBe(401);
  });

  test("holds for 24 hours", async () => {
    let now = Date.UTC(2030, 0, 1);
    const s = await sandbox({ now: () => now });
    await s.token();
    now += 24 * 60 * 60 * 1000 - 1000;
    expect((await good(s, "getuser")).status).toBe(200);
    now += 1000;
    expect((await good(s, "getuser")).status).toBe(401);
  });

  test("at an address that is no operation gets 404", async () => {
    const { signInUrl } = await sandbox();
    expect((await fetch(`${signInUrl}/api/auth/logout`)).status).toBe(404);
  });
});
