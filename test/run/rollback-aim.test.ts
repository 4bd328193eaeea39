// A rollback that asks nobody names the apply that it goes back to.
import { expect, test } from "vitest";
import { call } from "./call.js";
import { openFleet, type Fleet } from "./fleet.js";

const banner = (text: string) => `{ informationalBanner: { text: ${text}, enabled: true } }`;
const APPLY = ["apply", "portals", "--yes"];
const MOMENT = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`;

async function applied(portals: number, ...texts: readonly string[]): Promise<Fleet> {
  const fleet = await openFleet(portals, banner("One"), call);
  for (const text of ["One", ...texts]) {
    for (let at = 1; at <= portals; at++) {
      fleet.write(`portal-${at}`, { settings: banner(text) });
    }
    expect((await fleet.run(APPLY)).exit).toBe(0);
  }
  return fleet;
}

test("after a pull and an apply that sent nothing", async () => {
  const fleet = await applied(1, "Two");
  fleet.sandbox.change("portal-1", { informationalBanner: { text: "By hand", enabled: true } });
  expect((await fleet.run(["pull", "portals"])).exit).toBe(0);
  const { stdout } = await fleet.run(APPLY);
  expect(stdout).toContain("1 portal: 1 tracked.");
  expect((await fleet.run(APPLY)).stdout).toContain("No changes.");
  const back = await fleet.run(["rollback", "portals", "--yes"]);
  expect(back.stderr).toMatch(
    new RegExp(`^Rolling back to apply 1, of ${MOMENT} by \\S+\\.$`, "m"),
  );
  expect(back.stdout).toContain('~ text  "By hand" → "One"');
  expect(back.stdout).toContain("1 portal: rolled back, 1 set.");
});

test("to what a named apply left, also where later ones only tracked values", async () => {
  const fleet = await applied(1, "Two");
  const settings = { informationalBanner: { text: "By hand", enabled: true }, blockBetaApps: true };
  fleet.sandbox.change("portal-1", settings);
  expect((await fleet.run(["pull", "portals", "--all"])).exit).toBe(0);
  expect((await fleet.run(APPLY)).stdout).toContain("1 portal: 2 tracked.");
  const back = await fleet.run(["rollback", "portals", "--to", "2", "--yes"]);
  expect([back.exit, back.stdout]).toEqual([
    0,
    expect.stringContaining('~ text  "By hand" → "Two"'),
  ]);
  const { informationalBanner, blockBetaApps } = fleet.sandbox.settings("portal-1");
  // A setting that was not managed then stays as it is.
  expect([informationalBanner, blockBetaApps]).toEqual([{ text: "Two", enabled: true }, true]);
});

test("several portals are named together", async () => {
  const fleet = await applied(3, "Two");
  const { stdout, stderr } = await fleet.run(["rollback", "portals", "--yes"]);
  expect(stderr).toMatch(/^Rolling back portal-1, portal-2, portal-3 to apply 1, of /m);
  expect(stdout).toContain("3 portals: 3 rolled back. 3 set.");
});

test("before the first apply", async () => {
  const fleet = await applied(1);
  const words = ["rollback", "portals", "--yes", "--allow", "disable-notice"];
  const { stderr } = await fleet.run(words);
  expect(stderr).toContain("Rolling back to before the first apply.");
});
