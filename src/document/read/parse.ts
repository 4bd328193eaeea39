// A source → a tree that still knows where everything stood: aliases and merges followed, marks recognised.
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node as YamlNode,
  type Pair,
  type Scalar as YamlScalar,
} from "yaml";
import { didYouMean, type Diagnostic } from "../../diagnostic.js";
import type { Source, Span } from "./source.js";
import { DEEPEST, isEmptyScalar, readDocument, tooDeep } from "./syntax.js";
import { diagnose, type Entry, type Mark, type Node, type Via } from "./tree.js";

/** How many values aliases may add in all, before a small file becomes a large one. */
const MOST_COPIES = 10_000;

export interface Parsed {
  /** Absent where the text cannot be understood as YAML at all. */
  readonly root?: Node;
  readonly problems: readonly Diagnostic[];
}

export function parse(source: Source): Parsed {
  const { contents, problems } = readDocument(source);
  return contents ? convert(source, contents) : { problems };
}

function convert(source: Source, contents: YamlNode): Parsed {
  const problems: Diagnostic[] = [];
  const anchors = new Map<string, YamlNode>();
  const open = new Set<YamlNode>();
  let copies = 0;

  const spanOf = (node: YamlNode): Span => {
    const [start = 0, end = start] = node.range ?? [];
    return { source, start, end };
  };
  const report = (...[code, at, message, help]: Parameters<typeof diagnose>): void => {
    problems.push(diagnose(code, at, message, help));
  };

  function visit(node: YamlNode, via: readonly Via[], depth: number): Node {
    const at = { span: spanOf(node), via };
    const unknown: Mark = { kind: "mark", mark: "unknown", ...at };
    if (via.length > 0 && ++copies > MOST_COPIES) {
      if (copies === MOST_COPIES + 1) {
        report(
          "too-many-aliases",
          via[0] ?? at,
          `Aliases make more than ${MOST_COPIES.toLocaleString("en")} values out of this file.`,
          "Write the values out, or let aliases refer to smaller ones.",
        );
      }
      return unknown;
    }
    if (depth > DEEPEST) {
      problems.push(tooDeep(at.span));
      return unknown;
    }
    if (isAlias(node)) return follow(node.source, at, depth);
    if (via.length === 0 && "anchor" in node && node.anchor) anchors.set(node.anchor, node);
    const tag = node.tag?.replace(/^tag:yaml\.org,2002:/, "!!");
    if (tag === "!default" || tag === "!unmanaged") {
      if (!isEmptyScalar(node)) {
        report(
          "unknown-tag",
          at,
          `"${tag}" stands alone and takes no value.`,
          `Remove what follows it, or remove "${tag}".`,
        );
        return unknown;
      }
      // The tag itself is what stands there; the value after it is empty.
      const found = source.text.lastIndexOf(tag, at.span.start);
      const start = found === -1 ? at.span.start : found;
      const span = { source, start, end: start + (found === -1 ? 0 : tag.length) };
      return { kind: "mark", mark: tag === "!default" ? "default" : "unmanaged", span, via };
    }
    if (tag && !/^!!(?:str|int|float|bool|null|map|seq)$/.test(tag)) {
      const start = source.text.lastIndexOf(tag, at.span.start);
      report(
        "unknown-tag",
        start === -1 ? at : { span: { source, start, end: start + tag.length }, via },
        `The tag "${tag}" is not known.`,
        didYouMean(tag, ["!default", "!unmanaged"]) ??
          'The tags known are "!default" (put the documented default back) and "!unmanaged" (drop what a base set).',
      );
      return unknown;
    }
    if (isScalar(node)) return scalar(node, at);
    open.add(node);
    try {
      if (isSeq<YamlNode>(node)) {
        return {
          kind: "list",
          items: node.items.map((item) => visit(item, via, depth + 1)),
          ...at,
        };
      }
      if (isMap<YamlNode, YamlNode | null>(node)) {
        return { kind: "mapping", entries: mapping(node.items, via, depth), ...at };
      }
    } finally {
      open.delete(node);
    }
    return unknown;
  }

  function follow(name: string, at: { span: Span; via: readonly Via[] }, depth: number): Node {
    const target = anchors.get(name);
    const unknown: Mark = { kind: "mark", mark: "unknown", ...at };
    if (!target) {
      report(
        "bad-alias",
        at,
        `There is no anchor "&${name}" above this alias.`,
        didYouMean(name, anchors.keys()) ?? `Write "&${name}" before the value that is meant.`,
      );
      return unknown;
    }
    if (open.has(target)) {
      report(
        "bad-alias",
        at,
        `The alias "*${name}" stands inside the value that it refers to.`,
        "Move the anchor to a value that does not hold the alias.",
      );
      return unknown;
    }
    const here: Via = { span: at.span, message: `uses it as "*${name}"` };
    return visit(target, [...at.via, here], depth);
  }

  function scalar(node: YamlScalar, at: { span: Span; via: readonly Via[] }): Node {
    const { value } = node;
    if (typeof value === "number" && !(Number.isFinite(value) && isExact(value))) {
      report(
        "unusable-number",
        at,
        `The number "${node.source ?? value}" cannot be sent as it is written.`,
        "Write a number that JSON can hold exactly, or put it in quotes where text is meant.",
      );
      return { kind: "mark", mark: "unknown", ...at };
    }
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
      return { kind: "scalar", value, ...at };
    }
    return { kind: "scalar", value: value === null ? null : (node.source ?? ""), ...at };
  }

  function mapping(
    pairs: readonly Pair<YamlNode, YamlNode | null>[],
    via: readonly Via[],
    depth: number,
  ): Map<string, Entry> {
    const own = new Map<string, Entry>();
    const merged: Node[] = [];
    for (const { key, value } of pairs) {
      if (!isScalar(key)) {
        const span = spanOf(key);
        report("yaml-syntax", { span, via }, "A key must be plain text.", "Write one word.");
        continue;
      }
      const at = { span: spanOf(key), via };
      const nothing: Node = { kind: "scalar", value: null, ...at };
      const held = value ? visit(value, via, depth + 1) : nothing;
      if (key.value === "<<" && key.type === "PLAIN") {
        merged.push(...mergeable(held, at));
        continue;
      }
      const name = typeof key.value === "string" ? key.value : (key.source ?? "");
      const first = own.get(name);
      if (first) {
        const problem = diagnose(
          "duplicate-key",
          at,
          `The key "${name}" stands here a second time.`,
          "Keep one of the two.",
        );
        const earlier = diagnose("duplicate-key", first.key, "", "").place;
        const related = earlier ? [{ place: earlier, message: "has it first" }] : [];
        problems.push({ ...problem, related: [...related, ...problem.related] });
        continue;
      }
      own.set(name, { key: at, value: held });
    }
    if (merged.length === 0) return own;
    // What the mapping says itself wins over what it merges, and an earlier merge over a later one.
    const all = new Map<string, Entry>();
    for (const from of merged.toReversed()) {
      if (from.kind === "mapping") for (const [name, entry] of from.entries) all.set(name, entry);
    }
    for (const [name, entry] of own) all.set(name, entry);
    return all;
  }

  function mergeable(node: Node, at: { span: Span; via: readonly Via[] }): Node[] {
    if (node.kind === "mapping") return [node];
    if (node.kind === "list" && node.items.every((item) => item.kind === "mapping")) {
      return [...node.items];
    }
    if (node.kind !== "mark") {
      report(
        "bad-merge",
        at,
        'What "<<" merges must be a mapping or a list of mappings.',
        "Refer to an anchor on a mapping, such as:\n  <<: *notice",
      );
    }
    return [];
  }

  const root = visit(contents, [], 0);
  return { root, problems };
}

function isExact(value: number): boolean {
  return !Number.isInteger(value) || Number.isSafeInteger(value);
}
