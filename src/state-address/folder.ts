// file:DIR → a folder of this machine.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { KindOfPlace } from "./kind.js";

export const folders = {
  schemes: ["file"],
  example: "file:.lintel",
  noun: "folders",
  reason: "a folder beside the file, committed with it; for one person",
  pattern: "file:(?!//).|file://(localhost)?/([^%]|%(?!2[Ff])[0-9A-Fa-f]{2})+$",
} as const satisfies KindOfPlace;

/** A relative path is read from `from`; undefined where it names no folder. */
export function folderAt(address: string, from: string): string | undefined {
  const [, path = ""] = /^file:(.+)$/is.exec(address) ?? [];
  if (path.startsWith("//")) {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const isPlain = url?.host === "" && url.pathname !== "/" && isPath(url);
    return isPlain ? fileURLToPath(url) : undefined;
  }
  return path === "" || path.includes("\0") ? undefined : resolve(from, path);
}

/** A slash that is encoded belongs to no folder's name, and some codes stand for no character. */
function isPath({ pathname }: URL): boolean {
  try {
    return !/%2f/i.test(pathname) && decodeURIComponent(pathname) !== "";
  } catch {
    return false;
  }
}
