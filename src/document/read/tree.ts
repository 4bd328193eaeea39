// The values of a parsed file, which know where they stand and how they came there.
import type { Diagnostic, DiagnosticCode, Related, Severity } from "../../diagnostic.js";
import { severityOf, withinReason } from "../../diagnostic.js";
import type { Json } from "../../lib/json.js";
import type { Path } from "../../settings.js";
import { placeOf, type Span } from "./source.js";

/** A place that a value passed through on its way: an alias, a merge or a reference. */
export interface Via {
  readonly span: Span;
  readonly message: string;
}

/** Where something stands, and how it came there. */
export interface Placed {
  readonly span: Span;
  readonly via: readonly Via[];
  /** Where a file writes "${vars.NAME}" and nothing else, of a value that stands under `vars`. */
  readonly usedAt?: Span;
}

export interface Scalar extends Placed {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
  /** As it was before its references were replaced; absent where it holds none. */
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
  /** What a base had said in its place. */
  readonly below?: Entry;
}

export interface Mapping extends Placed {
  readonly kind: "mapping";
  readonly entries: ReadonlyMap<string, Entry>;
  /** Where the mapping stands that all others of its place were laid on. */
  readonly lowest?: Span;
}

/**
 * A leaf that holds no value of its own: `!default`, `!unmanaged`, `!required`, or one whose value could not be found
 * out, which has a diagnostic already.
 */
export interface Mark extends Placed {
  readonly kind: "mark";
  readonly mark: "default" | "unmanaged" | "required" | "unknown";
}

export type Node = Scalar | List | Mapping | Mark;

/** Keys that hold anchors; they are ignored wherever they stand. */
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

/** What stands at a path: the key that introduces it (a list's entry introduces itself), and its value. */
export function entryAt(root: Node, path: Path): Entry | undefined {
  const last = path.at(-1);
  if (last === undefined) return { key: root, value: root };
  const parent = nodeAt(root, path.slice(0, -1));
  if (parent?.kind === "mapping") return parent.entries.get(String(last));
  const value = childOf(parent, last);
  return value && { key: value, value };
}

/** Below `settings`, those of a window too: the path of what is set there; undefined for everything else in a file. */
export function settingPath(path: Path): Path | undefined {
  if (path[0] === "settings") return path.slice(1);
  return path[0] === "schedule" && path[2] === "settings" ? path.slice(3) : undefined;
}

/** The names of a path, without the numbers of items and the names of windows: what a file of that shape holds there. */
export function shapeOf(path: Path): string {
  const names = path.filter((part) => typeof part === "string");
  return names.map((name, at) => (at === 1 && names[0] === "schedule" ? "*" : name)).join(".");
}

/** The text that a node is; undefined for every other value. */
export function textOf(node: Node | undefined): string | undefined {
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;
}

/** The items of a list; none for every other value. */
export function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.kind === "list" ? node.items : [];
}

/** As the file spells it, so that 11.10 does not become 11.1. */
export function writtenText({ span: { source, start, end } }: Node): string {
  return source.text.slice(start, end);
}

/** Texts with references, as they were before these were replaced. */
export function replacedTexts(node: Node): readonly string[] {
  if (node.kind === "scalar") return node.written === undefined ? [] : [node.written];
  const held = node.kind === "mapping" ? [...node.entries.values()].map((each) => each.value) : [];
  return [...itemsOf(node), ...held].flatMap(replacedTexts);
}

/** The places of all marks and nulls, outside of anchors' keys: in one walk, since most files hold none. */
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

/** The plain value: without anchors' keys and marks; a null, which nothing accepts, is left out too. */
export function toJson(node: Node): Json | undefined {
  switch (node.kind) {
    case "scalar":
      return node.value ?? undefined;
    case "list":
      return node.items.map((item) => toJson(item) ?? null);
    case "mapping": {
      // Without a prototype a key such as __proto__ is a key like any other.
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

/** A diagnostic at a place, together with the places that the value came through. */
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
    // The marker stays, what it marks does not.
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

/** The chain of `extends` that leads from the file a person named to the one that a value stands in. */
function extensionsOf({ source }: Span): Related[] {
  const at = source.extendedAt;
  if (!at) return [];
  return [{ place: placeOf(at), message: `extends "${source.file}"` }, ...extensionsOf(at)];
}
