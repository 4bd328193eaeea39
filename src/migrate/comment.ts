// A property of the old file → the comments that were written for it.
import type { Comment } from "acorn";
import { lineOf } from "../lib/source-text.js";
import { isSetting } from "./known.js";
import type { Written } from "./place.js";
import type { Script } from "./script.js";

/** Those on the lines right above it that hold nothing else, and those behind its value on the same line. */
export function commentsOf({ name, written }: Written, comments: readonly Comment[]): string[] {
  const { script } = name;
  const { text, lineStarts } = script;
  const above: Comment[] = [];
  let line = lineOf(script, name.start);
  for (const each of comments.filter(({ end }) => end <= name.start).toReversed()) {
    const isNext = lineOf(script, each.end - 1) === line - 1;
    line = lineOf(script, each.start);
    const isFirst = text.slice(lineStarts[line - 1], each.start).trim() === "";
    if (!isNext || !isFirst || !/^[ \t]*(?:[\r\n]|$)/.test(after(each, text))) break;
    above.unshift(each);
  }
  const end = lineStarts[lineOf(script, written.end)] ?? text.length;
  const behind = comments.filter(
    (each) =>
      each.start >= written.end &&
      each.start < end &&
      /^[\s,;)}]*$/.test(text.slice(written.end, each.start)) &&
      /^[ \t,;)}]*(?:[\r\n]|$)/.test(after(each, text)),
  );
  return [...above, ...behind].flatMap((each) => linesOf(each, script));
}

function after({ end }: Comment, text: string): string {
  return text.slice(end, end + 200);
}

/** Nobody explains a setting at greater length; more is not looked through. */
const LONGEST = 10_000;

/** Rules and headings are no words about this one; what may hold a secret would be committed with the new file. */
function linesOf({ value, start }: Comment, script: Script): string[] {
  if (/[*=#~-]{5}/.test(value.slice(0, LONGEST))) return [];
  const lines = value
    .slice(0, LONGEST)
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.replace(/^[\s*/]+/, "").replace(/[\s*/]+$/, ""))
    .filter((line) => line !== "");
  return value.length <= LONGEST && lines.every(isProse)
    ? lines.map((line) => line.slice(0, 300))
    : [leftOutNote(script.file, lineOf(script, start))];
}

export function leftOutNote(file: string, line: number): string {
  return `a comment was left out, ${file.split(/[\\/]/).at(-1) ?? file}:${line}`;
}

/** Plain words, with nothing among them that looks like code, a key or an address that lets somebody in. */
function isProse(line: string): boolean {
  const rest = line.replace(PLAIN_ADDRESS, " ");
  return !CODE.test(rest) && rest.split(/\s+/).every(isPlainWord);
}

function isPlainWord(word: string): boolean {
  if (/^\(?\d{1,4}[-./]\d{1,2}[-./]\d{1,4}[.,)]*$/.test(word)) return true;
  const isNumbered = /\d/.test(word) && word.length >= 8;
  const isCodeName = /[a-z][A-Z]/.test(word) && !isSetting(word.replace(/\W/g, ""));
  return !isNumbered && !isCodeName && word.length <= 40;
}

const CODE =
  /key|token|secret|passw|pwd|bing|credential|licen[cs]e|bearer|[={}<>;|\\@"`:]|\w\(|(?:^|[\s(,])'\S/i;
/** Neither a user nor a query, and no part that could be a key. */
const PLAIN_ADDRESS =
  /https?:\/\/(?:[a-z-]{1,40}\.){0,8}[a-z-]{1,40}(?::\d{1,5})?(?:\/[A-Za-z_.-]{0,24}){0,8}(?=[\s,)]|$)/g;
