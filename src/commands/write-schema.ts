// Writes the schema of a file beside it, for an editor.
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { knownVersion } from "../catalog/catalog.js";
import { writeNew } from "../cli/write-file.js";
import { isPart } from "../document/check/check.js";
import type { Io } from "../io.js";
import { PART, schemaOf } from "./schema.js";

/** How the file at `path` names the schema beside it; a part may lack what others say. */
export function schemaName(path: string, version: string): string {
  return `desired-state-${isPart(path) ? PART : (knownVersion(version) ?? version)}.schema.json`;
}

/** Keeps an existing one. Returns the names of the files written. */
export function writeSchema(path: string, asked: string | undefined, io: Io): string[] {
  if (existsSync(path)) return [];
  const shown = relative(io.cwd, path);
  writeNew(path, shown, `${JSON.stringify(schemaOf(asked), null, 2)}\n`, io);
  return [shown];
}

export function writeSchemaBeside(path: string, version: string, io: Io): string[] {
  const beside = join(dirname(path), schemaName(path, version));
  return writeSchema(beside, isPart(path) ? PART : version, io);
}
