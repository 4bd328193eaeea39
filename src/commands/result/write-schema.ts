// A file → its schema beside it, for an editor; one that is there already stays.
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { knownVersion } from "../../catalog/catalog.js";
import { isPart } from "../../document/check/check.js";
import type { Io } from "../../io.js";
import { PART, schemaOf } from "../schema.js";
import { writeNew } from "./write-file.js";

/** How the file at `path` names the schema beside it; a part may lack what others say. */
export function schemaName(path: string, version: string): string {
  return `desired-state-${isPart(path) ? PART : (knownVersion(version) ?? version)}.schema.json`;
}

/** Writes the schema of `asked`, a version or what else has one, or of files of any target; gives what was written as people name it. */
export function writeSchema(path: string, asked: string | undefined, { cwd }: Io): string[] {
  if (existsSync(path)) return [];
  const shown = relative(cwd, path);
  writeNew(path, shown, `${JSON.stringify(schemaOf(asked), null, 2)}\n`);
  return [shown];
}

export function writeSchemaBeside(path: string, version: string, io: Io): string[] {
  const beside = join(dirname(path), schemaName(path, version));
  return writeSchema(beside, isPart(path) ? PART : version, io);
}
