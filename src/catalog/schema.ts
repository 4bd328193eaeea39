// The catalogue → JSON Schemas of settings and of desired-state files, for editors and for the validator.
import { DEFAULT_STATE, STATE_KINDS } from "../state-address/kinds.js";
import { DRIFT_CHOICES, type GuardName } from "../guard.js";
import type { JsonObject } from "../json.js";
import { markable } from "./editor-schema.js";
import { ADDRESS, type Catalog, type Parameter, type Property } from "./facts.js";
import { DEFAULT_SIGN_IN_METHOD, SIGN_IN_METHODS } from "../sign-in.js";
import { object, PATHS, restrict, settings } from "./settings-schema.js";
import { scheduleSchema, TIME_ZONE } from "./schedule-schema.js";
import { METHODS, isMethod, onlyFields, requiredOf, signIn } from "./sign-in-schema.js";
import { patternFrom } from "./version.js";

const DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema";

/** Names that a desired-state file may use and that other rooms own. */
export interface Names {
  readonly rules: readonly string[];
  readonly guards: readonly GuardName[];
}

/** The settings at one version: what the request's parameters may hold. */
export function settingsSchema(catalog: Catalog, version: string): JsonObject {
  return {
    $schema: DRAFT_2020,
    title: `Portal settings at version ${version}`,
    ...settings(catalog, version),
  };
}

/** A desired-state file whose target is `version`. */
export function desiredStateSchema(catalog: Catalog, names: Names, version: string): JsonObject {
  const next = catalog.versions[catalog.versions.indexOf(version) + 1];
  const target = {
    allOf: [
      { pattern: patternFrom(version) },
      ...(next ? [{ not: { pattern: patternFrom(next) } }] : []),
    ],
    default: version,
    examples: [version],
  };
  return {
    $schema: DRAFT_2020,
    title: `Desired state of a portal at version ${version}`,
    ...markable(
      desiredState(catalog, names, settings(catalog, version), target, [
        { if: { not: EXTENDS }, then: whole() },
        { if: { required: ["portal"], not: EXTENDS }, then: REACHABLE },
      ]),
    ),
  };
}

/** A whole file of any target; what a version forbids or deprecates is left to the rules. */
export function lenientSchema(catalog: Catalog, names: Names): JsonObject {
  return {
    $schema: DRAFT_2020,
    title: "Desired state of a portal",
    ...desiredState(catalog, names, settings(catalog), {}, [
      whole(),
      { required: ["portal"], ...REACHABLE },
    ]),
  };
}

/** A desired-state file whose `targetVersion` chooses what it may hold. */
export function choosingSchema(catalog: Catalog, names: Names): JsonObject {
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
    title: "Desired state of a portal",
    // A part that others extend says neither which portal it is for nor which version that has.
    ...markable(
      desiredState(catalog, names, settings(catalog), {}, [
        { if: { required: ["portal"], not: EXTENDS }, then: { allOf: [whole(), REACHABLE] } },
        ...changes,
      ]),
    ),
  };
}

function isTarget(targetVersion: JsonObject): JsonObject {
  return { required: ["targetVersion"], properties: { targetVersion } };
}

/** Nothing where nothing follows from it. */
function when(condition: JsonObject, then: JsonObject | undefined): JsonObject[] {
  return then ? [{ if: condition, then }] : [];
}

function desiredState(
  catalog: Catalog,
  names: Names,
  ofSettings: JsonObject,
  target: JsonObject,
  conditions: readonly JsonObject[],
): JsonObject {
  const [oldest = ""] = catalog.versions;
  const newest = catalog.versions.at(-1);
  const schema = object({
    targetVersion: {
      type: "string",
      pattern: patternFrom(oldest),
      description: `The portal's version, as text in quotes; "${oldest}" or later. The newest known is "${newest}".`,
      examples: catalog.versions,
      ...target,
    },
    deployment: {
      enum: catalog.deployments.map((each) => each.name),
      default: "enterprise",
      description: catalog.deployments
        .map((each) => `"${each.name}": ${each.meaning}`)
        .join("\n\n"),
    },
    extends: {
      ...PATHS,
      description:
        "One file or a list, resolved from the file that says it. This file's settings lie on top.",
    },
    portal: portalSchema(),
    signIn: signIn(),
    state: {
      type: "string",
      pattern: `^(${Object.values(STATE_KINDS)
        .map(({ pattern }) => pattern)
        .join("|")}|\\$\\{)`,
      default: DEFAULT_STATE,
      description:
        "Where the last applied state is kept; a folder's path is read from this file's own.",
    },
    settings: ofSettings,
    allowUnknown: {
      type: "array",
      items: { type: "string", minLength: 1 },
      description: "Names that the reference does not list yet and this portal knows.",
    },
    rules: object(
      Object.fromEntries(names.rules.map((name) => [name, { enum: ["error", "warning", "off"] }])),
      { description: "The severity of single rules." },
    ),
    drift: {
      enum: DRIFT_CHOICES,
      default: DRIFT_CHOICES[0],
      description:
        'What an apply does where somebody changed by hand what this file sets: "stop" until a person decides, "restore" puts back what this file wants.',
    },
    timeZone: TIME_ZONE,
    schedule: scheduleSchema(),
    policy: {
      ...PATHS,
      description:
        "Rules of your own: a file, a folder or a list, resolved from the file that says it.",
    },
    allow: allowSchema(catalog, names),
  });
  const isHosted = {
    required: ["deployment"],
    properties: { deployment: { const: "hosted-online" } },
  };
  const isForbidden = (each: Parameter | Property) =>
    "deployments" in each && !each.deployments?.includes("hosted-online");
  const hosted = when(isHosted, restrict(catalog, isForbidden, false));
  return { ...schema, allOf: [...hosted, ...conditions] };
}

function portalSchema(): JsonObject {
  return object(
    {
      name: {
        type: "string",
        minLength: 1,
        description: "A name for people; the file's name when left out.",
      },
      url: {
        type: "string",
        pattern: ADDRESS,
        description: "The root of the portal's REST interface; mostly it ends in /sharing/rest.",
        examples: ["https://gis.example.com/portal/sharing/rest"],
      },
      id: { type: "string", minLength: 1, default: "self", description: "The portal's id." },
      read: {
        enum: ["auto", "never"],
        default: "auto",
        description:
          '"never" for a portal whose settings cannot be read: plans then compare with the last applied state.',
      },
    },
    { description: "Which portal this file is for." },
  );
}

function allowSchema(catalog: Catalog, names: Names): JsonObject {
  return {
    type: "array",
    description: "Guards that a review has opened, each until a day.",
    items: object(
      {
        guard: { enum: names.guards },
        path: {
          type: "string",
          description: `The setting it is opened for, such as "${catalog.parameters[0]?.name}"; every one when left out.`,
        },
        until: {
          type: "string",
          pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$",
          description: "The last day on which it is open, as YYYY-MM-DD.",
        },
        reason: { type: "string", minLength: 1 },
      },
      { required: ["guard", "until", "reason"] },
    ),
  };
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
