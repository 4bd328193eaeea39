// Finds what a checked file takes from its machine: variables, and files named by an absolute path.
import { isAbsolute } from "node:path";
import type { Source } from "./read/source.js";
import { partAt, REFERENCE, variableIn } from "./read/references.js";
import type { Node } from "./read/tree.js";

export interface Referred {
  /** Names, also of those that are not defined; without what only a sign-in uses. */
  readonly variables: readonly string[];
  /** As the file writes them; another machine has no such files. */
  readonly absolute: readonly string[];
}

export function referredIn(root: Node): Referred {
  const variables = new Set<string>();
  const absolute = new Set<string>();
  const sources = new Set<Source>();

  function note(source: Source): void {
    if (sources.has(source)) return;
    sources.add(source);
    const at = source.extendedAt;
    if (!at) return;
    const name = at.source.text.slice(at.start, at.end).replace(/^["']/, "");
    if (isAbsolute(name)) absolute.add(name);
    note(at.source);
  }

  function walk(node: Node, first?: string, second?: string): void {
    note(node.span.source);
    // The same two steps as where they are replaced.
    const below = (child: Node, key: string) =>
      first === undefined ? walk(child, key) : walk(child, first, second ?? key);
    if (node.kind === "mapping") for (const [key, { value }] of node.entries) below(value, key);
    if (node.kind === "list") for (const item of node.items) below(item, "[]");
    if (node.kind !== "scalar" || typeof node.value !== "string") return;
    if (partAt(first ?? "", second) === "signIn") return;
    for (const [, kind, body = ""] of (node.written ?? node.value).matchAll(REFERENCE)) {
      const name = kind === "env" ? variableIn(body) : undefined;
      if (name !== undefined) variables.add(name);
      if (kind === "file" && isAbsolute(body)) absolute.add(body);
    }
  }

  walk(root);
  return { variables: [...variables].toSorted(), absolute: [...absolute].toSorted() };
}
