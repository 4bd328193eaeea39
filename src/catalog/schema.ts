// The catalogue → JSON Schemas of settings and of desired-state files, for editors and for the validator.
import type { JsonObject } from "../json.js";
import { forEditors } from "./editor-schema.js";
import { strict } from "./strict-schema.js";
import { desiredState, when, type Names } from "./file-schema.js";
import { type Catalog, type Parameter, type Property } from "./facts.js";
import { DEFAULT_SIGN_IN_METHOD, SIGN_IN_METHODS } from "../sign-in.js";
import { restrict, settings } from "./settings-schema.js";
import {
  METHODS,
  fieldsWithoutMethod,
  isMethod,
  onlyFields,
  requiredOf,
} from "./sign-in-schema.js";
import { patternFrom } from "./version.js";

const DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema";

/** The settings at one version: what the request's parameters may hold. */
export function settingsSchema(catalog: Catalog, version: string): JsonObject {
  return {
    $schema: DRAFT_2020,
    title: `Portal settings at version ${version}`,
    ...strict(settings(catalog, version)),
  };
}

/** A desired-state file whose target is `version`. */
export function desiredStateSchema(catalog: Catalog, names: Names, version: string): JsonObject {
  const next = catalog.versions[catalog.versions.indexOf(version) + 1];
  const between = {
    pattern: patternFrom(version),
    ...(next && { not: { pattern: patternFrom(next) } }),
  };
  return {
    $schema: DRAFT_2020,
    title: `Desired state of a portal at version ${version}`,
    ...forEditors(
      desiredState(catalog, names, settings(catalog, version), oneOfTargets([version], between), [
        { if: { not: EXTENDS }, then: wholeForEditors(), else: partForEditors() },
        { if: { required: ["portal"], not: EXTENDS }, then: REACHABLE },
      ]),
      catalog,
    ),
  };
}

/** A whole file of any target; what a version forbids or deprecates is left to the rules. */
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

/** A desired-state file whose `targetVersion` chooses what it may hold. */
export function choosingSchema(catalog: Catalog, names: Names): JsonObject {
  return chosen(catalog, names, "Desired state of a portal", {
    // A file that speaks of no portal may be a part that is not named as one.
    if: { required: ["portal"], not: EXTENDS },
    then: { allOf: [wholeForEditors(), REACHABLE] },
    else: partForEditors(),
  });
}

/** A part, which others extend: what it does not say they say, or other parts. */
export function partSchema(catalog: Catalog, names: Names): JsonObject {
  return chosen(catalog, names, "Part of desired states", partForEditors());
}

function chosen(catalog: Catalog, names: Names, title: string, condition: JsonObject): JsonObject {
  const changes = catalog.versions.flatMap((version) => {
    const pattern = patternFrom(version);
    const isIntroduced = (each: Parameter | Property) => each.introduced === version;
    const isDeprecated = (each: Parameter | Property) =>
      "deprecated" in each && each.deprecated === version;
    return [
      ...when(
        isTarget({ type: "string", not: { pattern } }),
        restrict(catalog, isIntroduced, false),
      ),
      ...when(isTarget({ pattern }), restrict(catalog, isDeprecated, { deprecated: true })),
    ];
  });
  return {
    $schema: DRAFT_2020,
    title,
    ...forEditors(
      desiredState(
        catalog,
        names,
        settings(catalog),
        oneOfTargets(catalog.versions, { pattern: knownPattern(catalog) }),
        [condition, ...changes],
      ),
      catalog,
    ),
  };
}

const knownPattern = ({ versions: [oldest = ""] }: Catalog): string => patternFrom(oldest);

/** The versions stand there by name, because an editor offers them then, and names them where another stands. */
function oneOfTargets(versions: readonly string[], others: JsonObject): JsonObject {
  const [only, more] = versions;
  return { ...(!more && { default: only }), anyOf: [{ enum: versions }, others] };
}

function isTarget(targetVersion: JsonObject): JsonObject {
  return { required: ["targetVersion"], properties: { targetVersion } };
}

/** A file that extends no other and speaks of a portal must say where it is; a part may leave that to others. */
const REACHABLE = { properties: { portal: { required: ["url"] } } };

const EXTENDS = { required: ["extends"] };

/** What must stand in a file that extends no other, which could have it instead. */
function whole(): JsonObject {
  const fields = SIGN_IN_METHODS[DEFAULT_SIGN_IN_METHOD];
  const byDefault = { ...onlyFields(fields), required: requiredOf(fields) };
  return {
    required: ["targetVersion"],
    properties: {
      signIn: {
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

function wholeForEditors(): JsonObject {
  return { allOf: [whole(), fieldsWithoutMethod({ mayInherit: false })] };
}

function partForEditors(): JsonObject {
  return fieldsWithoutMethod({ mayInherit: true });
}
