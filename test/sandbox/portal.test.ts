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
      const { enterpriseBuild: _, ...told } = root;
      expect(self).toMatchObject(told);
      // No release is made up where the reference does not know it.
      const known = catalog.releases.find((each) => each.version === version);
      expect(root.currentVersion).toBe(known?.release);
      expect(self.currentVersion).toBe(known?.release);
    },
  );

  test.each([
    ["10.8", { currentVersion: "7.4" }],
    ["10.9", {}],
    ["11.3", { currentVersion: "2024.1", enterpriseVersion: "11.3.0", enterpriseBuild: "51526" }],
    ["11.4", { enterpriseVersion: "11.4.0" }],
    ["11.5", { currentVersion: "2025.1", enterpriseVersion: "11.5.0", enterpriseBuild: "56755" }],
    ["12.0", { currentVersion: "2025.2", enterpriseVersion: "12.0.0" }],
  ])("of version %s says %j", async (version, told) => {
    const s = await sandbox({ version });
    expect(await (await fetch(`${s.portalUrl}?f=json`)).json()).toEqual(told);
  });

  test("shows a version between the known ones unchanged", async () => {
    const s = await sandbox({ version: "11.5.2" });
    expect(await (await fetch(`${s.portalUrl}?f=json`)).json()).toEqual({
      enterpriseVersion: "11.5.2",
    });
  });

  test("of a hosted organisation names no enterprise version", async () => {
    const s = await sandbox({ deployment: "hosted-online" });
    const root = await (await fetch(`${s.portalUrl}/?f=json`)).json();
    expect(root).not.toHaveProperty("enterpriseVersion");
    const self = await (await fetch(`${s.portalUrl}/portals/self?f=json`)).json();
    expect(self).toMatchObject({ isPortal: false, id: "0123456789ABCDEF" });
    expect(self).not.toHaveProperty("enterpriseVersion");
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
    for (const bound of [{ client: "requestip" }, { client: "ip", ip: "127.0.0.1" }]) {
      const { token } = await tokenFrom(s, bound);
      expect(await s.update({ token }, { headers: {} })).toEqual({ success: true });
    }
  });

  test("bound to another address is refused", async () => {
    const s = await sandbox();
    const { token } = await tokenFrom(s, { client: "ip", ip: "192.0.2.1" });
    expect((await s.update({ token }, { headers: {} })).error.code).toBe(498);
  });

  test("lives as many minutes as were asked for, else two hours", async () => {
    const now = Date.UTC(2030, 0, 1);
    const s = await sandbox({ now: () => now });
    expect((await tokenFrom(s)).expires - now).toBe(120 * 60_000);
    expect((await tokenFrom(s, { expiration: "5" })).expires - now).toBe(5 * 60_000);
    expect((await tokenFrom(s, { expiration: "9999999" })).expires - now).toBe(20160 * 60_000);
  });

  test("lives as long as the portal's own settings say", async () => {
    const now = Date.UTC(2030, 0, 1);
    const s = await sandbox({ now: () => now });
    await s.update({ portalConfigProperties: { tokenExpiration: 7, longTokenExpiration: 30 } });
    const minutes = async (more = {}) => ((await tokenFrom(s, more)).expires - now) / 60_000;
    expect([await minutes(), await minutes({ expiration: "20" })]).toEqual([7, 20]);
    expect(await minutes({ expiration: "31" })).toBe(30);
    expect((await clientToken(s)).expires_in).toBe(7 * 60);
    const { username, password } = s;
    const signedIn = await postForm(s.browserUrl, { username, password });
    expect(signedIn.headers.get("set-cookie")).toContain(`Max-Age=${7 * 60}`);
  });

  test("ends when it is revoked, and no other does", async () => {
    const s = await sandbox();
    const revoke = async (token: string) =>
      (
        await postForm(`${s.portalUrl}/oauth2/revokeToken/`, { f: "json", auth_token: token })
      ).json() as Json;
    const [one, other] = [(await clientToken(s)).access_token, (await clientToken(s)).access_token];
    expect(await revoke(one)).toEqual({ success: true });
    expect((await s.update({ token: one }, { headers: {} })).error.code).toBe(498);
    expect(await s.update({ token: other }, { headers: {} })).toEqual({ success: true });
    expect((await revoke(one)).error.code).toBe(498);
    // The sign-in service's own is not the portal's to end.
    expect((await revoke(await s.token())).error.code).toBe(498);
    expect(await s.update({})).toEqual({ success: true });
  });

  test.each([
    ["a wrong password", { password: "wrong" }],
    ["no referer", { referer: "" }],
    ["another kind of client", { client: "browser" }],
    ["an address that is none", { client: "ip", ip: "here" }],
    ["no address", { client: "ip" }],
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
