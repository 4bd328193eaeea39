// What differs inside texts and lists: nothing is lost, and no input takes long.
import { expect, test } from "vitest";
import { canonicalText, type Json } from "../../src/lib/json.js";
import { type Entry, type Segment, diffLists, diffTexts } from "../../src/report/diff.js";
import { fc } from "../support/property.js";

const textOf = (segments: readonly Segment[], without: Segment["kind"]) =>
  segments
    .filter(({ kind }) => kind !== without)
    .map(({ text }) => text)
    .join("");

const listOf = (entries: readonly Entry[], side: "before" | "after") =>
  entries.flatMap((entry) => {
    if (entry.kind === "changed") return [entry[side]];
    return entry.kind === (side === "before" ? "added" : "removed") ? [] : [entry.value];
  });

const word = fc.oneof(
  fc.constantFrom(
    " ",
    "\n",
    "  ",
    "the",
    "portal",
    "שלום",
    "閉鎖",
    "👨‍👩‍👧",
    "e\u0301",
    "\r\n",
    "\ud800",
  ),
  fc.string({ unit: "binary", maxLength: 4 }),
);
const sentence = fc.array(word, { maxLength: 30 }).map((words) => words.join(""));

test("the segments of two texts are the two texts, and neighbours are of different kinds", () => {
  fc.assert(
    fc.property(sentence, sentence, (before, after) => {
      const segments = diffTexts(before, after);
      expect(textOf(segments, "added")).toBe(before);
      expect(textOf(segments, "removed")).toBe(after);
      expect(segments.every(({ text }) => text !== "")).toBe(true);
      expect(segments.every(({ kind }, at) => kind !== segments[at + 1]?.kind)).toBe(true);
    }),
  );
});

test("a word that changed is one segment in any script", () => {
  expect(diffTexts("Closed on Friday, see help.", "Closed on Saturday, see help.")).toEqual([
    { kind: "same", text: "Closed on " },
    { kind: "removed", text: "Friday" },
    { kind: "added", text: "Saturday" },
    { kind: "same", text: ", see help." },
  ]);
  expect(diffTexts("Портал закрыт в пятницу", "Портал закрыт в субботу").at(-1)?.text).toBe(
    "субботу",
  );
  expect(diffTexts("a 👨‍👩‍👧 family and its portal", "a 👨‍👩‍👦 family and its portal")[1]?.text).toBe("👨‍👩‍👧");
});

test("neighbouring words that changed are one change", () => {
  expect(
    diffTexts(
      "It opens on Friday night, as always.",
      "It opens late on Monday morning, as always.",
    ),
  ).toEqual([
    { kind: "same", text: "It opens " },
    { kind: "added", text: "late " },
    { kind: "same", text: "on " },
    { kind: "removed", text: "Friday night" },
    { kind: "added", text: "Monday morning" },
    { kind: "same", text: ", as always." },
  ]);
});

test("texts that have little in common stand one after the other", () => {
  expect(diffTexts("one two three four", "five six seven eight").map(({ kind }) => kind)).toEqual([
    "removed",
    "added",
  ]);
});

const entry = fc.oneof(
  fc.constantFrom<Json>("a", "b", 1, true, null),
  fc.record({ title: fc.constantFrom("Help", "Contact"), url: fc.constantFrom("/a", "/b", "/c") }),
);
const list = fc.array<Json>(entry, { maxLength: 20 });

test("the entries of two lists are the two lists", () => {
  fc.assert(
    fc.property(list, list, (before, after) => {
      const entries = diffLists(before, after);
      expect(canonicalText(listOf(entries, "before"))).toBe(canonicalText(before));
      expect(canonicalText(listOf(entries, "after"))).toBe(canonicalText(after));
      const changed = entries.filter((each) => each.kind === "changed");
      expect(
        changed.every(
          ({ at, after: value }) => canonicalText(after[at] ?? null) === canonicalText(value),
        ),
      ).toBe(true);
      expect(changed.every(({ parts }) => parts.length > 0)).toBe(true);
    }),
  );
});

test("an insertion at the front is one entry", () => {
  const before = ["a.example.com", "b.example.com", "c.example.com"];
  const changes = diffLists(before, ["new.example.com", ...before]).filter(
    ({ kind }) => kind !== "same",
  );
  expect(changes).toEqual([{ kind: "added", value: "new.example.com" }]);
});

test("an object that kept a property is the same object, changed", () => {
  const help = { title: "Help", url: "/old" };
  const contact = { title: "Contact", url: "/contact" };
  expect(diffLists([help, contact], [contact, { ...help, url: "/new" }])).toMatchObject([
    { kind: "removed" },
    { kind: "same" },
    { kind: "added" },
  ]);
  expect(diffLists([help, contact], [{ ...help, url: "/new" }, contact])).toMatchObject([
    { kind: "changed", at: 0, parts: [{ path: ["url"], before: "/old", after: "/new" }] },
    { kind: "same" },
  ]);
});

test.each([
  ["2,000 entries that are all others", 2_000],
  ["20,000 entries that are all others", 20_000],
])("%s are compared without hanging", (_, count) => {
  const before = Array.from({ length: count }, (_, at) => ({ title: `old ${at}`, url: "/" }));
  const after = Array.from({ length: count }, (_, at) => ({ title: `new ${at}`, url: "/" }));
  const begun = performance.now();
  expect(listOf(diffLists(before, after), "after")).toEqual(after);
  expect(performance.now() - begun).toBeLessThan(20_000);
});

test("two texts of 100 kB are compared without hanging", () => {
  const before = "every word of this text is shuffled ".repeat(3_000);
  const after = before.split(" ").toSorted().join(" ");
  const begun = performance.now();
  expect(textOf(diffTexts(before, after), "removed")).toBe(after);
  expect(performance.now() - begun).toBeLessThan(20_000);
});

test.each(["x", " ", "\u{1f469}\u200d"])(
  "one word of millions of letters is compared",
  (letter) => {
    const after = letter.repeat(9_000_000);
    expect(textOf(diffTexts("another text", after), "removed")).toBe(after);
  },
);
