// Describes a syntax error of an old file: where it is, its likely cause, and how to repair it.
import { lineOf, lineText } from "../lib/source-text.js";
import type { Remark } from "./remark.js";
import type { Script } from "./script.js";

export const TOO_DEEP = "nests too deep";

/** `said` is the parser's message, `lastTokenEnd` the end of the last token that it accepted. */
export function syntaxProblem(
  script: Script,
  offset: number,
  said: string,
  lastTokenEnd: number,
): Remark {
  const start = Math.min(offset, script.text.length);
  const at = { script, start, end: Math.min(start + 1, script.text.length) };
  const [message, help] =
    likelyCause(script, start, said) ?? missingComma(script, start, lastTokenEnd) ?? UNKNOWN;
  return { code: "js-syntax", at, message, help };
}

type Cause = readonly [message: string, help: string];

const UNKNOWN: Cause = [
  "The script has a syntax error here.",
  "Check the commas, quotes and brackets of this line and of the line above.",
];

function likelyCause(script: Script, start: number, said: string): Cause | undefined {
  const { text } = script;
  const lineNumber = lineOf(script, start);
  const line = lineText(script, lineNumber).slice(0, 5_000);
  const [, unterminated] = /^Unterminated ([a-z ]+)/.exec(said) ?? [];
  if (/'sourceType: module'|outside a module/.test(said)) {
    return [
      "This is a module, not a plain script.",
      "Portals loaded the file as a plain script, so browsers refused it. Name the file that the portal used, or remove import and export from a copy.",
    ];
  }
  if (said.startsWith(TOO_DEEP)) {
    return [
      "The script nests too deep to be read from here on.",
      "A portal's configuration file nests a few levels deep. Check that this is the right file.",
    ];
  }
  if (/^(?:<{7}|={7}|>{7}|\|{7})/.test(line)) {
    return [
      "This line is a merge conflict marker.",
      "Keep one of the two sides, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>.",
    ];
  }
  if (/[\u2018-\u201f\u00ab\u00bb\u2032\u2033]/.test(text.charAt(start))) {
    return [
      "This is a typographic quote.",
      "Replace it with \" or '. Word processors and web pages insert such quotes.",
    ];
  }
  if (unterminated !== undefined) {
    return [
      `The ${unterminated.trim()} that begins here does not end.`,
      "Close it, and put addresses in quotes. A backslash before the closing quote, as in a Windows path, keeps a text open.",
    ];
  }
  if (text.slice(start).trim() === "") {
    return [
      "The script ends in the middle of something.",
      "A closing bracket, brace or parenthesis is missing, or the file was cut off.",
    ];
  }
  if (/[:=+(,]\s*(?:https?:)?\/\/[\w.-]+\.\w/.test(line.replace(/"[^"]*"|'[^']*'/g, ""))) {
    return ["This line has an address without quotes.", "Put the address in quotes."];
  }
  if (/^\s*<[!?\w]/.test(text)) {
    return [
      "This is a web page or XML, not a script.",
      "If it came from an address, that was probably a sign-in page. Copy the file from the portal's own disk.",
    ];
  }
  if (text.slice(0, script.lineStarts[lineNumber - 1]).trim() === "") {
    return [
      "The first line is not JavaScript.",
      "Remove it, or turn it into a comment with // at its beginning.",
    ];
  }
  return undefined;
}

/** A property or a value begins where the parser expected the end of the one before. */
function missingComma(script: Script, start: number, lastTokenEnd: number): Cause | undefined {
  const { text } = script;
  const begins = /^(?:(?:[\w$]+|"[^"\n]*"|'[^'\n]*')\s*:|["'{[])/;
  const isAfterValue = /[\w$"'\]})]/.test(text.charAt(lastTokenEnd - 1));
  if (!isAfterValue || !begins.test(text.slice(start, start + 300))) return undefined;
  return [
    `A comma is missing at the end of line ${lineOf(script, lastTokenEnd - 1)}.`,
    "Write a comma between one property and the next. A portal with this file shows a blank page.",
  ];
}
