// Values replaced in a text: what is read afterwards is what was asked for, and no other byte has moved.
import { fc } from "../support/property.js";
import { describe, expect, test } from "vitest";
import { parse } from "../../src/document/read/parse.js";
import { edit } from "../../src/document/edit/edit.js";
import { sourceTextOf } from "../../src/lib/source-text.js";
import { nodeAt, toJson } from "../../src/document/read/tree.js";
import type { Json } from "../../src/lib/json.js";

const TEXT = `# How the portal should be.
targetVersion:   "11.5"  # quoted
settings:   # all of them
  informationalBanner: { text: Hello there,   enabled: true } # in flow
  anonymousAccessNotice:
    title: 'It''s single'
    text: |
      First line

      Second line
    buttons:  okOnly
    enabled: false
  authenticatedAccessNotice:
    text: >-
      folded
      text
  portalConfigProperties:
    tokenExpiration:    60 # minutes
    httpsDomains:
      - a.example.com   # first
      - b.example.com
    showInAppLauncher: [ One, "Two" ]
`;

const PATHS = [
  "informationalBanner.text",
  "informationalBanner.enabled",
  "anonymousAccessNotice.title",
  "anonymousAccessNotice.text",
  "anonymousAccessNotice.buttons",
  "authenticatedAccessNotice.text",
  "portalConfigProperties.tokenExpiration",
  "portalConfigProperties.httpsDomains",
  "portalConfigProperties.showInAppLauncher",
].map((path) => ["settings", ...path.split(".")]);

function read(text: string) {
  const source = { ...sourceTextOf("", text), path: undefined };
  const { root, problems } = parse(source);
  if (!root || problems.length > 0) throw new Error(problems[0]?.message);
  return root;
}

describe("a value keeps the way that it was written", () => {
  test.each([
    ["informationalBanner.text", "Closed", "{ text: Closed,   enabled: true } # in flow"],
    ["informationalBanner.text", "a, b", '{ text: "a, b",   enabled: true } # in flow'],
    ["anonymousAccessNotice.title", "It's new", "title: 'It''s new'\n"],
    [
      "anonymousAccessNotice.text",
      "One\n\nTwo\n",
      "text: |\n      One\n\n      Two\n    buttons:  okOnly",
    ],
    ["anonymousAccessNotice.text", "No end", "text: |-\n      No end\n    buttons:  okOnly"],
    ["anonymousAccessNotice.buttons", "acceptAndDecline", "buttons:  acceptAndDecline\n"],
    ["anonymousAccessNotice.buttons", "yes: no", 'buttons:  "yes: no"\n'],
    ["anonymousAccessNotice.enabled", true, "enabled: true\n"],
    ["portalConfigProperties.tokenExpiration", 120, "tokenExpiration:    120 # minutes\n"],
    [
      "portalConfigProperties.httpsDomains",
      ["c.example.com"],
      "httpsDomains:\n      - c.example.com\n",
    ],
    ["portalConfigProperties.showInAppLauncher", ["Three"], "showInAppLauncher: [Three]\n"],
  ] as [string, Json, string][])("%s becomes %j", (path, value, expected) => {
    const next = edit(TEXT, [{ set: ["settings", ...path.split(".")], value }]);
    expect(next).toContain(expected);
  });
});

test("leaves a value that is set elsewhere, or by an alias, to the caller", () => {
  expect(edit(TEXT, [{ set: ["settings", "blockBetaApps"], value: true }])).toBeUndefined();
  const aliased = "x-a: &a hello\nsettings:\n  informationalBanner: { text: *a }\n";
  const path = ["settings", "informationalBanner", "text"];
  expect(edit(aliased, [{ set: path, value: "new" }])).toBeUndefined();
});

test("any values for any paths are read back, and what lies outside of them is the same", () => {
  const value = fc.oneof(
    fc.string(),
    fc.string({ unit: "grapheme" }),
    fc.constantFrom(
      "null",
      "true",
      "1e3",
      "~",
      "a: b",
      "- a",
      "#x",
      " x ",
      "x\n",
      "\n",
      "a\r\nb",
      "|",
      "&a",
      "*a",
      "!x",
      "%",
      "@",
      "`",
      "''",
      '"',
      "\u0085\u2028",
      "---",
      "...",
      "? a",
      "<<",
    ),
    fc.boolean(),
    fc.integer(),
    fc.array(fc.string(), { maxLength: 4 }),
    fc.array(fc.dictionary(fc.string({ minLength: 1 }), fc.string(), { maxKeys: 3 }), {
      maxLength: 3,
    }),
  );
  const edits = fc.uniqueArray(fc.tuple(fc.constantFrom(...PATHS), value), {
    selector: ([path]) => path.join("."),
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(edits, fc.boolean(), (chosen, isCrLf) => {
      const text = isCrLf ? TEXT.replaceAll("\n", "\r\n") : TEXT;
      const next = edit(
        text,
        chosen.map(([path, to]) => ({ set: path, value: to as Json })),
      );
      expect(next).toBeDefined();
      const root = read(next ?? "");
      for (const [path, to] of chosen) {
        expect(JSON.parse(JSON.stringify(toJson(nodeAt(root, path) ?? root)))).toEqual(to);
      }
      expect(
        outside(
          next ?? "",
          chosen.map(([path]) => path),
        ),
      ).toBe(
        outside(
          text,
          chosen.map(([path]) => path),
        ),
      );
    }),
    { numRuns: 500 },
  );
});

/** A text without the stretches of some values. */
function outside(text: string, paths: readonly string[][]): string {
  const root = read(text);
  return paths
    .map((path) => nodeAt(root, path)?.span)
    .flatMap((span) => (span ? [span] : []))
    .toSorted((one, other) => other.start - one.start)
    .reduce((rest, { start, end }) => {
      const [lineEnd = ""] = /(?:\r?\n)?$/.exec(text.slice(start, end)) ?? [];
      return `${rest.slice(0, start)}…${lineEnd}${rest.slice(end)}`;
    }, text);
}

const UNSEEN = {
  "a control character": "\u0007",
  "an escape": "\u001b[31m",
  "a return": "\r",
  delete: "\u007f",
  "a next line": "\u0085",
  "a soft hyphen": "\u00ad",
  "a filler of Hangul": "\u3164",
  "zero width": "\u200b\u200d\u2060",
  "an override of direction": "\u202eabc\u202c\u2066\u2069",
  "a line separator": "\u2028\u2029",
  "a byte order mark": "\ufeff",
  "no character": "\ufffe\uffff",
  "a tag beyond the basic plane": "\u{e0041}",
  "half a pair": "\ud800",
};

test.each(Object.entries(UNSEEN))("writes %s as an escape, in every style", (_, unseen) => {
  const styles = ["plain", "'single'", '"double"', "|\n    block\n", ">-\n    folded\n", "[list]"];
  for (const style of styles) {
    for (const text of [`a${unseen}b`, unseen, `one\n${unseen}two\n`]) {
      const value = style === "[list]" ? [text] : text;
      const next = edit(`settings:\n  a: ${style}\n  b: 1\n`, [
        { set: ["settings", "a"], value },
        { add: ["settings", `c${unseen}`], value: { [`d${unseen}`]: [text] } },
      ]);
      expect(next?.replace(/[ -~\n]/g, "")).toBe("");
      const held = { a: value, b: 1, [`c${unseen}`]: { [`d${unseen}`]: [text] } };
      expect(toJson(read(next ?? ""))).toEqual({ settings: held });
    }
  }
});
