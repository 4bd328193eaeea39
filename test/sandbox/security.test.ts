// The page that tells an administrator of a banner that is hard to read.
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/lib/json.js";
import { postForm, sandbox, type Driven } from "./drive.js";

async function cookieOf(s: Driven, username = s.username, password = s.password): Promise<string> {
  const signedIn = await postForm(s.browserUrl, { username, password });
  return (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

const banner = (bgColor: string, fontColor: string): JsonObject => ({
  informationalBanner: { text: "Read-only <b>", bgColor, fontColor, enabled: true },
});

test.each([
  ["yellow", "white", true, "1.07:1"],
  ["#777777", "white", true, "4.47:1"],
  ["#b30000", "white", false, "7.19:1"],
  ["white", "black", false, "21.00:1"],
])("%s under %s warns of insufficient contrast: %s", async (ground, letters, warns, ratio) => {
  const s = await sandbox();
  // Any colour is accepted: the warning is no error.
  expect(await s.update(banner(ground, letters))).toEqual({ success: true });
  const headers = { cookie: await cookieOf(s) };
  const page = await (await fetch(`${s.url}/home/self/security`, { headers })).text();
  expect(page.includes("Insufficient contrast")).toBe(warns);
  expect(page).toContain(ratio);
  expect(page).toContain("Read-only &lt;b&gt;");
  expect(await (await fetch(s.url, { headers })).text()).toContain('href="/home/self/security"');
});

test("does not measure an unknown colour, and does not warn of a banner that was never set", async () => {
  const s = await sandbox({ portals: 1 });
  s.change("self", banner("ocean", "white"));
  const headers = { cookie: await cookieOf(s) };
  const page = async (id: string) =>
    (await fetch(`${s.url}/home/${id}/security`, { headers })).text();
  expect(await page("self")).toContain("Contrast not measured");
  expect(await page("portal-1")).toContain("None was ever set");
  for (const id of ["self", "portal-1"]) {
    expect(await page(id)).not.toContain("Insufficient contrast");
  }
});

test("it stands below the banner, behind the notice and above the footer, like every page", async () => {
  const s = await sandbox();
  s.change("self", {
    ...banner("red", "white"),
    authenticatedAccessNotice: { title: "For members", text: "x", enabled: true },
    portalConfigProperties: { footerLinks: [{ title: "Legal", url: "https://www.example.org" }] },
  });
  const headers = { cookie: await cookieOf(s) };
  const page = async (query = "") =>
    (await fetch(`${s.url}/home/self/security${query}`, { headers })).text();
  expect(await page()).toMatch(/<aside class="banner"[^]*inert[^]*Legal[^]*<dialog[^]*For members/);
  expect(await page("?notice=accepted")).not.toContain("<dialog");
  expect(await page("?notice=accepted")).toMatch(/<h1>Security settings<[^]*<footer[^]*Legal/);
  expect(await page("?notice=declined")).not.toContain("<h1>Security settings<");
});

test("it is for administrators alone", async () => {
  const s = await sandbox();
  s.addAccount({ username: "ada", password: "secret", role: "member" });
  const url = `${s.url}/home/self/security`;
  const visitor = await fetch(url, { redirect: "manual" });
  expect([visitor.status, visitor.headers.get("location")]).toEqual([
    302,
    "/sign-in?then=%2Fhome%2Fself%2Fsecurity",
  ]);
  const headers = { cookie: await cookieOf(s, "ada", "secret") };
  expect((await fetch(url, { headers })).status).toBe(403);
  expect((await fetch(`${s.url}/home/portal-9/security`)).status).toBe(404);
});
