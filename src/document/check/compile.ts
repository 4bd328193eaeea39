// Compiles JSON Schemas, and converts ajv's errors: each has a path, and errors inside a choice become one.
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { isJsonList, pointInto, type Json } from "../../lib/json.js";
import type { Path } from "../../settings.js";

/** A compiled schema; `errors` are those of the last value. */
export interface Validator {
  (value: Json): boolean;
  errors?: readonly Omit<ErrorObject, "message">[] | null;
}

export interface Schema {
  readonly type?: SchemaType | readonly SchemaType[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, unknown>>;
}

export type SchemaType = "string" | "boolean" | "integer" | "number" | "array" | "object" | "null";

export interface SchemaError {
  /** The path of the wrong value; empty for the whole value. */
  readonly path: Path;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The schema that the value fails. */
  readonly schema: Schema;
  /** Continues the name of the value: "must be <= 60". */
  readonly message: string;
}

export type Check = (value: Json) => readonly Pick<SchemaError, "path" | "keyword" | "message">[];

/** Shared, because the meta-schema compiles slowest. */
let dialect: Ajv2020 | undefined;

/** Each call returns a separate compiler, so that ids of schemas do not collide. */
export function openCompiler(): (schema: Json) => Check {
  const ajv = openAjv();
  const meta = (dialect ??= new Ajv2020({ strict: false }));
  // Compiled here, because ajv never finishes a compilation that a policy's time limit interrupted.
  void meta.validateSchema({});
  return (schema) => {
    if (!meta.validateSchema(schema as object | boolean)) {
      throw new Error(meta.errorsText(meta.errors, { dataVar: "schema" }));
    }
    const validate = ajv.compile(schema as object | boolean);
    return (value) => errorsOf(validate, value);
  };
}

/** Compiles one of Lintel's own schemas. */
export function compileSchema(schema: Json): Validator {
  return openAjv().compile(schema as object);
}

function openAjv(): Ajv2020 {
  return new Ajv2020({
    allErrors: true,
    verbose: true,
    meta: false,
    validateSchema: false,
    // An unknown keyword would check nothing.
    strict: true,
    strictTypes: false,
    strictRequired: false,
    strictTuples: false,
    // Ignores keys that every object inherits.
    ownProperties: true,
    logger: false,
  });
}

/** Empty for a valid value. */
export function errorsOf(validate: Validator, value: Json): SchemaError[] {
  if (validate(value)) return [];
  const errors: readonly ErrorObject[] = validate.errors ?? [];
  const choices = errors.filter(isChoice);
  return errors
    .filter((each) => each.keyword !== "if" && !choices.some((choice) => isBranch(each, choice)))
    .map((each) => ({
      path: readPointer(each.instancePath, value),
      keyword: each.keyword,
      params: each.params as SchemaError["params"],
      schema: (each.parentSchema ?? {}) as Schema,
      message: isChoice(each) ? choiceMessage(each, errors) : messageOf(each),
    }));
}

function isChoice({ keyword }: ErrorObject): boolean {
  return keyword === "anyOf" || keyword === "oneOf";
}

function isBranch({ schemaPath, instancePath }: ErrorObject, choice: ErrorObject): boolean {
  return (
    schemaPath.startsWith(`${choice.schemaPath}/`) && instancePath.startsWith(choice.instancePath)
  );
}

/** Combines the messages of the branches that concern the value itself. */
function choiceMessage(choice: ErrorObject, errors: readonly ErrorObject[]): string {
  const branches = errors.filter(
    (each) =>
      isBranch(each, choice) && each.instancePath === choice.instancePath && !isChoice(each),
  );
  const messages = [...new Set(branches.map(messageOf))];
  return messages.length > 0 ? messages.join(" or ") : "must be one of several things, and is none";
}

/** ajv's message, with the values that it omits. */
function messageOf({ keyword, params, message = "" }: ErrorObject): string {
  const { allowedValue, allowedValues } = params as SchemaError["params"];
  if (keyword === "const") return `must be ${JSON.stringify(allowedValue)}`;
  if (keyword === "false schema") return "must not be there";
  if (keyword !== "enum") return message;
  const values = (allowedValues as readonly unknown[]).map((each) => JSON.stringify(each));
  return `must be one of ${values.join(", ")}`;
}

function readPointer(pointer: string, root: Json): Path {
  const path: (string | number)[] = [];
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    path.push(isJsonList(pointInto(root, path)) ? Number(name) : name);
  }
  return path;
}
