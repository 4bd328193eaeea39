// A value printed as JavaScript → the same value: whatever an old file writes out is read as it stands there.
import { afterAll, expect, test } from "vitest";
import type { Json } from "../../src/lib/json.js";
import { openEngine } from "../../src/migrate/evaluate/runner.js";
import { migrate } from "../../src/migrate/migrate.js";
import { fc } from "../support/property.js";

/** As people and tools write it: with either quote, with escapes, as a sum of parts, with odd numbers and names. */
function print(value: Json, way: number): string {
  if (typeof value === "string") return printText(value, way);
  if (typeof value === "number")
    return way % 3 === 1 && Number.isInteger(value) && value >= 0 && value < 2 ** 31
      ? `0x${value.toString(16)}`
      : String(value);
  if (typeof value === "boolean") return way % 2 === 1 ? (value ? "!0" : "!1") : String(value);
  if (value === null) return "null";
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map((each, at) => print(each, way + at));
    return way % 4 === 3
      ? `[].concat([${items.join(",")}])`
      : `[ ${items.join(" , ")}${items.length > 0 ? "," : ""} ]`;
  }
  const entries = Object.entries(value).map(
    ([key, held], at) =>
      `${way % 5 === 2 ? `[${printText(key, at)}]` : printText(key, 0)}: ${print(held, way + at)}`,
  );
  return `{ ${entries.join(", ")} }`;
}

function printText(text: string, way: number): string {
  const json = JSON.stringify(text);
  switch (way % 4) {
    case 0:
      return json;
    case 1:
      return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
    case 2:
      return `"${Array.from(text, (each) => (each.length === 1 ? `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}` : each)).join("")}"`;
    default: {
      const middle = Math.floor(text.length / 2);
      return `(${JSON.stringify(text.slice(0, middle))} + ${JSON.stringify(text.slice(middle))})`;
    }
  }
}

const literal = fc.letrec<{ value: Json; leaf: Json }>((tie) => ({
  leaf: fc.oneof(
    fc.string(),
    fc.string({ unit: "grapheme" }),
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
const RUNS = 20;

test("a printed value is read as it was, for random values", async () => {
  const values = fc.array(fc.tuple(literal, fc.nat(60)), {
    minLength: TOGETHER,
    maxLength: TOGETHER,
  });
  await fc.assert(
    fc.asyncProperty(values, async (given) => {
      const entries = given.map(([value, way]) => print(value, way)).join(",\n");
      const text = `window.esriGeowConfig = { footerLinks: [\n${entries}\n] };`;
      const files = [{ file: "config.js", bytes: Buffer.from(text) }];
      const { properties, slips } = await migrate(files, {
        target: "11.5",
        takesAll: true,
        engine,
      });
      expect(slips).toEqual([]);
      const expected = given.map(([value]) => JSON.parse(JSON.stringify(value)) as Json);
      expect(properties[0]?.value).toEqual(expected);
    }),
    { numRuns: RUNS },
  );
});
