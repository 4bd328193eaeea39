// lintel explain with the name of a guard.
import { expect, test } from "vitest";
import { GUARDS } from "../../src/guard.js";
import { GUARD_RULES } from "../../src/plan/guards/all.js";
import { lintel } from "../run/call.js";

test.each(GUARDS)("says what %s stops, what to look at, and how it is opened", async (name) => {
  const { exit, stdout } = await lintel(["explain", name]);
  const text = stdout.replace(/\s+/g, " ");
  const { stops, help } = GUARD_RULES[name];
  expect(exit).toBe(0);
  expect(text).toContain(`A guard. It stops ${stops.replaceAll("`", '"')}.`);
  expect(text).toContain(help.replace(/\s+/g, " "));
  expect(text).toContain(`--allow ${name}`);
  const { stdout: json } = await lintel(["explain", name, "--output", "json"]);
  expect(JSON.parse(json)).toMatchObject({ guard: { name, stops, help } });
});

test("finds the name of a guard that is misspelt", async () => {
  const { stderr } = await lintel(["explain", "shrink-lst"]);
  expect(stderr).toContain('Did you mean "shrink-list"?');
});
