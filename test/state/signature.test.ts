// Signatures of states: every change is detected.
import { expect, test } from "vitest";
import { Failure } from "../../src/failure.js";
import { digestOf, parseState, printState } from "../../src/state/format.js";
import { distrust, signedWith, stateKeysIn, trustIn } from "../../src/state/signature.js";
import { withJournal } from "../../src/state/steps.js";
import { fc } from "../support/property.js";
import { anyState } from "./any-state.js";
import { JOURNAL, PORTAL, stateAfter } from "./samples.js";

const KEY = "k".repeat(32);
const OTHER = "o".repeat(32);
const keys = (own: string, old?: string) =>
  stateKeysIn({ env: { LINTEL_STATE_KEY: own, LINTEL_STATE_KEY_OLD: old } });
const EXPECTED = { place: "x.json", portal: PORTAL };
const signed = signedWith(KEY, withJournal(stateAfter(3), JOURNAL));
const text = printState(signed);

/** What becomes of a text: refused as a whole, not trusted, or trusted. */
function verdictOn(changed: string): string {
  try {
    return distrust(parseState(changed, EXPECTED), keys(KEY)) ?? "trusted";
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}

test("verifies with the key or the old key, and no other", () => {
  fc.assert(
    fc.property(anyState, (state) => {
      const read = parseState(printState(signedWith(KEY, state)), EXPECTED);
      expect(distrust(read, keys(KEY))).toBeUndefined();
      expect(distrust(read, keys(OTHER, KEY))).toBeUndefined();
      expect(distrust(read, keys(OTHER))).toMatch(/another key/);
    }),
    { numRuns: 100 },
  );
});

test("detects every changed, removed or added character that matters", () => {
  for (let at = 0; at < text.length; at++) {
    for (const put of [text[at] === "0" ? "1" : "0", "", `${text[at]}9`, " "]) {
      const changed = text.slice(0, at) + put + text.slice(at + 1);
      if (verdictOn(changed) === "trusted") expect(parseState(changed, EXPECTED)).toEqual(signed);
    }
  }
  expect(verdictOn(text)).toBe("trusted");
});

test("does not trust a state that was changed and its digest corrected without the key", () => {
  const { signature: _none, ...bare } = signed;
  const over = digestOf({ ...bare, serial: 9 });
  const forged = { ...bare, serial: 9, signature: { over, hmac: signed.signature?.hmac ?? "" } };
  expect(verdictOn(printState(forged))).toMatch(/another key, or was changed/);
  expect(verdictOn(printState(bare))).toBe("is not signed");
  expect(verdictOn(printState(signedWith(OTHER, bare)))).toMatch(/another key/);
});

test("does not print a signature with other content", () => {
  expect(() => printState({ ...signed, serial: 9 })).toThrow("to another state");
  expect(signedWith(KEY, signedWith(OTHER, signed))).toEqual(signed);
});

test("requires keys of 32 characters, ignores spaces around them, and treats an empty key as none", () => {
  const bad = expect.objectContaining({ code: "bad-variable", exit: 64 }) as Error;
  expect(() => keys("k".repeat(31))).toThrow(bad);
  expect(() => keys(KEY, "o")).toThrow(bad);
  expect(() => stateKeysIn({ env: { LINTEL_STATE_KEY_OLD: OTHER } })).toThrow(bad);
  expect(() => keys("", OTHER)).toThrow(bad);
  expect(keys(` ${KEY}\n`)).toEqual({ own: KEY, old: undefined, isEmpty: false });
  expect(keys("")).toEqual({ own: undefined, old: undefined, isEmpty: true });
  expect(keys(KEY, "")).toMatchObject({ own: KEY, old: undefined });
  expect(stateKeysIn({ env: {} })).toEqual({ own: undefined, old: undefined, isEmpty: false });
});

test("reports whether a signature was verified", () => {
  expect(trustIn(signed, { env: {} })).toBe("not-verified");
  expect(trustIn(signed, { env: { LINTEL_STATE_KEY: KEY } })).toBe("verified");
  expect(trustIn(stateAfter(1), { env: { LINTEL_STATE_KEY: KEY } })).toBeNull();
});
