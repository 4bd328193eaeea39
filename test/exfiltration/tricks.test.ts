// Nothing that a change under review tries gets a secret out: by no output of any command, and to no host.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  environmentOf,
  expectNone,
  IN_GIT,
  layOut,
  OUTSIDE,
  runAll,
  secretsOf,
  VARIABLES,
} from "./ground.js";
import { ROWS } from "./tricks.js";

describe("a change under review gets nothing out with", () => {
  test.each(ROWS.map((row) => [row.what, row] as const))("%s", async (_, row) => {
    const ground = await layOut();
    row.prepare?.(ground);
    for (const [name, text] of Object.entries(row.files(ground))) {
      writeFileSync(join(ground.repo, name), text);
    }
    const all = await runAll(ground, environmentOf(ground, row.env));
    expectNone(all, secretsOf(ground));
    expect(ground.thief.received).toEqual([]);
    // What a sign-in may take goes to the listed host; whatever else there is does not go there either.
    const sent = JSON.stringify(ground.sandbox.requests);
    const { LINTEL_SPARE: _own, ...foreign } = VARIABLES;
    expectNone(sent, [...Object.values(foreign), OUTSIDE, IN_GIT]);
  });
});
