// lintel schema: prints the JSON Schema of a version, for editors.
import type { CommandSpec, Run } from "./command.js";
import { catalog, knownVersion } from "../catalog/catalog.js";
import { choosingSchema, desiredStateSchema, partSchema } from "../catalog/schema.js";
import { RULE_CODES } from "../document/check/rules/all.js";
import { wrongUsage } from "../failure.js";
import { GUARDS } from "../guard.js";
import { strict } from "../catalog/strict-schema.js";
import { configSchema } from "../serve/config/schema.js";
import { policySchemaForEditors } from "../policy/schema.js";
import { done } from "../cli/result.js";
import type { JsonObject } from "../lib/json.js";

export const PART = "part";

/** What has a schema beside the versions. */
const OTHERS: Readonly<Record<string, () => JsonObject>> = {
  [PART]: () => partSchema(catalog, NAMES),
  policy: () => policySchemaForEditors(catalog),
  serve: () => strict(configSchema()),
};

export const spec = {
  operands: "[NAME]",
  options: {},
  formats: ["text"],
  examples: [
    ["lintel schema", "files of any targetVersion"],
    ["lintel schema 11.5", "files of one targetVersion"],
    ["lintel schema part", "bases (_*.yaml)"],
    ["lintel schema policy", "policies"],
    ["lintel schema serve", "configuration of lintel serve"],
  ],
  offers: [[...catalog.versions, ...Object.keys(OTHERS)]],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (_io, { operands }) => {
  const text = `${JSON.stringify(schemaOf(operands[0]), null, 2)}\n`;
  return done("schema", {}, () => text);
};

const NAMES = { rules: RULE_CODES, guards: GUARDS };

/** `asked` is a version, or what else has a schema; without it, that of files of any target. */
export function schemaOf(asked: string | undefined): JsonObject {
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
  return desiredStateSchema(catalog, NAMES, version);
}
