// A JSON Schema → a check: a value → where it is not as the schema says. The same dialect and engine as a desired-state file's own.
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { isJsonList, pointInto, type Json } from "../../lib/json.js";
import type { Path } from "../../settings.js";

export interface Fault {
  /** Of the value that is wrong; of the value as a whole where it is empty. */
  readonly path: Path;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Continues the name of the value: "must be <= 60". */
  readonly message: string;
}

export type Check = (value: Json) => readonly Fault[];

/** Made once, because the schema of schemas takes longer to compile than any other. */
let dialect: Ajv2020 | undefined;

/** Each call of it is a compiler of its own: what one schema calls itself means nothing to another. */
export function openCompiler(): (schema: Json) => Check {
  const ajv = new Ajv2020({
    allErrors: true,
    meta: false,
    validateSchema: false,
    // A keyword that nobody knows would be a rule that judges nothing.
    strict: true,
    strictTypes: false,
    strictRequired: false,
    strictTuples: false,
    // A key of the value, and not what every object inherits.
    ownProperties: true,
    logger: false,
  });
  return (schema) => {
    assertSchema(schema as object | boolean);
    const validate = ajv.compile(schema as object | boolean);
    return (value) => {
      if (validate(value)) return [];
      const errors = validate.errors ?? [];
      const choices = errors.filter(isChoice).map(({ schemaPath }) => `${schemaPath}/`);
      const isOfBranch = ({ schemaPath }: ErrorObject) =>
        choices.some((each) => schemaPath.startsWith(each));
      return errors
        .filter((each) => !isOfBranch(each) && each.keyword !== "if")
        .map((each) => ({
          path: readPointer(each.instancePath, value),
          keyword: each.keyword,
          params: each.params as Fault["params"],
          message: isChoice(each) ? ofChoice(each, errors) : worded(each),
        }));
    };
  };
}

function assertSchema(schema: object | boolean): void {
  dialect ??= new Ajv2020({ strict: false });
  if (!dialect.validateSchema(schema)) {
    throw new Error(dialect.errorsText(dialect.errors, { dataVar: "schema" }));
  }
}

function isChoice({ keyword }: ErrorObject): boolean {
  return keyword === "anyOf" || keyword === "oneOf";
}

/** What each branch asks of the value itself; where that is deeper, the choice as a whole is what can be told. */
function ofChoice(choice: ErrorObject, errors: readonly ErrorObject[]): string {
  const branches = errors.filter(
    (each) =>
      each.schemaPath.startsWith(`${choice.schemaPath}/`) &&
      each.instancePath === choice.instancePath &&
      !isChoice(each),
  );
  const messages = [...new Set(branches.map(worded))];
  return messages.length > 0 ? messages.join(" or ") : "must be one of several things, and is none";
}

/** What the engine says, with the values that it leaves out. */
function worded({ keyword, params: given, message = "" }: ErrorObject): string {
  const params = given as Fault["params"];
  if (keyword === "const") return `must be ${JSON.stringify(params["allowedValue"])}`;
  if (keyword === "false schema") return "must not be there";
  if (keyword !== "enum") return message;
  const values = (params["allowedValues"] as readonly unknown[]).map((each) =>
    JSON.stringify(each),
  );
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
