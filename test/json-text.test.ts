// JSON text read to the last digit: what is kept, what is refused, and the place that a refusal names.
import { describe, expect, test } from "vitest";
import {
  canonicalText,
  exactText,
  isEqual,
  isJsonObject,
  printJson,
  withPlainNumbers,
  type Json,
  isNumeral,
} from "../src/json.js";
import { parseExactly, parseOwn } from "../src/json-text.js";
import { fc } from "./support/property.js";

const NUMERALS = [
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

function read(text: string): Json {
  const parsed = parseExactly(text);
  if ("fault" in parsed) throw new Error(parsed.fault.why);
  return parsed.value;
}

function faultIn(text: string, bounds = {}) {
  const parsed = parseExactly(text, bounds);
  return "fault" in parsed ? parsed.fault : parsed.repeated;
}

describe("a number that JavaScript would write otherwise", () => {
  test.each(NUMERALS)("%s keeps its text, in whatever holds it", (text) => {
    expect(isNumeral(read(text))).toBe(true);
    expect(isJsonObject(read(text))).toBe(false);
    const held = `{"a":[${text},"${text}"],"b":{"c":${text}}}`;
    for (const value of [read(held), parseOwn(held)]) {
      expect(printJson(value)).toBe(held);
      expect(exactText(value)).toBe(held);
      expect(printJson(parseOwn(printJson(value, 2)))).toBe(held);
    }
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
  ])("%s and %s are compared by what they are worth", (left, right, expected) => {
    expect(isEqual(read(left), read(right))).toBe(expected);
    expect(canonicalText(read(left)) === canonicalText(read(right))).toBe(expected);
  });

  test("becomes a plain one only where it stays the same", () => {
    expect(withPlainNumbers(read('{"a":[1.0,-0,"1.0"]}'))).toEqual({ a: [1, 0, "1.0"] });
    expect(withPlainNumbers(read('{"a":[1e400]}'))).toBeUndefined();
  });
});

test("any other value is read as JSON.parse reads it, and written as JSON.stringify writes it", () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(0, 2), (text, indent) => {
      const value = JSON.parse(text) as Json;
      const own = JSON.stringify(value, undefined, indent);
      expect(read(own)).toEqual(value);
      expect(exactText(value, indent)).toBe(own);
      expect(printJson(parseOwn(own), indent)).toBe(own);
    }),
  );
});

test("keys stay in the order in which they were read, also where one is put in the place of another value", () => {
  const text = '{"b":1,"10":{"2":0,"1":0},"a":2,"9":3}';
  const value = read(text) as { readonly [key: string]: Json };
  expect(exactText(value)).toBe(text);
  expect(exactText({ ...value, "9": 4, z: 5 })).toBe(
    '{"b":1,"10":{"2":0,"1":0},"a":2,"9":4,"z":5}',
  );
});

describe("what another reader might take for something else is refused at its place", () => {
  test.each<[string, string, string, number, number, readonly (string | number)[]]>([
    [
      "a name twice",
      '{"a":{"b":1,\n "b":2}}',
      "a name stands twice in one object",
      2,
      2,
      ["a", "b"],
    ],
    [
      "the same name, escaped",
      '{"a":1,"\\u0061":2}',
      "a name stands twice in one object",
      1,
      8,
      ["a"],
    ],
    ["a second value", '{"a":1} {}', "something follows after its end", 1, 9, []],
    ["a zero byte behind it", '{"a":1}\0', "something follows after its end", 1, 8, []],
    ["nothing", "", "it is cut off", 1, 1, []],
    ["half of it", '{"a":["xy', "it is cut off", 1, 10, ["a", 0]],
    ["a line end in a text", '{"a":"x\ny"}', "a text holds a control character", 1, 8, ["a"]],
    [
      "an unknown escape",
      '{"a":"\\x"}',
      "a text holds an escape that JSON does not know",
      1,
      6,
      ["a"],
    ],
    ["a comma too many", '{"a":[1,]}', "it is no JSON", 1, 9, ["a", 1]],
    ["a number that begins with zero", '{"a":01}', "it is no JSON", 1, 7, ["a"]],
    ["no number", '{"a":NaN}', "it is no JSON", 1, 6, ["a"]],
    ["a name without quotes", "{a:1}", "it is no JSON", 1, 2, []],
  ])("%s", (_, text, why, line, column, path) => {
    expect(faultIn(text)).toMatchObject({ why, line, column, path });
  });

  test("and so is what is too deep, too much or too long", () => {
    expect(faultIn("[".repeat(200) + "]".repeat(200))).toBeUndefined();
    expect(faultIn("[".repeat(202) + "]".repeat(202))?.why).toBe("it is nested more than 200 deep");
    expect(faultIn("[".repeat(1_000_000))?.why).toBe("it is nested more than 200 deep");
    expect(faultIn("[1,2,3]", { mostValues: 3 })?.why).toBe("it holds more than 3 values");
    expect(faultIn('["abcd"]', { longestText: 3 })?.why).toBe("a text is longer than 3 letters");
    expect(faultIn(`[1${"0".repeat(1_000)}]`)?.why).toBe("a number is longer than 1,000 letters");
  });
});
