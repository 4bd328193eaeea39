// Lines of old files → what may be seen of them in an excerpt, and which comments go along.
import { describe, expect, test } from "vitest";
import { diagnoseFiles, diagnoseProperty } from "../../src/migrate/diagnose.js";
import { masked, maskedSlip } from "../../src/migrate/mask.js";
import { migrate } from "../../src/migrate/migrate.js";

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
    ['tokenExpiration: f("SECRET", SECRET, /SECRET/g, `SECRET`)', "tokenExpiration: f(…, …, …, …)"],
    ['tokenExpiration: x.bingMapsKey = "SECRET"', "tokenExpiration: x.bingMapsKey = …"],
    ['tokenExpiration: x["bingMapsKey"] = "SECRET"', "tokenExpiration: x[…] = …"],
    ['esriGeowConfig["surveyUrl"] = "u"', 'esriGeowConfig["surveyUrl"] = "u"'],
    ['surveyUrl: isTest ? "a" : "b"', 'surveyUrl: isTest ? "a" : "b"'],
    ["surveyUrl: `${f(`SECRET`)}SECRET`", "surveyUrl: …"],
    ["surveyUrl: 1 // SECRET", "surveyUrl: 1 …"],
  ])("%s", (text, shown) => {
    expect(seen(masked(text, true))).toBe(shown);
    expect(masked(text, true)).toHaveLength(text.length);
  });
});

describe("a comment goes along only where it is plain words", () => {
  test.each([
    ["short, until 2019-05-01", "short, until 2019-05-01"],
    ["see https://intranet.example.org/portal", "see https://intranet.example.org/portal"],
    ["was bingMapsKey: SECRET", undefined],
    ["the Bing one is SECRET", undefined],
    ["password SECRET", undefined],
    ["apiKey => 'SECRET'", undefined],
    ["it is AB12cd34 since then", undefined],
    ["https://user:SECRET@a.example.org", undefined],
    ["https://a.example.org?x=SECRET", undefined],
    ["a".repeat(300_000), undefined],
    ["* ".repeat(150_000), undefined],
  ])("%.40s", (comment, kept) => {
    const bytes = Buffer.from(`window.esriGeowConfig = {\n// ${comment}\ntokenExpiration: 30 };`);
    const started = performance.now();
    const migration = migrate([{ file: "config.js", bytes }], { target: "11.5", takesAll: false });
    const [only] = migration.properties;
    expect(only && migration.commentsOf(only)).toEqual([
      kept ?? "a comment was left out, config.js:2",
    ]);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

test("10,000 properties on one line are told in time", () => {
  const many = Array.from({ length: 10_000 }, (_, at) => `p${at}: "SECRET"`).join(", ");
  const bytes = Buffer.from(`window.esriGeowConfig = { ${many}, tokenExpiration: f() };`);
  const started = performance.now();
  const migration = migrate([{ file: "config.js", bytes }], { target: "11.5", takesAll: false });
  const all = [...diagnoseFiles(migration), ...migration.properties.flatMap(diagnoseProperty)];
  expect(all).toHaveLength(1);
  expect(JSON.stringify(all)).not.toContain("SECRET");
  expect(performance.now() - started).toBeLessThan(5_000);
});

test("a script that asks for too much is not understood, with the reason", () => {
  const lists = Array.from({ length: 200 }, (_, at) => `var a${at} = a.split("");`).join("");
  const text = `var a = "aaaaaaaaaaaaaaaa";${"a = a + a;".repeat(15)}${lists}esriGeowConfig = { tokenExpiration: 30 };`;
  const files = [{ file: "config.js", bytes: Buffer.from(text) }];
  const found = migrate(files, { target: "11.5", takesAll: false }).properties.find(
    ({ name }) => name === "tokenExpiration",
  );
  expect(found?.outcome).toBe("not-understood");
  expect(found?.message).toContain("more lists and texts than are computed here");
});
