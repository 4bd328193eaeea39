// A sign-in service and a host → whether a person once said yes to the two, and how that is kept: in a file of its own each.
import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isJsonObject, type Json } from "../json.js";
import type { Io } from "../io.js";

export interface Yes {
  readonly service: string;
  readonly host: string;
}

/** What cannot be read, or says something else, is no yes: the person is asked again, and the file is written anew. */
export function isRemembered(yes: Yes, io: Io): boolean {
  const path = placeOf(yes, io);
  if (path === undefined) return false;
  try {
    const json = JSON.parse(readFileSync(path, "utf8")) as Json;
    return isJsonObject(json) && json["service"] === yes.service && json["host"] === yes.host;
  } catch {
    return false;
  }
}

/**
 * One file for each, put in place whole: two runs at once write two files, or the same one twice. Where nothing can be
 * written the yes counts for this run, and the person is told.
 */
export function remember(yes: Yes, io: Io): void {
  const path = placeOf(yes, io);
  if (path === undefined) return;
  const draft = `${path}.${randomUUID()}.draft`;
  try {
    mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${JSON.stringify(yes, null, 2)}\n`, {
      mode: 0o600,
      flag: "wx",
      flush: true,
    });
    renameSync(draft, path);
  } catch (error) {
    if (existsSync(draft)) rmSync(draft);
    const { code = String(error) } = error as NodeJS.ErrnoException;
    io.stderr.write(
      `warning: The yes to "${yes.host}" could not be kept in "${path}" (${code}), and will be asked for again.\n`,
    );
  }
}

/** Undefined for somebody without a folder of their own. */
function placeOf({ service, host }: Yes, { env }: Io): string | undefined {
  const chosen = env["XDG_CONFIG_HOME"] ?? "";
  const home = env["HOME"] || env["USERPROFILE"];
  // A path that is not absolute is to be left alone, says the standard of these folders.
  const folder = isAbsolute(chosen) ? chosen : home && join(home, ".config");
  if (!folder) return undefined;
  const name = createHash("sha256")
    .update(JSON.stringify([service, host]))
    .digest("hex");
  return join(folder, "lintel", "hosts", `${name}.json`);
}
