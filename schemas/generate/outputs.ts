// Generates the JSON Schemas of the commands' JSON documents from the types in src/commands/documents.ts.
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { API, SymbolFlags, TypeFlags, type Symbol, type Type } from "typescript/unstable/sync";
import type { Checker } from "typescript/unstable/sync";
import type { JsonObject } from "../../src/lib/json.js";
import { removeOthers, writeFiles } from "./write-files.js";

const PROJECT = resolve(import.meta.dirname, "../..");
const TYPES = join(PROJECT, "src/commands/documents.ts");
const FOLDER = "schemas/output";

/** Each file's path within the project, and its schema. */
export function outputSchemas(): Map<string, JsonObject> {
  const api = new API({ cwd: PROJECT });
  try {
    const config = join(PROJECT, "tsconfig.json");
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (!project) throw new Error(`${config} is no project.`);
    const { checker } = project;
    const schemasOf = (types: string, format: string, end = "") =>
      checker
        .getPropertiesOfType(typeNamed(types, checker))
        .map(
          (command) =>
            [
              `${FOLDER}/${command.name}${end}.schema.json`,
              commandSchema(command, format, checker),
            ] as const,
        );
    return new Map([...schemasOf("Outputs", "json"), ...schemasOf("Lines", "jsonl", ".jsonl")]);
  } finally {
    api.close();
  }
}

/** `serve` and `worker` print lines, each of them a document; the schema is that of one. */
function commandSchema(command: Symbol, format: string, checker: Checker): JsonObject {
  const { name } = command;
  const run: Run = { name, checker, definitions: new Map(), common: keysOfEvery(checker) };
  const type = checker.getTypeOfSymbol(command);
  const documents = type?.isUnionType() ? type.getTypes() : [type];
  const schemas = documents.map((each) => documentSchema(each as Type, run));
  const definitions = [...run.definitions].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `lintel ${name} --output ${format}`,
    ...(schemas.length === 1 ? schemas[0] : { anyOf: schemas }),
    $defs: Object.fromEntries(definitions),
  };
}

interface Run {
  /** The command's. */
  readonly name: string;
  readonly checker: Checker;
  /** By the name of their type. */
  readonly definitions: Map<string, JsonObject>;
  /** The keys that a document has on every path. */
  readonly common: ReadonlySet<string>;
}

/** A run that failed early lacks what its command adds. */
function documentSchema(type: Type, run: Run): JsonObject {
  const schema = objectSchema(type, run);
  const required = schema["required"] as readonly string[];
  if (!required.includes("exitCode")) return schema;
  const properties = schema["properties"] as JsonObject;
  return {
    ...schema,
    properties: { ...properties, command: { const: run.name } },
    required: required.filter((key) => run.common.has(key)),
  };
}

function keysOfEvery(checker: Checker): ReadonlySet<string> {
  const properties = checker.getPropertiesOfType(typeNamed("CommandDocument", checker));
  return new Set(properties.map(({ name }) => name));
}

function typeNamed(name: string, checker: Checker): Type {
  const at = { document: TYPES, position: 0 };
  const symbol = checker.resolveName(name, SymbolFlags.Type, at);
  if (!symbol) throw new Error(`${TYPES} declares no type "${name}".`);
  return checker.getDeclaredTypeOfSymbol(symbol);
}

function nameOf(type: Type): string {
  return (type.getAliasSymbol() ?? type.getSymbol())?.name ?? "";
}

function schemaOf(type: Type, run: Run): JsonObject {
  const name = nameOf(type);
  if (name === "Json") return {};
  if (name === "JsonObject") return { type: "object" };
  if (type.isLiteralType()) return { const: type.value as string };
  if (type.isUnionType()) return unionSchema(type.getTypes(), run);
  if (type.flags & TypeFlags.String) return { type: "string" };
  if (type.flags & TypeFlags.Number) return { type: "number" };
  if (type.flags & TypeFlags.Boolean) return { type: "boolean" };
  if (type.flags & TypeFlags.Null) return { type: "null" };
  const { checker } = run;
  if (type.isTypeReference() && /^(Readonly)?Array$/.test(type.getSymbol()?.name ?? "")) {
    const [item] = checker.getTypeArguments(type);
    return { type: "array", items: item ? schemaOf(item, run) : {} };
  }
  if (!/^[A-Z]/.test(name) || type.getAliasTypeArguments().length > 0) {
    return objectSchema(type, run);
  }
  if (!run.definitions.has(name)) {
    // Holds the place: a type may hold itself.
    run.definitions.set(name, {});
    run.definitions.set(name, objectSchema(type, run));
  }
  return { $ref: `#/$defs/${name}` };
}

function unionSchema(types: readonly Type[], run: Run): JsonObject {
  // Together with undefined, Json loses its name.
  if (types.some((each) => nameOf(each) === "ExactNumber")) return {};
  const schemas = types
    .filter((each) => !(each.flags & TypeFlags.Undefined))
    .map((each) => schemaOf(each, run));
  const values = schemas.flatMap((each) => ("const" in each ? [each["const"] ?? null] : []));
  const others = schemas.filter((each) => !("const" in each));
  const isBoolean = values.includes(true) && values.includes(false);
  const literals = isBoolean
    ? [{ type: "boolean" }]
    : values.length > 0
      ? [values.length === 1 ? { const: values[0] ?? null } : { enum: values }]
      : [];
  const all = [...literals, ...others];
  return all.length === 1 ? (all[0] ?? {}) : { anyOf: all };
}

function objectSchema(type: Type, run: Run): JsonObject {
  const { checker } = run;
  const described = checker.getPropertiesOfType(type).map((property) => {
    const held = checker.getTypeOfSymbol(property);
    if (!held) throw new Error(`The type of "${property.name}" is not known.`);
    const description = property.getDocumentationComment(checker).replaceAll(/\s+/g, " ").trim();
    const isOptional = (property.flags & SymbolFlags.Optional) !== 0;
    return {
      name: property.name,
      isOptional,
      schema: { ...(description && { description }), ...schemaOf(held, run) },
    };
  });
  return {
    type: "object",
    properties: Object.fromEntries(described.map(({ name, schema }) => [name, schema])),
    required: described.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
    // The keys that it names are not all.
    ...(checker.getIndexInfosOfType(type).length > 0 && { additionalProperties: true }),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const files = new Map(
    [...outputSchemas()].map(([path, schema]) => [path, `${JSON.stringify(schema, null, 2)}\n`]),
  );
  removeOthers(PROJECT, FOLDER, files);
  writeFiles(PROJECT, files);
}
