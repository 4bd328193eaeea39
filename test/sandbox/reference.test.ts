// Every row of the settings reference: each parameter, property, type, version and deployment.
import { describe, expect, test } from "vitest";
import { ADVANCED, catalog, isIntroduced, spellingsOf } from "../../src/catalog/catalog.js";
import type { Property } from "../../src/catalog/facts.js";
import { compareVersions } from "../../src/catalog/version.js";
import { form, sandbox, type Json } from "./drive.js";

const [FIRST = "", NEWEST = ""] = [catalog.versions[0], catalog.versions.at(-1)];
const SUCCESS = { success: true };

const olderThan = (version: string) =>
  catalog.versions.findLast((each) => compareVersions(each, version) < 0);

const properties = catalog.parameters.flatMap(({ name, object }) =>
  (catalog.objects[object ?? ""] ?? []).map((property) => ({
    path: `${name}.${property.name}`,
    parameter: name,
    property,
    stored: spellingsOf(property.name).at(-1) ?? property.name,
  })),
);

/** Values that are not of a property's type. */
function wrongFor({ type, values }: Property): readonly unknown[] {
  if (typeof type === "object") return ["x", [1], {}];
  switch (type) {
    case "string":
      return values ? ["another", 1] : [1, true, ["x"]];
    case "colour":
    case "URL":
    case "link":
      return [1, true, {}];
    case "boolean":
      return ["true", 1, 0];
    case "minutes":
      return ["120", 1.5];
    case "string or `false`":
      return [true, 1, "false"];
    case "array of domain names":
    case "array of application titles":
      return ["x", [1], {}];
    default:
      throw type satisfies never;
  }
}

describe.each(catalog.parameters)("the parameter $name", ({ name, object, introduced }) => {
  const value = object === undefined ? true : { [catalog.objects[object]?.[0]?.name ?? ""]: "x" };

  test(`is accepted from ${introduced ?? FIRST} and read back`, async () => {
    const s = await sandbox({ version: introduced ?? FIRST });
    expect(await s.update({ [name]: value })).toEqual(SUCCESS);
    expect((await s.read())[name]).toEqual(value);
  });

  test("is refused when it is of another type", async () => {
    const s = await sandbox();
    for (const wrong of ["x", "[]", "1", "null", object === undefined ? "{}" : "true"]) {
      const { error } = await s.update({ [name]: wrong });
      expect(error).toMatchObject({ code: 400, details: [expect.stringContaining(name)] });
    }
    expect(s.settings()).toEqual({});
  });

  test("is refused when it is sent twice", async () => {
    const s = await sandbox();
    const body = form({ f: "json", token: await s.token(), [name]: value });
    body.append(name, JSON.stringify(value));
    const url = `${s.portalUrl}/portals/self/settings/update`;
    const answer: Json = await (await fetch(url, { method: "POST", body })).json();
    expect(answer.error.details[0]).toContain("more than once");
  });

  test("is absent from the settings until it is set", async () => {
    expect(await (await sandbox()).read()).not.toHaveProperty(name);
  });
});

describe.each(properties)("the property $path", ({ parameter, property, stored }) => {
  const { name, introduced, example, values } = property;

  test("is stored as it was sent", async () => {
    const s = await sandbox({ version: introduced ?? FIRST, unknown: "refuse" });
    for (const value of values ?? [
      example,
      ...(property.default === undefined ? [] : [property.default]),
    ]) {
      expect(await s.update({ [parameter]: { [name]: value } })).toEqual(SUCCESS);
      expect((await s.read())[parameter]).toEqual({ [stored]: value });
    }
  });

  test("is refused when it is of another type", async () => {
    const s = await sandbox();
    for (const wrong of wrongFor(property)) {
      const { error } = await s.update({ [parameter]: { [name]: wrong } });
      expect(error.details[0]).toMatch(new RegExp(`^"${parameter}\\.${name}" must be `));
    }
    expect(s.settings()).toEqual({});
  });
});

test.each(
  properties.filter(({ property }) => property.introduced && olderThan(property.introduced)),
)(
  "the property $path is unknown before $property.introduced",
  async ({ parameter, property, path }) => {
    const version = olderThan(property.introduced ?? "") ?? "";
    const s = await sandbox({ version, unknown: "refuse" });
    const { error } = await s.update({ [parameter]: { [property.name]: property.example } });
    const isParameterKnown = isIntroduced(
      catalog.parameters.find((each) => each.name === parameter) ?? {},
      version,
    );
    expect(error.details[0]).toContain(isParameterKnown ? path : parameter);
  },
);

test.each(properties.filter(({ property }) => property.deprecated))(
  "the property $path is still accepted at $property.deprecated, where it is deprecated",
  async ({ parameter, property }) => {
    const s = await sandbox({ version: property.deprecated ?? "", unknown: "refuse" });
    const answer = await s.update({ [parameter]: { [property.name]: property.example } });
    expect(answer).toEqual(SUCCESS);
  },
);

test.each(catalog.objects["footerLink"] ?? [])(
  "an entry of footerLinks has $name, a text",
  async ({ name, example }) => {
    const s = await sandbox({ unknown: "refuse" });
    const send = (value: unknown) => s.update({ [ADVANCED]: { footerLinks: [{ [name]: value }] } });
    expect(await send(example)).toEqual(SUCCESS);
    expect((await send(1)).error.details[0]).toContain(`footerLinks[0].${name}`);
  },
);

test.each(catalog.spellings)("$property may be spelled $also, and is read so", async (each) => {
  const s = await sandbox({ unknown: "refuse" });
  for (const name of [each.property, each.also]) {
    expect(await s.update({ [ADVANCED]: { [name]: false } })).toEqual(SUCCESS);
    expect(s.settings()).toEqual({ [ADVANCED]: { [each.also]: false } });
  }
  const both = { [each.property]: false, [each.also]: false };
  expect((await s.update({ [ADVANCED]: both })).error.details[0]).toContain("second spelling");
});

test.each(catalog.misspelt)("the value $misspelt is refused", async ({ property, misspelt }) => {
  const s = await sandbox();
  const { error } = await s.update({ anonymousAccessNotice: { [property]: misspelt } });
  expect(error.details[0]).toContain("one of");
});

describe.each(catalog.deployments)("the deployment $name", ({ name: deployment }) => {
  test.each(catalog.parameters)("knows $name as the reference says", async (parameter) => {
    const s = await sandbox({ deployment: deployment as "enterprise", unknown: "refuse" });
    const value = parameter.object === undefined ? true : {};
    const answer = await s.update({ [parameter.name]: value });
    const isKnown = parameter.deployments?.includes(deployment) ?? true;
    expect(Object.keys(answer)).toEqual([isKnown ? "success" : "error"]);
  });
});

test(`the newest version, ${NEWEST}, is the one taken where none is named`, async () => {
  const response = await fetch(`${(await sandbox()).portalUrl}?f=json`);
  expect(await response.json()).toMatchObject({ enterpriseVersion: `${NEWEST}.0` });
});
