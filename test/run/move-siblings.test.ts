// A base's line "state:" is not changed under a file that extends it, whatever else is wrong with that file.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { call } from "./call.js";
import { openFleet } from "./fleet.js";

const BASE = "state: file:states\n";

test.each([
  ["a base that is missing", "extends: [./_base.yaml, ./_missing.yaml]"],
  ["a missing base before it", "extends: [./_missing.yaml, ./_base.yaml]"],
  ["a broken base between", "extends: ./_between.yaml"],
  ["a key that is not known", "extends: ./_base.yaml\nnonsense: 1"],
])("a sibling with %s counts", async (_, extending) => {
  const fleet = await openFleet(2, "{ blockBetaApps: false }", call);
  const write = (name: string, text: string) =>
    writeFileSync(join(fleet.folder, "portals", name), text);
  write("_base.yaml", BASE);
  write("_between.yaml", "extends: [./_base.yaml, ./_broken.yaml]\n");
  write("_broken.yaml", "settings: [1\n");
  fleet.write("portal-1", { more: "extends: ./_base.yaml\n" });
  fleet.write("portal-2", { more: `${extending}\n` });
  const words = ["state", "move", "portals/portal-1.yaml", "file:other", "--yes"];
  const { exit, stderr } = await fleet.run(words);
  expect(exit).toBe(3);
  expect(stderr).toContain(
    '"portals/_base.yaml" also says where the state of 1 other file is: portals/portal-2.yaml.',
  );
  expect(readFileSync(join(fleet.folder, "portals/_base.yaml"), "utf8")).toBe(BASE);
});
