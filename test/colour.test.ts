// Colours: what they are called, how far they differ, and the nearest one that can be read.
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  AAA_CONTRAST,
  AA_CONTRAST,
  COLOUR_NAMES,
  contrast,
  formatColour,
  formatContrast,
  nearestWithContrast,
  parseColour,
  type Colour,
} from "../src/colour.js";

const parsed = (text: string): Colour => {
  const colour = parseColour(text);
  if (!colour) throw new TypeError(`"${text}" is no colour`);
  return colour;
};
const part = fc.integer({ min: 0, max: 255 });
const anyColour = fc.record({ red: part, green: part, blue: part, alpha: fc.constant(1) });

test("a contrast is cut, not rounded", () => {
  expect(formatContrast(4.4999)).toBe("4.49");
  expect(formatContrast(contrast(parsed("white"), parsed("#b30000")))).toBe("7.19");
  expect(formatContrast(21)).toBe("21.00");
});

test("a colour is written as it looks on white", () => {
  expect(formatColour(parsed("RebeccaPurple"))).toBe("#663399");
  expect(formatColour(parsed("#0008"))).toBe("#777777");
  expect(formatColour(parsed("transparent"))).toBe("#ffffff");
});

test.each([
  ["grey letters on white become darker", "#999999", "white", AA_CONTRAST, "#767676"],
  ["yellow letters on white keep their hue", "gold", "white", AA_CONTRAST, "#8c7500"],
  [
    "letters lighter than their ground become lighter",
    "#888888",
    "#333333",
    AA_CONTRAST,
    "#9b9b9b",
  ],
])("%s", (_, front, back, least, expected) => {
  const nearest = nearestWithContrast(parsed(front), parsed(back), least);
  expect(nearest && formatColour(nearest)).toBe(expected);
});

test("every pair of colours has a nearest one that reaches AA, and it does", () => {
  fc.assert(
    fc.property(anyColour, anyColour, (front, back) => {
      const nearest = nearestWithContrast(front, back, AA_CONTRAST);
      expect(nearest).toBeDefined();
      const written = parsed(formatColour(nearest ?? front));
      expect(contrast(written, back)).toBeGreaterThanOrEqual(AA_CONTRAST);
    }),
  );
});

test("no colour reaches AAA on a ground of middle grey", () => {
  expect(nearestWithContrast(parsed("white"), parsed("#777777"), AAA_CONTRAST)).toBeUndefined();
});

test("every name of CSS is a colour", () => {
  for (const name of COLOUR_NAMES.keys()) expect(parseColour(name)).toBeDefined();
});
