// Remembers that a person accepted a host for a sign-in service, in a file for each pair.
import { digestOfText } from "../lib/digest.js";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { originOf } from "../hosts.js";
import { overwriteFile, readFile, reasonOf } from "../lib/files.js";
import { isJsonObject, parseJson } from "../lib/json.js";
import { configurationFolder, type Io } from "../io.js";

const LIMITS = { largest: 64 * 1024, links: "refused" } as const;

/** A permission is for what one service gives out: another service may have another owner. */
export interface Pair {
  readonly service: URL;
  readonly to: URL;
  /** Shown in place of the host, where the output must not name it. */
  readonly written?: string | undefined;
}

/** What cannot be read, or says something else, is no yes: the question is asked again, and the file is rewritten. */
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
 * One file for each, put in place whole: two runs at once write two files, or the same one twice. Where nothing can be
 * written the yes counts for this run only, and a message says why.
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

/** Undefined for a user without a home. */
function placeOf({ service, to }: Pair, { env }: Io): string | undefined {
  const folder = configurationFolder({ env });
  if (!folder) return undefined;
  const names = JSON.stringify([originOf(service), originOf(to)]);
  return join(folder, "hosts", `${digestOfText(names)}.json`);
}
