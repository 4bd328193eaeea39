// JSON values: what counts as equal, what a digest is made of, and what a path points at.
import { createHash } from "node:crypto";
import { fc } from "../support/property.js";
import { describe, expect, test } from "vitest";
import { digest } from "../../src/lib/digest.js";
import {
  canonicalText,
  isEqual,
  isJsonObject,
  isWrittenAlike,
  parseExact,
} from "../../src/lib/json.js";
import { pointInto, printJson, sortKeys, withPlainNumbers, type Json } from "../../src/lib/json.js";

const json = fc.jsonValue() as fc.Arbitrary<Json>;

const NUMBERS = [
  "12345678901234567890",
  "1e400",
  "1e999999999",
  "-1E-400",
  "1.0",
  "0.10",
  "-0",
  "1E5",
  "9007199254740993",
  "0.1000000000000000055511151231257827",
];

describe("a number that JavaScript would write differently", () => {
  test.each(NUMBERS)("%s keeps its text, in whatever holds it", (text) => {
    expect(isJsonObject(parseExact(text))).toBe(false);
    const held = `{"a":[${text},"${text}"],"b":{"c":${text}}}`;
    expect(printJson(parseExact(held))).toBe(held);
    expect(printJson(parseExact(printJson(parseExact(held), 2)))).toBe(held);
  });

  test.each<[string, string, boolean]>([
    ["1.0", "1", true],
    ["-0", "0", true],
    ["1E5", "100000", true],
    ["0.10", "1e-1", true],
    ["10e399", "1e400", true],
    ["1e999999999", "0.1e1000000000", true],
    ["1e21", "1000000000000000000000", true],
    ["12345678901234567890", "12345678901234567000", false],
    ["9007199254740993", "9007199254740992", false],
    ["1e400", "1e401", false],
    ["1e400", "-1e400", false],
    ["1e-400", "0", false],
    ["1.0", '"1.0"', false],
  ])("%s and %s are compared by value", (left, right, expected) => {
    expect(isEqual(parseExact(left), parseExact(right))).toBe(expected);
    expect(canonicalText(parseExact(left)) === canonicalText(parseExact(right))).toBe(expected);
  });

  test("becomes a plain one only where it stays the same", () => {
    expect(withPlainNumbers(parseExact('{"a":[1.0,-0,"1.0"]}'))).toEqual({ a: [1, 0, "1.0"] });
    expect(withPlainNumbers(parseExact('{"a":[1e400]}'))).toBeUndefined();
  });
});

test("parseExact reads any other value as JSON.parse does, and printJson writes it as JSON.stringify does", () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(0, 2), (text, indent) => {
      const value = JSON.parse(text) as Json;
      const own = JSON.stringify(value, undefined, indent);
      expect(parseExact(own)).toEqual(value);
      expect(printJson(parseExact(own), indent)).toBe(own);
      expect(printJson(value, indent)).toBe(own);
    }),
  );
  const odd = '{"__proto__":{"a":1.0},"constructor":null,"toString":"x","":0,"é\u2028":"\\ud800"}';
  expect(printJson(parseExact(odd))).toBe(odd);
});

test("parseExact refuses a name that stands twice with different values, and takes it with equal ones", () => {
  const refused = ['{"a":1,"a":2}', '{"a":1,"\\u0061":1.0}', '{"__proto__":1,"__proto__":2}'];
  for (const text of refused) expect(() => parseExact(text)).toThrow(SyntaxError);
  expect(printJson(parseExact('{"a":[1.0],"a":[1.0]}'))).toBe('{"a":[1.0]}');
});

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
      const right = other ?? parseExact(printJson(left));
      expect(isWrittenAlike(left, right)).toBe(printJson(left) === printJson(right));
    }),
  );
  const numeral = parseExact("1.0");
  expect(isWrittenAlike([numeral], [numeral])).toBe(true);
  expect(isWrittenAlike([numeral], [parseExact("1.0")])).toBe(false);
  expect(isWrittenAlike({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(false);
  expect(isWrittenAlike([], {})).toBe(false);
});

test("the digest is the SHA-256 of the canonical text", () => {
  const hex = createHash("sha256").update('{"a":[1,null],"b":"ü"}').digest("hex");
  expect(digest({ b: "ü", a: [1, null] })).toBe(hex);
});

test("sorting keys changes nothing else, for any names", () => {
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
