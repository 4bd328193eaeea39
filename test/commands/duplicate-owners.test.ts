// A file beside those that are named, which is about the same portal: told where somebody looks, and looked for where that is cheap.
import { expect, test } from "vitest";
import { duplicateOwners } from "../../src/apply/duplicate-owners.js";
import { headFor, openPlace } from "../run/place.js";
import { makeRun } from "../support/network.js";

const SETTINGS = "settings: { blockBetaApps: false }\n";

test("validate, plan, status and apply of one of two files for a portal warn of the other", async () => {
  const place = await openPlace();
  place.write(SETTINGS, { name: "portals/a.yaml" });
  place.write(SETTINGS, { name: "portals/b.yaml" });
  place.write(SETTINGS, { name: "portals/c.yaml", head: headFor(place, ", id: portal-3") });
  place.write("not: right\n", { name: "portals/d.yaml" });
  for (const words of [
    "validate portals/a.yaml",
    "plan portals/a.yaml",
    "status portals/a.yaml",
    "apply portals/a.yaml --yes",
  ]) {
    const { exit, stdout } = await place.run(words);
    expect([words, exit]).toEqual([words, words.startsWith("status") ? 2 : 0]);
    expect(stdout).toContain(
      'portals/a.yaml: warning: "portals/b.yaml" configures the same portal',
    );
    expect(stdout.match(/same-portal-beside/g)).toHaveLength(1);
  }
  for (const words of ["validate portals/c.yaml", "plan portals/c.yaml --offline"]) {
    expect((await place.run(words)).stdout).not.toContain("same-portal-beside");
  }
  // Named together, they are an error, which is told once.
  expect((await place.run("validate portals/a.yaml portals/b.yaml")).stdout).not.toContain(
    "same-portal-beside",
  );
});

test("what cannot be read, and what names no address, is left alone", async () => {
  const { io } = makeRun();
  const found = await duplicateOwners(
    [
      { file: "-", url: "https://gis.example.com/portal/sharing/rest", id: "self" },
      { file: "nowhere/portal.yaml", url: "https://gis.example.com", id: "self" },
      { file: "portal.yaml", url: "", id: "self" },
    ],
    io,
  );
  expect(found).toEqual([]);
});
