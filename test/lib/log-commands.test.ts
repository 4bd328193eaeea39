// Text that others wrote commands no platform that runs a pipeline, and says the same in every syntax.
import { expect, test } from "vitest";
import { maskLogCommands, type Syntax } from "../../src/lib/log-commands.js";
import { COMMANDING, commandsIn } from "./log-commands.js";

const SYNTAXES: readonly Syntax[] = ["text", "json", "markup", "annotations"];

test.each([
  ["::error::x", "<U+003A>:error::x"],
  [":::error::x", "<U+003A>::error::x"],
  ["a\n \t::set-output name=a::b\n", "a\n \t<U+003A>:set-output name=a::b\n"],
  ["a\r::error::x", "a\r<U+003A>:error::x"],
  ["a\u2028\u0085 ::error::x", "a\u2028\u0085 <U+003A>:error::x"],
  ["a ##[error]b ##vso[task.complete]c", "a #<U+0023>[error]b #<U+0023>vso[task.complete]c"],
  ["###[group]", "##<U+0023>[group]"],
  ["##VSO[a] ##teamcity[b]", "#<U+0023>VSO[a] #<U+0023>teamcity[b]"],
  ["section_start:1:a section_end:1:a", "section<U+005F>start:1:a section<U+005F>end:1:a"],
  ["a ::b::c\n## [d]\nhttps://[::1]/ section_start: a", undefined],
])("masks %j in text", (text, masked = text) => {
  expect(maskLogCommands(text)).toBe(masked);
  expect(maskLogCommands(masked)).toBe(masked);
});

test("masks in JSON and in markup by references that mean the same character", () => {
  const json = maskLogCommands(JSON.stringify(COMMANDING), "json");
  expect(commandsIn(json)).toEqual([]);
  expect(JSON.parse(json)).toBe(COMMANDING);
  const markup = maskLogCommands(COMMANDING, "markup");
  expect(commandsIn(markup)).toEqual([]);
  const meant = markup.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  expect(meant).toBe(COMMANDING);
});

test("leaves the lines that annotations begin, and nothing else", () => {
  const line = "::error file=a::##[error] ##vso[task.complete]\n";
  const masked = "::error file=a::#<U+0023>[error] #<U+0023>vso[task.complete]\n";
  expect(maskLogCommands(line, "annotations")).toBe(masked);
});

test.each(SYNTAXES)("masks a long text in %s in time that grows with its length", (syntax) => {
  // A second pass over the rest for each line start would take minutes.
  for (const unit of ["\u2028", "\u0085", " ", "\r", "#", ":", "section_"]) {
    const text = unit.repeat(2_000_000);
    expect(maskLogCommands(text, syntax).length).toBeGreaterThanOrEqual(text.length);
  }
});
