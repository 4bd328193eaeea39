// A text and values to be added to one mapping of it → where they go and how they are written there: in flow style, or on lines of their own.
import { entriesOf, writtenText, type Mapping, type Node } from "../read/tree.js";
import type { Addition, Stretch } from "./edit.js";
import { flowText, keyText, oneLine, yamlLines } from "./value.js";

interface Home {
  /** The deepest mapping on the way that is there. */
  readonly parent: Mapping;
  /** Where a key of it ends that has no value yet, below which everything goes. */
  readonly emptyEnd?: number;
  /** The keys on the way that are not there. */
  readonly missing: readonly string[];
}

/** undefined where there is no place for one of them. */
export function addition(text: string, root: Node, added: readonly Addition[]) {
  const [home, ...others] = added.map((each) => homeOf(root, each.add));
  if (!home || others.includes(undefined)) return undefined;
  const isFlow = text.charAt(home.parent.span.start) === "{";
  return isFlow ? inFlow(home, added) : inBlock(text, home, root, added);
}

function homeOf(root: Node, path: readonly string[]): Home | undefined {
  let parent = root;
  for (const [at, key] of path.entries()) {
    if (parent.kind !== "mapping" || parent.via.length > 0) return undefined;
    const entry = parent.entries.get(key);
    if (!entry) return { parent, missing: path.slice(at, -1) };
    const { value } = entry;
    if (at === path.length - 1) return undefined;
    const isEmpty = value.kind === "scalar" && value.value === null && value.via.length === 0;
    if (isEmpty && writtenText(value).trim() === "") {
      return { parent, emptyEnd: entry.key.span.end, missing: path.slice(at + 1, -1) };
    }
    parent = value;
  }
  return undefined;
}

function inFlow(
  { parent, emptyEnd, missing }: Home,
  added: readonly Addition[],
): Stretch | undefined {
  if (emptyEnd !== undefined) return undefined;
  const leaves = added.map(({ add, value }) => `${keyText(add.at(-1) ?? "")}: ${flowText(value)}`);
  const written = missing.reduceRight(
    (held, key) => `${keyText(key)}: { ${held} }`,
    leaves.join(", "),
  );
  const last = [...parent.entries.values()].findLast(({ key }) => key.via.length === 0);
  const { start, end } = parent.span;
  if (!last) return { start, end, text: `{ ${written} }` };
  const at = Math.max(last.value.span.end, last.key.span.end);
  return { start: at, end: at, text: `, ${written}` };
}

function inBlock(
  text: string,
  { parent, emptyEnd, missing }: Home,
  root: Node,
  added: readonly Addition[],
): Stretch | undefined {
  const newline = /\r?\n/.exec(text)?.[0] ?? "\n";
  const step = " ".repeat(stepOf(root, text));
  const outer =
    " ".repeat(columnOf(text, parent.span.start)) + (emptyEnd === undefined ? "" : step);
  const indent = outer + step.repeat(missing.length);
  const lines = [
    ...missing.map((key, at) => `${outer}${step.repeat(at)}${keyText(key)}:`),
    ...added.flatMap(({ add, value, above = [], beside }) => [
      ...above.map((line) => `${indent}# ${oneLine(line)}`.trimEnd()),
      ...yamlLines(add.at(-1) ?? "", value, step, beside && ` # ${oneLine(beside)}`).map(
        (line) => indent + line,
      ),
    ]),
  ];
  const at = lineAfter(text, emptyEnd ?? parent.span.end);
  if (at === undefined) return undefined;
  const opening = at === 0 || text.charAt(at - 1) === "\n" ? "" : newline;
  // A file whose last line has no end keeps it so.
  const closing = opening !== "" && at === text.length ? "" : newline;
  return { start: at, end: at, text: opening + lines.join(newline) + closing };
}

/** Where the line ends that something ends on; undefined where more than a comment stands behind it. */
function lineAfter(text: string, end: number): number | undefined {
  if (text.charAt(end - 1) === "\n") return end;
  const newline = text.indexOf("\n", end);
  const rest = text.slice(end, newline === -1 ? text.length : newline);
  if (!/^\s*:?\s*(?:[&!][^\s#]+\s*)*(?:#.*)?$/.test(rest)) return undefined;
  return newline === -1 ? text.length : newline + 1;
}

export function columnOf(text: string, start: number): number {
  return start - (text.lastIndexOf("\n", start - 1) + 1);
}

/** How much deeper the file sets what lies below something. */
function stepOf(root: Node, text: string): number {
  for (const { key, value } of entriesOf(root).values()) {
    const isBlock = value.kind === "mapping" && text.charAt(value.span.start) !== "{";
    if (!isBlock || value.via.length > 0) continue;
    const step = columnOf(text, value.span.start) - columnOf(text, key.span.start);
    if (step > 0) return step;
  }
  return 2;
}
