// Random literals in an old file: migrate reads each value as it is written.
import { afterAll, expect, test } from "vitest";
import type { Json } from "../../src/lib/json.js";
import { openEngine } from "../../src/migrate/evaluate/runner.js";
import { migrate } from "../../src/migrate/migrate.js";
import { fc } from "../support/property.js";

const literal = fc.letrec<{ value: Json; leaf: Json }>((tie) => ({
  leaf: fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.constantFrom("//", "/* */", "</script>", "\u2028", "${a}", "`", "\\", "'", '"', "\n"),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => (each === 0 ? 0 : each)),
    fc.boolean(),
    fc.constant(null),
  ),
  value: fc.oneof(
    { maxDepth: 4 },
    tie("leaf"),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(
      fc.string().filter((key) => key !== "__proto__"),
      tie("value"),
      { maxKeys: 4 },
    ),
  ),
})).value;

const engine = openEngine();
afterAll(() => engine.close());

/** Values in one file, because each file is evaluated more than once. */
const TOGETHER = 50;

test("reads random literals as they are written", async () => {
  const values = fc.array(literal, { minLength: TOGETHER, maxLength: TOGETHER });
  await fc.assert(
    fc.asyncProperty(values, async (given) => {
      const text = `window.esriGeowConfig = { footerLinks: ${JSON.stringify(given)} };`;
      const files = [{ file: "config.js", bytes: Buffer.from(text) }];
      const { properties, slips } = await migrate(files, {
        target: "11.5",
        takesAll: true,
        engine,
      });
      expect(slips).toEqual([]);
      expect(properties[0]?.value).toEqual(JSON.parse(JSON.stringify(given)));
    }),
    { numRuns: 20 },
  );
});
