// Finds the places of a file where a person asks an editor for completions: keys, values, entries of lists.
import { isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, visit } from "yaml";
import type { Position } from "../support/editor.js";

export interface Spot {
  /** The keys above it, and its own where a value is asked for. */
  readonly path: string;
  /** The file as it is when the person asks. */
  readonly text: string;
  readonly offset: number;
}

export function positionIn(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length - 1, character: offset - start };
}

/**
 * Below the last key of every mapping, in place of every value that is no list and no text of several lines, and below
 * the last entry of every list; and at the beginning of a file with nothing in it but comments.
 */
export function spotsIn(text: string): Spot[] {
  const lines = new LineCounter();
  const found: Spot[] = [];
  const add = (path: string, start: number, end: number, inserted: string) =>
    found.push({
      path,
      text: text.slice(0, start) + inserted + text.slice(end),
      offset: start + inserted.length,
    });
  const columnOf = (offset: number) => lines.linePos(offset).col - 1;
  const endOfLine = (offset: number) => {
    const end = text.slice(0, offset).trimEnd().length;
    const at = text.indexOf("\n", end);
    return at < 0 ? text.length : at;
  };
  visit(parseDocument(text, { lineCounter: lines }), {
    Node(_, node, above) {
      if (!node.range) return;
      const path = above.flatMap((each) => (isPair(each) ? String(each.key) : [])).join(".");
      const [start, end] = node.range;
      if (isMap(node) && !node.flow) {
        const line = `\n${" ".repeat(columnOf(start))}`;
        add(path, endOfLine(end), endOfLine(end), line);
        // In place of what it holds, too.
        if (above.some(isPair)) add(path, start, endOfLine(end), "");
      }
      if (isSeq(node) && !node.flow) {
        add(`${path}[]`, endOfLine(end), endOfLine(end), `\n${" ".repeat(columnOf(start))}- `);
      }
      const parent = above.at(-1);
      const isValue = isPair(parent) ? parent.value === node : isSeq(parent);
      if (isScalar(node) && isValue && !node.tag && !node.type?.startsWith("BLOCK")) {
        add(path, start, end, "");
      }
      if (node.tag) add(path, text.lastIndexOf("!", start), end, "");
    },
  });
  const [head = ""] = /^(?:#.*\n)*/.exec(text) ?? [];
  return [...found, { path: "", text: head, offset: head.length }];
}
