// What clients expect of a portal beside the settings: reads by POST, where tokens are made, users, pages of other hosts.
import { describe, expect, test } from "vitest";
import { postForm, sandbox, type Driven, type Json } from "./drive.js";

const READ = ["", "/info", "/portals/self", "/portals/self/settings", "/community/self"];

describe.each(READ)("the resource %j", (path) => {
  test("answers POST like GET, with the fields in a form or in the query", async () => {
    const s = await sandbox();
    s.change("self", { blockBetaApps: true });
    const token = await s.token();
    const url = s.portalUrl + path;
    const shown: Json = await (await fetch(`${url}?f=json&token=${token}`)).json();
    expect(shown).not.toHaveProperty("error");
    const posts = [
      await postForm(url, { f: "json", token }),
      await postForm(`${url}?f=json`, { token }),
      await postForm(`${url}?f=json&token=${token}`, {}),
    ];
    for (const each of posts) expect(await each.json()).toEqual(shown);
  });

  test("takes nothing else", async () => {
    const s = await sandbox();
    for (const method of ["PUT", "DELETE", "PATCH"]) {
      const response = await fetch(`${s.portalUrl}${path}?f=json`, { method });
      expect(await response.json()).toMatchObject({ error: { code: 405 } });
    }
  });
});

const ask = async (s: Driven, path: string, token?: string): Promise<Json> => {
  const headers: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` };
  return (await fetch(`${s.portalUrl}${path}`, { headers })).json();
};

test.each([
  ["enterprise", "/portal/sharing/rest", "/portal"],
  ["hosted-online", "/sharing/rest", ""],
] as const)(
  "the portal of deployment %s stands at %s, and says where tokens are made",
  async (deployment, root, owner) => {
    const s = await sandbox({ deployment });
    expect(s.portalUrl).toBe(s.url + root);
    expect(await ask(s, "/info?f=json")).toEqual({
      owningSystemUrl: s.url + owner,
      authInfo: { tokenServicesUrl: `${s.portalUrl}/generateToken`, isTokenBasedSecurity: true },
    });
    const { username, password } = s;
    const fields = { f: "json", username, password, client: "requestip" };
    const made: Json = await (await postForm(`${s.portalUrl}/generateToken`, fields)).json();
    expect(made.token).toMatch(/.{20}/);
    const elsewhere = deployment === "enterprise" ? "/sharing/rest" : "/portal/sharing/rest";
    expect((await fetch(`${s.url}${elsewhere}?f=json`)).status).toBe(404);
    expect(await (await fetch(s.url)).text()).toContain(`href="${root}/portals/self/settings"`);
  },
);

test("shows a user to signed-in accounts only", async () => {
  const s = await sandbox();
  s.addAccount({ username: "ada b", password: "secret", role: "member" });
  const token = await s.token();
  expect(await ask(s, "/community/users/admin?f=json", token)).toMatchObject({
    username: "admin",
    role: "org_admin",
  });
  expect(await ask(s, "/community/users/ada%20b?f=json", token)).toMatchObject({
    username: "ada b",
    role: "org_user",
  });
  const unknown = await ask(s, "/community/users/nobody?f=json", token);
  expect(unknown.error.message).toMatch(/does not exist or is inaccessible/);
  expect(await ask(s, "/community/users/admin?f=json")).toEqual(unknown);
  expect((await ask(s, "/community/users/admin?f=json", "x")).error.code).toBe(498);
  expect((await fetch(`${s.portalUrl}/community/users/%zz?f=json`)).status).toBe(404);
});

test("a page of another host may read nothing: no answer has a CORS header", async () => {
  const s = await sandbox();
  const origin = "https://app.example.com";
  for (const path of ["", "/portals/self/settings", "/portals/self/settings/update"]) {
    for (const method of ["GET", "POST", "OPTIONS"]) {
      const response = await fetch(`${s.portalUrl}${path}?f=json`, { method, headers: { origin } });
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
    }
  }
});
