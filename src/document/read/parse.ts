// Builds a tree of values with their places: follows aliases and merges, and recognises marks.
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node as YamlNode,
  type Pair,
  type Scalar as YamlScalar,
} from "yaml";
import { didYouMean, type Diagnostic, type DiagnosticCode } from "../../diagnostic.js";
import { placeOf, type Source, type Span } from "./source.js";
import { DEEPEST, isEmptyScalar, readDocument, tooDeep } from "./syntax.js";
import { diagnose, entriesOf, type Entry, type Mark, type Node } from "./tree.js";
import type { Placed, Via } from "./tree.js";

/** Limits the values that aliases add, so that a small file cannot become huge. */
const MOST_COPIES = 10_000;

export interface Parsed {
  /** Absent if the text is not valid YAML. */
  readonly root?: Node;
  readonly problems: readonly Diagnostic[];
}

export function parse(source: Source): Parsed {
  const { contents, problems } = readDocument(source);
  if (!contents) return { problems };
  const walk: Walk = { source, problems: [], anchors: new Map(), open: new Set(), copies: 0 };
  return { root: visit(walk, contents, [], 0), problems: walk.problems };
}

/** The state of a walk through a document. */
interface Walk {
  readonly source: Source;
  readonly problems: Diagnostic[];
  readonly anchors: Map<string, YamlNode>;
  /** The lists and mappings on the current path. */
  readonly open: Set<YamlNode>;
  copies: number;
}

function spanOf({ source }: Walk, node: YamlNode): Span {
  const [start = 0, end = start] = node.range ?? [];
  return { source, start, end };
}

function unknownAt({ span, via }: Placed): Mark {
  return { kind: "mark", mark: "unknown", span, via };
}

/** Reports a wrong value, which needs no further checks. */
function refuse(
  { problems }: Walk,
  code: DiagnosticCode,
  at: Placed,
  message: string,
  help: string,
): Mark {
  problems.push(diagnose(code, at, message, help));
  return unknownAt(at);
}

function visit(walk: Walk, node: YamlNode, via: readonly Via[], depth: number): Node {
  const at = { span: spanOf(walk, node), via };
  if (via.length > 0 && ++walk.copies > MOST_COPIES) {
    if (walk.copies > MOST_COPIES + 1) return unknownAt(at);
    const message = `Aliases make more than ${MOST_COPIES.toLocaleString("en")} values out of this file.`;
    const help = "Write the values out, or let aliases refer to smaller ones.";
    return refuse(walk, "bad-alias", { span: via[0]?.span ?? at.span, via: [] }, message, help);
  }
  if (depth > DEEPEST) {
    walk.problems.push(tooDeep(at.span));
    return unknownAt(at);
  }
  if (isAlias(node)) return follow(walk, node.source, at, depth);
  if (via.length === 0 && "anchor" in node && node.anchor) walk.anchors.set(node.anchor, node);
  const tag = node.tag?.replace(/^tag:yaml\.org,2002:/, "!!");
  if (tag && !/^!!(?:str|int|float|bool|null|map|seq)$/.test(tag))
    return tagged(walk, node, tag, at);
  if (isScalar(node)) return scalar(walk, node, at);
  walk.open.add(node);
  const found: Node = isSeq<YamlNode>(node)
    ? { kind: "list", items: node.items.map((item) => visit(walk, item, via, depth + 1)), ...at }
    : isMap<YamlNode, YamlNode | null>(node)
      ? { kind: "mapping", entries: mapping(walk, node.items, via, depth), ...at }
      : unknownAt(at);
  walk.open.delete(node);
  return found;
}

function tagged(walk: Walk, node: YamlNode, tag: string, at: Placed): Mark {
  // Only the tag is in the text; the value after it is empty.
  const start = walk.source.text.lastIndexOf(tag, at.span.start);
  const own =
    start === -1
      ? at
      : { span: { source: walk.source, start, end: start + tag.length }, via: at.via };
  const mark = (["default", "unmanaged", "required"] as const).find((each) => tag === `!${each}`);
  if (!mark) {
    const help =
      didYouMean(tag, ["!default", "!unmanaged", "!required"]) ??
      'The tags known are "!default" (put the documented default back), "!unmanaged" (drop what a base set) and "!required" (a variable that each file gives its value).';
    return refuse(walk, "bad-tag", own, `The tag "${tag}" is not known.`, help);
  }
  if (isEmptyScalar(node)) return { kind: "mark", mark, ...own };
  const message = `"${tag}" stands alone and takes no value.`;
  return refuse(walk, "bad-tag", at, message, `Remove what follows it, or remove "${tag}".`);
}

function follow(walk: Walk, name: string, at: Placed, depth: number): Node {
  const target = walk.anchors.get(name);
  if (!target) {
    const message = `There is no anchor "&${name}" above this alias.`;
    const help = `Write "&${name}" before the value that is meant.`;
    return refuse(walk, "bad-alias", at, message, didYouMean(name, walk.anchors.keys()) ?? help);
  }
  if (walk.open.has(target)) {
    const message = `The alias "*${name}" stands inside the value that it refers to.`;
    const help = "Move the anchor to a value that does not hold the alias.";
    return refuse(walk, "bad-alias", at, message, help);
  }
  const here: Via = { span: at.span, message: `uses it as "*${name}"` };
  return visit(walk, target, [...at.via, here], depth);
}

function scalar(walk: Walk, node: YamlScalar, at: Placed): Node {
  const { value } = node;
  if (typeof value === "number" && !(Number.isFinite(value) && isExact(value))) {
    const message = `The number "${node.source ?? value}" cannot be sent as it is written.`;
    const help =
      "Write a number that JSON can hold exactly, or put it in quotes where text is meant.";
    return refuse(walk, "unusable-number", at, message, help);
  }
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return { kind: "scalar", value, ...at };
  }
  return { kind: "scalar", value: value === null ? null : (node.source ?? ""), ...at };
}

function mapping(
  walk: Walk,
  pairs: readonly Pair<YamlNode, YamlNode | null>[],
  via: readonly Via[],
  depth: number,
): ReadonlyMap<string, Entry> {
  const own = new Map<string, Entry>();
  const merged: Node[] = [];
  for (const { key, value } of pairs) {
    const at = { span: spanOf(walk, key), via };
    if (!isScalar(key)) {
      refuse(walk, "yaml-syntax", at, "A key must be plain text.", "Write one word.");
      continue;
    }
    const held: Node = value
      ? visit(walk, value, via, depth + 1)
      : { kind: "scalar", value: null, ...at };
    if (key.value === "<<" && key.type === "PLAIN") {
      merged.push(...mergeable(walk, held, at));
      continue;
    }
    const name = typeof key.value === "string" ? key.value : (key.source ?? "");
    const first = own.get(name);
    if (!first) {
      own.set(name, { key: at, value: held });
      continue;
    }
    const message = `The key "${name}" is set twice.`;
    const problem = diagnose("duplicate-key", at, message, "Keep one of the two.");
    const earlier = { place: placeOf(first.key.span), message: "has it first" };
    walk.problems.push({ ...problem, related: [earlier, ...problem.related] });
  }
  if (merged.length === 0) return own;
  // The mapping's own keys override merged ones, and an earlier merge overrides a later one.
  return new Map([...merged.toReversed().flatMap((from) => [...entriesOf(from)]), ...own]);
}

function mergeable(walk: Walk, node: Node, at: Placed): readonly Node[] {
  if (node.kind === "mapping") return [node];
  if (node.kind === "list" && node.items.every((item) => item.kind === "mapping")) {
    return node.items;
  }
  const message = 'What "<<" merges must be a mapping or a list of mappings.';
  const help = "Refer to an anchor on a mapping, such as:\n  <<: *notice";
  if (node.kind !== "mark") refuse(walk, "bad-alias", at, message, help);
  return [];
}

function isExact(value: number): boolean {
  return !Number.isInteger(value) || Number.isSafeInteger(value);
}
