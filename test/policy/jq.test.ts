// The plan's JSON is judged by jq, with the words of the manual.
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPage } from "../support/manual.js";
import { openPlace } from "../run/place.js";

const hasJq = spawnSync("jq", ["--version"]).error === undefined;

const needs = hasJq ? "" : " (skipped: jq is not installed)";

test.skipIf(!hasJq)(`jq judges the desired settings of every portal${needs}`, async () => {
  const place = await openPlace({ portals: 2 });
  const [, filter = ""] = /^jq -e '(.+)' plan\.json$/m.exec(readPage("docs/policy.md")) ?? [];
  const judged = async (minutes: number) => {
    const { portalUrl, signInUrl } = place.sandbox;
    for (const id of ["self", "portal-1"]) {
      const head = `targetVersion: "12.1"\nportal: { url: "${portalUrl}", id: ${id} }\nsignIn: { url: "${signInUrl}" }\n`;
      const settings = `settings: { portalConfigProperties: { tokenExpiration: ${id === "self" ? 60 : minutes} } }\n`;
      place.write(settings, { name: `portals/${id}.yaml`, head });
    }
    await place.run("plan portals --output json=plan.json");
    return spawnSync("jq", ["-e", filter, "plan.json"], { cwd: place.folder.path }).status;
  };
  expect(await judged(120)).toBe(0);
  expect(await judged(121)).toBe(1);
  // What the filter cannot see passes no gate.
  place.write("settings: { blockBetaApps: true }\n", { name: "portals/self.yaml" });
  await place.run("plan portals/self.yaml --output json=plan.json");
  const judge = () =>
    spawnSync("jq", ["-e", filter, "plan.json"], { cwd: place.folder.path }).status;
  expect(judge()).toBe(1);
  await place.run("plan missing.yaml --output json=plan.json");
  expect(judge()).toBe(1);
  await place.run("plan --no-such-option --output json=plan.json");
  expect(judge()).not.toBe(0);
  expect(await judged(121)).toBe(1);
  const path = join(place.folder.path, "plan.json");
  const desired = execFileSync("jq", ["-c", "[.portals[].desired]", path]).toString();
  expect(JSON.parse(desired)).toEqual([
    { portalConfigProperties: { tokenExpiration: 121 } },
    { portalConfigProperties: { tokenExpiration: 60 } },
  ]);
});
