// Validates the JSON documents that tests see against schemas/output/, with no key beyond those that a schema names.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { isJsonObject, type Json, type JsonObject } from "../../src/lib/json.js";

const FOLDER = join(import.meta.dirname, "../../schemas/output");
const ajv = new Ajv2020({ allowUnionTypes: true });
const validators = new Map<string, ValidateFunction>();

/** Of documents; those of JSON lines are named COMMAND.jsonl. */
export const COMMANDS_WITH_OUTPUT = readdirSync(FOLDER)
  .filter((name) => !name.includes(".jsonl."))
  .map((name) => name.split(".")[0] ?? "");

/** Throws where a command has printed JSON that its schema does not allow. */
export function assertOutput([command = "", ...words]: readonly string[], stdout: string): void {
  const isJson = words.some((word) => word === "--json" || /^(?:--output=|-o)?json$/.test(word));
  const isLines = words.some((word) => /^(?:--output=|-o)?jsonl$/.test(word));
  if (!(isJson || isLines) || !stdout.startsWith("{")) return;
  if (!COMMANDS_WITH_OUTPUT.includes(command)) return;
  for (const document of documentsIn(stdout)) {
    const validate = validatorOf(isLines ? `${command}.jsonl` : command);
    if (validate(document)) continue;
    const found = JSON.stringify(validate.errors, undefined, 2);
    throw new Error(
      `lintel ${command} printed what its schema does not allow:\n${found}\n${stdout}`,
    );
  }
}

/** One document, or several that each begin a line. */
function documentsIn(stdout: string): Json[] {
  return stdout.split(/\n(?=\{)/).map((text) => JSON.parse(text) as Json);
}

function validatorOf(command: string): ValidateFunction {
  const known = validators.get(command);
  if (known) return known;
  const text = readFileSync(join(FOLDER, `${command}.schema.json`), "utf8");
  const validate = ajv.compile(closed(JSON.parse(text) as Json) as JsonObject);
  validators.set(command, validate);
  return validate;
}

/** The shape of documents only grows, so the schemas allow further keys; of this version there are none. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map((each: Json) => closed(each));
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [key, closed(value)] as const);
  const isOpen = !isJsonObject(schema["properties"]) || schema["type"] !== "object";
  return Object.fromEntries([
    ...entries,
    ...(isOpen || "additionalProperties" in schema
      ? []
      : [["additionalProperties", false] as const]),
  ]);
}
