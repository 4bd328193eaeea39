// A property of the old file → the comments that were written for it.
import type { Comment } from "acorn";
import { looksForeign } from "./excerpt.js";
import { lineOf, type Script, type Stretch } from "./script.js";
import type { Entry } from "./value.js";

/** By line, so that a file of very many comments is not searched again for each property. */
export type CommentsByLine = ReadonlyMap<number, readonly Comment[]>;

export function commentsByLine(script: Script, comments: readonly Comment[]): CommentsByLine {
  const byLine = new Map<number, Comment[]>();
  for (const each of comments) {
    const add = (offset: number): void => {
      const line = lineOf({ script, start: offset, end: offset });
      const there = byLine.get(line);
      if (there) {
        if (!there.includes(each)) there.push(each);
      } else byLine.set(line, [each]);
    };
    add(each.start);
    add(Math.max(each.start, each.end - 1));
  }
  return byLine;
}

/** Those on the lines right above it that hold nothing else, and those behind its value on the same line. */
export function commentsOf(
  { name, written }: Pick<Entry, "name" | "written">,
  byLine: CommentsByLine,
): string[] {
  const { script } = name;
  const above: Comment[] = [];
  let line = lineOf(name) - 1;
  for (;;) {
    const there = byLine.get(line)?.at(-1);
    if (!there || above.includes(there) || !standsAlone(there, script)) break;
    above.unshift(there);
    line = lineOf({ script, start: there.start, end: there.start }) - 1;
  }
  const last = lineOf({ script, start: written.end, end: written.end });
  const behind = (byLine.get(last) ?? []).filter(
    ({ start, end }) => start >= written.end && isAlone(script, written, start, end),
  );
  return [...above, ...behind].flatMap(linesOf);
}

/** Nothing but a comma parts it from the value, and nothing follows it on the line. */
function isAlone({ text }: Script, written: Stretch, start: number, end: number): boolean {
  return (
    /^[\s,;)}]*$/.test(text.slice(written.end, start)) &&
    /^[ \t,;)}]*(?:[\r\n]|$)/.test(text.slice(end, end + 200))
  );
}

function standsAlone({ start, end }: Comment, { text, lineStarts }: Script): boolean {
  const line = lineOf({ script: { text, lineStarts, file: "" }, start, end: start });
  const before = text.slice(lineStarts[line - 1], start);
  return before.trim() === "" && /^[ \t]*(?:[\r\n]|$)/.test(text.slice(end, end + 200));
}

/** Rules, headings and properties that somebody took out are no words about this one. */
function linesOf({ value }: Comment): string[] {
  const lines = value
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.replace(/^[\s*/]+/, "").replace(/[\s*/]+$/, ""))
    .filter((line) => line !== "");
  const isHeading = /[*=#~-]{5}/.test(value);
  return isHeading || lines.some(looksForeign) ? [] : lines.map((line) => line.slice(0, 300));
}
