// A property of the old file → the comments that were written for it.
import type { Comment } from "acorn";
import { isSetting } from "./known.js";
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
        if (there.at(-1) !== each) there.push(each);
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
  return [...above, ...behind].flatMap((each) => linesOf(each, script));
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

/** Nobody explains a setting at greater length; more is not looked through. */
const LONGEST = 10_000;

/** Rules and headings are no words about this one; what may hold a secret would be committed with the new file. */
function linesOf({ value, start, end }: Comment, script: Script): string[] {
  const [isLong, isHeading] = [value.length > LONGEST, /[*=#~-]{5}/.test(value.slice(0, LONGEST))];
  if (isHeading) return [];
  const lines = (isLong ? "" : value)
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.replace(/^[\s*/]+/, "").replace(/[\s*/]+$/, ""))
    .filter((line) => line !== "");
  if (!isLong && lines.every(isProse)) return lines.map((line) => line.slice(0, 300));
  return [leftOutNote(script.file, lineOf({ script, start, end }))];
}

export function leftOutNote(file: string, line: number): string {
  return `a comment was left out, ${file.split(/[\\/]/).at(-1) ?? file}:${line}`;
}

/** Plain words, with nothing among them that looks like code, a key or an address that lets somebody in. */
function isProse(line: string): boolean {
  const rest = line.replace(PLAIN_ADDRESS, " ");
  if (SENSITIVE.test(rest) || /[={}<>;|\\@"`]|:|\w\(|(?:^|[\s(,])'\S/.test(rest)) return false;
  return rest.split(/\s+/).every((word) => {
    if (DATE.test(word)) return true;
    const isNumbered = /\d/.test(word) && word.length >= 8;
    const isCodeName = /[a-z][A-Z]/.test(word) && !isSetting(word.replace(/\W/g, ""));
    return !isNumbered && !isCodeName && word.length <= 40;
  });
}

const SENSITIVE = /key|token|secret|passw|pwd|bing|credential|licen[cs]e|bearer/i;
const DATE = /^\(?\d{1,4}[-./]\d{1,2}[-./]\d{1,4}[.,)]*$/;
/** Neither a user nor a query, and no part that could be a key. */
const PLAIN_ADDRESS =
  /https?:\/\/(?:[a-z-]{1,40}\.){0,8}[a-z-]{1,40}(?::\d{1,5})?(?:\/[A-Za-z_.-]{0,24}){0,8}(?=[\s,)]|$)/g;
