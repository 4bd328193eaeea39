// A file that pull --into begins can be planned: it says where the portal is and how to sign in, without a secret.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { call } from "./call.js";
import { openFleet } from "./fleet.js";

test("copies the sign-in with its references", async () => {
  const fleet = await openFleet(1, "{ aiAssistantsEnabled: true }", call);
  const { webServicesKey } = fleet.sandbox;
  fleet.write("portal-1", { signIn: 'webServicesKey: "${env:LINTEL_MY_KEY}"' });
  const env = { LINTEL_MY_KEY: webServicesKey, LINTEL_WEB_SERVICES_KEY: "" };
  fleet.sandbox.change("portal-1", { blockBetaApps: true });
  const pulled = await fleet.run(["pull", "--all", "portals", "--into", "new.yaml"], env);
  expect([pulled.exit, pulled.stderr]).toEqual([0, ""]);
  const text = readFileSync(join(fleet.folder, "new.yaml"), "utf8");
  expect(text).toContain("${env:LINTEL_MY_KEY}");
  expect(text).not.toContain(webServicesKey);
  const planned = await fleet.run(["plan", "new.yaml"], env);
  expect([planned.exit, planned.stderr]).toEqual([0, ""]);
  expect(planned.stdout).toContain("1 portal: 1 to track.");
});
