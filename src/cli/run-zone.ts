// Finds the time zone of a run, for reading and showing times.
import { extend } from "../document/read/extend.js";
import { readSource, type Files } from "../document/read/bytes.js";
import { childOf, textOf } from "../document/read/tree.js";
import { zoneOf, UTC, type Zone } from "../lib/text.js";
import { zoneNamed } from "../moment.js";
import type { Io } from "../io.js";

/** The zone that all files set; the machine's if none sets one; UTC if they differ. */
export function zoneOfFiles(files: readonly string[], io: Pick<Io, "env" | "zone"> & Files): Zone {
  const names = new Set(files.map((file) => timeZoneIn(file, io)));
  if (names.size > 1) return UTC;
  const [name] = names;
  return (name === undefined ? undefined : zoneNamed(name)) ?? zoneOf(io);
}

/** Undefined for an unreadable file, which the command itself reports. */
function timeZoneIn(file: string, { cwd, files }: Files): string | undefined {
  // Standard input can be read only once.
  if (file === "-") return undefined;
  const { root } = extend(readSource({ file, cwd, files }), { cwd, files });
  return root && textOf(childOf(root, "timeZone"));
}
