// A state address → the store behind it. Refuses addresses that this version cannot use, and places that would not last.
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "../failure.js";
import { isPipeline, type Io } from "../io.js";
import { openFileStore, type FileStoreOptions } from "./file.js";
import type { Store } from "./store.js";

/** Where the state is when the file does not say. */
export const DEFAULT_STATE = "file:.lintel";

interface StoreOptions extends Omit<FileStoreOptions, "folder" | "shown"> {
  /** Its references are resolved; read from the folder of the desired-state file. */
  readonly address: string;
  /** As the file writes it, where it holds references: what they stand for is shown nowhere. */
  readonly written?: string | undefined;
}

export function openStore({ address, written, ...options }: StoreOptions): Store {
  const from = resolve(options.io.cwd, dirname(options.file));
  const folder = folderOf(address, from, written ?? address);
  return openFileStore({ ...options, folder, shown: written ?? folder });
}

/**
 * In a pipeline the runner is thrown away, and a state beside the file with it, unless somebody has seen to it: then
 * the file says so. A plan warns with this, an apply ends with it.
 */
export function notKept(written: string | undefined, env: Io["env"]): Failure | undefined {
  if (!isPipeline(env) || written !== undefined) return undefined;
  return new Failure(
    "state-not-kept",
    'The file does not say where the state is kept, and what stands in ".lintel" ends with this pipeline.',
    `Name a place that stays. If this folder is kept between runs, say so:\n  state: ${DEFAULT_STATE}`,
  );
}

/** A slash that is encoded belongs to no folder's name, and some codes stand for no character. */
function isPath({ pathname }: URL): boolean {
  try {
    return !/%2f/i.test(pathname) && decodeURIComponent(pathname) !== "";
  } catch {
    return false;
  }
}

function folderOf(address: string, from: string, shown: string): string {
  const [, path = ""] = /^file:(.+)$/s.exec(address) ?? [];
  if (path.startsWith("//")) {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (url?.host === "" && url.pathname !== "/" && isPath(url)) return fileURLToPath(url);
  } else if (path !== "" && !path.includes("\0")) {
    return resolve(from, path);
  }
  // Only its scheme is shown, because the rest may hold a password.
  const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(shown) ?? [];
  throw new Failure(
    "bad-state-address",
    scheme === undefined
      ? "The address of the state does not say what kind of place it is."
      : `This version keeps no state at an address such as that which begins with "${scheme}:".`,
    "It keeps states in folders:\n  state: file:DIR",
  );
}
