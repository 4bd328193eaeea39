// Describes when a page was made, and from which repository, commit and job.
import { basename, dirname, resolve } from "node:path";
import packageFacts from "../../package.json" with { type: "json" };
import { repositoryOf } from "../document/read/repository.js";
import type { Io } from "../io.js";
import type { Outcome } from "../outcome.js";
import type { Made } from "../report/html-page.js";
import { authorOf } from "../state/author/author.js";
import { remoteOf } from "../state/author/checkout.js";

export async function madeBy(io: Io, { files = [] }: Pick<Outcome, "files">): Promise<Made> {
  // The first file is enough, because a run usually has one repository.
  const first = files.slice(0, 1);
  const { commit, job } = await authorOf(io, first);
  const origin = originOf(io, first);
  return {
    toolVersion: packageFacts.version,
    at: timeOf(io).toISOString(),
    ...(origin && { origin }),
    ...(commit !== undefined && { commit }),
    ...(job !== undefined && { job }),
  };
}

/** A reproducible build sets SOURCE_DATE_EPOCH, in seconds. */
export function timeOf(io: Io): Date {
  const epoch = io.env["SOURCE_DATE_EPOCH"] ?? "";
  if (/^\d{1,11}$/.test(epoch)) return new Date(Number(epoch) * 1000);
  if (epoch !== "") {
    io.stderr.write(
      "warning: SOURCE_DATE_EPOCH is ignored, because it is no whole number of seconds since 1970.\n",
    );
  }
  return new Date(io.now());
}

/** The repository of the files, else their folder, without credentials of the remote. */
function originOf(io: Io, files: readonly string[]): Made["origin"] {
  const [first] = files.filter((file) => file !== "-");
  const path = first === undefined ? resolve(io.cwd, "-") : resolve(io.cwd, first);
  const remote = remoteOf(io, dirname(path));
  const found = remote === undefined ? undefined : namedBy(remote);
  if (found) return found;
  const name = basename(repositoryOf(path) ?? io.cwd);
  return name ? { name } : undefined;
}

/** Undefined for a place that others cannot reach, such as a local folder. */
export function namedBy(remote: string): Made["origin"] {
  const address = URL.canParse(remote) ? new URL(remote) : undefined;
  const isWeb = address && /^(?:https?|ssh|git):$/.test(address.protocol);
  // git@host:path is no URL, and one letter before the colon is a drive.
  const [, host = "", path = ""] = isWeb
    ? ["", address.host, address.pathname]
    : (/^(?:[^/]*@)?([\w.-]{2,}):(?!:|\/\/)([^\\]+)$/.exec(remote) ?? []);
  const parts = path
    .replace(/\/*$/, "")
    .replace(/\.git$/, "")
    .split("/")
    .filter(Boolean);
  if (!host || parts.length === 0) return undefined;
  return { name: parts.slice(-2).join("/"), place: [host, ...parts].join("/") };
}
