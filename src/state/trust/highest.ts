// A portal → the serial of its state that this machine has seen last, kept where the yes to a host is.
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { digestOfText } from "../../digest.js";
import { overwriteFile, readFile, reasonOf } from "../../file.js";
import { configurationFolder, type Io } from "../../io.js";
import { isJsonObject, parseJson } from "../../json.js";
import type { PortalIdentity } from "../key.js";
import type { State } from "../state.js";

const LIMITS = { largest: 64 * 1024, links: "refused" } as const;

export type Seen = Pick<State, "lineage" | "serial">;

/** Undefined where nothing is remembered, or what is cannot be read. */
export function highestSeen({ key }: PortalIdentity, io: Io): Seen | undefined {
  const path = placeOf(key, io);
  if (path === undefined) return undefined;
  try {
    const json = parseJson(readFile(path, LIMITS).toString("utf8"));
    if (!isJsonObject(json) || json["portal"] !== key) return undefined;
    const { lineage, serial } = json;
    if (typeof lineage !== "string" || typeof serial !== "number") return undefined;
    return { lineage, serial };
  } catch {
    return undefined;
  }
}

/** In the place of what was remembered before. Where nothing can be written, the person is told. */
export function rememberSeen({ key }: PortalIdentity, seen: Seen, io: Io): void {
  const path = placeOf(key, io);
  if (path === undefined) return;
  const { lineage, serial } = seen;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    overwriteFile(path, `${JSON.stringify({ portal: key, lineage, serial }, null, 2)}\n`, 0o600);
  } catch (error) {
    const why = reasonOf(error) ?? String(error);
    io.stderr.write(
      `warning: The serial of the state could not be kept in "${path}" (${why}), so that an older one would not be noticed.\n`,
    );
  }
}

/** For a state that is to be begun anew. */
export function forgetSeen({ key }: PortalIdentity, io: Io): void {
  const path = placeOf(key, io);
  if (path !== undefined) rmSync(path, { force: true });
}

function placeOf(key: string, io: Io): string | undefined {
  const folder = configurationFolder(io);
  return folder && join(folder, "serials", `${digestOfText(key)}.json`);
}
