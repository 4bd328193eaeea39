// The values of a parsed file, with their places and origins.
import type { Diagnostic, DiagnosticCode, Related, Severity } from "../../diagnostic.js";
import { severityOf, withinReason } from "../../diagnostic.js";
import type { Json } from "../../lib/json.js";
import type { Path } from "../../settings.js";
import { placeOf, type Span } from "./source.js";

/** An alias, a merge or a reference that a value came through. */
export interface Via {
  readonly span: Span;
  readonly message: string;
}

/** The place and origin of a node. */
export interface Placed {
  readonly span: Span;
  readonly via: readonly Via[];
  /** The place of "${vars.NAME}", for a value from `vars`. */
  readonly usedAt?: Span;
}

export interface Scalar extends Placed {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
  /** The text before its references were replaced; absent without any. */
  readonly written?: string;
}

export type Text = Scalar & { readonly value: string };

export interface List extends Placed {
  readonly kind: "list";
  readonly items: readonly Node[];
}

export interface Entry {
  readonly key: Placed;
  readonly value: Node;
  /** The base's entry that it replaced. */
  readonly below?: Entry;
}

export interface Mapping extends Placed {
  readonly kind: "mapping";
  readonly entries: ReadonlyMap<string, Entry>;
  /** The place of the lowest of all merged mappings. */
  readonly lowest?: Span;
}

/**
 * A leaf without its own value: `!default`, `!unmanaged`, `!required`, or an unresolved value, which already has a
 * diagnostic.
 */
export interface Mark extends Placed {
  readonly kind: "mark";
  readonly mark: "default" | "unmanaged" | "required" | "unknown";
}

export type Node = Scalar | List | Mapping | Mark;

/** Keys with anchors are ignored everywhere. */
export function isAnchorKey(key: string): boolean {
  return key.startsWith("x-");
}

export function entriesOf(node: Node | undefined): ReadonlyMap<string, Entry> {
  return node?.kind === "mapping" ? node.entries : new Map();
}

export function childOf(node: Node | undefined, part: string | number): Node | undefined {
  if (node?.kind === "list") return typeof part === "number" ? node.items[part] : undefined;
  return entriesOf(node).get(String(part))?.value;
}

export function nodeAt(root: Node, path: Path): Node | undefined {
  return path.reduce<Node | undefined>(childOf, root);
}

/** The key and value at a path; a list entry is its own key. */
export function entryAt(root: Node, path: Path): Entry | undefined {
  const last = path.at(-1);
  if (last === undefined) return { key: root, value: root };
  const parent = nodeAt(root, path.slice(0, -1));
  if (parent?.kind === "mapping") return parent.entries.get(String(last));
  const value = childOf(parent, last);
  return value && { key: value, value };
}

/** The path of a setting below `settings`, also in a window; undefined for other paths. */
export function settingPath(path: Path): Path | undefined {
  if (path[0] === "settings") return path.slice(1);
  return path[0] === "schedule" && path[2] === "settings" ? path.slice(3) : undefined;
}

/** A path without item numbers and window names. */
export function shapeOf(path: Path): string {
  const names = path.filter((part) => typeof part === "string");
  return names.map((name, at) => (at === 1 && names[0] === "schedule" ? "*" : name)).join(".");
}

/** The node's text; undefined for other values. */
export function textOf(node: Node | undefined): string | undefined {
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;
}

/** The list's items; empty for other values. */
export function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.kind === "list" ? node.items : [];
}

/** As spelled in the file, so that 11.10 does not become 11.1. */
export function writtenText({ span: { source, start, end } }: Node): string {
  return source.text.slice(start, end);
}

/** The texts with references, before they were replaced. */
export function replacedTexts(node: Node): readonly string[] {
  if (node.kind === "scalar") return node.written === undefined ? [] : [node.written];
  const held = node.kind === "mapping" ? [...node.entries.values()].map((each) => each.value) : [];
  return [...itemsOf(node), ...held].flatMap(replacedTexts);
}

/** The places of all marks and nulls outside of anchor keys, in one walk, because most files have none. */
export function unvaluedIn(node: Node, path: Path = [], found: Unvalued[] = []): Unvalued[] {
  if (node.kind === "mark" || (node.kind === "scalar" && node.value === null)) {
    found.push({ node, path });
  } else if (node.kind === "list") {
    for (const [at, item] of node.items.entries()) unvaluedIn(item, [...path, at], found);
  } else if (node.kind === "mapping") {
    for (const [key, { value }] of node.entries) {
      if (!isAnchorKey(key)) unvaluedIn(value, [...path, key], found);
    }
  }
  return found;
}

export interface Unvalued {
  readonly node: Scalar | Mark;
  readonly path: Path;
}

/** The plain value, without anchor keys, marks and nulls, which nothing accepts. */
export function toJson(node: Node): Json | undefined {
  switch (node.kind) {
    case "scalar":
      return node.value ?? undefined;
    case "list":
      return node.items.map((item) => toJson(item) ?? null);
    case "mapping": {
      // Without a prototype, __proto__ is an ordinary key.
      const object = Object.create(null) as Record<string, Json>;
      for (const [key, { value }] of node.entries) {
        const json = isAnchorKey(key) ? undefined : toJson(value);
        if (json !== undefined) object[key] = json;
      }
      return object;
    }
    case "mark":
      return undefined;
    default:
      throw node satisfies never;
  }
}

/** A diagnostic at a place, with the places that the value came through. */
export function diagnose(
  known: DiagnosticCode | { readonly code: string; readonly severity: Severity },
  at: { readonly span: Span; readonly via?: readonly Via[] },
  message: string,
  help: string,
): Diagnostic {
  const { code, severity } =
    typeof known === "string" ? { code: known, severity: severityOf(known) } : known;
  let place = placeOf(at.span);
  if (code === "literal-secret") {
    // Keeps the marker, but not the marked text.
    const { text, from, to } = place.excerpt;
    const hidden = text.slice(0, from) + text.slice(from).replace(/\S/g, "*");
    place = { ...place, excerpt: { text: hidden, from, to } };
  }
  const through = (at.via ?? []).map(({ span, message }) => ({ place: placeOf(span), message }));
  return {
    code,
    severity,
    message: withinReason(message),
    help: withinReason(help),
    file: place.file,
    place,
    related: [...through, ...extensionsOf(at.span)],
  };
}

/** The chain of `extends` from the named file to the value's file. */
function extensionsOf({ source }: Span): Related[] {
  const at = source.extendedAt;
  if (!at) return [];
  return [{ place: placeOf(at), message: `extends "${source.file}"` }, ...extensionsOf(at)];
}
