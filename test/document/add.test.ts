// Values added to a text: what is read afterwards is what was there and what was added, and no other byte has moved.
import { describe, expect, test } from "vitest";
import { edit, type Addition } from "../../src/document/edit/edit.js";
import { parse } from "../../src/document/read/parse.js";
import { lineStartsOf } from "../../src/lib/source-text.js";
import { toJson } from "../../src/document/read/tree.js";
import { retarget } from "../../src/document/edit/retarget.js";
import { asLiteral } from "../../src/document/edit/value.js";
import { substitute } from "../../src/document/read/references.js";
import type { Json } from "../../src/lib/json.js";
import { fc } from "../support/property.js";

const HOME = ["settings", "portalConfigProperties"];
const ONE: Addition[] = [
  {
    add: [...HOME, "tokenExpiration"],
    value: 30,
    beside: "config.js:3\nforged: true",
  },
  { add: [...HOME, "httpsDomains"], value: ["a.example.com", "*.b"], beside: "config.js:4" },
];
const BLOCK = (indent: string, step: string, end = "\n") =>
  [
    `${indent}tokenExpiration: 30 # config.js:3 forged: true`,
    `${indent}httpsDomains: # config.js:4`,
    `${indent}${step}- a.example.com`,
    `${indent}${step}- "*.b"`,
    "",
  ].join(end);

function read(text: string): Json {
  const { root, problems } = parse({
    file: "",
    path: undefined,
    text,
    lineStarts: lineStartsOf(text),
  });
  if (!root || problems.length > 0) throw new Error(problems[0]?.message);
  return JSON.parse(JSON.stringify(toJson(root))) as Json;
}

describe("adds a value below its mapping", () => {
  const cases: [name: string, before: string, inserted: string, after: string][] = [
    [
      "at the end",
      'targetVersion: "11.0"\n',
      `settings:\n  portalConfigProperties:\n${BLOCK("    ", "  ")}`,
      "",
    ],
    [
      "below a key without a value",
      "settings: # all\n",
      `  portalConfigProperties:\n${BLOCK("    ", "  ")}`,
      "rules: { low-contrast: off }\n",
    ],
    [
      "as deep as the file is",
      "settings:\n    portalConfigProperties:\n        surveyUrl: 'x'   # c\n",
      BLOCK("        ", "    "),
      "    # trailing\nportal: {name: x}\n",
    ],
    [
      "behind an anchor",
      "settings:\n  portalConfigProperties: &p\n    surveyUrl: |\n      x\n",
      BLOCK("    ", "  "),
      "\n  blockBetaApps: true\n",
    ],
    [
      "behind a text that keeps its ends",
      "settings:\n  portalConfigProperties:\n    surveyUrl: >+\n      x\n\n\n",
      BLOCK("    ", "  "),
      "portal: {}\n",
    ],
    [
      "beside a merge",
      "x-p: &p { surveyUrl: 'x' }\nsettings:\n  portalConfigProperties:\n    <<: *p\n",
      BLOCK("    ", "  "),
      "...\n",
    ],
    [
      "with CR LF",
      'a: "11.0"\r\nsettings:\r\n  portalConfigProperties:\r\n    surveyUrl: "x"\r\n',
      BLOCK("    ", "  ", "\r\n"),
      "b: 1\r\n",
    ],
    [
      "in flow style",
      "settings: { portalConfigProperties: {  a: 1",
      ', tokenExpiration: 30, httpsDomains: [a.example.com, "*.b"]',
      " , } } # c\n",
    ],
  ];
  test.each(cases)("%s", (_name, before, inserted, after) => {
    expect(edit(before + after, ONE)).toBe(before + inserted + after);
  });
});

test("leaves a value that is set elsewhere, or by an alias, to the caller", () => {
  const texts = [
    "settings:\n  portalConfigProperties:\n    tokenExpiration: 5\n",
    "x-p: &p { a: 1 }\nsettings:\n  portalConfigProperties: *p\n",
    "settings: text\n",
    "- a\n",
    "settings: [\n",
    "",
  ];
  for (const text of texts) expect(edit(text, ONE)).toBeUndefined();
});

test("any value is read back", () => {
  const value = fc.oneof(
    fc.string(),
    fc.string({ unit: "grapheme" }),
    fc.constantFrom(
      "null",
      "1e3",
      "a: b",
      "a #b",
      "- a",
      "yes",
      " x ",
      "x\n",
      "\u0085\u2028",
      "---",
      "\u007f",
      "*a",
      "a:",
    ),
    fc.boolean(),
    fc.integer(),
    fc.array(
      fc.oneof(
        fc.string(),
        fc.dictionary(fc.string({ minLength: 1 }), fc.string(), { maxKeys: 3 }),
      ),
      { maxLength: 4 },
    ),
  );
  const texts = [
    "a: 1\n",
    "settings:\n    portalConfigProperties:\n        x: 1 # one",
    "settings: {}\r\n",
  ];
  fc.assert(
    fc.property(value, fc.constantFrom(...texts), fc.string(), (value, text, comment) => {
      const path = [...HOME, "title"];
      const next = edit(text, [{ add: path, value, beside: comment }]) ?? "";
      const { settings } = read(next) as { settings: { portalConfigProperties: { title: Json } } };
      expect(settings.portalConfigProperties.title).toEqual(value);
    }),
    { numRuns: 500 },
  );
});

test("escapes a text so that nothing in it becomes a reference", () => {
  const piece = fc.constantFrom(
    "${",
    "$",
    "{",
    "}",
    "env:",
    "file:",
    "command:",
    "vars.",
    "portal.name",
    "HOME",
    "i18n.x",
    " ",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = pieces.join("");
      const written =
        edit("a: 1\n", [{ add: ["settings", "title"], value: asLiteral(text) }]) ?? "";
      const { root } = parse({
        file: "",
        path: undefined,
        text: written,
        lineStarts: lineStartsOf(written),
      });
      const { root: replaced, problems } = substitute(root as NonNullable<typeof root>, {
        cwd: "/",
        env: { HOME: "/root" },
      });
      expect(problems).toEqual([]);
      expect(toJson(replaced)).toEqual({ a: 1, settings: { title: text } });
    }),
  );
});

describe("changes only the bytes of the target", () => {
  const schema = "# yaml-language-server: $schema=./desired-state-";
  const cases: [before: string, after: string][] = [
    [
      'a:   1 # x\ntargetVersion :   "11.0"   # quoted\nb: [ 1,2 ]\n',
      'a:   1 # x\ntargetVersion :   "11.5"   # quoted\nb: [ 1,2 ]\n',
    ],
    ["targetVersion: '11.0'\r\n\r\n", "targetVersion: '11.5'\r\n\r\n"],
    ['targetVersion: &v "11.0"\n', 'targetVersion: &v "11.5"\n'],
    ['{ "targetVersion":"11.0",a: 1}', '{ "targetVersion":"11.5",a: 1}'],
    [
      `${schema}11.0.schema.json\ntargetVersion: "11.0"`,
      `${schema}11.5.schema.json\ntargetVersion: "11.5"`,
    ],
    [
      '#yaml-language-server:   $schema=../x/desired-state-10.9.1.schema.json  \ntargetVersion: "11.0"\n# desired-state-11.0.schema.json',
      '#yaml-language-server:   $schema=../x/desired-state-11.5.schema.json  \ntargetVersion: "11.5"\n# desired-state-11.0.schema.json',
    ],
    [
      '# yaml-language-server: $schema=./desired-state.schema.json\ntargetVersion: "11.0"\n',
      '# yaml-language-server: $schema=./desired-state.schema.json\ntargetVersion: "11.5"\n',
    ],
  ];
  test.each(cases)("%j", (before, after) => {
    expect(retarget(before, "11.5")).toBe(after);
  });

  test("refuses a target that has an alias or comes from elsewhere", () => {
    for (const text of [
      'targetVersion: &v "11.0"\nportal: { name: *v }\n',
      'x-v: &v "11.0"\ntargetVersion: *v\n',
      'targetVersion: "${env:LINTEL_VAR_TARGET}"\n',
    ]) {
      expect(retarget(text, "11.5")).toBeUndefined();
    }
  });
});

test("a comment shows invisible characters", () => {
  const added = edit("settings:\n", [
    { add: ["settings", "a"], value: 1, beside: "a\u202eb\u200bc\u3164" },
  ]);
  expect(added).toBe("settings:\n  a: 1 # a<U+202E>b<U+200B>c<U+3164>\n");
});
