// Lists the paths that start a pipeline, and the variables that its files refer to.
import { readFileSync } from "node:fs";
import { dirname, isAbsolute, posix, relative, resolve, sep } from "node:path";
import { nodeAt, textOf, type Node } from "../../document/read/tree.js";
import { statOf } from "../../lib/files.js";
import type { Io } from "../../io.js";

/** What a file names under "policy": one path or a list of them. */
export function policyPaths(root: Node): string[] {
  const node = nodeAt(root, ["policy"]);
  return (node?.kind === "list" ? node.items : [node]).flatMap((each) => {
    const [name, from] = [textOf(each), each?.span.source.path];
    return name === undefined || from === undefined ? [] : resolve(dirname(from), name);
  });
}

/**
 * Relative to the root of the repository; a folder has a slash at its end, and the root is "". Outside the target, whole
 * folders count: the pipeline file stays the same when a file refers to another one there.
 */
export function placesThatMatter(
  root: string,
  target: string,
  paths: readonly string[],
): readonly string[] {
  const folderOf = (path: string) => (path === "" || path === "." ? "" : `${path}/`);
  const parts = target.split("/");
  const fixed = parts.findIndex((part) => /[*?[\]{}]/.test(part));
  const stat = statOf(resolve(root, target));
  const isWhole = stat?.isDirectory() || target === ".";
  const pattern = stat || fixed === -1 ? target : folderOf(parts.slice(0, fixed).join("/"));
  const elsewhere = paths.filter((path) => path !== resolve(root, target));
  const places = elsewhere.flatMap((path) => {
    const isFolder = statOf(path)?.isDirectory();
    const inRoot = relative(root, path).split(sep).join("/");
    if (isAbsolute(inRoot) || /^\.\.(?:\/|$)/.test(inRoot)) return [];
    if (isFolder) return folderOf(inRoot);
    return inRoot.includes("/") ? folderOf(posix.dirname(inRoot)) : inRoot;
  });
  const own = isWhole ? folderOf(target) : pattern;
  const isBelow = (place: string, other: string) =>
    place !== other && (other === "" || (other.endsWith("/") && place.startsWith(other)));
  const all = [...new Set([own, ...places])];
  return all.filter((place) => !all.some((other) => isBelow(place, other)));
}

/** Copied from this environment: they are not secret, and pull requests from forks get no variables. */
export function valuesReferredTo(
  paths: readonly string[],
  { env }: Pick<Io, "env">,
): readonly (readonly [string, string])[] {
  const texts = paths.flatMap((path) => (statOf(path)?.isFile() ? readFileSync(path, "utf8") : []));
  const names = texts.flatMap((text) =>
    [...text.matchAll(/\$\{env:(LINTEL_VAR_\w+)/g)].map(([, name = ""]) => name),
  );
  return [...new Set(names)].toSorted().flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
}
