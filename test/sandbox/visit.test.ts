// The home page over HTTP: what a visitor and a signed-in account meet.
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/lib/json.js";
import { postForm, sandbox } from "./drive.js";

const SETTINGS = {
  informationalBanner: { text: 'Read-only <img src=x onerror="x">', enabled: true },
  anonymousAccessNotice: { title: "For strangers", text: "x", enabled: true },
  authenticatedAccessNotice: { title: "For members", text: "x", enabled: true },
};

test("a visitor is asked, and gets in by accepting alone", async () => {
  const s = await sandbox();
  s.change("self", SETTINGS);
  const page = async (query = "") => (await fetch(`${s.url}/${query}`)).text();
  expect(await page()).toMatch(/<dialog[^]*For strangers/);
  expect(await page("?notice=accepted")).not.toContain("<dialog");
  expect(await page("?notice=declined")).toContain("You declined");
});

test("an account that signed in meets the other notice, and signs out again", async () => {
  const s = await sandbox();
  s.change("self", SETTINGS);
  const { username, password } = s;
  const signedIn = await postForm(`${s.browserUrl}?then=/`, { username, password });
  const set = signedIn.headers.get("set-cookie") ?? "";
  expect(set).toContain("HttpOnly; SameSite=Lax");
  const cookie = set.split(";")[0] ?? "";
  const page = await (await fetch(s.url, { headers: { cookie } })).text();
  expect(page).toContain("For members");
  expect(page).toContain("Sign out");
  const out = await fetch(`${s.url}/sign-out`, { redirect: "manual" });
  expect(out.headers.get("set-cookie")).toContain("Max-Age=0");
});

test("a wrong password brings the page back with the reason", async () => {
  const s = await sandbox();
  const response = await postForm(s.browserUrl, { username: s.username, password: "<b>" });
  expect(response.status).toBe(401);
  expect(await response.text()).toContain("is wrong");
});

test.each(["http://evil.example.com", "null", "http://127.0.0.1"])(
  "a form that comes from %s signs nobody in",
  async (origin) => {
    const s = await sandbox();
    const { username, password } = s;
    const response = await postForm(s.browserUrl, { username, password }, { origin });
    expect(response.status).toBe(403);
    expect(response.headers.get("set-cookie")).toBeNull();
    const own = await postForm(s.browserUrl, { username, password }, { origin: s.url });
    expect(own.status).toBe(302);
  },
);

test.each([
  ["in the usual way", {}, 120],
  ['with "Keep me signed in"', { persistent: "true" }, 20_160],
  ["in the usual way, where a life is set", {}, 7, { tokenExpiration: 7 }],
  ['with "Keep me signed in", likewise', { persistent: "true" }, 9, { longTokenExpiration: 9 }],
])(
  "who signs in %s stays so for the documented minutes",
  async (_, ticked, minutes, set: JsonObject = {}) => {
    let now = Date.UTC(2030, 0, 1);
    const s = await sandbox({ now: () => now });
    s.change("self", { portalConfigProperties: set });
    expect(await (await fetch(s.browserUrl)).text()).toMatch(/name="persistent"[^<]*> Keep me/);
    const { username, password } = s;
    const signedIn = await postForm(s.browserUrl, { username, password, ...ticked });
    const cookie = signedIn.headers.get("set-cookie") ?? "";
    expect(cookie).toContain(`Max-Age=${minutes * 60}`);
    const headers = { cookie: cookie.split(";")[0] ?? "" };
    const home = async () => (await fetch(s.url, { headers })).text();
    now += minutes * 60_000 - 1000;
    expect(await home()).toContain("Sign out");
    now += 1000;
    expect(await home()).toContain("Sign in");
  },
);

test("every portal has its home", async () => {
  const s = await sandbox({ portals: 2 });
  s.change("portal-2", SETTINGS);
  expect(await (await fetch(`${s.url}/home/portal-2`)).text()).toContain("For strangers");
  expect(await (await fetch(`${s.url}/home/portal-1`)).text()).not.toContain("For strangers");
  expect((await fetch(`${s.url}/home/portal-3`)).status).toBe(404);
  expect(await (await fetch(s.url)).text()).toContain('href="/home/portal-2"');
});

test("texts are text, under a policy that would run nothing", async () => {
  const s = await sandbox();
  s.change("self", SETTINGS);
  const response = await fetch(s.url);
  expect(await response.text()).toContain("&lt;img src=x onerror=&quot;x&quot;&gt;");
  expect(response.headers.get("content-security-policy")).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  );
});
