// Each leaf has one key, for paths in any spelling, listed or not.
import { expect, test } from "vitest";
import { SETTINGS, pathsOf } from "../../src/catalog/catalog.js";
import { keyOf, referencePath } from "../../src/catalog/spelling.js";

test("the key of a setting is that of its path in the reference's spelling, and no other has it", () => {
  const keys = SETTINGS.map((setting) => {
    const paths = pathsOf(setting);
    const found = new Set(paths.map(keyOf));
    expect(found).toEqual(new Set(paths.map((path) => JSON.stringify(referencePath(path)))));
    expect(found.size).toBe(1);
    return [...found][0];
  });
  expect(new Set(keys).size).toBe(SETTINGS.length);
});

test.each([
  [["portalConfigProperties"]],
  [["portalConfigProperties", "notListed"]],
  [["portalConfigProperties", "footerLinks", 0]],
  [["portalConfigProperties", "footerLinks", "0"]],
  [["portalConfigProperties", 0]],
  [["blockBetaApps", "below"]],
  [["notListed"]],
  [["__proto__", "footerLinks"]],
])("the key of %j, which is no setting, is its path", (path) => {
  expect(keyOf(path)).toBe(JSON.stringify(path));
});
