// Clients that this project did not write, against the sandbox: the vendor's own for scripts, and curl.
import { getPortalSettings, getSelf, getUser } from "@esri/arcgis-rest-portal";
import {
  ApplicationCredentialsManager,
  ArcGISIdentityManager,
  request,
} from "@esri/arcgis-rest-request";
import { expect, test } from "vitest";
import { blocks } from "../support/manual.js";
import { runProgram } from "../support/run.js";
import { openSandbox } from "../support/sandbox.js";

test("the vendor's client signs in with its own identity manager and reads the settings", async () => {
  const sandbox = await openSandbox();
  sandbox.change("self", {
    informationalBanner: { text: "hello", enabled: true },
    portalConfigProperties: { tokenExpiration: 60 },
  });
  const authentication = await ArcGISIdentityManager.signIn({
    username: sandbox.username,
    password: sandbox.password,
    portal: sandbox.portalUrl,
  });
  expect(authentication.token).toMatch(/.{20}/);
  const settings = (await getPortalSettings(undefined, {
    authentication,
    portal: sandbox.portalUrl,
  })) as Record<string, unknown>;
  expect(settings["informationalBanner"]).toMatchObject({ text: "hello", enabled: true });
  // Nobody but an administrator sees the lifetimes of tokens.
  expect(settings["portalConfigProperties"]).toEqual({ tokenExpiration: 60 });
  const posted = sandbox.requests.map(({ method, path }) => `${method} ${path.split("?")[0]}`);
  expect(posted).toContain("POST /portal/sharing/rest/generateToken");
});

test.each(["enterprise", "hosted-online"] as const)(
  "the vendor's client reads, updates and signs out, by GET and by POST, at a portal of deployment %s",
  async (deployment) => {
    const sandbox = await openSandbox({ deployment });
    const { username, password, portalUrl: portal } = sandbox;
    const authentication = await ArcGISIdentityManager.signIn({ username, password, portal });
    for (const httpMethod of ["GET", "POST"] as const) {
      const asked = { authentication, portal, httpMethod };
      expect(await getSelf(asked)).toMatchObject({ id: "0123456789ABCDEF", user: { username } });
      expect(await getUser(asked)).toMatchObject({ username, role: "org_admin" });
      expect(await getPortalSettings(undefined, asked)).toMatchObject({ culture: "en" });
    }
    const update = `${portal}/portals/self/settings/update`;
    const params = { informationalBanner: { text: "From a script", enabled: true } };
    expect(await request(update, { authentication, params })).toEqual({ success: true });
    expect(sandbox.settings()).toEqual(params);
    const { token } = authentication;
    expect(await authentication.signOut()).toEqual({ success: true });
    const late = request(update, { params: { ...params, token } });
    await expect(late).rejects.toThrow(/invalid token/i);
  },
);

test("the vendor's client signs in as an application, and updates from 11.4", async () => {
  for (const version of ["11.3", "11.4"]) {
    const { clientId, clientSecret, portalUrl: portal } = await openSandbox({ version });
    const authentication = ApplicationCredentialsManager.fromCredentials({
      clientId,
      clientSecret,
      portal,
    });
    expect(await getSelf({ authentication })).toMatchObject({ enterpriseVersion: `${version}.0` });
    const params = { blockBetaApps: true };
    const update = request(`${portal}/portals/self/settings/update`, { authentication, params });
    if (version === "11.3") await expect(update).rejects.toThrow(/permissions/);
    else expect(await update).toEqual({ success: true });
  }
});

test("the vendor's client understands the answer to a wrong password", async () => {
  const { portalUrl, username } = await openSandbox();
  const refused = ArcGISIdentityManager.signIn({ username, password: "wrong", portal: portalUrl });
  await expect(refused).rejects.toThrow(/invalid|credential|unable/i);
});

test("the manual's curl example signs in, updates and reads, as it is written", async ({
  skip,
}) => {
  const hasCurl = await runProgram("curl", ["--version"]).then(
    ({ exit }) => exit === 0,
    () => false,
  );
  skip(!hasCurl, "there is no curl on this machine");
  const sandbox = await openSandbox();
  const [, script = ""] =
    blocks("sh", ["docs/sandbox.md"]).find(([, text]) => text.includes("curl")) ?? [];
  const { exit, stdout, stderr } = await runProgram(
    "bash",
    ["--norc", "-euo", "pipefail", "-c", script],
    {
      env: {
        PORTAL: sandbox.portalUrl,
        SIGN_IN: sandbox.signInUrl,
        LINTEL_BEID: sandbox.beid,
        LINTEL_WEB_SERVICES_KEY: sandbox.webServicesKey,
      },
    },
  );
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  expect(stdout).toContain('{"success":true}');
  expect(stdout).toContain("Read-only on Saturday");
  expect(sandbox.settings()).toMatchObject({
    informationalBanner: { text: "Read-only on Saturday", enabled: true },
  });
});
