// The text of a state: every written state can be read, and nothing else can.
import { fc } from "../support/property.js";
import { describe, expect, test } from "vitest";
import { digestOfText } from "../../src/lib/digest.js";
import { Failure } from "../../src/failure.js";
import { printJson } from "../../src/lib/json.js";
import { digestOf, parseState, printState } from "../../src/state/format.js";
import type { State } from "../../src/state/state.js";
import { identityOf } from "../../src/state/key.js";
import { withJournal } from "../../src/state/steps.js";
import { anyState } from "./any-state.js";
import { AUTHOR, JOURNAL, PORTAL, stateAfter } from "./samples.js";

const EXPECTED = { place: "/srv/.lintel/gis.json", portal: PORTAL };
const full = withJournal(stateAfter(4), JOURNAL, {
  since: "2026-01-02T03:04:05Z",
  by: AUTHOR,
  why: "rolled back",
  wants: [{ path: ["footerLinks", 0], value: [] }],
});
const text = printState(full);

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
  return "none";
}

const codeFor = (changed: string) => codeOf(() => parseState(changed, EXPECTED));

test("reads every state as it was written", () => {
  expect(parseState(text, EXPECTED)).toEqual(full);
  fc.assert(
    fc.property(anyState, (state) => {
      expect(parseState(printState(state), EXPECTED)).toEqual(state);
    }),
    { numRuns: 500 },
  );
});

test("writes the format first, and accepts reformatted text", () => {
  expect(text).toMatch(/^\{\n {2}"format": 4,\n {2}"digest": "[0-9a-f]{64}",\n {2}"lineage"/);
  expect(text.endsWith("}\n")).toBe(true);
  expect(parseState(JSON.stringify(JSON.parse(text)), EXPECTED)).toEqual(full);
  expect(parseState(text.replaceAll("\n", "\r\n"), EXPECTED)).toEqual(full);
});

test("writes the digest of the content", () => {
  expect(digestOf(full)).toBe((JSON.parse(text) as { digest: string }).digest);
  expect(digestOf({ ...full, serial: full.serial + 1 })).not.toBe(digestOf(full));
});

test.each([
  ["null", "it is null, not a JSON object"],
  ["[]", "it is a list, not a JSON object"],
  ['""', "it is a string, not a JSON object"],
  ["7", "it is a number, not a JSON object"],
])("names %s in the message", (held, why) => {
  expect(() => parseState(held, { place: "p", portal: PORTAL })).toThrow(why);
});

describe("refuses a damaged state", () => {
  test.each([
    ["empty", ""],
    ["blank", " \n"],
    ["cut off", text.slice(0, -20)],
    ["no JSON", "<html>"],
    ["no object", "[]"],
    ["null", "null"],
    ["somebody else's JSON", '{ "version": 4, "serial": 7 }'],
    ["edited by hand", text.replace("Closed on Saturday", "Closed on Sunday")],
    ["with another serial", text.replace(/"serial": 5/, '"serial": 6')],
    ["with a key that is not known", text.replace('"serial"', '"extra": 1, "serial"')],
    ["without its digest", text.replace(/"digest": "\w+",/, "")],
    ["with a format of text", text.replace('"format": 4', '"format": "2"')],
    ["with format 0", text.replace('"format": 4', '"format": 0')],
    [
      "deeper than can be looked through",
      `{"format":4,"x":${"[".repeat(200_000)}${"]".repeat(200_000)}}`,
    ],
    [
      "deep where anything may stand",
      text.replace('"Closed on Saturday"', `${"[".repeat(50_000)}${"]".repeat(50_000)}`),
    ],
  ])("%s", (_, changed) => {
    expect(changed).not.toBe(text);
    expect(codeFor(changed)).toBe("state-damaged");
  });

  test("names the first error in the message", () => {
    const changed = text.replace('"action": "set"', '"action": "sat"');
    expect(() => parseState(changed, EXPECTED)).toThrow(
      'The state "/srv/.lintel/gis.json" is damaged: "journal.changes[0].action" is none of set, default, release, adopt.',
    );
  });
});

/** Whole, whatever it holds. */
function printed(held: object): string {
  const digest = digestOfText(printJson(held));
  return printJson({ format: 4, digest, ...held });
}

describe("a serial near the largest number", () => {
  const {
    format: _format,
    digest: _digest,
    ...held
  } = JSON.parse(text) as State & {
    format: number;
    digest: string;
  };
  const { MAX_SAFE_INTEGER: MOST } = Number;

  test("is accepted up to a million below the largest number", () => {
    const serial = MOST - 1_000_000;
    expect(parseState(printed({ ...held, serial }), EXPECTED).serial).toBe(serial);
  });

  test.each([MOST - 999_999, MOST - 1, MOST, MOST + 1, 2 ** 60, 1e300])(
    "is refused when it is read: %d",
    (serial) => {
      const why = /damaged: "serial" is not a whole number from 1 to 9007199253740991/;
      expect(() => parseState(printed({ ...held, serial }), EXPECTED)).toThrow(why);
      const history = [{ ...held.history[0], number: serial }];
      expect(() => parseState(printed({ ...held, history }), EXPECTED)).toThrow(
        /"history\[0\].number" is not a whole number/,
      );
    },
  );

  test("is refused with its exact digits in the message", () => {
    for (const serial of ["9007199254740993", "9007199254740992.0", "1e16"]) {
      const changed = text.replace(/"serial": 5/, `"serial": ${serial}`);
      expect(() => parseState(changed, EXPECTED)).toThrow(/"serial" is not a whole number/);
    }
  });
});

test("refuses an older format", () => {
  const text = printState(full).replace('"format": 4', '"format": 3');
  expect(() => parseState(text, EXPECTED)).toThrow(
    /has format 3, which this version does not read/,
  );
});

test("refuses a newer format before any other check", () => {
  expect(codeFor('{ "format": 5, "everything": "else" }')).toBe("state-newer");
});

test("refuses the state of another portal, and names both", () => {
  const portal = identityOf("https://other.example.com/portal/sharing/rest", "self");
  const other = printState({ ...full, portal });
  expect(codeFor(other)).toBe("state-not-ours");
  expect(() => parseState(other, EXPECTED)).toThrow(/other\.example\.com.*gis\.example\.com/);
});

test("does not print a state that could not be read again", () => {
  expect(() => printState({ ...full, serial: 0 })).toThrow(
    '"serial" is not a whole number from 1 to',
  );
  expect(() => printState({ ...full, lineage: "" })).toThrow('"lineage" is empty');
  expect(() => printState({ ...full, more: 1 } as State)).toThrow('"more" is not known');
});

describe("parsing only throws failures of this module", () => {
  const allowed = ["none", "state-damaged", "state-newer", "state-not-ours"];

  test("for any text or JSON", () => {
    const any = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json(),
      fc.json().map((json) => `{"format":4,"digest":${json}}`),
    );
    fc.assert(
      fc.property(any, (each) => allowed.includes(codeFor(each))),
      { numRuns: 2000 },
    );
  });

  test("for any changed bytes of a state", () => {
    const change = fc.record({ at: fc.nat(text.length), gone: fc.nat(40), put: fc.string() });
    const changes = fc.array(change, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(changes, (all) => {
        const changed = all.reduce(
          (now, { at, gone, put }) => now.slice(0, at) + put + now.slice(at + gone),
          text,
        );
        const code = codeFor(changed);
        // Only a change of blanks leaves it what it was.
        if (code === "none") expect(parseState(changed, EXPECTED)).toEqual(full);
        return allowed.includes(code);
      }),
      { numRuns: 3000 },
    );
  });

  test("for any replaced value of a state", () => {
    const values = [null, true, 0, -1, 1.5, 1e300, "", "x", [], {}, [[]], { __proto__: null }];
    const places: (readonly (string | number)[])[] = [];
    const walk = (value: unknown, path: readonly (string | number)[]): void => {
      if (path.length > 0) places.push(path);
      if (typeof value !== "object" || value === null) return;
      for (const [key, held] of Object.entries(value)) walk(held, [...path, key]);
    };
    walk(JSON.parse(text), []);
    for (const place of places) {
      for (const value of values) {
        const copy = JSON.parse(text) as Record<string, unknown>;
        const holder = place
          .slice(0, -1)
          .reduce<Record<string, unknown>>(
            (held, key) => held[key] as Record<string, unknown>,
            copy,
          );
        holder[place.at(-1) ?? ""] = value;
        expect(allowed).toContain(codeFor(JSON.stringify(copy)));
      }
    }
    expect(places.length).toBeGreaterThan(50);
  });
});
