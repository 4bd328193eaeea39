// The update as an operation: its formats, methods and portals, what it leaves alone, and whom it refuses.
import { describe, expect, test } from "vitest";
import { catalog } from "../../src/catalog/catalog.js";
import { postForm, sandbox, type Json } from "./drive.js";

const SUCCESS = { success: true };
const BANNER = { text: "Read-only", bgColor: "#b30000", fontColor: "white", enabled: true };

describe("the operation", () => {
  const url = (root: string) => `${root}${catalog.update.path.replace("<portal_id>", "self")}`;

  test.each(catalog.formats)("answers in the format $name", async ({ name }) => {
    const s = await sandbox();
    const fields = { token: await s.token(), f: name, informationalBanner: BANNER };
    const response = await postForm(url(s.portalUrl), fields);
    const expected: Readonly<Record<string, readonly [string, RegExp]>> = {
      html: ["text/html; charset=utf-8", /<h1>Update settings<\/h1>[^]*were updated/],
      json: ["application/json; charset=utf-8", /^\{"success":true\}$/],
      pjson: ["application/json; charset=utf-8", /^\{\n {2}"success": true\n\}$/],
    };
    expect(response.headers.get("content-type")).toBe(expected[name]?.[0]);
    expect(await response.text()).toMatch(expected[name]?.[1] ?? "");
  });

  test("answers in HTML where no format is named", async () => {
    const s = await sandbox();
    const response = await postForm(url(s.portalUrl), { token: await s.token() });
    expect(response.headers.get("content-type")).toContain("text/html");
  });

  test("refuses a format that the reference does not list", async () => {
    const s = await sandbox();
    const response = await postForm(url(s.portalUrl), { token: await s.token(), f: "xml" });
    expect(await response.text()).toContain("Invalid format");
  });

  test(`takes ${catalog.update.contentType} alone`, async () => {
    const s = await sandbox();
    const response = await fetch(`${url(s.portalUrl)}?f=json`, {
      method: "POST",
      headers: { authorization: `Bearer ${await s.token()}`, "content-type": "application/json" },
      body: JSON.stringify({ informationalBanner: BANNER }),
    });
    expect(await response.json()).toMatchObject({ error: { code: 400 } });
    expect(s.settings()).toEqual({});
  });

  test(`takes ${catalog.update.method} alone`, async () => {
    const s = await sandbox();
    const response = await fetch(`${url(s.portalUrl)}?f=json`);
    expect(await response.json()).toMatchObject({ error: { code: 405 } });
  });

  test(`exists from ${catalog.update.introduced}, and no sandbox is older`, async () => {
    await expect(sandbox({ version: "10.7" })).rejects.toMatchObject({ code: "wrong-usage" });
    const s = await sandbox({ version: catalog.update.introduced });
    expect(await s.update({ informationalBanner: BANNER })).toEqual(SUCCESS);
  });

  test("knows the portal by its id, by self and beside it", async () => {
    const s = await sandbox({ portals: 2 });
    await s.update({ informationalBanner: BANNER }, { portal: "0123456789ABCDEF" });
    expect(await s.read()).toHaveProperty("informationalBanner");
    await s.update({ blockBetaApps: true }, { portal: "portal-2" });
    expect(s.settings("portal-2")).toEqual({ blockBetaApps: true });
    expect(s.settings("portal-1")).toEqual({});
    expect((await s.update({}, { portal: "portal-3" })).error.code).toBe(404);
  });

  test("changes nothing when one of its parameters is wrong", async () => {
    const s = await sandbox();
    await s.update({ informationalBanner: BANNER, blockBetaApps: "perhaps" });
    expect(s.settings()).toEqual({});
  });

  test("keeps an object for which an empty one is sent", async () => {
    const s = await sandbox();
    await s.update({ informationalBanner: BANNER });
    await s.update({ informationalBanner: {} });
    expect(s.settings()).toEqual({ informationalBanner: BANNER });
  });

  test("stores a text of 100 kB and every kind of character", async () => {
    const s = await sandbox();
    const text = `<script>"quotes" & 'more' \u{1F5FA} \r\n ${"ü".repeat(100_000)}`;
    await s.update({ informationalBanner: { text } });
    expect((await s.read()).informationalBanner.text).toBe(text);
  });

  test("keeps __proto__ a plain name", async () => {
    const s = await sandbox({ unknown: "store" });
    await s.update({ informationalBanner: '{"__proto__":{"enabled":true}}', constructor: "1" });
    expect(Object.keys(await s.read())).toContain("constructor");
    expect(JSON.stringify(s.settings())).toContain("__proto__");
  });

  test("shows an error as a page", async () => {
    const { portalUrl } = await sandbox();
    const response = await postForm(url(portalUrl), {});
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('role="alert">Token Required');
  });

  test("takes no browser's session: any page could make a browser send its cookie", async () => {
    const s = await sandbox();
    const { username, password } = s;
    const signedIn = await postForm(s.browserUrl, { username, password });
    const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    await postForm(url(s.portalUrl), { blockBetaApps: "true" }, { cookie });
    expect(s.settings()).toEqual({});
  });
});

describe("an update is refused", () => {
  test("without a token: 499", async () => {
    const s = await sandbox();
    const { error } = await s.update({ informationalBanner: BANNER }, { headers: {} });
    expect(error).toEqual({
      code: 499,
      message: "Token Required",
      messageCode: "GWM_0003",
      details: ["Token Required"],
    });
  });

  test("with a token that was made elsewhere, is too old or was revoked: 498", async () => {
    let now = Date.UTC(2030, 0, 1);
    const s = await sandbox({ now: () => now });
    const invalid = { error: { code: 498, message: "Invalid token.", details: [] } };
    const foreign = await (await sandbox()).token();
    for (const token of ["x", "a.b", "a.b.c", "ü.ü", foreign]) {
      expect(await s.update({ token }, { headers: {} })).toEqual(invalid);
    }
    expect(await s.update({})).toEqual(SUCCESS);
    now += 24 * 60 * 60 * 1000;
    expect(await s.update({})).toEqual(invalid);
    now -= 1000;
    s.revokeTokens();
    expect(await s.update({})).toEqual(invalid);
  });

  test("for an account that is no administrator's: 403", async () => {
    const s = await sandbox();
    s.addAccount({ username: "ada", password: "secret", role: "member" });
    const response = await postForm(`${s.portalUrl}/generateToken`, {
      f: "json",
      username: "ada",
      password: "secret",
      client: "requestip",
    });
    const { token }: Json = await response.json();
    expect((await s.update({ token }, { headers: {} })).error.code).toBe(403);
  });

  test("for an account that is no longer active: 403", async () => {
    const s = await sandbox();
    await s.token();
    s.setActive(s.beid, false);
    const { error } = await s.update({ informationalBanner: BANNER });
    expect(error).toMatchObject({ code: 403, message: "The account is not active." });
    expect(s.settings()).toEqual({});
  });
});
