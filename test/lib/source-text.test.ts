// Encodings as data: bytes, what they are taken for, and their text.
import { expect, test } from "vitest";
import { decodeText, encodingOf } from "../../src/lib/source-text.js";

const utf16 = (text: string) => Buffer.from(text, "utf16le");

test.each([
  ["plain letters", Buffer.from("a"), "UTF-8", "a"],
  ["UTF-8", Buffer.from("Straße €"), "UTF-8", "Straße €"],
  ["a byte order mark", Buffer.from("\ufeffa"), "UTF-8", "a"],
  [
    "Windows-1252",
    Buffer.from("5374726180df65209620802093", "hex"),
    "Windows-1252",
    "Stra€ße – € “",
  ],
  ["bytes that Windows-1252 leaves open", Buffer.from([0x81, 0xe4]), "Windows-1252", "\u0081ä"],
  ["UTF-16 with a mark", utf16("\ufeffä"), "UTF-16LE", "ä"],
  ["UTF-16 without one", utf16("var a"), "UTF-16LE", "var a"],
  ["UTF-16 of the other order", utf16("\ufeffva").swap16(), "UTF-16BE", "va"],
])("%s", (_, bytes, encoding, text) => {
  expect(encodingOf(bytes)).toBe(encoding);
  expect(decodeText(bytes, encodingOf(bytes))).toBe(text);
});
