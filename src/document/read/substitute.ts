// ${env:…}, ${file:…} and ${portal.name} inside texts → what they stand for, each with its place.
import { basename } from "node:path";
import { nearest, type Diagnostic } from "../../diagnostic.js";
import { LARGEST_FILE } from "./bytes.js";
import {
  findReferred,
  OPENNESS,
  refusalOf,
  type Part,
  type Surroundings,
  type Written,
} from "./reference.js";
import {
  childOf,
  diagnose,
  textOf,
  type Entry,
  type Node,
  type Scalar,
  type Text,
} from "./tree.js";

interface Resolved {
  readonly root: Node;
  readonly problems: readonly Diagnostic[];
}

/** What a reference at this path may name. */
export function partAt(first: string, second: string | undefined): Part {
  if (first === "state") return "state";
  if (first !== "signIn" || second === undefined) return "settings";
  return second === "url" ? "address" : "signIn";
}

/** Beyond these nobody reads on. */
const MOST_PROBLEMS = 1000;

export const REFERENCE = /\$\$\{|\$\{(?:(env|file):([^}]*)(\}?)|(portal)\.(name|key)\})/g;

/** `paths` are the files that the texts refer to, also those that could not be read. */
export function substitute(
  root: Node,
  { cwd, env }: Pick<Surroundings, "cwd" | "env">,
): Resolved & { readonly paths: readonly string[] } {
  const problems: Diagnostic[] = [];
  const paths: string[] = [];
  const noteFile = (path: string) => void paths.push(path);
  const around = { cwd, env, problems, noteFile, spent: { size: 0 } };
  const nameNode = childOf(childOf(root, "portal"), "name");
  const ownName =
    nameNode && resolveNode(nameNode, { ...around, part: "settings", portal: { name: undefined } });
  const portalName = textOf(ownName) ?? nameFor(root.span.source.file);

  /** What holds no reference stays what it is, as nearly all does; the first two steps of the way say what it may name. */
  function walk(node: Node, first?: string, second?: string): Node {
    if (node === nameNode) return ownName ?? node;
    const below = (child: Node, key: string) =>
      first === undefined ? walk(child, key) : walk(child, first, second ?? key);
    switch (node.kind) {
      case "mapping": {
        let entries: Map<string, Entry> | undefined;
        for (const [key, entry] of node.entries) {
          const value = below(entry.value, key);
          if (value !== entry.value) {
            (entries ??= new Map(node.entries)).set(key, { ...entry, value });
          }
        }
        return entries ? { ...node, entries } : node;
      }
      case "list": {
        const items = node.items.map((item) => below(item, "[]"));
        return items.every((item, at) => item === node.items[at]) ? node : { ...node, items };
      }
      case "scalar": {
        if (!isReferring(node)) return node;
        const part = partAt(first ?? "", second);
        const context = { ...around, part, portal: { name: portalName } };
        // These are resolved when they are first used, so that a check needs no secret; what they name is looked at.
        return part === "state" || part === "signIn"
          ? lookOver(node, context)
          : resolveNode(node, context);
      }
      case "mark":
        return node;
      default:
        throw node satisfies never;
    }
  }
  return { root: walk(root), problems, paths };
}

/** A text that is resolved when it is first used. */
export function resolveLater(node: Node, surroundings: Surroundings): Resolved {
  const problems: Diagnostic[] = [];
  return { root: resolveNode(node, { ...surroundings, problems, spent: { size: 0 } }), problems };
}

interface Context extends Surroundings {
  readonly problems: Diagnostic[];
  /** What all references of the file have become so far. */
  readonly spent: { size: number };
}

/**
 * Each reference of a text, at the very place where the text spells it as YAML reads it, and what takes its place; ends
 * where nothing more is to be replaced. One by one, because `String.replace` holds all that it finds at once.
 */
function replaceReferences(
  node: Text,
  { part }: Surroundings,
  replace: (at: Scalar, written: Written) => string | undefined,
): string {
  const source = node.span.source.text.slice(0, node.span.end);
  const pieces: string[] = [];
  let [from, end] = [node.span.start, 0];
  for (const found of node.value.matchAll(REFERENCE)) {
    const [whole, kind = "", body = "", close = "", portal, name = ""] = found;
    const start = source.indexOf(whole, from);
    // What is spelled otherwise is not looked for again: each time would take the whole text.
    from = start === -1 ? source.length : start + whole.length;
    const span = start === -1 ? node.span : { ...node.span, start, end: from };
    const written = portal
      ? { whole, kind: portal, body: name, close: "}" }
      : { whole, kind, body, close };
    const isText = portal !== undefined && !OPENNESS[part].portal.includes(name);
    let piece: string | undefined = "${";
    // The name of something that is not known here is a text like any other.
    if (isText) piece = whole;
    else if (whole !== "$${") piece = replace({ ...node, span }, written);
    if (piece === undefined) break;
    pieces.push(node.value.slice(end, found.index), piece);
    end = found.index + whole.length;
  }
  return pieces.join("") + node.value.slice(end);
}

export function isReferring(node: Node): node is Text {
  return node.kind === "scalar" && typeof node.value === "string" && node.value.includes("${");
}

/** Says what may not stand there, without looking anything up. */
function lookOver(node: Text, context: Context): Node {
  replaceReferences(node, context, (at, written) => {
    if (context.problems.length > MOST_PROBLEMS) return undefined;
    const refusal = refusalOf(at, written, context);
    if (refusal) context.problems.push(refusal);
    return "";
  });
  context.problems.push(...oddReferences(node, context));
  return node;
}

function resolveNode(node: Node, context: Context): Node {
  if (!isReferring(node)) return node;
  const { spent } = context;
  let isKnown = true;
  let size = 0;
  const text = replaceReferences(node, context, (at, written) => {
    const isOver = context.problems.length > MOST_PROBLEMS || spent.size > MOST_IN_ALL;
    const found = isOver ? undefined : findReferred(at, written, context);
    if (typeof found === "string") {
      size += found.length;
      spent.size += found.length;
      if (size <= LARGEST_FILE && spent.size <= MOST_IN_ALL) return found;
      if (spent.size > MOST_IN_ALL) context.problems.push(tooMuch(node));
      else if (isKnown) context.problems.push(tooLong(node));
    } else if (found) context.problems.push(found);
    isKnown = false;
    return spent.size > MOST_IN_ALL || isOver ? undefined : "";
  });
  context.problems.push(...oddReferences(node, context));
  if (!isKnown) return { kind: "mark", mark: "unknown", span: node.span, via: node.via };
  if (text === node.value) return node;
  const replaced = { ...node, value: text, written: node.value };
  // What stands for a setting is shown; an address is named as it is written.
  if (context.part !== "settings") return replaced;
  const through = { span: node.span, message: `becomes ${preview(text)}` };
  return { ...replaced, via: [...node.via, through] };
}

/** Whoever meant a reference and misspelt it would read it on the portal. */
function oddReferences(node: Text, { part }: Context): Diagnostic[] {
  if (part === "state") return strangeReferences(node);
  // Bounded, because each one that is not closed would be looked through to the end of the text.
  const odd = node.value.match(/(?<!\$)\$\{(?:env|file|portal)[.:][^}]{0,200}\}/gi);
  if (!odd) return [];
  const known = OPENNESS[part].portal.map((name) => `\${portal.${name}}`);
  const files = OPENNESS[part].files === "none" ? [] : ["${file:path}"];
  const list = ["${env:NAME}", ...files, ...known].join(", ").replace(/, (?=[^,]*$)/, " and ");
  return [...new Set(odd)]
    .filter((whole) => !/^\$\{(?:env|file):/.test(whole) && !known.includes(whole))
    .slice(0, MOST_PROBLEMS)
    .map((whole) => {
      const message = `"${whole}" is no reference, and stays in the text as it is.`;
      const help = `References are ${list}. For the text as it stands, double the dollar: $${whole}.`;
      return diagnose("odd-reference", node, message, help);
    });
}

/** In the address of a state nothing else begins so, and one that stays in it would be a place that nobody meant. */
function strangeReferences(node: Text): Diagnostic[] {
  const names = OPENNESS.state.portal;
  const known = names.map((name) => `\${portal.${name}}`);
  const source = node.span.source.text.slice(0, node.span.end);
  return [...new Set(node.value.match(/\$\$\{|\$\{[^}]{0,200}\}?/g))]
    .filter((whole) => !/^\$(?:\$|\{(?:env|file):)/.test(whole) && !known.includes(whole))
    .slice(0, MOST_PROBLEMS)
    .map((whole) => {
      const at = source.indexOf(whole, node.span.start);
      const span = at === -1 ? node.span : { ...node.span, start: at, end: at + whole.length };
      const [, name = whole] = /^\$\{portal[.:](.*)\}$/i.exec(whole) ?? [];
      const near = nearest(name, names).map((each) => `\${portal.${each}}`);
      const hint = near[0] === undefined ? "" : `Did you mean "${near[0]}"? `;
      const help = `${hint}References are \${env:LINTEL_VAR_NAME}, ${known.join(" and ")}. For the text as it stands, double the dollar: $${whole}.`;
      return diagnose("bad-reference", { ...node, span }, `"${whole}" is no reference.`, help);
    });
}

/** Some texts of the longest kind; a file of a thousand of them would fill the memory. */
const MOST_IN_ALL = 4 * LARGEST_FILE;

function tooMuch(node: Scalar): Diagnostic {
  const message = `What the references of this file stand for is longer than ${MOST_IN_ALL / 1024 / 1024} MiB together.`;
  return diagnose("bad-reference", node, message, "Refer to shorter texts, or to fewer.");
}

function tooLong(node: Scalar): Diagnostic {
  const message = `What the references in this text stand for is longer than ${LARGEST_FILE / 1024 / 1024} MiB.`;
  return diagnose("bad-reference", node, message, "Refer to shorter texts.");
}

/** What a portal is called whose file does not say. */
export function nameFor(file: string): string {
  return file === "-" ? "stdin" : basename(file).replace(/\.ya?ml$/i, "");
}

function preview(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return JSON.stringify(line.length > 40 ? `${line.slice(0, 39)}…` : line);
}
