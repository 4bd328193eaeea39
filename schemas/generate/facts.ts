// The reference's tables → the catalogue: the facts as plain data. A row that cannot be understood stops it with file and line.
import { accepts, VALUE_TYPES, type Catalog, type Parameter } from "../../src/catalog/facts.js";
import type { Property, SignInOperation } from "../../src/catalog/facts.js";
import { count, filled, json, oneOf, word, words } from "./tables.js";
import { readTables, unreadable, type Row, type Table } from "./tables.js";
import { compareVersions, parseVersion } from "../../src/catalog/version.js";

export interface ReferenceText {
  readonly file: string;
  readonly text: string;
}

type ReadVersion = (row: Row, column: string) => string | undefined;

export function readFacts(references: readonly ReferenceText[]): Catalog {
  const tables = references.flatMap(({ file, text }) => readTables(file, text));
  const table = (heading: string, ...columns: string[]): readonly Row[] =>
    findTable(tables, references, heading, columns).rows;

  const versionRows = table("Versions", "Version", "Release", "Build", "Meaning");
  const versions = versionRows.map((row) => word(row, "Version"));
  versionRows.forEach((row, at) => assertNewer(row, versions[at - 1], versions[at] ?? ""));
  const version: ReadVersion = (row, column) => {
    const text = row.cells[column] ? word(row, column) : undefined;
    if (text === undefined || versions.includes(text)) return text;
    throw unreadable(row, `"${text}" is not in the table of versions.`);
  };
  const deployments = unique(table("Deployments", "Deployment", "Meaning"), (row) => ({
    name: word(row, "Deployment"),
    meaning: filled(row, "Meaning"),
  }));
  const objects = readObjects(tables, version);
  const properties = Object.values(objects).flat();
  const propertyOf = (row: Row): Property => {
    const name = word(row, "Property");
    const found = properties.find((each) => each.name === name);
    if (!found) throw unreadable(row, `"${name}" is not in any table of properties.`);
    return found;
  };
  const names = deployments.map(({ name }) => name);
  const spellings = table("Other spellings", "Property", "Also spelled").map((row) => ({
    property: propertyOf(row).name,
    also: word(row, "Also spelled"),
  }));

  return {
    versions,
    releases: versionRows.filter((row) => row.cells["Release"]).map(readRelease),
    deployments,
    update: readUpdate(
      table("The operation", "Name", "Method", "Path", "Content type", "Introduced"),
      version,
    ),
    formats: unique(table("Response formats", "Format", "Default", "Answer"), (row) => ({
      name: word(row, "Format"),
      isDefault: row.cells["Default"] === "yes",
    })),
    parameters: unique(
      table("Parameters", "Parameter", "Type", "Introduced", "Deployments", "Meaning"),
      (row) => readParameter(row, version, names),
    ),
    objects,
    misspelt: table("Misspelt values", "Property", "Misspelt", "Right").map((row) => ({
      property: propertyOf(row).name,
      misspelt: word(row, "Misspelt"),
      right: word(row, "Right"),
    })),
    changed: table("Later changes", "Property", "Changed at", "Change").map((row) => ({
      name: propertyOf(row).name,
      since: version(row, "Changed at") ?? null,
      change: filled(row, "Change"),
    })),
    spellings,
    stock: table("Stock values", "Property", "Seen at", "Value").map((row) => {
      const property = propertyOf(row);
      const value = json(row, "Value");
      if (accepts(property, value)) return { property: property.name, value };
      throw unreadable(row, `the value is none of "${property.name}".`);
    }),
    oldNames: readOldNames(table("Names that are no settings", "Name", "Seen at"), [
      ...properties.map(({ name }) => name),
      ...spellings.map(({ also }) => also),
    ]),
    operations: unique(table("Operations", ...OPERATION_COLUMNS), readOperation),
    adminKeys: table("Keys of an administrative service account", "Field", "Meaning").map(
      (row) => ({ name: word(row, "Field"), meaning: filled(row, "Meaning") }),
    ),
  };
}

function readRelease(row: Row): Catalog["releases"][number] {
  const [version, release] = [word(row, "Version"), word(row, "Release")];
  return { version, release, ...(row.cells["Build"] && { build: word(row, "Build") }) };
}

function readObjects(tables: readonly Table[], version: ReadVersion): Record<string, Property[]> {
  const objects: Record<string, Property[]> = {};
  for (const found of tables) {
    const name = /^Object `(\w+)`$/.exec(found.heading)?.[1];
    if (!name) continue;
    if (objects[name]) throw unreadable(found, `the object "${name}" has a table already.`);
    objects[name] = unique(found.rows, (row) => readProperty(row, version));
  }
  for (const row of tables.flatMap(({ rows }) => rows)) {
    const named = /^(?:object: |array of )`(\w+)`$/.exec(row.cells["Type"] ?? "")?.[1];
    if (named && !objects[named])
      throw unreadable(row, `there is no table of the object "${named}".`);
  }
  return objects;
}

function readOldNames(rows: readonly Row[], settings: readonly string[]): string[] {
  const named = unique(rows, (row) => {
    const name = word(row, "Name");
    if (settings.includes(name)) throw unreadable(row, `"${name}" is a setting.`);
    return { name };
  });
  return named.map(({ name }) => name);
}

function readUpdate([update, more]: readonly Row[], version: ReadVersion): Catalog["update"] {
  if (!update || more) throw new Error('"The operation" must be a table of one row');
  return {
    method: oneOf(update, "Method", ["POST"]),
    path: word(update, "Path"),
    contentType: word(update, "Content type"),
    introduced: version(update, "Introduced") ?? filled(update, "Introduced"),
  };
}

function readParameter(row: Row, version: ReadVersion, known: readonly string[]): Parameter {
  const type = filled(row, "Type");
  const object = /^object: `(\w+)`$/.exec(type)?.[1];
  if (!object && type !== "boolean") {
    throw unreadable(row, `the type "${type}" is neither boolean nor an object.`);
  }
  const introduced = version(row, "Introduced");
  const deployments = row.cells["Deployments"] ? words(row, "Deployments") : undefined;
  const stranger = deployments?.find((each) => !known.includes(each));
  if (stranger) throw unreadable(row, `"${stranger}" is not in the table of deployments.`);
  return {
    name: word(row, "Parameter"),
    ...(object && { object }),
    ...(introduced && { introduced }),
    ...(deployments && { deployments }),
    meaning: filled(row, "Meaning"),
  };
}

const OPERATION_COLUMNS = ["Operation", "Method", "Path", "Answer", "Calls", "Seconds", "Meaning"];

function readOperation(row: Row): SignInOperation {
  const [calls, seconds] = [count(row, "Calls"), count(row, "Seconds")];
  if ((calls === undefined) !== (seconds === undefined)) {
    throw unreadable(row, "a limit needs both calls and seconds.");
  }
  return {
    name: word(row, "Operation"),
    method: oneOf(row, "Method", ["GET", "POST"]),
    path: word(row, "Path"),
    answer: oneOf(row, "Answer", ["token", "user"]),
    ...(calls !== undefined && seconds !== undefined && { limit: { calls, seconds } }),
    meaning: filled(row, "Meaning"),
  };
}

function findTable(
  tables: readonly Table[],
  references: readonly ReferenceText[],
  heading: string,
  columns: readonly string[],
): Table {
  const found = tables.find((table) => table.heading === heading);
  if (!found) {
    const files = references.map((each) => each.file).join(", ");
    throw unreadable({ file: files, line: 1 }, `there is no table under the heading "${heading}".`);
  }
  const missing = columns.find((column) => !found.columns.includes(column));
  if (missing) throw unreadable(found, `the table lacks the column "${missing}".`);
  return found;
}

function unique<T extends { readonly name: string }>(
  rows: readonly Row[],
  read: (row: Row) => T,
): T[] {
  const seen = new Set<string>();
  return rows.map((row) => {
    const entry = read(row);
    if (seen.has(entry.name)) throw unreadable(row, `"${entry.name}" has a row already.`);
    seen.add(entry.name);
    return entry;
  });
}

function assertNewer(row: Row, before: string | undefined, version: string): void {
  if (!parseVersion(version)) throw unreadable(row, `"${version}" is no version.`);
  if (before && compareVersions(before, version) >= 0) {
    throw unreadable(row, `version "${version}" does not come after "${before}".`);
  }
}

function readProperty(row: Row, version: ReadVersion): Property {
  const type = readType(row);
  const introduced = version(row, "Introduced");
  const deprecated = version(row, "Deprecated");
  const values = row.cells["Values"] ? words(row, "Values") : undefined;
  const byDefault = row.cells["Default"] ?? "";
  const isJson = byDefault.startsWith("`");
  const setBy = row.cells["Set by"];
  const property: Property = {
    name: word(row, "Property"),
    type,
    ...(values && { values }),
    ...(isJson && { default: json(row, "Default") }),
    ...(byDefault && !isJson && { defaultInWords: byDefault }),
    ...(introduced && { introduced }),
    ...(deprecated && { deprecated }),
    ...(setBy && { setBy }),
    ...(row.cells["Disconnected"] && { disconnected: json(row, "Disconnected") }),
    example: json(row, "Example"),
    meaning: filled(row, "Meaning"),
  };
  for (const column of ["Default", "Example"] as const) {
    const value = column === "Default" ? property.default : property.example;
    if (value !== undefined && !accepts(property, value)) {
      const what = `${column.toLowerCase()} ${row.cells[column]}`;
      throw unreadable(row, `the ${what} is no ${row.cells["Type"]}.`);
    }
  }
  return property;
}

function readType(row: Row): Property["type"] {
  const text = filled(row, "Type");
  const arrayOf = /^array of `(\w+)`$/.exec(text)?.[1];
  if (arrayOf) return { arrayOf };
  const known = Object.keys(VALUE_TYPES) as (keyof typeof VALUE_TYPES)[];
  const found = known.find((type) => type === text);
  if (!found) throw unreadable(row, `the type "${text}" is none of: ${known.join(", ")}.`);
  return found;
}
