// The generated files are current, come out the same each time, and follow the reference's tables.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { generate, readReferences } from "../../schemas/generate/generate.js";
import type { Catalog } from "../../src/catalog/facts.js";
import type { JsonObject } from "../../src/lib/json.js";
import { PROJECT } from "../support/run.js";

const references = readReferences(PROJECT);

/** The reference with one stretch of one document replaced. */
function changed(from: string | RegExp, to: string): typeof references {
  const texts = references.map(({ file, text }) => ({ file, text: text.replace(from, to) }));
  expect(texts).not.toEqual(references);
  return texts;
}

function catalogOf(files: ReadonlyMap<string, string>): Catalog {
  return JSON.parse(files.get("schemas/catalog.json") ?? "") as Catalog;
}

function at(files: ReadonlyMap<string, string>, file: string, ...path: string[]): unknown {
  const start: unknown = JSON.parse(files.get(file) ?? "null");
  return path.reduce((value, part) => (value as JsonObject | undefined)?.[part], start);
}

const advanced = ["$defs", "portalConfigProperties", "properties"];

test("the committed files are what the reference generates", () => {
  for (const [path, text] of generate(references)) {
    expect(readFileSync(join(PROJECT, path), "utf8"), `${path}: run npm run generate`).toBe(text);
  }
});

test("no schema is left behind that the reference no longer generates", () => {
  const generated = generate(references);
  const committed = readdirSync(join(PROJECT, "schemas")).filter((name) => name.endsWith(".json"));
  expect(committed.filter((name) => !generated.has(`schemas/${name}`))).toEqual([]);
});

test("generating twice gives the same bytes", () => {
  expect([...generate(references)]).toEqual([...generate(readReferences(PROJECT))]);
});

describe("one row of the reference and one command change", () => {
  test("a default", () => {
    const files = generate(changed("| minutes | `120` |", "| minutes | `90` |"));
    const path = [...advanced, "tokenExpiration", "anyOf", "0", "default"];
    expect(at(files, "schemas/desired-state-11.5.schema.json", ...path)).toBe(90);
    const property = catalogOf(files).objects["portalConfigProperties"]?.find(
      ({ name }) => name === "tokenExpiration",
    );
    expect(property?.default).toBe(90);
  });

  test("a property, in every schema from its version on, in the types and in the validator", () => {
    const row = "| `newToolEnabled` | boolean | `false` | `12.0` |  |  |  | `true` | A new tool. |";
    const files = generate(changed(/(\| `dataPipelinesEnabled` .*\n)/, `$1${row}\n`));
    const schema = (version: string) => `schemas/desired-state-${version}.schema.json`;
    expect(at(files, schema("11.5"), ...advanced, "newToolEnabled")).toBeUndefined();
    expect(at(files, schema("12.0"), ...advanced, "newToolEnabled", "anyOf", "0", "default")).toBe(
      false,
    );
    const settings = ["properties", ...advanced.slice(1), "newToolEnabled"];
    expect(at(files, "schemas/settings-12.0.schema.json", ...settings, "type")).toBe("boolean");
    expect(files.get("schemas/names.ts")).toContain('"portalConfigProperties.newToolEnabled"');
    expect(files.get("schemas/desired-state.mjs")).toContain("newToolEnabled");
    expect(files.get("schemas/policy.schema.json")).toContain("newToolEnabled");
  });

  test("a version, with a schema of its own", () => {
    const files = generate(changed(/(\n\| `12.1` \|.*\n)/, "$1| `12.2` |  |  |  |\n"));
    expect(files.has("schemas/settings-12.2.schema.json")).toBe(true);
    expect(files.has("schemas/desired-state-12.2.schema.json")).toBe(true);
    expect(files.get("schemas/names.ts")).toContain('| "12.2"');
  });

  test("a parameter", () => {
    const row = "| `newParameter` | boolean | `12.0` | `enterprise` | New. |";
    const files = generate(changed(/(\| `aiAssistantsEnabled` .*\n)/, `$1${row}\n`));
    const path = ["properties", "newParameter", "type"];
    expect(at(files, "schemas/settings-12.0.schema.json", ...path)).toBe("boolean");
    expect(at(files, "schemas/settings-11.5.schema.json", ...path)).toBeUndefined();
  });
});

describe("a row that cannot be understood stops the generator with file and line", () => {
  const wrong: [name: string, from: string | RegExp, to: string, message: RegExp][] = [
    ["an unknown type", "| minutes | `120` |", "| hours | `2` |", /type "hours" is none of/],
    ["a default of another type", "| minutes | `120` |", "| minutes | `two` |", /JSON/],
    ["a default that is no minutes", "| minutes | `120` |", "| minutes | `1.5` |", /no minutes/],
    [
      "a version not in the table",
      "`120` | `11.0`",
      "`120` | `11.9`",
      /"11.9" is not in the table/,
    ],
    ["a missing cell", "| `surveyUrl` | URL |  |", "| `surveyUrl` | URL |", /8 cells.*9 columns/],
    ["a name twice", "| `tpsEnabled` |", "| `webEditorEnabled` |", /has a row already/],
    [
      "an empty meaning",
      "| A strip at the top of the organisation's page, for instance for read-only times or a classification level. |",
      "|  |",
      /"Meaning" is empty/,
    ],
    ["versions out of order", "| `11.1` |  |", "| `10.1` |  |", /does not come after/],
    [
      "a half limit",
      "token | `60` | `60` | Signs",
      "token | `60` |  | Signs",
      /both calls and seconds/,
    ],
    [
      "a table without its rule",
      /\| Version \| Release \| Build \| Meaning \|\n\|---\|---\|---\|---\|\n/,
      "| Version | Release | Build | Meaning |\n",
      /rule below its head/,
    ],
    ["a table that is gone", "## Versions", "## Editions", /no table under the heading "Versions"/],
    [
      "a column that is gone",
      "| Parameter | Type |",
      "| Parameter | Kind |",
      /lacks the column "Type"/,
    ],
    [
      "an object without a table",
      "object: `accessNotice`",
      "object: `notice`",
      /no table of the object/,
    ],
    [
      "a spelling of nothing",
      "| `portalAGOConfigEnabled` |",
      "| `portalAGOConfigEnabled` ",
      /bar|cells/,
    ],
    [
      "a stock value of another type",
      '| `"www.arcgis.com"` |',
      "| `true` |",
      /the value is none of "configurePortalPlatformOnlineEnv"/,
    ],
    [
      "a stock value of nothing",
      "| `surveyUrl` |  | `",
      "| `surveysUrl` |  | `",
      /"surveysUrl" is not in any table of properties/,
    ],
    [
      "an old name that is a setting",
      "| `userInfo` |",
      "| `surveyUrl` |",
      /"surveyUrl" is a setting/,
    ],
    [
      "an old name that is another spelling",
      "| `userInfo` |",
      "| `portalAGOConfigEnabled` |",
      /"portalAGOConfigEnabled" is a setting/,
    ],
    ["an old name twice", "| `userInfo` |", "| `signup` |", /"signup" has a row already/],
    [
      "a deployment not in the table",
      "`enterprise`, `hosted-online` | Terms that a visitor",
      "`cloud` | Terms that a visitor",
      /"cloud" is not in the table/,
    ],
  ];
  test.each(wrong)("%s", (_name, from, to, message) => {
    const references = changed(from, to);
    expect(() => generate(references)).toThrow(message);
    expect(() => generate(references)).toThrow(/^schemas\/reference\/[\w-]+\.md/);
  });
});

test("the catalogue holds every fact of the reference that is counted there", () => {
  const { versions, parameters, objects, operations, formats, misspelt, spellings, ...more } =
    catalogOf(generate(references));
  expect(versions).toHaveLength(12);
  expect(parameters.map(({ name }) => name)).toHaveLength(6);
  expect(objects["portalConfigProperties"]).toHaveLength(20);
  expect(operations.map(({ name, limit }) => [name, limit?.calls])).toEqual([
    ["auth", 60],
    ["getuser", 60],
    ["login", 60],
    ["loginadmin", 60],
    ["loginsso", undefined],
  ]);
  expect(formats.find(({ isDefault }) => isDefault)?.name).toBe("html");
  expect(misspelt).toHaveLength(1);
  expect(more.changed).toHaveLength(2);
  expect(spellings).toHaveLength(4);
  expect(more.oldNames).toHaveLength(135);
  const deprecated = objects["portalConfigProperties"]?.filter((each) => each.deprecated);
  expect(deprecated?.map((each) => each.deprecated)).toEqual(Array(6).fill("12.1"));
});
