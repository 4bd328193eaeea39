// The JSON Schema of lintel.yaml, for `serve` and for editors.
import type { JsonObject } from "../../lib/json.js";

export const EVENTS = [
  "drift",
  "applied",
  "failed",
  "blocked",
  "window",
  "recovered",
  "action",
] as const;
export type EventName = (typeof EVENTS)[number];

export const FORGES = ["github", "gitlab", "gitea", "bitbucket", "azure"] as const;
export type Forge = (typeof FORGES)[number];

export const FORMS = ["json", "teams", "slack"] as const;
export type Form = (typeof FORMS)[number];

const TEXT = { type: "string", minLength: 1 };
/** Part of queue names and of stored names. */
const NAME = "^[a-z][a-z0-9-]{0,39}$";
const MOST_WEBHOOKS = 20;
const WEBHOOK_VARIABLE = String.raw`\$\{env:LINTEL_WEBHOOK_\w+\}`;

export function configSchema(): JsonObject {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "lintel.yaml: files, interval, pools, roles and webhooks of `lintel serve`",
    ...object({
      files: {
        anyOf: [TEXT, { type: "array", minItems: 1, items: TEXT }],
        description: "Files, folders and patterns, relative to this file.",
        examples: [["portals"]],
      },
      every: {
        type: "string",
        pattern: "^[0-9]{1,6}[smhd]$",
        default: "15m",
        description: "The interval between checks of a portal.",
      },
      concurrency: {
        type: "integer",
        minimum: 1,
        maximum: 256,
        default: 8,
        description: "The number of portals at a time.",
      },
      pools: {
        type: "object",
        description:
          "The pools of workers: the name of a pool, and patterns of portal names. The first match counts.",
        propertyNames: { pattern: NAME },
        additionalProperties: { type: "array", minItems: 1, items: TEXT },
        examples: [{ north: ["north-*"] }],
      },
      repository: {
        type: "string",
        pattern: "^https?://[^\\s?#@]+$",
        description: "The web address of the repository, for links to files and commits.",
        examples: ["https://git.example.com/gis/portals"],
      },
      forge: {
        enum: FORGES,
        description: "The forge of the repository, if its address does not name it.",
        examples: ["gitlab"],
      },
      roles: {
        ...object({
          viewers: {
            type: "array",
            items: TEXT,
            description:
              "Groups that may see the dashboard behind an auth proxy. By default, everyone whom the proxy admits.",
            examples: [["gis-staff"]],
          },
          operators: {
            type: "object",
            additionalProperties: { type: "array", minItems: 1, items: TEXT },
            description:
              "Groups that may act on portals, and patterns of portal names. Operators may see the dashboard.",
            examples: [{ "gis-admins": ["*"], "north-team": ["north-*"] }],
          },
        }),
        description: "The roles of the dashboard, with `--auth-proxy`.",
      },
      notify: {
        type: "array",
        maxItems: MOST_WEBHOOKS,
        items: webhook(),
        description: "The webhooks.",
      },
    }),
  };
}

function webhook(): JsonObject {
  return {
    ...object({
      name: {
        type: "string",
        pattern: NAME,
        description: "The name in messages. Undelivered events are stored under it.",
      },
      url: {
        ...TEXT,
        pattern: String.raw`^(${WEBHOOK_VARIABLE}|(?!.*\$\{).*)$`,
        description:
          "The address for events. If it is a secret, one reference to a variable, such as ${env:LINTEL_WEBHOOK_PEOPLE}.",
        examples: ["https://hooks.example.org/lintel"],
      },
      form: {
        enum: FORMS,
        default: "json",
        description: "JSON for programs, or a message for Microsoft Teams or Slack.",
      },
      secret: {
        ...TEXT,
        pattern: `^${WEBHOOK_VARIABLE}$`,
        description:
          "The key that signs JSON: a reference to a variable, such as ${env:LINTEL_WEBHOOK_SECRET}.",
      },
      events: {
        type: "array",
        minItems: 1,
        uniqueItems: true,
        items: { enum: EVENTS },
        description: "The events to send; by default all of these.",
      },
    }),
    required: ["name", "url"],
  };
}

function object(properties: JsonObject): JsonObject {
  return {
    type: "object",
    properties,
    // For anchors.
    patternProperties: { "^x-": {} },
    additionalProperties: false,
  };
}
