// Where a script is no JavaScript → what it probably comes from, and what to do.
import { lineOf, lineText } from "../lib/source-text.js";
import { TOO_DEEP } from "./bounded-parser.js";
import type { Remark } from "./remark.js";
import type { Script, Stretch } from "./script.js";

interface Seen {
  readonly all: string;
  /** The line that it shows on, and what stands from there on. */
  readonly line: string;
  readonly rest: string;
  /** What the parser said. */
  readonly said: string;
}

export function syntaxProblem(script: Script, offset: number, said: string): Remark {
  const start = Math.min(offset, script.text.length);
  const at = { script, start, end: Math.min(start + 1, script.text.length) };
  const line = lineOf(script, start);
  const [all, rest] = [script.text, script.text.slice(start)];
  const seen = { all, line: lineText(script, line).slice(0, 5_000), rest, said };
  const guess = GUESSES.find(([isLikely]) => isLikely(seen));
  const isFirst = all.slice(0, script.lineStarts[line - 1]).trim() === "";
  const [, message, help] = guess ?? [0, ...(isFirst ? FIRST : OTHER)];
  return { code: "js-syntax", at, message, help, ...(!guess && missingComma(at, rest)) };
}

/** Where nothing is likelier. */
const FIRST = [
  "The first line is no JavaScript.",
  "Remove it, or turn it into a comment: // at its beginning.",
] as const;
const OTHER = [
  "The script cannot be read from here on.",
  "Check the commas, quotes and brackets of this line and of the one above.",
] as const;

const opens = (what: string) => (seen: Seen) => seen.said.startsWith(`Unterminated ${what}`);

/** The first that is likely: when, what is wrong, what to do. */
const GUESSES: readonly (readonly [(seen: Seen) => boolean, string, string])[] = [
  [
    ({ said }) => /'sourceType: module'|outside a module/.test(said),
    "This is a module, which imports or exports, and no plain script.",
    "Portals loaded it as a plain script, so that browsers refused it and nothing in it counted. Name the file that the portal did use, or make a plain script of a copy, such as:\n  window.esriGeowConfig = { … };",
  ],
  [
    ({ said }) => said.startsWith(TOO_DEEP),
    "The script nests too deep to be read from here on.",
    "A portal's configuration file nests a few levels deep. Check that this is the right file.",
  ],
  [
    ({ line }) => /^(?:<{7}|={7}|>{7}|\|{7})/.test(line),
    "A mark of a merge conflict stands here.",
    "Keep one of the two sides, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>.",
  ],
  [
    ({ rest }) => /^[\u2018-\u201f\u00ab\u00bb\u2032\u2033]/.test(rest),
    "A typographic quote stands where a plain one is meant.",
    "Replace it by \" or '; word processors and web pages put it there.",
  ],
  [
    opens("string"),
    "The text that begins here does not end.",
    "Close the quote on the same line. A backslash before the closing quote, as in a Windows path, keeps it from closing.",
  ],
  [
    opens("comment"),
    "The comment that begins here does not end.",
    "Write */ where the comment ends.",
  ],
  [
    opens("template"),
    "The template that begins here does not end.",
    "Write ` where the text ends.",
  ],
  [
    opens("regular expression"),
    "The regular expression that begins here does not end.",
    "Probably an address without quotes around it. Put it in quotes.",
  ],
  [
    ({ rest }) => rest.trim() === "",
    "The script ends in the middle of something.",
    "A closing bracket, brace or parenthesis is missing, or the file was cut off.",
  ],
  [
    ({ line }) =>
      /[:=+(,]\s*(?:https?:)?\/\/[\w.-]+\.\w/.test(line.replace(/"[^"]*"|'[^']*'/g, "")),
    "An address stands here without quotes.",
    "Put the address in quotes.",
  ],
  [
    ({ all }) => /^\s*(?:<!--[\s\S]*?-->\s*)?<[!?\w]/.test(all),
    "This is a web page or XML, and no script.",
    "Where it came from an address, that was probably a sign-in page. Copy the file from the portal's own disk.",
  ],
];

/** A new property begins, or a new value, and nothing parts it from what stands before. */
function missingComma({ script, start }: Stretch, rest: string) {
  const begins = /^(?:(?:[\w$]+|"[^"\n]*"|'[^'\n]*')\s*:|["'{[])/.test(rest.slice(0, 300));
  const from = Math.max(0, start - 5_000);
  const before = script.text
    .slice(from, start)
    .replace(/\/\*[\s\S]*?\*\/|(?<!\S)\/\/[^\r\n]*/g, (comment) => " ".repeat(comment.length))
    .trimEnd();
  if (!begins || !/[\w$"'\]})]$/.test(before)) return undefined;
  const end = from + before.length;
  const [line, lineBefore] = [lineOf(script, start), lineOf(script, end - 1)];
  const where = lineBefore === line ? "before this" : `at the end of line ${lineBefore}`;
  const related = {
    at: { script, start: end - 1, end },
    message: "probably lacks a comma after it",
  };
  return {
    message: `A comma is missing ${where}.`,
    help: "Write a comma between one property and the next. A portal with this file shows a blank page.",
    ...(lineBefore !== line && { related }),
  };
}
