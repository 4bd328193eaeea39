// A value printed as JavaScript → the same value: whatever an old file writes out is read as it stands there.
import { expect, test } from "vitest";
import type { Json } from "../../src/json.js";
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

test("fold(print(x)) equals x, for random values", () => {
  fc.assert(
    fc.property(literal, fc.nat(60), (value, way) => {
      const text = `window.esriGeowConfig = { footerLinks: [${print(value, way)}] };`;
      const { properties, slips } = migrate([{ file: "config.js", bytes: Buffer.from(text) }], {
        target: "11.5",
        takesAll: true,
      });
      expect(slips).toEqual([]);
      expect(properties[0]?.value).toEqual([JSON.parse(JSON.stringify(value))]);
    }),
    { numRuns: 1000 },
  );
});
