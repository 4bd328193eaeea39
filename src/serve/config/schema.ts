// What lintel.yaml holds, as a JSON Schema: for the check of a run, and for editors.
import type { JsonObject } from "../../lib/json.js";

/** What webhooks may be told. */
export const EVENTS = [
  "drift",
  "applied",
  "failed",
  "stopped",
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
/** Part of the names of queues and of what is kept. */
const NAME = "^[a-z][a-z0-9-]{0,39}$";
const MOST_WEBHOOKS = 20;
const WEBHOOK_VARIABLE = String.raw`\$\{env:LINTEL_WEBHOOK_\w+\}`;

export function configSchema(): JsonObject {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "lintel.yaml: what `lintel serve` looks at, how often, and whom it tells",
    ...object({
      files: {
        anyOf: [TEXT, { type: "array", minItems: 1, items: TEXT }],
        description: "Files, folders and patterns of them, from the folder of this file.",
        examples: [["portals"]],
      },
      every: {
        type: "string",
        pattern: "^[0-9]{1,6}[smhd]$",
        default: "15m",
        description: "How often each portal is looked at.",
      },
      concurrency: {
        type: "integer",
        minimum: 1,
        maximum: 256,
        default: 8,
        description: "How many portals at a time.",
      },
      pools: {
        type: "object",
        description:
          "Which workers look at which portals: the name of a pool, and patterns of portals' names. The first pool that fits counts.",
        propertyNames: { pattern: NAME },
        additionalProperties: { type: "array", minItems: 1, items: TEXT },
        examples: [{ north: ["north-*"] }],
      },
      repository: {
        type: "string",
        pattern: "^https?://[^\\s?#@]+$",
        description: "Web address of the repository, for links to files and commits.",
        examples: ["https://git.example.com/gis/portals"],
      },
      forge: {
        enum: FORGES,
        description: "What hosts the repository, where its address does not tell.",
        examples: ["gitlab"],
      },
      roles: {
        ...object({
          viewers: {
            type: "array",
            items: TEXT,
            description:
              "Groups that may see the dashboard behind an auth proxy. All that the proxy lets in, when left out.",
            examples: [["gis-staff"]],
          },
          operators: {
            type: "object",
            additionalProperties: { type: "array", minItems: 1, items: TEXT },
            description:
              "Groups that may act on portals, and patterns of the portals' names. Operators may see the dashboard.",
            examples: [{ "gis-admins": ["*"], "north-team": ["north-*"] }],
          },
        }),
        description: "Who may see the dashboard and act on it, with `--auth-proxy`.",
      },
      notify: {
        type: "array",
        maxItems: MOST_WEBHOOKS,
        items: webhook(),
        description: "Who is told of what happened.",
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
        description: "By which messages call it, and under which is kept what it has not got yet.",
      },
      url: {
        ...TEXT,
        pattern: String.raw`^(${WEBHOOK_VARIABLE}|(?!.*\$\{).*)$`,
        description:
          "Where events are posted: an address, or where it is a secret, a reference to a variable that holds all of it, such as ${env:LINTEL_WEBHOOK_PEOPLE}.",
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
          "What JSON is signed with: a reference to a variable, such as ${env:LINTEL_WEBHOOK_SECRET}.",
      },
      events: {
        type: "array",
        minItems: 1,
        uniqueItems: true,
        items: { enum: EVENTS },
        description: "What it is told; all of these, when left out.",
      },
    }),
    required: ["name", "url"],
  };
}

function object(properties: JsonObject): JsonObject {
  return {
    type: "object",
    properties,
    // They hold anchors.
    patternProperties: { "^x-": {} },
    additionalProperties: false,
  };
}
