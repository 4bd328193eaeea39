// Whole old files: every value is the browser's, or depends on where the portal is; in every encoding the same.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Json } from "../../src/lib/json.js";
import { openEngine } from "../../src/migrate/evaluate/runner.js";
import { readPortalAddress } from "../../src/migrate/location.js";
import { migrate } from "../../src/migrate/migrate.js";
import { PROJECT } from "../support/run.js";

const FOLDER = join(PROJECT, "test/migrate/files");
const expected = JSON.parse(readFileSync(join(FOLDER, "expected.json"), "utf8")) as Record<
  string,
  {
    readonly status: string;
    readonly error?: string;
    readonly values?: Record<string, Json>;
    readonly depends?: Record<string, string[]>;
  }
>;

const engine = openEngine();
afterAll(() => engine.close());

function read(file: string, bytes: Uint8Array, url?: string) {
  const portal = url === undefined ? undefined : readPortalAddress(url);
  return migrate([{ file, bytes }], { target: "12.1", takesAll: true, portal, engine });
}

describe("every value is the one that a browser computes", () => {
  const cases = Object.entries(expected).filter(([, { values }]) => values);
  test.each(cases)("%s", async (file, { values = {}, depends = {} }) => {
    const bytes = readFileSync(join(FOLDER, file));
    const ours = async (url?: string) => {
      const { properties } = await read(file, bytes, url);
      return properties.filter(({ counterpart }) => counterpart);
    };
    const away = await ours("https://portal.example.org/portal");
    expect(Object.fromEntries(away.map(({ name, value }) => [name, value]))).toEqual(values);
    for (const { name, value, outcome, cause } of await ours()) {
      const isOfHost = depends[name]?.includes("host-or-context") === true;
      expect([name, outcome === "not-understood"]).toEqual([name, isOfHost]);
      if (isOfHost) expect(cause?.why).toMatch(/^location\.(?:host|pathname)$/);
      else expect(value).toEqual(values[name]);
    }
  });
});

test.each(Object.entries(expected).filter(([, { error }]) => error))(
  "%s is told where it is no JavaScript",
  async (file, { error = "" }) => {
    const {
      slips: [slip],
    } = await read(file, readFileSync(join(FOLDER, file)));
    const [, line, column] = /\((\d+):(\d+)\)/.exec(error) ?? [];
    const { script, start } = slip?.at ?? { script: undefined, start: 0 };
    expect(start).toBe((script?.lineStarts[Number(line) - 1] ?? 0) + Number(column));
    expect(slip?.message).toMatch(/A comma is missing at the end of line 57\./);
  },
);

describe("an encoding changes nothing", () => {
  const text = `// Öffentlich\nwindow.esriGeowConfig = {\n  footerLinks: [{ title: "Über uns", url: "https://www.example.de/über" }],\n  tokenExpiration: 30 // täglich\n};\n`;
  const utf16 = Buffer.from(text, "utf16le");
  const encoded: Record<string, Buffer> = {
    "UTF-8": Buffer.from(text),
    "UTF-8 with a mark": Buffer.from(`\ufeff${text}`),
    "CR LF": Buffer.from(text.replaceAll("\n", "\r\n")),
    "UTF-16LE": Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]),
    "UTF-16BE": Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()]),
    "UTF-16LE without a mark": utf16,
    "Windows-1252": Buffer.from(text, "latin1"),
  };
  test.each(Object.entries(encoded))("%s", async (name, bytes) => {
    const { properties, files } = await read("config.js", bytes);
    const links = [{ title: "Über uns", url: "https://www.example.de/über" }];
    expect(properties.map(({ name, value }) => [name, value])).toEqual([
      ["footerLinks", links],
      ["tokenExpiration", 30],
    ]);
    expect(files[0]?.encoding === "Windows-1252").toBe(name === "Windows-1252");
  });
});

test("a second file changes what the first one defines", async () => {
  const first = Buffer.from(
    "window.esriGeowConfig = { tokenExpiration: 30, surveyUrl: 'https://a.example.org' };",
  );
  const second = Buffer.from("esriGeowConfig.tokenExpiration = 45;");
  const files = [
    { file: "config.js", bytes: first },
    { file: "overrides.js", bytes: second },
  ];
  const { properties } = await migrate(files, { target: "11.5", takesAll: false, engine });
  expect(properties.map(({ name, value, at }) => [name, value, at.script.file])).toEqual([
    ["surveyUrl", "https://a.example.org", "config.js"],
    ["tokenExpiration", 45, "overrides.js"],
  ]);
});

describe("reports every dependency on the protocol", () => {
  const files = [
    'var t = 30; if (location.protocol === "https:") { t = 60; } window.esriGeowConfig = { tokenExpiration: t };',
    'var t = 30; if (location.protocol !== "https:") { t = 60; } window.esriGeowConfig = { tokenExpiration: t };',
    'window.esriGeowConfig = { httpsDomains: location.protocol === "https:" ? ["a.example"] : [] };',
    '(function () { if (location.protocol !== "https:") return; window.esriGeowConfig = { tokenExpiration: 60 }; })();',
  ];
  test.each(files)("%s", async (text) => {
    const codes = async (url?: string) => {
      const { properties } = await read("config.js", Buffer.from(text), url);
      return properties.map(({ remarks }) => remarks.map(({ code }) => code));
    };
    expect(await codes()).toEqual([["address-scheme"]]);
    expect(await codes("https://portal.example.org/portal")).toEqual([[]]);
  });
});
