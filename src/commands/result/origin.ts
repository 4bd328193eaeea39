// Where a run is → the name of its repository, or of its folder where there is none; a remote's credentials stay out of it.
import { basename, dirname, resolve } from "node:path";
import { repositoryOf } from "../../document/read/repository.js";
import type { Io } from "../../io.js";
import type { Made } from "../../report/html-page.js";
import { remoteOf } from "../../state/author/checkout.js";

/** Of the folder that the files lie in, as far as they are files. */
export function originOf(io: Io, files: readonly string[]): Made["origin"] {
  const [first] = files.filter((file) => file !== "-");
  const path = first === undefined ? resolve(io.cwd, "-") : resolve(io.cwd, first);
  const remote = remoteOf(io, dirname(path));
  const found = remote === undefined ? undefined : namedBy(remote);
  if (found) return found;
  const name = basename(repositoryOf(path) ?? io.cwd);
  return name ? { name } : undefined;
}

/** Undefined for what is no place that others know, such as a folder of this machine. */
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
