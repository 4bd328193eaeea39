// Versions are ordered as numbers, in comparisons and in the patterns of the schemas alike.
import { fc } from "../support/property.js";
import { expect, test } from "vitest";
import { knownVersion } from "../../src/catalog/catalog.js";
import { compareVersions, parseVersion, patternFrom } from "../../src/catalog/version.js";

const number = fc.integer({ min: 0, max: 130 });
const version = fc
  .tuple(number, number, fc.option(number))
  .map(([major, minor, patch]) => `${major}.${minor}${patch === null ? "" : `.${patch}`}`);

test("11.10 comes after 11.9, and 11.5 is 11.5.0", () => {
  expect(compareVersions("11.10", "11.9")).toBeGreaterThan(0);
  expect(compareVersions("11.5", "11.5.0")).toBe(0);
  expect(compareVersions("10.8.1", "10.9")).toBeLessThan(0);
});

test("a pattern matches exactly the versions from its own on", () => {
  fc.assert(
    fc.property(version, version, (from, each) => {
      expect(new RegExp(patternFrom(from)).test(each)).toBe(compareVersions(each, from) >= 0);
    }),
    { numRuns: 2000 },
  );
});

test.each(["", "11", "11.", "11.5.1.2", "v11.5", "11.5 ", "11.x", "-1.0", "99999.0"])(
  "%j is no version",
  (text) => {
    expect(parseVersion(text)).toBeUndefined();
    expect(knownVersion(text)).toBeUndefined();
  },
);

test.each([
  ["10.7", undefined],
  ["10.8", "10.8"],
  ["10.8.5", "10.8.1"],
  ["10.10", "10.9.1"],
  ["11.0.1", "11.0"],
  ["11.10", "11.5"],
  ["12.0", "12.0"],
  ["99.0", "12.1"],
])("target %s uses the reference of %s", (target, known) => {
  expect(knownVersion(target)).toBe(known);
});
