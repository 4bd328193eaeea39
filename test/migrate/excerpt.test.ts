// Lines of old files → what may be seen of them in an excerpt, and which comments go along.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { diagnoseFiles, diagnoseProperties } from "../../src/migrate/diagnose.js";
import { openEngine } from "../../src/migrate/evaluate/runner.js";
import type { Judged } from "../../src/migrate/judge.js";
import { counterparts } from "../../src/migrate/known.js";
import { masked, maskedSlip } from "../../src/migrate/mask.js";
import { migrate, type Migration } from "../../src/migrate/migrate.js";

const engine = openEngine();
afterAll(() => engine.close());

function read(text: string): Promise<Migration> {
  const bytes = Buffer.from(text);
  return migrate([{ file: "config.js", bytes }], { target: "11.5", takesAll: false, engine });
}

const seen = (text: string) => text.replaceAll("\0", "");

describe("a broken line shows the values of settings alone", () => {
  test.each([
    ['  bingMapsKey: SECRET2abcdef",', "  bingMapsKey: …"],
    ["  bingMapsKey: 'SECRET3a'SECRET3b',", "  bingMapsKey: …"],
    ['bingMapsKey: "SECRET", tokenExpiration: 30', "bingMapsKey: …"],
    ["  tokenExpiration: 30 SECRET,", "  tokenExpiration: … …,"],
    ["  tokenExpiration: 30, bingMapsKey: SECRET", "  tokenExpiration: 30, … …"],
    ['  surveyUrl: "https://a.example.org"', '  surveyUrl: "https://a.example.org"'],
    ["  surveyUrl: https://user:SECRET@a.example.org,", "  surveyUrl: …:…:…,"],
    ["window.esriGeowConfig = {", "window.esriGeowConfig = {"],
    ["SECRET words", "… …"],
    ["<<<<<<< mine", "<<<<<<< …"],
  ])("%s", (line, shown) => {
    expect(seen(maskedSlip(line))).toBe(shown);
    expect(maskedSlip(line)).toHaveLength(line.length);
  });
});

describe("a property shows its own plain value alone", () => {
  test.each([
    [
      'surveyUrl: location.protocol + "//a.example"',
      'surveyUrl: location.protocol + "//a.example"',
    ],
    ['httpsDomains: ["a", {k: "SECRET"}]', 'httpsDomains: ["a", {…: …}]'],
    [
      'footerLinks: [{title: "x", key: "SECRET", url: "u"}]',
      'footerLinks: [{title: "x", …: …, url: "u"}]',
    ],
    ['surveyUrl: {url: "SECRET"}', "surveyUrl: {…: …}"],
    ['tokenExpiration: mix({proxyRule:{url:"SECRET"}})', "tokenExpiration: mix({…:{…:…}})"],
    [
      'tokenExpiration: f("SECRET", SECRET, /SECRET/g, `SECRET`)',
      "tokenExpiration: f(…, …, …, `…`)",
    ],
    ['tokenExpiration: x.bingMapsKey = "SECRET"', "tokenExpiration: x.bingMapsKey = …"],
    ['tokenExpiration: x["bingMapsKey"] = "SECRET"', "tokenExpiration: x[…] = …"],
    ['esriGeowConfig["surveyUrl"] = "u"', 'esriGeowConfig["surveyUrl"] = "u"'],
    ['surveyUrl: isTest ? "a" : "b"', 'surveyUrl: isTest ? "a" : "b"'],
    ["surveyUrl: `${f(`SECRET`)}/a`", "surveyUrl: `${f(`…`)}/a`"],
    ["surveyUrl: 1 // SECRET", "surveyUrl: 1 …"],
  ])("%s", (text, shown) => {
    expect(seen(masked(text, true))).toBe(shown);
    expect(masked(text, true)).toHaveLength(text.length);
  });
});

describe("a comment goes along only where it is plain words", () => {
  const comments: readonly (readonly [string, string?])[] = [
    ["short, until 2019-05-01", "short, until 2019-05-01"],
    ["see https://intranet.example.org/portal", "see https://intranet.example.org/portal"],
    ["was bingMapsKey: SECRET"],
    ["the Bing one is SECRET"],
    ["password SECRET"],
    ["apiKey => 'SECRET'"],
    ["it is AB12cd34 since then"],
    ["https://user:SECRET@a.example.org"],
    ["https://a.example.org?x=SECRET"],
    ["a".repeat(300_000)],
    ["* ".repeat(150_000)],
  ];
  // A setting for each of them, so that one file holds them all.
  const names = counterparts().map(({ inFile }) => inFile);
  const lines = comments.map(([comment], at) => `// ${comment}\n${names[at]}: 5,\n`);
  let migration: Migration;
  beforeAll(async () => {
    migration = await read(`window.esriGeowConfig = {\n${lines.join("")}};`);
  });

  test.each(comments.map(([comment, kept], at) => [comment, kept, at] as const))(
    "%.40s",
    (_comment, kept, at) => {
      const judged = migration.properties.find(({ name }) => name === names[at]) as Judged;
      expect(migration.commentsOf(judged)).toEqual([
        kept ?? `a comment was left out, config.js:${2 * at + 2}`,
      ]);
    },
  );
});

test("10,000 properties on one line are told as one", async () => {
  const many = Array.from({ length: 10_000 }, (_, at) => `p${at}: "SECRET"`).join(", ");
  const migration = await read(`window.esriGeowConfig = { ${many}, tokenExpiration: f() };`);
  const all = [
    ...diagnoseFiles(migration),
    ...[...diagnoseProperties(migration.properties).values()].flat(),
  ];
  expect(all).toHaveLength(1);
  expect(JSON.stringify(all)).not.toContain("SECRET");
});
