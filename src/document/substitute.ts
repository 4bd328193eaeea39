// ${env:…}, ${file:…} and ${portal.name} inside texts → what they stand for, each with its place.
import { basename } from "node:path";
import type { Diagnostic } from "../diagnostic.js";
import { LARGEST_FILE } from "./read.js";
import { findReferred, type Env, type Surroundings } from "./reference.js";
import { childOf, diagnose, type Entry, type Node, type Scalar } from "./tree.js";

export interface Substituted {
  readonly root: Node;
  readonly problems: readonly Diagnostic[];
  /** The files that its texts refer to, also those that could not be read. */
  readonly paths: readonly string[];
}

/**
 * Parts of the file whose references are resolved when they are first used, so that a check needs no secret. Not so
 * the address of the sign-in service: a secret in it would leave with the first look-up of the name.
 */
function isLazy(path: readonly string[]): boolean {
  if (path.length === 1) return path[0] === "state";
  return path.length === 2 && path[0] === "signIn" && path[1] !== "url";
}

/** Beyond these nobody reads on. */
const MOST_PROBLEMS = 1000;

const REFERENCE = /\$\$\{|\$\{(env|file):([^}]*)(\}?)|\$\{portal\.name\}/g;

export function substitute(root: Node, env: Env): Substituted {
  const problems: Diagnostic[] = [];
  const paths: string[] = [];
  const noteFile = (path: string) => void paths.push(path);
  const spent = { size: 0 };
  const nameNode = childOf(childOf(root, "portal"), "name");
  const ownName =
    nameNode && resolveNode(nameNode, { env, portalName: undefined, problems, noteFile, spent });
  const portalName =
    ownName?.kind === "scalar" && typeof ownName.value === "string"
      ? ownName.value
      : nameFor(root.span.source.file);

  /** What holds no reference stays what it is, as nearly all does. */
  function walk(node: Node, path: readonly string[]): Node {
    if (isLazy(path)) return node;
    if (path.length === 2 && path[0] === "portal" && path[1] === "name") return ownName ?? node;
    switch (node.kind) {
      case "mapping": {
        let entries: Map<string, Entry> | undefined;
        for (const [key, entry] of node.entries) {
          const value = walk(entry.value, [...path, key]);
          if (value !== entry.value) {
            entries ??= new Map(node.entries);
            entries.set(key, { ...entry, value });
          }
        }
        return entries ? { ...node, entries } : node;
      }
      case "list": {
        const items = node.items.map((item) => walk(item, [...path, "[]"]));
        return items.every((item, at) => item === node.items[at]) ? node : { ...node, items };
      }
      case "scalar":
        return resolveNode(node, { env, portalName, problems, noteFile, spent });
      case "mark":
        return node;
      default:
        throw node satisfies never;
    }
  }
  return { root: walk(root, []), problems, paths };
}

/** A text outside of what a review looks at: any variable and any file may stand in it. */
export function resolveSecret(
  node: Node,
  env: Env,
  portalName: string,
): Omit<Substituted, "paths"> {
  const problems: Diagnostic[] = [];
  return { root: resolveNode(node, { env, portalName, problems, isOpen: true }), problems };
}

interface Context extends Surroundings {
  readonly problems: Diagnostic[];
  /** What all references of the file have become so far. */
  readonly spent?: { size: number };
}

function resolveNode(node: Node, context: Context): Node {
  if (node.kind !== "scalar" || typeof node.value !== "string" || !node.value.includes("${")) {
    return node;
  }
  let isKnown = true;
  let size = 0;
  let from = node.span.start;
  const written = node.span.source.text.slice(0, node.span.end);
  const text = replaceEach(
    node.value,
    (whole: string, kind: string | undefined, body: string, close: string) => {
      if (context.problems.length > MOST_PROBLEMS || isSpent(context)) {
        isKnown = false;
        return undefined;
      }
      const start = written.indexOf(whole, from);
      const isWritten = start !== -1;
      // What is spelled otherwise is not looked for again: each time would take the whole text.
      from = isWritten ? start + whole.length : written.length;
      if (whole === "$${") return "${";
      // The very reference, where the text spells it as YAML reads it.
      const span = isWritten ? { ...node.span, start, end: start + whole.length } : node.span;
      const found = findReferred({ ...node, span }, { whole, kind, body, close }, context);
      if (typeof found === "string") {
        size += found.length;
        if (context.spent) context.spent.size += found.length;
        if (isSpent(context)) {
          context.problems.push(tooMuch(node));
          isKnown = false;
          return undefined;
        }
        if (size <= LARGEST_FILE) return found;
      }
      if (typeof found === "string") {
        if (isKnown) context.problems.push(tooLong(node));
        isKnown = false;
        return "";
      }
      context.problems.push(found);
      isKnown = false;
      return "";
    },
  );
  context.problems.push(...oddReferences(node, context));
  if (!isKnown) return { kind: "mark", mark: "unknown", span: node.span, via: node.via };
  if (text === node.value) return node;
  if (context.isOpen) return { ...node, value: text };
  const through = { span: node.span, message: `becomes ${preview(text)}` };
  return { ...node, value: text, via: [...node.via, through] };
}

type Replacement = (
  whole: string,
  kind: string | undefined,
  body: string,
  close: string,
) => string | undefined;

/** One by one, because `replace` holds all that it finds at once; ends where nothing more is to be replaced. */
function replaceEach(text: string, replacement: Replacement): string {
  const pieces: string[] = [];
  let end = 0;
  for (const found of text.matchAll(REFERENCE)) {
    const [whole, kind, body = "", close = ""] = found;
    const piece = replacement(whole, kind, body, close);
    if (piece === undefined) break;
    pieces.push(text.slice(end, found.index), piece);
    end = found.index + whole.length;
  }
  return pieces.join("") + text.slice(end);
}

/** Whoever meant a reference and misspelt it would read it on the portal. */
function oddReferences(node: Scalar, { isOpen }: Context): Diagnostic[] {
  if (isOpen || typeof node.value !== "string") return [];
  // Bounded, because each one that is not closed would be looked through to the end of the text.
  const odd = /(?<!\$)\$\{(?:env|file|portal)[.:][^}]{0,200}\}/gi;
  return [...new Set(node.value.match(odd))]
    .filter((whole) => !/^\$\{(?:env:|file:|portal\.name\})/.test(whole))
    .slice(0, MOST_PROBLEMS)
    .map((whole) =>
      diagnose(
        "odd-reference",
        node,
        `"${whole}" is no reference, and stays in the text as it is.`,
        `References are \${env:NAME}, \${file:path} and \${portal.name}. For the text as it stands, double the dollar: $${whole}.`,
      ),
    );
}

/** Some texts of the longest kind; a file of a thousand of them would fill the memory. */
const MOST_IN_ALL = 4 * LARGEST_FILE;

function isSpent({ spent }: Context): boolean {
  return (spent?.size ?? 0) > MOST_IN_ALL;
}

function tooMuch(node: Scalar): Diagnostic {
  return diagnose(
    "bad-reference",
    node,
    `What the references of this file stand for is longer than ${MOST_IN_ALL / 1024 / 1024} MiB together.`,
    "Refer to shorter texts, or to fewer.",
  );
}

function tooLong(node: Scalar): Diagnostic {
  return diagnose(
    "bad-reference",
    node,
    `What the references in this text stand for is longer than ${LARGEST_FILE / 1024 / 1024} MiB.`,
    "Refer to shorter texts.",
  );
}

/** What a portal is called whose file does not say. */
export function nameFor(file: string): string {
  return file === "-" ? "stdin" : basename(file).replace(/\.ya?ml$/i, "");
}

function preview(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return JSON.stringify(line.length > 40 ? `${line.slice(0, 39)}…` : line);
}
