// Who may see the dashboard: host and origin, token and cookie, and where it may listen at all.
import { describe, expect, test } from "vitest";
import { listeningOf, type ListeningOptions } from "../../../src/serve/dashboard/listening.js";
import { openTokenCheck } from "../../../src/serve/dashboard/token.js";
import { secret } from "../../../src/secret.js";
import { ask } from "./ask.js";
import { openBoard } from "./open.js";

const TOKEN = "0123456789abcdef0123456789abcdef";
const PUBLIC = "https://lintel.example.com";
const HOST = { host: "lintel.example.com" };
const BEARER = { authorization: `Bearer ${TOKEN}` };
const PATHS = [
  "/",
  "/portals/gis.example.com-portal-1",
  "/portals/gis.example.com-portal-1/home/anonymous",
  "/events",
  "/api/portals",
  "/api/portals/Harbour",
  "/metrics",
];

const open = (env = { LINTEL_SERVE_TOKEN: TOKEN }) =>
  openBoard(undefined, { isBehindTls: true, publicUrl: PUBLIC }, env);

describe("on this machine", () => {
  test.each([
    ["another name that leads here", { host: "evil.example.com" }, 421],
    ["another port", { host: "127.0.0.1:1" }, 421],
    ["the right name without its port", { host: "127.0.0.1" }, 421],
    ["a page of another host", { origin: "http://evil.example.com" }, 403],
    ["a page of another port", { origin: "http://127.0.0.1:1" }, 403],
    ["a page without an origin", { origin: "null" }, 403],
    ["a script of another site", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" }, 403],
    ["a script of another port", { "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" }, 403],
    [
      "a frame in a page of another site",
      {
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "iframe",
      },
      403,
    ],
  ])("%s gets nothing on any path", async (_, headers, status) => {
    const { url } = await openBoard();
    const { host } = new URL(url);
    for (const path of PATHS) {
      const answer = await ask(url, { path, headers: { host, ...headers } });
      expect(answer).toMatchObject({ status });
      expect(answer.body).not.toMatch(/<|portal-|district/);
    }
  });

  test("localhost is a name of its own, and a link of another site leads here", async () => {
    const { url } = await openBoard();
    const host = `localhost:${new URL(url).port}`;
    expect((await ask(url, { headers: { host, origin: `http://${host}` } })).status).toBe(200);
    const link = {
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
    };
    expect((await ask(url, { headers: { host, ...link } })).status).toBe(200);
  });

  test.each(["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])(
    "%s is refused on every path",
    async (method) => {
      const { url } = await openBoard();
      const { host } = new URL(url);
      for (const path of PATHS) {
        expect(await ask(url, { method, path, headers: { host } })).toMatchObject({
          status: 405,
          headers: { allow: "GET, HEAD" },
        });
      }
    },
  );

  test("HEAD answers as GET does, without a body", async () => {
    const { url } = await openBoard();
    const { host } = new URL(url);
    for (const path of PATHS) {
      const answer = await ask(url, { method: "HEAD", path, headers: { host } });
      expect(answer).toMatchObject({ status: 200, body: "" });
    }
  });

  test("answers 404 for other addresses", async () => {
    const { url } = await openBoard();
    const { host } = new URL(url);
    const others = [
      "/portals/",
      "/portals/x",
      "/portals/%",
      "/api/",
      "/token",
      "/../x",
      "//a/b",
      "/home",
    ];
    for (const path of [...others, "/portals/gis.example.com-portal-1/home/nobody"]) {
      expect(await ask(url, { path, headers: { host } })).toMatchObject({ status: 404 });
    }
    expect(await ask(url, { path: "http:", headers: { host } })).toMatchObject({ status: 400 });
  });

  test("every answer brings the headers that keep it to itself", async () => {
    const { url } = await openBoard();
    const { host } = new URL(url);
    for (const path of [...PATHS.filter((each) => each !== "/events"), "/healthz", "/nowhere"]) {
      const { headers } = await ask(url, { path, headers: { host } });
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        "referrer-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
      });
      expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; /);
      expect(headers["content-security-policy"]).not.toContain("unsafe");
      expect(headers).not.toHaveProperty("access-control-allow-origin");
    }
  });
});

describe("with a token", () => {
  test("without it the page only asks for it", async () => {
    const { url } = await open();
    for (const path of PATHS) {
      const answer = await ask(url, { path, headers: HOST });
      expect(answer).toMatchObject({ status: 401, headers: { "www-authenticate": "Bearer" } });
      expect(answer.body).not.toMatch(/district|Harbour|drift/);
    }
    const wrong = { ...HOST, authorization: `Bearer ${TOKEN.slice(1)}` };
    expect(await ask(url, { path: "/api/portals", headers: wrong })).toMatchObject({ status: 401 });
  });

  test("programs send it as Bearer, under any host name of the page", async () => {
    const { url } = await open();
    for (const path of ["/api/portals", "/metrics"]) {
      const found = { ...BEARER, host: "10.0.0.7:8080" };
      expect(await ask(url, { path, headers: found })).toMatchObject({ status: 200 });
    }
  });

  test("keeps a login as a cookie that is not the token, for this page only", async () => {
    const { url } = await open();
    const form = { ...HOST, origin: PUBLIC, "content-type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams({ token: TOKEN, to: "/portals/x?y=1" }).toString();
    const entered = await ask(url, { method: "POST", path: "/token", headers: form, body });
    expect(entered).toMatchObject({ status: 303, headers: { location: "/portals/x?y=1" } });
    const [cookie = ""] = entered.headers["set-cookie"] ?? [];
    expect(cookie).toMatch(
      /^__Host-lintel=\S+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(cookie).not.toContain(TOKEN.slice(0, 8));
    const kept = { ...HOST, cookie: `other=1; ${cookie.split(";")[0]}` };
    for (const path of PATHS.filter((each) => each !== "/events")) {
      expect(await ask(url, { path, headers: kept })).toMatchObject({ status: 200 });
    }
    const other = await open({ LINTEL_SERVE_TOKEN: `${TOKEN}0` });
    expect(await ask(other.url, { headers: kept })).toMatchObject({ status: 401 });
  });

  test("the form is taken from the page itself alone, and leads nowhere else", async () => {
    const { url } = await open();
    const body = new URLSearchParams({ token: TOKEN, to: "https://evil.example.com/" }).toString();
    const post = (headers: Record<string, string>, text = body) =>
      ask(url, { method: "POST", path: "/token", headers: { ...HOST, ...headers }, body: text });
    expect(await post({})).toMatchObject({ status: 403 });
    expect(await post({ origin: "https://evil.example.com" })).toMatchObject({ status: 403 });
    expect(await post({ origin: "null" })).toMatchObject({ status: 403 });
    const own = { origin: PUBLIC };
    for (const to of [
      "https://evil.example.com/",
      "//evil.example.com",
      "/\\evil.example.com",
      "",
    ]) {
      const text = new URLSearchParams({ token: TOKEN, to }).toString();
      expect(await post(own, text)).toMatchObject({ status: 303, headers: { location: "/" } });
    }
    expect(await post(own, "token=wrong")).toMatchObject({ status: 401 });
    expect(await post(own, `token=${"x".repeat(100_000)}`)).toMatchObject({ status: 413 });
  });

  test("refuses an address for a minute after wrong tokens, even with the right one", async () => {
    const { url, clock } = await open();
    const guess = (token: string) =>
      ask(url, { path: "/metrics", headers: { ...HOST, authorization: `Bearer ${token}` } });
    for (let count = 0; count < 10; count++) expect((await guess("wrong")).status).toBe(401);
    expect((await guess("wrong")).status).toBe(429);
    expect(await guess(TOKEN)).toMatchObject({ status: 429, headers: { "retry-after": "60" } });
    clock.nowMs += 60_000;
    expect((await guess(TOKEN)).status).toBe(200);
  });

  test("requires the token on this machine, too, if one is set", async () => {
    const { url } = await openBoard(undefined, {}, { LINTEL_SERVE_TOKEN: TOKEN });
    const { host } = new URL(url);
    expect(await ask(url, { headers: { host } })).toMatchObject({ status: 401 });
    expect(await ask(url, { headers: { host, ...BEARER } })).toMatchObject({ status: 200 });
  });
});

test("a cookie is over after a month, and one that was made up counts for nothing", () => {
  const clock = { nowMs: 1_000_000 };
  const gate = openTokenCheck(secret(TOKEN), () => clock.nowMs);
  const { value } = gate.makeCookie();
  expect(gate.isCookie(value)).toBe(true);
  const [untilMs = "", mac = ""] = value.split(".");
  for (const forged of [
    "",
    mac,
    `${Number(untilMs) + 1}.${mac}`,
    `${untilMs}.`,
    `${value}x`,
    undefined,
  ]) {
    expect(gate.isCookie(forged)).toBe(false);
  }
  clock.nowMs = Number(untilMs);
  expect(gate.isCookie(value)).toBe(false);
});

test("/healthz and /readyz are open under any name, and say nothing else", async () => {
  const { url, ready } = await open();
  const headers = { host: "10.0.0.7" };
  expect(await ask(url, { path: "/healthz", headers })).toMatchObject({
    status: 200,
    body: "ok\n",
  });
  expect(await ask(url, { path: "/readyz", headers })).toMatchObject({ status: 200, body: "ok\n" });
  ready.is = false;
  expect(await ask(url, { path: "/healthz", headers })).toMatchObject({
    status: 200,
    body: "ok\n",
  });
  expect(await ask(url, { path: "/readyz", headers })).toMatchObject({
    status: 503,
    body: "not ready\n",
  });
});

describe("addresses to listen on", () => {
  const set = { LINTEL_SERVE_TOKEN: TOKEN };
  const listen = (said: Partial<ListeningOptions>, env = {}) =>
    listeningOf(
      { port: 8080, host: "127.0.0.1", isBehindTls: false, isBehindAuthProxy: false, ...said },
      { env, cwd: "/" },
    );

  test.each(["127.0.0.1", "localhost", "::1", "127.0.0.2"])("at %s for everybody there", (host) => {
    expect(listen({ host })).toEqual({ port: 8080, host });
  });

  test.each<[string, Partial<ListeningOptions>, Record<string, string>, RegExp]>([
    ["no token", { host: "0.0.0.0", isBehindTls: true, publicUrl: PUBLIC }, {}, /TOKEN is not set/],
    [
      "no token behind a proxy here",
      { isBehindTls: true, publicUrl: PUBLIC },
      {},
      /TOKEN is not set/,
    ],
    ["no token, but a public address", { publicUrl: PUBLIC }, {}, /TOKEN is not set/],
    ["a token that can be guessed", {}, { LINTEL_SERVE_TOKEN: "short" }, /fewer than 20/],
    ["a token with blanks", {}, { LINTEL_SERVE_TOKEN: "a long one that holds blanks" }, /blanks/],
    ["no TLS", { host: "0.0.0.0", publicUrl: PUBLIC }, set, /without TLS/],
    ["no public address", { host: "0.0.0.0", isBehindTls: true }, set, /public address is missing/],
    [
      "an address without TLS",
      { isBehindTls: true, publicUrl: "http://x.example.com" },
      set,
      /must begin with https/,
    ],
    [
      "an address with a path",
      { isBehindTls: true, publicUrl: `${PUBLIC}/lintel` },
      set,
      /end with the host/,
    ],
    ["a certificate without a key", { tlsCert: "a.crt" }, set, /needs "--tls-key"/],
    ["a key without a certificate", { tlsKey: "a.key" }, set, /needs "--tls-cert"/],
    [
      "TLS twice",
      { tlsCert: "a", tlsKey: "b", isBehindTls: true },
      set,
      /Either Lintel terminates/,
    ],
  ])("not with %s", (_, said, env, message) => {
    expect(() => listen(said, env)).toThrow(message);
  });
});
