// Where a script is no JavaScript → what it probably comes from, and what to do.
import { lineOf, lineText, type Script, type Stretch } from "./script.js";

export interface SyntaxProblem {
  readonly at: Stretch;
  readonly message: string;
  readonly help: string;
  /** Where the slip probably is, if that is not where it shows. */
  readonly cause?: { readonly at: Stretch; readonly message: string };
}

interface Seen {
  readonly script: Script;
  readonly pos: number;
  /** The line that it shows on, from 1, and its text. */
  readonly line: number;
  readonly text: string;
  /** What the parser said. */
  readonly said: string;
}

type Guess = (seen: Seen) => Pick<SyntaxProblem, "message" | "help" | "cause"> | undefined;

export function syntaxProblem(script: Script, offset: number, said: string): SyntaxProblem {
  const pos = Math.min(offset, script.text.length);
  const at = { script, start: pos, end: Math.min(pos + 1, script.text.length) };
  const line = lineOf(at);
  const seen = { script, pos, line, text: lineText(script, line).slice(0, 5_000), said };
  for (const guess of GUESSES) {
    const found = guess(seen);
    if (found) return { at, ...found };
  }
  return {
    at,
    message: "The script cannot be read from here on.",
    help: "Check the commas, quotes and brackets of this line and of the one above.",
  };
}

const conflict: Guess = ({ text }) =>
  /^(?:<{7}|={7}|>{7}|\|{7})/.test(text)
    ? {
        message: "A mark of a merge conflict stands here.",
        help: "Keep one of the two sides, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>.",
      }
    : undefined;

const curlyQuote: Guess = ({ script, pos }) =>
  /[\u2018-\u201f\u00ab\u00bb\u2032\u2033]/.test(script.text.charAt(pos))
    ? {
        message: "A typographic quote stands where a plain one is meant.",
        help: "Replace it by \" or '; word processors and web pages put it there.",
      }
    : undefined;

const openEnded: Guess = ({ said }) => {
  const what = /^Unterminated (string|comment|template|regular expression)/.exec(said)?.[1];
  if (!what) return undefined;
  const help = {
    string:
      "Close the quote on the same line. A backslash before the closing quote, as in a Windows path, keeps it from closing.",
    comment: "Write */ where the comment ends.",
    template: "Write ` where the text ends.",
    "regular expression": "Probably an address without quotes around it. Put it in quotes.",
  }[what];
  return {
    message: `The ${what === "string" ? "text" : what} that begins here does not end.`,
    help: help ?? "",
  };
};

const atTheEnd: Guess = ({ script, pos }) =>
  script.text.slice(pos).trim() === ""
    ? {
        message: "The script ends in the middle of something.",
        help: "A closing bracket, brace or parenthesis is missing, or the file was cut off.",
      }
    : undefined;

const addressWithoutQuotes: Guess = ({ text }) =>
  /[:=+(,]\s*(?:https?:)?\/\/[\w.-]+\.\w/.test(text.replace(/"[^"]*"|'[^']*'/g, ""))
    ? {
        message: "An address stands here without quotes.",
        help: "Put the address in quotes.",
      }
    : undefined;

/** A new property begins, or a new value, and nothing parts it from what stands before. */
const missingComma: Guess = ({ script, pos, line }) => {
  const rest = script.text.slice(pos, pos + 300);
  const before = lastCode(script.text, pos);
  const begins = /^(?:[\w$]+|"[^"\n]*"|'[^'\n]*')\s*:/.test(rest) || /^["'{[]/.test(rest);
  if (!begins || before === undefined || !/[\w$"'\]})]/.test(script.text.charAt(before))) {
    return undefined;
  }
  const at = { script, start: before, end: before + 1 };
  const beforeLine = lineOf(at);
  const where = beforeLine === line ? "before this" : `at the end of line ${beforeLine}`;
  return {
    message: `A comma is missing ${where}.`,
    help: "Write a comma between one property and the next. A portal with this file shows a blank page.",
    ...(beforeLine !== line && { cause: { at, message: "probably lacks a comma after it" } }),
  };
};

/** The last character before an offset that is neither white space nor in a comment. */
function lastCode(text: string, pos: number): number | undefined {
  const before = text
    .slice(Math.max(0, pos - 5000), pos)
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => " ".repeat(comment.length))
    .replace(/(^|\s)\/\/[^\r\n]*/g, (comment) => " ".repeat(comment.length))
    .trimEnd();
  return before === "" ? undefined : Math.max(0, pos - 5000) + before.length - 1;
}

const notAScript: Guess = ({ script, line, text }) => {
  const isFirst = script.text.slice(0, script.lineStarts[line - 1]).trim() === "";
  if (/^\s*</.test(script.text)) {
    return {
      message: "This is a web page or XML, and no script.",
      help: "Where it came from an address, that was probably a sign-in page. Copy the file from the portal's own disk.",
    };
  }
  return isFirst
    ? {
        message: "The first line is no JavaScript.",
        help: `Remove it${text.trim() === "" ? "" : ", or turn it into a comment: // at its beginning"}.`,
      }
    : undefined;
};

const GUESSES: readonly Guess[] = [
  conflict,
  curlyQuote,
  openEnded,
  atTheEnd,
  addressWithoutQuotes,
  missingComma,
  notAScript,
];
