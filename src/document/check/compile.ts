// Compiles JSON Schemas, and reads what ajv finds: each error with its path, an error inside a choice as part of the choice.
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
  /** Of the value that is wrong; of the value as a whole where it is empty. */
  readonly path: Path;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The schema that the value does not fit. */
  readonly schema: Schema;
  /** Continues the name of the value: "must be <= 60". */
  readonly message: string;
}

export type Check = (value: Json) => readonly Pick<SchemaError, "path" | "keyword" | "message">[];

/** Made once, because the schema of schemas takes longer to compile than any other. */
let dialect: Ajv2020 | undefined;

/** Each call of it is a compiler of its own: what one schema calls itself means nothing to another. */
export function openCompiler(): (schema: Json) => Check {
  const ajv = openAjv();
  const meta = (dialect ??= new Ajv2020({ strict: false }));
  // Compiles it here, because ajv never finishes a compilation that the time limit of a policy interrupted.
  void meta.validateSchema({});
  return (schema) => {
    if (!meta.validateSchema(schema as object | boolean)) {
      throw new Error(meta.errorsText(meta.errors, { dataVar: "schema" }));
    }
    const validate = ajv.compile(schema as object | boolean);
    return (value) => errorsOf(validate, value);
  };
}

/** For a schema of our own. */
export function compileSchema(schema: Json): Validator {
  return openAjv().compile(schema as object);
}

function openAjv(): Ajv2020 {
  return new Ajv2020({
    allErrors: true,
    verbose: true,
    meta: false,
    validateSchema: false,
    // An unknown keyword would be a rule that judges nothing.
    strict: true,
    strictTypes: false,
    strictRequired: false,
    strictTuples: false,
    // A key of the value, and not what every object inherits.
    ownProperties: true,
    logger: false,
  });
}

/** Empty for a value that fits. */
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

/** What each branch asks of the value itself. */
function choiceMessage(choice: ErrorObject, errors: readonly ErrorObject[]): string {
  const branches = errors.filter(
    (each) =>
      isBranch(each, choice) && each.instancePath === choice.instancePath && !isChoice(each),
  );
  const messages = [...new Set(branches.map(messageOf))];
  return messages.length > 0 ? messages.join(" or ") : "must be one of several things, and is none";
}

/** What ajv says, with the values that it leaves out. */
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
