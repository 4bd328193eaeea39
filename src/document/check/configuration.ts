// Checks the shape of a machine's configuration: the commands that print secrets.
import type { Diagnostic } from "../../diagnostic.js";
import type { JsonObject } from "../../lib/json.js";
import { spanMs } from "../../moment.js";
import { entriesOf, diagnose, childOf, textOf, type Node } from "../read/tree.js";
import { compileSchema, type Validator } from "./compile.js";
import { emptyValues, schemaProblems, type FileKind } from "./explain.js";

const TEXTS = { type: "array", minItems: 1, items: { type: "string", minLength: 1 } };

const SCHEMA: JsonObject = {
  type: "object",
  additionalProperties: false,
  patternProperties: { "^x-": {} },
  properties: {
    commands: {
      type: "object",
      additionalProperties: {
        type: "object",
        additionalProperties: false,
        required: ["run", "hosts"],
        properties: {
          run: TEXTS,
          hosts: TEXTS,
          timeout: { type: "string", pattern: "^[0-9]{1,6}[smh]$" },
        },
      },
    },
  },
};

const KIND: FileKind = {
  explain: () => undefined,
  formAt: (path) =>
    path.at(-1) === "timeout"
      ? { must: "be seconds, minutes or hours", help: "Write for example:\n  timeout: 30s" }
      : undefined,
  missing: {},
  isSecret: () => false,
  see: "See what this file holds:\n  lintel help credentials",
};

let validator: Validator | undefined;

export function wrongConfiguration(root: Node): Diagnostic[] {
  validator ??= compileSchema(SCHEMA);
  const found = schemaProblems(root, validator, KIND).map(({ diagnostic }) => diagnostic);
  return [...emptyValues(root), ...found, ...wrongLimits(root)];
}

function wrongLimits(root: Node): Diagnostic[] {
  return [...entriesOf(childOf(root, "commands")).values()].flatMap(({ value }) => {
    const node = childOf(value, "timeout");
    const ms = spanMs(textOf(node) ?? "");
    if (!node || Number.isNaN(ms) || (ms >= 1_000 && ms <= 600_000)) return [];
    return [
      diagnose(
        "wrong-format",
        node,
        '"timeout" must be from 1s to 10m.',
        "Write for example:\n  timeout: 30s",
      ),
    ];
  });
}
