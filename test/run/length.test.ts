// How many lines of a terminal with 80 columns the everyday reports take.
import { expect, test } from "vitest";
import { openPlace } from "./place.js";

const TEN = `settings:
  anonymousAccessNotice: { title: Welcome, text: For members of the county., enabled: true }
  informationalBanner: { text: Closed on Saturday., bgColor: "#b30000", fontColor: white, enabled: true }
  portalConfigProperties: { showCreateDashboard: false, sceneViewerEnabled: true }
  blockBetaApps: true
`;
const terminal = { columns: 80, env: { NO_COLOR: "1" } };
const linesOf = (text: string) => text.trimEnd().split("\n");

test("prints a plan of ten settings in at most 16 lines", async () => {
  const place = await openPlace();
  place.write(TEN);
  const { stdout } = await place.run("plan", terminal);
  expect(stdout).toContain("1 portal: 10 to set.");
  expect(linesOf(stdout).length).toBeLessThanOrEqual(16);
});

test("prints a plan without changes in one line, and a blocked apply in at most 14", async () => {
  const place = await openPlace();
  place.write(TEN);
  expect(await place.run("apply --yes", terminal)).toMatchObject({ exit: 0 });
  expect(linesOf((await place.run("plan", terminal)).stdout)).toHaveLength(1);
  place.sandbox.change("self", { ...place.sandbox.settings("self"), blockBetaApps: false });
  const stopped = await place.run("apply --yes", terminal);
  expect(stopped.exit).toBe(7);
  expect(linesOf(stopped.stdout + stopped.stderr).length).toBeLessThanOrEqual(14);
});
