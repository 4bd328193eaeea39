// Finds the files that people name: a shell's patterns, hidden files, and names that look like patterns.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findFiles } from "../../src/document/find.js";
import { compareNames } from "../../src/lib/text.js";
import { fc } from "../support/property.js";
import { folderOf } from "../support/run.js";

const folder = folderOf();
afterAll(() => folder.remove());

const FILES = [
  "a.yaml",
  "b.yaml",
  "c.yaml",
  "_part.yaml",
  "1.yaml",
  ".hidden.yaml",
  ".git/a.yaml",
  "node_modules/a.yaml",
  "north/a.yaml",
  "north/deep/a.yaml",
  "south/b.yaml",
  "p[ab].yaml",
  "pa.yaml",
  "x (1).yaml",
  "x|y.yaml",
  "x+y.yaml",
  "with (1)/a.yaml",
  "!no.yaml",
];
for (const file of FILES) {
  mkdirSync(dirname(join(folder.path, file)), { recursive: true });
  writeFileSync(join(folder.path, file), "");
}

describe("a pattern means what it means to a shell", () => {
  const cases: [pattern: string, files: readonly string[]][] = [
    ["**/a.yaml", ["a.yaml", "north/a.yaml", "north/deep/a.yaml", "with (1)/a.yaml"]],
    ["north/**", ["north/a.yaml", "north/deep/a.yaml"]],
    ["*/a.yaml", ["north/a.yaml", "with (1)/a.yaml"]],
    ["{a,b}.yaml", ["a.yaml", "b.yaml"]],
    ["{north/a,south/*}.yaml", ["north/a.yaml", "south/b.yaml"]],
    ["{a,{b,c}}.yaml", ["a.yaml", "b.yaml", "c.yaml"]],
    ["[ab].yaml", ["a.yaml", "b.yaml"]],
    ["[a-b].yaml", ["a.yaml", "b.yaml"]],
    ["[!ab].yaml", ["1.yaml", "c.yaml"]],
    ["[[:digit:]].yaml", ["1.yaml"]],
    ["?.yaml", ["1.yaml", "a.yaml", "b.yaml", "c.yaml"]],
    [".h*.yaml", [".hidden.yaml"]],
    [".git/*.yaml", [".git/a.yaml"]],
    ["*/.*", []],
    ["p\\[*.yaml", ["p[ab].yaml"]],
    ["p\\[ab\\].*", ["p[ab].yaml"]],
    ["x (*).yaml", ["x (1).yaml"]],
    ["with (1)/*.yaml", ["with (1)/a.yaml"]],
    ["x|*.yaml", ["x|y.yaml"]],
    ["x+*.yaml", ["x+y.yaml"]],
    ["!*.yaml", ["!no.yaml"]],
    ["./north/../*th/a.yaml", ["north/a.yaml"]],
    ["[z-a].yaml", []],
  ];
  test.each(cases)("%s", async (pattern, files) => {
    const found = findFiles([pattern], folder.path);
    if (files.length > 0) expect(await found).toEqual(files);
    else await expect(found).rejects.toMatchObject({ code: "wrong-usage" });
  });
});

test("a file whose own name has brackets is that file, and others it would match are not", async () => {
  expect(await findFiles(["p[ab].yaml", "p[a].yaml"], folder.path)).toEqual([
    "p[ab].yaml",
    "pa.yaml",
  ]);
});

describe("sorts names in natural order", () => {
  const numbered = folderOf(
    Object.fromEntries([1, 2, 9, 10, 11, 100].map((at) => [`portals/p${at}.yaml`, ""])),
  );
  afterAll(() => numbered.remove());
  const inOrder = [1, 2, 9, 10, 11, 100].map((at) => `portals/p${at}.yaml`);

  test.each([
    ["nothing named", []],
    ["a folder", ["portals"]],
    ["a pattern", ["portals/*.yaml"]],
    ["what a shell makes of a pattern", inOrder.toSorted()],
  ])("%s", async (_, words) => {
    expect(await findFiles(words, numbered.path)).toEqual(inOrder);
  });

  test("keeps another order of the arguments", async () => {
    const words = ["portals/p10.yaml", "portals/p100.yaml", "portals/p1.yaml"];
    expect(await findFiles(words, numbered.path)).toEqual(words);
  });

  test("in one order for any names", () => {
    const name = fc.stringMatching(/^[a0-2./-]{0,6}$/);
    fc.assert(
      fc.property(fc.array(name, { maxLength: 8 }), fc.nat(), (names, at) => {
        const sorted = names.toSorted(compareNames);
        const turned = [...names.slice(at % 8), ...names.slice(0, at % 8)].toReversed();
        expect(turned.toSorted(compareNames)).toEqual(sorted);
        for (const one of names) {
          for (const other of names) {
            expect(compareNames(one, other) + compareNames(other, one)).toBe(0);
            expect(compareNames(one, other) === 0).toBe(one === other);
          }
        }
      }),
    );
  });
});
