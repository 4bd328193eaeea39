// JSON values: what counts as equal, what a digest is made of, and what a path points at.
import { createHash } from "node:crypto";
import { fc } from "./support/property.js";
import { expect, test } from "vitest";
import { digest } from "../src/digest.js";
import { parseOwn } from "../src/json-text.js";
import { canonicalText, isEqual, isWrittenAlike, pointInto, printJson } from "../src/json.js";
import { sortKeys, type Json } from "../src/json.js";

const json = fc.jsonValue() as fc.Arbitrary<Json>;

test("key order and CR LF do not count, the order of lists and everything else does", () => {
  expect(isEqual({ a: 1, b: { c: "x\r\ny", d: [] } }, { b: { d: [], c: "x\ny" }, a: 1 })).toBe(
    true,
  );
  expect(isEqual(["a", "b"], ["b", "a"])).toBe(false);
  expect(isEqual("a\rb", "a\nb")).toBe(false);
  expect(isEqual(1, "1")).toBe(false);
  expect(isEqual(null, false)).toBe(false);
  expect(isEqual({}, [])).toBe(false);
});

test("equal values, and only they, have one canonical text", () => {
  fc.assert(
    fc.property(json, json, (left, right) => {
      expect(isEqual(left, right)).toBe(digest(left) === digest(right));
      expect(canonicalText(JSON.parse(canonicalText(left)) as Json)).toBe(canonicalText(left));
    }),
  );
});

test("values are written alike where their texts are the same, numerals but for themselves", () => {
  fc.assert(
    fc.property(json, fc.option(json), (left, other) => {
      const right = other ?? parseOwn(printJson(left));
      expect(isWrittenAlike(left, right)).toBe(printJson(left) === printJson(right));
    }),
  );
  const numeral = parseOwn("1.0");
  expect(isWrittenAlike([numeral], [numeral])).toBe(true);
  expect(isWrittenAlike([numeral], [parseOwn("1.0")])).toBe(false);
  expect(isWrittenAlike({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(false);
  expect(isWrittenAlike([], {})).toBe(false);
});

test("the digest is the SHA-256 of the canonical text", () => {
  const hex = createHash("sha256").update('{"a":[1,null],"b":"ü"}').digest("hex");
  expect(digest({ b: "ü", a: [1, null] })).toBe(hex);
});

test("sorting the keys changes nothing else, whatever the keys are called", () => {
  const value = JSON.parse('{"b":"x\\r\\ny","a":[{"d":1,"c":2}],"__proto__":{"z":1}}') as Json;
  expect(JSON.stringify(sortKeys(value))).toBe(
    '{"__proto__":{"z":1},"a":[{"c":2,"d":1}],"b":"x\\r\\ny"}',
  );
});

test("a path points at what the value itself holds", () => {
  const value: Json = { a: [{ b: null }], c: "text" };
  expect(pointInto(value, [])).toBe(value);
  expect(pointInto(value, ["a", 0, "b"])).toBeNull();
  for (const path of [["a", 1], ["a", "length"], ["c", 0], ["toString"], ["a", 0, "b", "c"]]) {
    expect(pointInto(value, path)).toBeUndefined();
  }
  expect(pointInto(undefined, ["a"])).toBeUndefined();
});
