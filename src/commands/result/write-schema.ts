// A path and a version → the schema of that version there, for an editor; one that is there already stays.
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { knownVersion } from "../../catalog/catalog.js";
import type { Io } from "../../io.js";
import { schemaOf } from "../schema.js";
import { writeNew } from "./write-file.js";

/** How files name the schema beside them. */
export function schemaName(version: string): string {
  return `desired-state-${knownVersion(version) ?? version}.schema.json`;
}

/** Gives what was written, as people name it. */
export function writeSchema(path: string, version: string, { cwd }: Io): string[] {
  if (existsSync(path)) return [];
  const shown = relative(cwd, path);
  writeNew(path, shown, `${JSON.stringify(schemaOf(version), null, 2)}\n`);
  return [shown];
}

export function writeSchemaBeside(path: string, version: string, io: Io): string[] {
  return writeSchema(join(dirname(path), schemaName(version)), version, io);
}
