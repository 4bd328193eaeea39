// Reading, versions, tokens of both kinds and how they travel.
import { describe, expect, test } from "vitest";
import { catalog } from "../../src/catalog/catalog.js";
import { form, postForm, sandbox, type Driven, type Json } from "./drive.js";

const SETTINGS = {
  anonymousAccessNotice: { title: "Terms", enabled: true },
  authenticatedAccessNotice: { title: "Terms", enabled: true },
  informationalBanner: { text: "Read-only", enabled: true },
  portalConfigProperties: { footerLinks: [], tokenExpiration: 60, httpsDomains: ["a.example.com"] },
  blockBetaApps: true,
};

async function tokenFrom(s: Driven, more = {}): Promise<Json> {
  const { username, password } = s;
  const fields = { f: "json", username, password, client: "referer", referer: "lintel", ...more };
  return (await postForm(`${s.portalUrl}/generateToken`, fields)).json();
}

async function clientToken(s: Driven, more = {}): Promise<Json> {
  const fields = {
    f: "json",
    client_id: s.clientId,
    client_secret: s.clientSecret,
    grant_type: "client_credentials",
    ...more,
  };
  return (await postForm(`${s.portalUrl}/oauth2/token`, fields)).json();
}

describe("the root", () => {
  test.each(catalog.versions)(
    "of a portal of version %s tells what real ones do",
    async (version) => {
      const s = await sandbox({ version });
      const root: Json = await (await fetch(`${s.portalUrl}?f=json`)).json();
      const self: Json = await (await fetch(`${s.portalUrl}/portals/self?f=json`)).json();
      const index = catalog.versions.indexOf(version);
      expect("enterpriseVersion" in root).toBe(index >= catalog.versions.indexOf("11.3"));
      expect(self.currentVersion).toBe(root.currentVersion);
    },
  );

  test.each([
    ["10.8", "7.4"],
    ["10.9", "10.9"],
    ["11.3", "2024.1"],
    ["12.0", "2025.2"],
  ])("of version %s says %s", async (version, currentVersion) => {
    const s = await sandbox({ version });
    expect(await (await fetch(`${s.portalUrl}?f=json`)).json()).toMatchObject({ currentVersion });
  });

  test("tells a version between the known ones as it is", async () => {
    const s = await sandbox({ version: "11.5.2" });
    expect(await (await fetch(`${s.portalUrl}?f=json`)).json()).toMatchObject({
      enterpriseVersion: "11.5.2",
      currentVersion: "11.5",
    });
  });

  test("of a hosted organisation names no enterprise version", async () => {
    const s = await sandbox({ deployment: "hosted-online" });
    const root = await (await fetch(`${s.portalUrl}/?f=json`)).json();
    expect(root).not.toHaveProperty("enterpriseVersion");
    const self = await (await fetch(`${s.portalUrl}/portals/self?f=json`)).json();
    expect(self).toMatchObject({ isPortal: false, id: "0123456789ABCDEF" });
  });

  test("has no other resource", async () => {
    const { portalUrl } = await sandbox();
    expect((await fetch(`${portalUrl}/nothing?f=json`)).status).toBe(404);
  });
});

describe("reading the settings", () => {
  test("as an administrator shows everything", async () => {
    const s = await sandbox();
    s.change("self", { ...SETTINGS, somethingNew: 1 });
    expect(await s.read()).toMatchObject({ ...SETTINGS, somethingNew: 1, culture: "en" });
  });

  test("without a token shows what the pages are made from", async () => {
    const s = await sandbox();
    s.change("self", { ...SETTINGS, somethingNew: 1 });
    const { culture, defaultExtent, allowedRedirectUris, featuredGroups, helperServices, ...rest } =
      await s.read({ headers: {} });
    expect([culture, allowedRedirectUris, featuredGroups]).toEqual(["en", [], []]);
    expect(Object.keys(defaultExtent).length + Object.keys(helperServices).length).toBe(6);
    const { blockBetaApps: _, ...shown } = SETTINGS;
    expect(rest).toEqual({ ...shown, portalConfigProperties: { footerLinks: [] } });
  });

  test("as a member shows the booleans too", async () => {
    const s = await sandbox();
    s.change("self", SETTINGS);
    s.addAccount({ username: "ada", password: "secret", role: "member" });
    const { token } = await tokenFrom(s, { username: "ada", password: "secret" });
    const headers = { authorization: `Bearer ${token}`, referer: "lintel" };
    const found = await s.read({ headers });
    expect(found).toHaveProperty("blockBetaApps", true);
    expect(found.portalConfigProperties).toEqual({ footerLinks: [] });
  });

  test("with a token that is not good is no anonymous view", async () => {
    const s = await sandbox();
    expect((await s.read({ headers: { authorization: "Bearer x" } })).error.code).toBe(498);
  });

  test.each(["html", "json", "pjson"])("answers in %s", async (f) => {
    const s = await sandbox();
    s.change("self", { informationalBanner: { text: "<script>" } });
    const response = await fetch(`${s.portalUrl}/portals/self/settings?f=${f}`);
    const text = await response.text();
    expect(text).toContain(f === "html" ? "&lt;script&gt;" : "<script>");
    expect(text.includes("\n  ")).toBe(f !== "json");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("of a portal that is not there is an error", async () => {
    expect((await (await sandbox()).read({ portal: "portal-1" })).error.code).toBe(404);
  });
});

describe("a token travels", () => {
  const NEGOTIATED = { authorization: "Negotiate YII" };

  test.each([
    ["in Authorization", (token: string) => ({ headers: { authorization: `Bearer ${token}` } })],
    [
      "in X-Esri-Authorization, beside what a web tier needs",
      (token: string) => ({
        headers: { ...NEGOTIATED, "x-esri-authorization": `Bearer ${token}` },
      }),
    ],
    ["as a form field", (token: string) => ({ headers: NEGOTIATED, fields: { token } })],
    ["in the query", (token: string) => ({ headers: {}, query: `?token=${token}` })],
  ])("%s", async (_, carry) => {
    const s = await sandbox();
    const how: { headers: Record<string, string>; fields?: object; query?: string } = carry(
      await s.token(),
    );
    const response = await fetch(`${s.portalUrl}/portals/self/settings/update${how.query ?? ""}`, {
      method: "POST",
      headers: how.headers,
      body: form({ f: "json", ...how.fields }),
    });
    expect(await response.json()).toEqual({ success: true });
  });
});

describe("the portal's own token", () => {
  test("bound to a referer is good with that Referer alone", async () => {
    const s = await sandbox();
    const { token, expires, ssl } = await tokenFrom(s);
    expect(expires).toBeGreaterThan(Date.now());
    expect(ssl).toBe(true);
    expect(token).not.toMatch(/^eyJ.*\..*\./);
    const authorization = `Bearer ${token}`;
    const ask = async (headers: Record<string, string>) =>
      Object.keys(await s.update({}, { headers: { authorization, ...headers } }));
    expect(await ask({ referer: "lintel" })).toEqual(["success"]);
    expect(await ask({})).toEqual(["error"]);
    expect(await ask({ referer: "another" })).toEqual(["error"]);
  });

  test("bound to the client's address needs no Referer", async () => {
    const s = await sandbox();
    const { token } = await tokenFrom(s, { client: "requestip" });
    expect(await s.update({ token }, { headers: {} })).toEqual({ success: true });
  });

  test("lives as many minutes as were asked for, else two hours", async () => {
    const now = Date.UTC(2030, 0, 1);
    const s = await sandbox({ now: () => now });
    expect((await tokenFrom(s)).expires - now).toBe(120 * 60_000);
    expect((await tokenFrom(s, { expiration: "5" })).expires - now).toBe(5 * 60_000);
    expect((await tokenFrom(s, { expiration: "9999999" })).expires - now).toBe(20160 * 60_000);
  });

  test.each([
    ["a wrong password", { password: "wrong" }],
    ["no referer", { referer: "" }],
    ["another kind of client", { client: "ip" }],
    ["no number of minutes", { expiration: "soon" }],
  ])("is not made with %s", async (_, change) => {
    expect((await tokenFrom(await sandbox(), change)).error.code).toBe(400);
  });

  test("is not made for an inactive account", async () => {
    const s = await sandbox();
    s.setActive(s.username, false);
    expect((await tokenFrom(s)).error.code).toBe(403);
  });

  test("is not made by GET", async () => {
    const { portalUrl } = await sandbox();
    const response = await fetch(`${portalUrl}/generateToken?f=json&username=a&password=b`);
    expect(await response.json()).toMatchObject({ error: { code: 405 } });
  });

  test.each([
    ["11.3", "error"],
    ["11.4", "success"],
  ])("of an application at %s ends an update in %s", async (version, outcome) => {
    const s = await sandbox({ version });
    const { access_token: token, expires_in: seconds } = await clientToken(s);
    expect(seconds).toBeGreaterThan(7000);
    expect(Object.keys(await s.update({ token }, { headers: {} }))).toEqual([outcome]);
  });

  test.each([
    ["a wrong id", { client_id: "x" }],
    ["a wrong secret", { client_secret: "x" }],
    ["another grant", { grant_type: "password" }],
  ])("is not made for an application with %s", async (_, change) => {
    expect((await clientToken(await sandbox(), change)).error.code).toBe(400);
  });

  test("is not the browser's session", async () => {
    const s = await sandbox();
    const { username, password } = s;
    const response = await postForm(s.browserUrl, { username, password });
    const token = /=([^;]+)/.exec(response.headers.get("set-cookie") ?? "")?.[1] ?? "";
    expect((await s.update({ token }, { headers: {} })).error.code).toBe(498);
  });
});
