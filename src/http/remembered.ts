// Remembers the hosts that a person accepted for a sign-in service, in one file for each pair.
import { digestOfText } from "../lib/digest.js";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { originOf } from "../hosts.js";
import { overwriteFile, readFile, reasonOf } from "../lib/files.js";
import { isJsonObject, parseJson } from "../lib/json.js";
import { configurationFolder, type Io } from "../io.js";

const LIMITS = { largest: 64 * 1024, links: "refused" } as const;

/** A permission is for the tokens of one service: another service may have another owner. */
export interface Pair {
  readonly service: URL;
  readonly to: URL;
  /** Shown instead of the host, if output must not name it. */
  readonly written?: string | undefined;
}

/** An unreadable or different file is no permission: the prompt appears again, and the file is rewritten. */
export function isRemembered(pair: Pair, io: Io): boolean {
  const path = placeOf(pair, io);
  if (path === undefined) return false;
  try {
    const json = parseJson(readFile(path, LIMITS).toString("utf8"));
    const { service, to } = pair;
    return (
      isJsonObject(json) && json["service"] === originOf(service) && json["host"] === originOf(to)
    );
  } catch {
    return false;
  }
}

/**
 * One complete file for each pair, so parallel runs do not conflict. If it cannot be written, the permission is for
 * this run only, and a message says why.
 */
export function remember(pair: Pair, io: Io): void {
  const path = placeOf(pair, io);
  if (path === undefined) return;
  const yes = { service: originOf(pair.service), host: originOf(pair.to) };
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const making = { mode: 0o600, machine: io.machine };
    overwriteFile(path, `${JSON.stringify(yes, null, 2)}\n`, making);
  } catch (error) {
    const why = reasonOf(error) ?? String(error);
    io.stderr.write(
      `warning: The yes to "${pair.written ?? yes.host}" could not be kept in "${path}" (${why}), and will be asked for again.\n`,
    );
  }
}

/** Undefined for a user without a home directory. */
function placeOf({ service, to }: Pair, { env }: Io): string | undefined {
  const folder = configurationFolder({ env });
  if (!folder) return undefined;
  const names = JSON.stringify([originOf(service), originOf(to)]);
  return join(folder, "hosts", `${digestOfText(names)}.json`);
}
