// Reads the address of a folder for states: file:DIR.
import { fileURLToPath } from "node:url";
import { wrongOf, type KindOfPlace, type Wrong } from "./kind.js";

export const folders = {
  schemes: ["file"],
  example: "file:.lintel",
  noun: "folders",
  reason: "one person: a folder beside the file, which you commit",
  pattern: "file:(?!//).|file://(localhost)?/([^%]|%(?!2[Ff])[0-9A-Fa-f]{2})+$",
  wrongIn: (address) => wrongOf(folderAt(address)),
} as const satisfies KindOfPlace;

/** The path may be relative. */
export function folderAt(address: string): { readonly path: string } | Wrong {
  const path = address.slice("file:".length);
  if (!path.startsWith("//")) {
    const odd = oddIn(path);
    return odd === undefined ? { path } : wrong(odd);
  }
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || url.host !== "") {
    return wrong("names another machine, and the folder must be one of this machine");
  }
  if (url.pathname === "/") return wrong("names no folder");
  return isPath(url)
    ? { path: fileURLToPath(url) }
    : wrong("holds a code, behind a %, that stands for nothing in the name of a folder");
}

/** A character or name that would lead to a folder of another name. */
function oddIn(path: string): string | undefined {
  if (/^[\\/]*$/.test(path)) return "names no folder";
  if (path.includes("\0")) return "holds a character that no path has";
  if (path.startsWith("~")) return 'begins with "~", which stands for a home in a shell alone';
  if (/(^|[\\/])\.git([\\/]|$)/.test(path)) return 'names the folder ".git", which is git\'s own';
  return /\.ya?ml$/i.test(path) ? "names a file, where a folder belongs" : undefined;
}

function wrong(why: string): Wrong {
  return {
    why,
    help: "Write the path of a folder, from this file or from the root:\n  state: file:.lintel\n  state: file:/srv/lintel/states",
  };
}

/** An encoded slash is not allowed in a folder's name, and some codes are no characters. */
function isPath({ pathname }: URL): boolean {
  try {
    return !/%2f/i.test(pathname) && decodeURIComponent(pathname) !== "";
  } catch {
    return false;
  }
}
