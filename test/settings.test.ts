// Paths of settings: the text that people are shown leads back to the same path.
import { expect, test } from "vitest";
import { formatPath, readPath } from "../src/settings.js";
import { fc } from "./support/property.js";

test("a path is read from its text", () => {
  expect(readPath("informationalBanner.text")).toEqual(["informationalBanner", "text"]);
  expect(readPath("portalConfigProperties.footerLinks[0].url")).toEqual([
    "portalConfigProperties",
    "footerLinks",
    0,
    "url",
  ]);
});

test("in any letter case", () => {
  const part = fc.oneof(
    fc.string({ unit: "binary", maxLength: 8 }),
    fc.stringMatching(/^\w+$/),
    fc.nat(),
  );
  const path = fc.array(part, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(path, (each) => {
      expect(readPath(formatPath(each))).toEqual(each);
    }),
  );
});
