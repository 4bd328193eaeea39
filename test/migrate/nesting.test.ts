// Scripts that nest are read as deep as people write them, and refused long before the stack of the process is full.
import { describe, expect, test } from "vitest";
import { parseScript } from "../../src/migrate/read.js";
import { scriptOf } from "../../src/migrate/script.js";

const within = (open: string, inner: string, close: string) => (count: number) =>
  `x = ${open.repeat(count)}${inner}${close.repeat(count)};`;
const below =
  (open: string, inner: string, close = "") =>
  (count: number) =>
    open.repeat(count) + inner + close.repeat(count);

const SHAPES: Readonly<Record<string, (count: number) => string>> = {
  parentheses: within("(", "1", ")"),
  lists: within("[", "1", "]"),
  objects: within("{ a: ", "1", "}"),
  templates: within("`${", "1", "}`"),
  functions: within("function () { return ", "1", "}"),
  arrows: within("() => ", "1", ""),
  methods: within("{ a() { return ", "1", "} }"),
  calls: within("f(", "1", ")"),
  "chains of calls": within("f", "", "()"),
  members: within("a", "", ".a"),
  "optional members": within("a", "", "?.a"),
  indexes: within("a[", "0", "]"),
  negations: within("!", "1", ""),
  "signs of a number": within("- ", "1", ""),
  constructors: within("new ", "A", ""),
  sums: within("1 + ", "1", ""),
  powers: within("1 ** ", "1", ""),
  conditions: within("a ? b : ", "1", ""),
  assignments: within("a = ", "1", ""),
  classes: within("class extends ", "A", " {}"),
  defaults: within("function (a = ", "1", ") {}"),
  spreads: within("[...", "[]", "]"),
  "groups of a pattern": (count) => `x = /${"(".repeat(count)}a${")".repeat(count)}/;`,
  "classes of a pattern": (count) => `x = /${"[".repeat(count)}a${"]".repeat(count)}/v;`,
  "patterns of variables": (count) => `var ${"[".repeat(count)}a${"]".repeat(count)} = 1;`,
  blocks: below("{", "", "}"),
  "declared functions": below("function f() {", "", "}"),
  branches: below("if (a);\nelse ", ";"),
  loops: below("for (; 0; ) ", ";"),
  "caught errors": below("try {", "", "} finally {}"),
  switches: below("switch (1) { default: ", "", "}"),
};

const read = (text: string) => parseScript(scriptOf("config.js", text));

describe.each(Object.entries(SHAPES))("%s", (_, shape) => {
  test("are read where 60 nest", () => {
    expect(read(shape(60))).toHaveProperty("program");
  });

  test.each([1_500, 30_000])("are refused where %d nest", (count) => {
    expect(read(shape(count))).toMatchObject({
      problem: { code: "js-syntax", message: "The script nests too deep to be read from here on." },
    });
  });
});

test("reads a text of a thousand parts, as old files write long addresses", () => {
  expect(read(`x = ${'"a" +\n'.repeat(1_000)}"a";`)).toHaveProperty("program");
});
