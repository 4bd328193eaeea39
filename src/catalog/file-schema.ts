// Builds the JSON Schema of a desired-state file's keys; callers decide which are required.
import { DRIFT_CHOICES, type GuardName } from "../guard.js";
import type { JsonObject } from "../lib/json.js";
import { DEFAULT_STATE, STATE_KINDS } from "../state-address/kinds.js";
import { ADDRESS, type Catalog } from "./facts.js";
import { scheduleSchema, TIME, TIME_ZONE } from "./schedule-schema.js";
import { ANCHORS, object, PATHS } from "./settings-schema.js";
import { signIn } from "./sign-in-schema.js";

/** Names in a desired-state file that other modules declare. */
export interface Names {
  readonly rules: readonly string[];
  readonly guards: readonly GuardName[];
}

export function desiredState(
  catalog: Catalog,
  names: Names,
  ofSettings: JsonObject,
  target: JsonObject,
  conditions: readonly JsonObject[],
): JsonObject {
  const [oldest] = catalog.versions;
  const newest = catalog.versions.at(-1);
  const schema = object({
    targetVersion: {
      type: "string",
      description: `The portal's version, as text in quotes; "${oldest}" or later. The newest known is "${newest}".`,
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
    vars: VARIABLES,
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
        'What an apply does where a setting of this file was changed by hand: "stop" until a person decides, "restore" puts back what this file wants.',
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
  return { ...schema, allOf: conditions };
}

const VARIABLES: JsonObject = {
  type: "object",
  description:
    'Values that texts refer to as ${vars.NAME}, by name. A file\'s own lie on top of those of its base; "!required" in a base asks each file for one.',
  patternProperties: ANCHORS,
  additionalProperties: { type: ["string", "number", "boolean", "array"] },
};

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
      send: {
        enum: ["all", "touched"],
        default: "all",
        description:
          '"touched" for a portal that refuses its own values: an update then holds only the parameters with a change.',
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
          ...TIME,
          description:
            "The last day on which it is open, such as 2027-01-31, or the moment from which on it is not.",
        },
        reason: { type: "string", minLength: 1 },
      },
      { title: "allow[]", required: ["guard", "until", "reason"] },
    ),
  };
}
