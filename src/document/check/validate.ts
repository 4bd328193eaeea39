// A tree → what the schema finds wrong with its shape, each with a place, the values allowed and a way out.
import { catalog } from "../../catalog/catalog.js";
import { lenientSchema } from "../../catalog/schema.js";
import { eachOnce, type Diagnostic } from "../../diagnostic.js";
import { GUARDS } from "../../guard.js";
import type { JsonObject } from "../../lib/json.js";
import { isSamePath, type Path } from "../../settings.js";
import {
  childOf,
  itemsOf,
  nodeAt,
  settingPath,
  toJson,
  type Node,
  type Unvalued,
} from "../read/tree.js";
import { RULE_CODES, type Problem } from "./rules/all.js";
import validator from "../../../schemas/desired-state.mjs";
import { isMisspelt, missingKey, nullValue, unknownKey } from "./wrong-key.js";
import { unknownValue, wrongFormat, wrongType, type Schema } from "./wrong-value.js";

interface SchemaError {
  readonly path: Path;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A part is extended by others and need not be whole; for whoever looks at settings alone, a file may lack its portal. */
export function validate(
  root: Node,
  unvalued: readonly Unvalued[],
  { isPart, mayLackPortal }: { readonly isPart: boolean; readonly mayLackPortal: boolean },
): Problem[] {
  const nulls = unvalued
    .filter(({ node }) => node.kind === "scalar")
    .map(({ path }) => problemOf(path, nullValue(root, path)));
  if (validator(toJson(root))) return nulls;
  const errors = (validator.errors ?? []).map(({ instancePath, ...error }): SchemaError => {
    const path = readPointer(instancePath, root);
    return { ...error, path, schemaPath: wholePath(error.schemaPath, path) };
  });
  const items = itemsOf(nodeAt(root, ["allowUnknown"]));
  const allowed = new Set(
    items.flatMap((item) => (item.kind === "scalar" ? [String(item.value)] : [])),
  );
  const problems = mainErrors(errors).flatMap((error): Problem[] => {
    if (error.keyword === "required" && (isPart || (mayLackPortal && isOfPortal(error)))) return [];
    const problem = explain(root, error, allowed);
    return problem ? [problem] : [];
  });
  // What is wrong with the value of a field that the method does not have is mended with the field.
  const isMoot = ({ path, isOfValue }: Problem) =>
    isOfValue &&
    path[0] === "signIn" &&
    problems.some((each) => !each.isOfValue && isSamePath(each.path, path));
  return [...nulls, ...problems.filter((each) => !isMoot(each))];
}

/** The settings of the file and those of its windows are checked by one function, which counts from where it begins. */
function wholePath(schemaPath: string, path: Path): string {
  const isOfFile = !settingPath(path) || schemaPath.startsWith("#/allOf/");
  return isOfFile ? schemaPath : schemaPath.replace("#", SETTINGS_SCHEMA);
}

const SETTINGS_SCHEMA = "#/properties/settings";

/** An error inside one branch of a choice says less than the choice itself; those of one place and kind are one. */
function mainErrors(errors: readonly SchemaError[]): SchemaError[] {
  const choices = errors.filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf");
  const branches = [...new Set(choices.map(({ schemaPath }) => `${schemaPath}/`))];
  const main = errors.filter(
    ({ keyword, schemaPath }) =>
      keyword !== "if" &&
      keyword !== "not" &&
      !branches.some((each) => schemaPath.startsWith(each)),
  );
  return eachOnce(main, ({ path, keyword, params }) => JSON.stringify([path, keyword, params]));
}

function isOfPortal({ path, params }: SchemaError): boolean {
  return [...path, params["missingProperty"]][0] === "portal";
}

function explain(
  root: Node,
  error: SchemaError,
  allowed: ReadonlySet<string>,
): Problem | undefined {
  const { path, keyword, params } = error;
  const node = nodeAt(root, path);
  // A null, or a reference that failed, has a diagnostic of its own.
  if (node?.kind === "mark" || (node?.kind === "scalar" && node.value === null)) return undefined;
  switch (keyword) {
    case "additionalProperties": {
      const key = String(params["additionalProperty"]);
      if (settingPath(path) && allowed.has(key)) return undefined;
      const known = Object.keys(schemaAt(error).properties ?? {});
      return problemOf([...path, key], unknownKey(root, path, key, known), false);
    }
    case "required": {
      const key = String(params["missingProperty"]);
      if (childOf(node, key) || isMisspelt(node, key)) return undefined;
      return problemOf([...path, key], missingKey(root, path, key), false);
    }
    case "type":
    case "anyOf":
      return problemOf(path, wrongType(root, path, schemaAt(error)));
    case "enum":
      return problemOf(path, unknownValue(root, path, params["allowedValues"]));
    case "pattern":
    case "minLength":
    case "minItems":
    case "minimum":
    case "maxProperties":
      return settingPath(path) ? undefined : problemOf(path, wrongFormat(root, path));
    case "oneOf":
    case "false schema":
      // Both stand only where a rule says the same in better words.
      return undefined;
    default:
      throw new TypeError(`the schema's keyword "${keyword}" has no explanation`);
  }
}

function problemOf(path: Path, diagnostic: Diagnostic, isOfValue = true): Problem {
  return { path, diagnostic, isOfValue };
}

/** The schema that an error comes from: the one that the validator was compiled from, made only once it is asked for. */
function schemaAt({ schemaPath }: SchemaError): Schema {
  const parts = schemaPath.split("/").slice(1, -1).map(decodeURIComponent).map(unescapePointer);
  const found = parts.reduce<unknown>(
    (schema, part) => (schema as Record<string, unknown> | undefined)?.[part],
    (wholeSchema ??= lenientSchema(catalog, { rules: RULE_CODES, guards: GUARDS })),
  );
  return found ?? {};
}

let wholeSchema: JsonObject | undefined;

function readPointer(pointer: string, root: Node): Path {
  const path: (string | number)[] = [];
  let node: Node | undefined = root;
  for (const part of pointer.split("/").slice(1).map(unescapePointer)) {
    const step = node?.kind === "list" ? Number(part) : part;
    path.push(step);
    node = childOf(node, step);
  }
  return path;
}

function unescapePointer(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}
