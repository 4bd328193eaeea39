// Files made to hang or break whoever reads them: each ends with an outcome, and none is run.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { diagnoseFiles, diagnoseProperty } from "../../src/migrate/diagnose.js";
import { migrate } from "../../src/migrate/migrate.js";
import { PROJECT } from "../support/run.js";

const START = "window.esriGeowConfig = { tokenExpiration: 30, surveyUrl: ";
const many = (text: string, count: number) => text.repeat(count);

const FILES: Record<string, string> = {
  "100,000 lists in each other": `${START}${many("[", 100_000)}${many("]", 100_000)} };`,
  "100,000 blocks": `${START}1 };${many("{", 100_000)}${many("}", 100_000)}`,
  "2,000 blocks": `${START}1 };${many("{", 2_000)}${many("}", 2_000)}`,
  "100,000 negations": `${START}${many("!", 100_000)}1 };`,
  "100,000 functions": `${START}1 };${many("(function(){", 100_000)}${many("})()", 100_000)}`,
  "a sum of 100,000": `${START}"https://a.example.org"${many(' + "a"', 100_000)} };`,
  "a sum of 3,000": `${START}"https://a.example.org/"${many(' + "a"', 3_000)} };`,
  "3,000 conditions": `${START}${many("a ? b : ", 3_000)} c };`,
  "10 MB on one line": `${START}"https://a.example.org", x: "${many("a", 10_000_000)}" };`,
  "10 MB of properties": `${START}1, ${many('"abcdefgh": [1, 2, { a: "b" }], ', 300_000)} };`,
  "10 MB without an end": `${START}"${many("a", 10_000_000)}`,
  "a text that doubles": `var a = "aaaaaaaaaa";${many("a = a + a;", 60)}${START}a };`,
  "a list that doubles": `var a = [1, 2];${many("a = a.concat(a);", 60)}${START}a };`,
  "200 lists of one text": `var a = "aaaaaaaaaaaaaaaa";${many("a = a + a;", 15)}${Array.from({ length: 200 }, (_, at) => `var a${at} = a.split("");`).join("")}${START}1 };`,
  "400 filters of one list": `var a = "aaaaaaaaaaaaaaaa";${many("a = a + a;", 15)}a = a.split("");${many("a = a.filter(function (x) { return x; });", 400)}${START}1 };`,
  "lists spread 300 times": `var a = [1];${many("a = [...a, ...a];", 18)}${Array.from({ length: 300 }, (_, at) => `var a${at} = [...a, 1];`).join("")}${START}1 };`,
  "lists held again and again": `var a0 = [1];${Array.from({ length: 60 }, (_, at) => `var a${at + 1} = [a${at}, a${at}];`).join("")}${START}a60 };`,
  "an object that holds itself": `${START}1 };esriGeowConfig.surveyUrl = esriGeowConfig;`,
  "an endless loop": `while (true) {} ${START}1 };`,
  "a getter without an end": `${START}{ get a() { for (;;) {} } }.a };`,
  "an expression that takes for ever": `${START}"${many("a", 100)}".replace(/(a+)+b/, "") };`,
  "nothing but brackets": many("[({", 50_000),
  "one quote": '"',
  "zero bytes": "\0\0\0\0\0\0",
  "a name of 1 MB": `${START}1, ${many("a", 1_000_000)}: 1 };`,
  "prototype names": `${START}1, constructor: 1, toString: 2, hasOwnProperty: 3, "__proto__": null };`,
};

describe("it ends with an outcome", () => {
  test.each(Object.entries(FILES))("%s", (_name, text) => {
    const migration = migrate([{ file: "config.js", bytes: Buffer.from(text) }], {
      target: "11.5",
      takesAll: false,
    });
    const diagnostics = [
      ...diagnoseFiles(migration),
      ...migration.properties.flatMap(diagnoseProperty),
    ];
    expect(diagnostics.length + migration.properties.length).toBeGreaterThan(0);
    for (const { message, place } of diagnostics) {
      expect(message.length).toBeLessThan(2_000_000);
      expect(place?.excerpt.text.length ?? 0).toBeLessThanOrEqual(120);
    }
  });
});

test("nothing in the room runs text or loads a file", () => {
  const folder = join(PROJECT, "src/migrate");
  const guilty = readdirSync(folder).filter((name) => {
    const code = readFileSync(join(folder, name), "utf8")
      .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "")
      .replace(/"(?:[^"\\\n]|\\.)*"/g, '""');
    return /\beval\s*\(|\bnew Function\b|\bFunction\s*\(|\brequire\s*\(|\bimport\s*\(|\bcreateContext\b|\brunIn/.test(
      code,
    );
  });
  expect(guilty).toEqual([]);
  const imports = readdirSync(folder).flatMap((name) =>
    [...readFileSync(join(folder, name), "utf8").matchAll(/from "([^."][^"]*)"/g)].map(
      ([, from]) => from,
    ),
  );
  expect(new Set(imports)).toEqual(new Set(["acorn", "node:buffer"]));
});
