// The name of a file that is not there → those near it that are, as somebody may have meant them.
import { readdirSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { didYouMean } from "../../diagnostic.js";

/** More than these are a listing, which the shell does better. */
const MOST_NAMED = 5;

/** Where the file should lie, where the call is made, and where several portals usually lie. */
export function nearbyFiles(file: string, cwd: string): string | undefined {
  const asked = resolve(cwd, file);
  const folders = new Set([dirname(asked), cwd, join(cwd, "portals")]);
  const there = [...folders].flatMap((folder) =>
    namesIn(folder)
      .filter((name) => isLike(name, asked))
      .map((name) => relative(cwd, join(folder, name))),
  );
  const listed = (names: readonly string[]) =>
    names.slice(0, MOST_NAMED).map((each) => `"${each}"`);
  const same = there.filter((each) => stem(each) === stem(asked));
  if (same.length > 0) return `Did you mean ${listed(same).join(" or ")}?`;
  const near = didYouMean(file, there);
  const folder = dirname(asked);
  const beside = there.filter((each) => folder === cwd || dirname(resolve(cwd, each)) === folder);
  if (near !== undefined || beside.length === 0) return near;
  const more = beside.length > MOST_NAMED ? ` and ${beside.length - MOST_NAMED} more` : "";
  return `These are there: ${listed(beside).join(", ")}${more}.`;
}

/** Of the kind that was asked for; parts are meant only by who names one. */
function isLike(name: string, asked: string): boolean {
  if (name.startsWith(".")) return false;
  if (name.startsWith("_") && !basename(asked).startsWith("_")) return false;
  return (asked.endsWith(".json") ? /\.json$/ : /\.ya?ml$/).test(name);
}

function stem(path: string): string {
  return basename(path).replace(/\.\w+$/, "");
}

/** A folder that is not there, or may not be read, has nothing to offer. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
