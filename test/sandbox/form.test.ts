// The update driven from a browser: its form, and what becomes of it.
import { describe, expect, test } from "vitest";
import { catalog } from "../../src/catalog/catalog.js";
import { postForm, sandbox } from "./drive.js";

describe("the form of the update", () => {
  test("has a field for every parameter that the portal knows", async () => {
    const page = async (version: string) => {
      const { portalUrl } = await sandbox({ version });
      return (await fetch(`${portalUrl}/portals/self/settings/update?f=html`)).text();
    };
    const newest = await page("12.1");
    for (const { name } of catalog.parameters) expect(newest).toContain(`name="${name}"`);
    for (const name of ["f", "token", "clearEmptyFields"])
      expect(newest).toContain(`name="${name}"`);
    expect(await page("10.9")).not.toContain('name="portalConfigProperties"');
  });

  test("sent from a browser that is signed in updates the settings", async () => {
    const s = await sandbox();
    const { username, password } = s;
    const signedIn = await postForm(s.browserUrl, { username, password });
    const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const url = `${s.portalUrl}/portals/self/settings/update`;
    const page = await (await fetch(url, { headers: { cookie } })).text();
    const token = /name="token"[^>]*value="([^"]+)"/.exec(page)?.[1] ?? "";
    // As a browser sends a form: every field, most of them empty.
    const empty = Object.fromEntries(catalog.parameters.map(({ name }) => [name, ""]));
    const fields = { ...empty, blockBetaApps: "true", clearEmptyFields: "", token, f: "html" };
    const response = await postForm(url, fields);
    expect(await response.text()).toContain("were updated");
    expect(s.settings()).toEqual({ blockBetaApps: true });
    // The cookie alone must not do: any page could make a browser send it.
    await postForm(url, { ...fields, token: "", blockBetaApps: "false" }, { cookie });
    expect(s.settings()).toEqual({ blockBetaApps: true });
  });

  test("shows an error as a page", async () => {
    const { portalUrl } = await sandbox();
    const response = await postForm(`${portalUrl}/portals/self/settings/update`, {});
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('role="alert">Token Required');
  });
});
