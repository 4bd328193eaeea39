// Secrets in other systems' texts: found whole, in any letter case, encoded, cut, and taken apart; and not where there is none.
import { expect, test } from "vitest";
import { showForeign } from "../src/lib/text.js";
import { secret } from "../src/secret.js";

const KEY = "7c9e6679-7425-40de-944b-E07FC1F90AE7";
const WITHHELD = "(withheld: it repeats a secret)";

test.each([
  ["whole", KEY],
  ["in capitals", KEY.toUpperCase()],
  ["in small letters", KEY.toLowerCase()],
  ["cut at its end", KEY.slice(0, 8)],
  ["cut at its beginning", KEY.slice(-8)],
  ["cut at both", KEY.slice(12, 20).toUpperCase()],
  ["in base64", Buffer.from(KEY).toString("base64")],
  ["in hexadecimal digits", Buffer.from(KEY).toString("hex").toUpperCase()],
  ["with marks that nobody sees", KEY.split("").join("\u200b")],
  ["after more than is shown", `${"x".repeat(98)}${KEY}`],
])("a text that repeats a secret %s is withheld as a whole", (_, text) => {
  expect(showForeign(`No account ${text} here.`, [secret(KEY)], 100)).toBe(WITHHELD);
});

test.each([
  ["fewer characters than tell anything", "No account 7c9e667 here."],
  ["nothing of it", "Invalid BEID or Web Services Key."],
])("a text with %s is shown", (_, text) => {
  expect(showForeign(text, [secret(KEY)])).toBe(text);
});

test.each([
  // Half of it, of one that is short; six at least, and a shorter one whole.
  ["pass word&1", "pass w", true],
  ["pass word&1", "pass ", false],
  ["pass word&1", "WORD&1", true],
  ["a+b/c=d&e?f", encodeURIComponent("a+b/c=d&e?f"), true],
  ['quo"te\\d-quoted', JSON.stringify('quo"te\\d-quoted'), true],
  ["ada", "no Ada here", true],
  ["ada", "no ad here", false],
  ["", "anything", false],
])("%j is in %j: %s", (text, said, isIn) => {
  expect(secret(text).isIn(said)).toBe(isIn);
});

test.each([
  ["a mark that turns the direction", "a\u202eb", "a\\u{202e}b"],
  ["a filler that takes no room", "a\u3164b", "a\\u{3164}b"],
  ["half of a pair", "a\ud83db", "a\\u{d83d}b"],
  ["a visible sign of Arabic", "a\u0600b", "a\u0600b"],
])("%s in another system's text is shown so that people see it", (_, text, shown) => {
  expect(showForeign(text, [])).toBe(shown);
});
