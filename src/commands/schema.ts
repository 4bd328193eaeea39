// lintel schema: a version → the JSON Schema that editors load.
import type { CommandSpec, ParsedArguments, Run } from "./command.js";
import { catalog, knownVersion } from "../catalog/catalog.js";
import {
  choosingSchema,
  desiredStateSchema,
  partSchema,
  settingsSchema,
} from "../catalog/schema.js";
import { toDraft07 } from "../catalog/editor-schema.js";
import { RULE_CODES } from "../document/check/rules/all.js";
import { wrongUsage } from "../failure.js";
import { GUARDS } from "../guard.js";
import { strict } from "../catalog/strict-schema.js";
import { configSchema } from "../serve/config/schema.js";
import { policySchemaForEditors } from "../policy/schema.js";
import { done } from "./result/result.js";
import type { JsonObject } from "../lib/json.js";

export const PART = "part";

/** What has a schema beside the versions. */
const OTHERS: Readonly<Record<string, () => JsonObject>> = {
  [PART]: () => partSchema(catalog, NAMES),
  policy: () => policySchemaForEditors(),
  serve: () => strict(configSchema()),
};

export const spec = {
  operands: "[VERSION, part, policy or serve]",
  options: {
    draft: {
      value: "DRAFT",
      values: ["2020-12", "07"],
      default: "2020-12",
      description: "The draft of JSON Schema.",
    },
    settings: { description: "The settings of VERSION alone." },
  },
  formats: ["text"],
  examples: [
    ["lintel schema 11.5 > desired-state-11.5.schema.json", "for files of one target"],
    ["lintel schema", "chooses by targetVersion"],
    ["lintel schema part", "for parts, whose names begin with _"],
    ["lintel schema policy", "for policies"],
    ["lintel schema serve", "for lintel.yaml, which `lintel serve` reads"],
  ],
  offers: [[...catalog.versions, ...Object.keys(OTHERS)]],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (_io, call) => {
  const text = `${JSON.stringify(chosen(call), null, 2)}\n`;
  return done("schema", {}, () => text);
};

function chosen(call: ParsedArguments<typeof spec.options>): JsonObject {
  const [asked] = call.operands;
  const { draft, settings } = call.options;
  if (asked === undefined && settings) {
    throw wrongUsage(
      "The settings depend on a version, and none is named.",
      `Name one:\n  lintel schema ${catalog.versions.at(-1)} --settings`,
    );
  }
  const schema = schemaOf(asked, settings);
  return draft === "07" ? toDraft07(schema) : schema;
}

const NAMES = { rules: RULE_CODES, guards: GUARDS };

/** `asked` is a version, or what else has a schema; without it, that of files of any target. */
export function schemaOf(asked: string | undefined, onlySettings = false): JsonObject {
  if (asked === undefined) return choosingSchema(catalog, NAMES);
  const other = OTHERS[asked];
  if (other) return other();
  const version = knownVersion(asked);
  if (!version) {
    throw wrongUsage(
      `"${asked}" is no version that the reference lists, nor a later one.`,
      `Listed: ${catalog.versions.join(", ")}.`,
    );
  }
  return onlySettings
    ? settingsSchema(catalog, version)
    : desiredStateSchema(catalog, NAMES, version);
}
