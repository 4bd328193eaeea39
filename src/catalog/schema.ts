// Builds the JSON Schemas of settings and of desired-state files, for editors and for validation.
import type { JsonObject } from "../lib/json.js";
import { forEditors, type Limit } from "./editor-schema.js";
import { strict } from "./strict-schema.js";
import { desiredState, type Names } from "./file-schema.js";
import type { Catalog } from "./facts.js";
import { DEFAULT_SIGN_IN_METHOD, SIGN_IN_METHODS } from "../sign-in.js";
import { settings } from "./settings-schema.js";
import {
  EXTENDS,
  METHODS,
  fieldsWithoutMethod,
  isMethod,
  onlyFields,
  requiredOf,
} from "./sign-in-schema.js";
import { patternFrom } from "./version.js";

const DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema";

/** The settings that a request can contain at one version. */
export function settingsSchema(catalog: Catalog, version: string): JsonObject {
  return {
    $schema: DRAFT_2020,
    title: `Portal settings at version ${version}`,
    ...strict(settings(catalog, version)),
  };
}

/** A desired-state file for the target `version`. */
export function desiredStateSchema(catalog: Catalog, names: Names, version: string): JsonObject {
  const next = catalog.versions[catalog.versions.indexOf(version) + 1];
  const between = {
    pattern: patternFrom(version),
    ...(next && { not: { pattern: patternFrom(next) } }),
  };
  const target = oneOfTargets([version], between);
  const file = desiredState(catalog, names, settings(catalog, version), target, [
    { if: { not: EXTENDS }, then: whole() },
    { if: { required: ["portal"], not: EXTENDS }, then: REACHABLE },
    fieldsWithoutMethod({ isPart: false }),
  ]);
  return {
    $schema: DRAFT_2020,
    title: `Desired state of a portal at version ${version}`,
    ...forEditors(file, catalog, [HOSTED]),
  };
}

/** A complete file for any target; rules check what a version forbids or deprecates. */
export function lenientSchema(catalog: Catalog, names: Names): JsonObject {
  const target = { pattern: knownPattern(catalog), examples: catalog.versions };
  return {
    $schema: DRAFT_2020,
    title: "Desired state of a portal",
    ...desiredState(catalog, names, settings(catalog), target, [
      whole(),
      { required: ["portal"], ...REACHABLE },
    ]),
  };
}

/** A desired-state file whose `targetVersion` selects the available settings. */
export function choosingSchema(catalog: Catalog, names: Names): JsonObject {
  return chosen(catalog, names, "Desired state of a portal", {
    // A file without a portal may be a base without a base's name.
    if: { required: ["portal"], not: EXTENDS },
    then: { allOf: [whole(), REACHABLE, fieldsWithoutMethod({ isPart: false })] },
    else: fieldsWithoutMethod({ isPart: true }),
  });
}

/** A base, which other files extend and complete. */
export function partSchema(catalog: Catalog, names: Names): JsonObject {
  return chosen(catalog, names, "Part of desired states", fieldsWithoutMethod({ isPart: true }));
}

function chosen(catalog: Catalog, names: Names, title: string, condition: JsonObject): JsonObject {
  const target = oneOfTargets(catalog.versions, { pattern: knownPattern(catalog) });
  const file = desiredState(catalog, names, settings(catalog), target, [condition]);
  const limits = catalog.versions.map((version): Limit => ({
    where: isTarget({ type: "string", not: { pattern: patternFrom(version) } }),
    lacks: ({ introduced }) => introduced === version,
  }));
  return { $schema: DRAFT_2020, title, ...forEditors(file, catalog, [HOSTED, ...limits]) };
}

/** The settings that an organisation on the hosted service lacks. */
const HOSTED: Limit = {
  where: { required: ["deployment"], properties: { deployment: { const: "hosted-online" } } },
  lacks: (each) => "deployments" in each && !each.deployments?.includes("hosted-online"),
};

const knownPattern = ({ versions: [oldest = ""] }: Catalog): string => patternFrom(oldest);

/** Lists the versions, so that editors offer them, and name them for a wrong value. */
function oneOfTargets(versions: readonly string[], others: JsonObject): JsonObject {
  const [only, more] = versions;
  return { ...(!more && { default: only }), anyOf: [{ enum: versions }, others] };
}

function isTarget(targetVersion: JsonObject): JsonObject {
  return { required: ["targetVersion"], properties: { targetVersion } };
}

/** A file without bases must contain the portal's address; a base need not. */
const REACHABLE = { properties: { portal: { required: ["url"] } } };

/** The keys that a file without bases must contain. */
function whole(): JsonObject {
  const fields = SIGN_IN_METHODS[DEFAULT_SIGN_IN_METHOD];
  const byDefault = { ...onlyFields(fields), required: requiredOf(fields) };
  return {
    required: ["targetVersion"],
    properties: {
      signIn: {
        type: "object",
        allOf: [
          { if: { not: { required: ["method"] } }, then: byDefault },
          ...METHODS.map(([name, each]) => [isMethod(name), requiredOf(each)] as const)
            .filter(([, required]) => required.length > 0)
            .map(([method, required]) => ({ if: method, then: { required } })),
        ],
      },
    },
  };
}
