// Finds what a pipeline depends on: the policies that its files name, and the variables that they refer to.
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
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
