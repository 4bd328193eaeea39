// Builds the JSON Schemas of a policy and of the document that policies check.
import type { Catalog } from "../catalog/facts.js";
import { withSettings } from "../catalog/editor-schema.js";
import { strict } from "../catalog/strict-schema.js";
import { object, settings } from "../catalog/settings-schema.js";
import { isJsonObject, pointInto, type Json, type JsonObject } from "../lib/json.js";
import type { Change } from "../plan/diff.js";
import { WEEKDAYS } from "../recurrence.js";

const TEXT = { type: "string", minLength: 1 };
const CAUSES = [
  "file",
  "schedule",
  "drift",
  "rollback",
] as const satisfies readonly Change["cause"][];

/** Everything that a policy may use. The manual documents what is available in each run. */
function inputSchema(catalog: Catalog): JsonObject {
  return object(
    {
      portal: object(
        {
          name: {
            ...TEXT,
            description: "The name that the file chooses; pick portals by their host.",
          },
          host: {
            ...TEXT,
            description: "The host of the portal's address, in small letters and without a port.",
          },
          key: {
            ...TEXT,
            description: "Made from address and id: gis.example.com-portal-self.",
          },
        },
        { description: "Which portal the file is for." },
      ),
      targetVersion: { ...TEXT, description: "As the file says it." },
      deployment: {
        enum: catalog.deployments.map(({ name }) => name),
        description: "What the portal is.",
      },
      file: { ...TEXT, description: "The path of the file, as the run names it." },
      settings: {
        ...settings(catalog),
        description:
          "The settings at that moment, with bases, windows and references. What the file does not set is not there.",
      },
      contrast: {
        type: "number",
        examples: [4.5],
        description: "Of the banner's two colours, from 1 to 21; there where the file gives both.",
      },
      changes: {
        type: "array",
        items: object({
          path: { ...TEXT, description: "Such as informationalBanner.text." },
          action: { enum: ["set", "default", "release", "adopt"] },
          cause: { enum: CAUSES, description: "What it comes from." },
          before: { description: "null where nothing stands." },
          after: {},
        }),
        description: "What would be changed; in a plan, an apply and a rollback alone.",
      },
      schedule: {
        type: "array",
        items: object({
          name: TEXT,
          from: { ...TEXT, description: "As a moment in UTC." },
          until: { ...TEXT, description: "As a moment in UTC." },
          isOpen: { type: "boolean" },
        }),
        description: "The windows of the file.",
      },
      time: object(
        {
          date: { type: "string", description: "As YYYY-MM-DD." },
          weekday: { enum: WEEKDAYS },
          minuteOfDay: { type: "integer", description: "From 0 to 1439; noon is 720." },
          timeZone: { type: "string", description: "The policy's own." },
        },
        {
          description:
            "When the run is, by the policy's time zone; in a plan, an apply and a rollback alone.",
        },
      ),
    },
    { description: "What a policy judges." },
  );
}

/** The schema of the value at each path, for all spellings. */
export function inputPaths(catalog: Catalog): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  const walkIn = (schema: JsonObject, above: string): void => {
    for (const [name, held] of Object.entries(propertiesOf(schema))) {
      if (!isJsonObject(held)) continue;
      found.set(above + name, held);
      walkIn(held, `${above}${name}.`);
    }
  };
  walkIn(inputSchema(catalog), "");
  return found;
}

export function propertiesOf(schema: Json | undefined): JsonObject {
  const found = pointInto(schema, ["properties"]);
  return isJsonObject(found) ? found : {};
}

/** A policy's file. */
export function policySchema(catalog: Catalog): JsonObject {
  const judged = object(
    Object.fromEntries(
      [...inputPaths(catalog)].map(([path, { description = "" }]) => [
        path,
        { type: ["object", "boolean"], description },
      ]),
    ),
  );
  const examples = { type: "array", items: { $ref: "#/$defs/document" } };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "A policy: a rule of an organisation's own",
    ...object(
      {
        name: {
          type: "string",
          pattern: "^[a-z][a-z0-9]*(-[a-z0-9]+)*$",
          description: "By which reports call it: small letters, digits and dashes.",
          examples: ["token-lifetime-at-most-an-hour"],
        },
        severity: {
          enum: ["error", "warning"],
          default: "error",
          description: "An error stops apply; a warning is reported.",
        },
        message: { ...TEXT, description: "One sentence: what must be." },
        help: { ...TEXT, description: "What to do, or whom to ask." },
        timeZone: {
          ...TEXT,
          default: "UTC",
          description: "The time zone of `time`, by its IANA name.",
          examples: ["Europe/Vienna"],
        },
        when: {
          ...judged,
          description:
            "Paths, each with a JSON Schema: the policy judges where all of them are there and as their schema says. Every portal, when left out.",
        },
        must: {
          ...judged,
          minProperties: 1,
          description:
            "Paths, each with a JSON Schema. What is not there breaks the policy, as what is not as its schema says.",
        },
        examples: object(
          {
            good: { ...examples, description: "Parts of documents that keep the policy." },
            bad: {
              ...examples,
              minItems: 1,
              description: "Parts of documents that break it: one at least.",
            },
          },
          {
            required: ["bad"],
            description: "Run by: lintel policy test",
          },
        ),
      },
      {
        required: ["name", "message", "help", "must", "examples"],
        $defs: { document: inputSchema(catalog) },
      },
    ),
  };
}

/** The same for editors, with documents written like desired-state files. */
export function policySchemaForEditors(catalog: Catalog): JsonObject {
  const document = withSettings(inputSchema(catalog), catalog);
  return strict({ ...policySchema(catalog), $defs: { document } });
}
