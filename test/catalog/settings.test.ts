// Every setting of the reference: what files, schemas and explanations make of its versions, its default and its meaning.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { catalog, isDeprecated, isIntroduced, SETTINGS } from "../../src/catalog/catalog.js";
import { check } from "../../src/document/check/check.js";
import { desiredLeaves } from "../../src/document/read/leaves.js";
import { readInput } from "../../src/document/read/bytes.js";
import type { JsonObject } from "../../src/lib/json.js";
import { lintel } from "../run/call.js";
import { PROJECT } from "../support/run.js";

const explained = lintel(["explain", "--output", "json"]).then(
  ({ stdout }) => (JSON.parse(stdout) as { settings: JsonObject[] }).settings,
);

function checked(target: string, [parameter = "", property]: readonly string[], value: string) {
  const setting =
    property === undefined ? `${parameter}: ${value}` : `${parameter}: { ${property}: ${value} }`;
  const text = `targetVersion: "${target}"\nsettings: { ${setting} }\n`;
  const input = readInput(Buffer.from(text));
  return check("portal.yaml", input, { cwd: PROJECT, env: {} });
}

/** What the schema of a version says of a setting; undefined where it does not know it. */
function inSchema(version: string, path: readonly string[]): JsonObject | undefined {
  const file = join(PROJECT, `schemas/settings-${version}.schema.json`);
  const whole: unknown = JSON.parse(readFileSync(file, "utf8"));
  return path.reduce(
    (held, name) =>
      ((held as JsonObject | undefined)?.["properties"] as JsonObject | undefined)?.[name],
    whole,
  ) as JsonObject | undefined;
}

describe.each(SETTINGS)("$path", ({ path, parameter, property }) => {
  const names = path.split(".");
  const example = JSON.stringify(property?.example ?? true);
  const all = [parameter, ...(property ? [property] : [])];

  test("is known to files, schemas and explanations from its version on", async () => {
    for (const version of catalog.versions) {
      const isKnown = all.every((each) => isIntroduced(each, version));
      expect([version, inSchema(version, names) !== undefined]).toEqual([version, isKnown]);
      const codes = checked(version, names, example).diagnostics.map(({ code }) => code);
      const refused = codes.filter(
        (code) => code === "advanced-unavailable" || code === "introduced-later",
      );
      expect([version, refused.length > 0]).toEqual([version, !isKnown]);
    }
    const introduced = property?.introduced ?? parameter.introduced ?? null;
    expect((await explained).find((each) => each["path"] === path)).toMatchObject({ introduced });
  });

  test("is deprecated from the version on that the reference names", async () => {
    for (const version of catalog.versions.filter((each) =>
      all.every((one) => isIntroduced(one, each)),
    )) {
      const isOld = property !== undefined && isDeprecated(property, version);
      const codes = checked(version, names, example).diagnostics.map(({ code }) => code);
      expect([version, codes.includes("deprecated")]).toEqual([version, isOld]);
      expect(inSchema(version, names)?.["deprecated"] ?? false).toBe(isOld);
    }
    const deprecated = property?.deprecated ?? null;
    expect((await explained).find((each) => each["path"] === path)).toMatchObject({ deprecated });
  });

  test("its default, where the reference shows one, is what !default puts back", () => {
    const newest = catalog.versions.at(-1) ?? "";
    const { root, diagnostics } = checked(newest, names, "!default");
    const isRefused = diagnostics.some(({ code }) => code === "no-documented-default");
    expect(isRefused).toBe(property?.default === undefined);
    expect(inSchema(newest, names)?.["default"]).toEqual(property?.default);
    if (root && !isRefused)
      expect(desiredLeaves(root)).toMatchObject([{ value: property?.default }]);
  });

  test("is explained as the reference does", async () => {
    const { meaning, example } = property ?? { ...parameter, example: undefined };
    expect((await explained).find((each) => each["path"] === path)).toMatchObject({
      meaning,
      example: example ?? null,
      values: property?.values ?? null,
    });
    expect(inSchema(catalog.versions.at(-1) ?? "", names)?.["description"]).toContain(meaning);
  });
});

test("the schema describes list entries as the reference does", () => {
  const lists = SETTINGS.filter(({ property }) => typeof property?.type === "object");
  expect(lists.map(({ path }) => path)).toEqual(["portalConfigProperties.footerLinks"]);
  const items = inSchema(catalog.versions.at(-1) ?? "", (lists[0]?.path ?? "").split("."))?.[
    "items"
  ];
  const told = (items as JsonObject | undefined)?.["properties"] as Record<string, JsonObject>;
  for (const { name, meaning } of catalog.objects["footerLink"] ?? []) {
    expect(told[name]?.["description"]).toBe(meaning);
  }
});

test("the keys of a service account say where to find them", () => {
  expect(catalog.adminKeys.map(({ name }) => name)).toEqual(["BEID", "WebServicesKey"]);
  expect(catalog.adminKeys[0]?.meaning).toMatch(/"Add BE Administrators".*administration console/);
});
