// A file → its schema beside it, for an editor; one that is there already stays, or is written anew where it is a copy of another Lintel's.
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { knownVersion } from "../catalog/catalog.js";
import { isPart } from "../document/check/check.js";
import type { Io } from "../io.js";
import { readFile, reasonOf } from "../lib/files.js";
import { isJsonObject, parseJson, type JsonObject } from "../lib/json.js";
import { PART, schemaOf } from "./schema.js";
import { replaceFile, writeNew } from "../cli/write-file.js";

/** How the file at `path` names the schema beside it; a part may lack what others say. */
export function schemaName(path: string, version: string): string {
  return `desired-state-${isPart(path) ? PART : (knownVersion(version) ?? version)}.schema.json`;
}

/** Writes the schema of `asked`, a version or what else has one, or of files of any target; gives what was written as people name it. */
export function writeSchema(path: string, asked: string | undefined, io: Io): string[] {
  return existsSync(path) ? [] : write(path, schemaOf(asked), io, writeNew);
}

/** The same; and what another Lintel wrote there is written anew. */
export function renewSchema(path: string, asked: string | undefined, io: Io): string[] {
  if (!existsSync(path)) return writeSchema(path, asked, io);
  const schema = schemaOf(asked);
  const found = readSchema(path);
  const isOurs = found?.["title"] === schema["title"];
  return isOurs && JSON.stringify(found) !== JSON.stringify(schema)
    ? write(path, schema, io, replaceFile)
    : [];
}

function write(path: string, schema: JsonObject, io: Io, put: typeof replaceFile): string[] {
  const shown = relative(io.cwd, path);
  put(path, shown, `${JSON.stringify(schema, null, 2)}\n`, io);
  return [shown];
}

const LIMITS = { largest: 1024 * 1024, links: "followed" } as const;

/** Undefined for what is none of ours, whatever it is. */
function readSchema(path: string): JsonObject | undefined {
  try {
    const found = parseJson(readFile(path, LIMITS).toString("utf8"));
    return isJsonObject(found) ? found : undefined;
  } catch (error) {
    if (reasonOf(error) === undefined) throw error;
    return undefined;
  }
}

export function writeSchemaBeside(path: string, version: string, io: Io): string[] {
  const beside = join(dirname(path), schemaName(path, version));
  return writeSchema(beside, isPart(path) ? PART : version, io);
}
