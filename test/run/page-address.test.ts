// A file with the address of a page learns from every failure which address is meant.
import { expect, test } from "vitest";
import { call } from "./call.js";
import { openFleet } from "./fleet.js";

const PAGES = ["/home/", "/home/index.html", "/sharing", "/", ""];

test.each(PAGES)("a plan with the page %s names the REST interface", async (page) => {
  const { run, url, meant } = await openAt(page);
  const { exit, stdout } = await run(["plan", "portals/page.yaml"]);
  expect(exit).toBe(4);
  expect(stdout).toMatch(/\(404\)\. "portal\.url" does not end in "\/sharing\/rest"/);
  expect(stdout).toContain(`url: ${meant}\n`);
  expect(stdout).not.toContain("read: never");
  expect(url).not.toBe(meant);
});

test.each(["drift", "pull", "status", "doctor"])("%s names it as well", async (command) => {
  const { run, meant } = await openAt("/home/");
  const { stdout, stderr } = await run([command, "portals/page.yaml"]);
  expect(stdout + stderr).toContain(`url: ${meant}\n`);
});

test("another refusal does not mention the address", async () => {
  const fleet = await openFleet(1, "{ blockBetaApps: false }", call);
  fleet.write("page", { id: "nowhere" });
  const { stdout } = await fleet.run(["plan", "portals/page.yaml"]);
  expect(stdout).toContain("read: never");
  expect(stdout).not.toContain("does not end in");
});

async function openAt(page: string) {
  const fleet = await openFleet(1, "{ blockBetaApps: false }", call);
  const meant = fleet.sandbox.portalUrl;
  const url = meant.replace("/sharing/rest", page);
  fleet.write("page", { url, id: "portal-1" });
  return { ...fleet, url, meant };
}
