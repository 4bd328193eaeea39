// Code of the old file → the same with a mark for all that is not the plain value of a setting of ours; the length stays.
import { tokTypes, type Token } from "acorn";
import { BoundedParser } from "./bounded-parser.js";
import { entryNamesOf, isKnownWord, isSetting } from "./known.js";

/** Stands behind the mark, for each character that it hides; taken out before anybody sees the text. */
const FILL = "\0";

function hiddenWhole(text: string): string {
  return text === "" ? "" : `…${FILL.repeat(text.length - 1)}`;
}

/** One mark a line. */
function hiddenLines(text: string): string {
  return text.replace(/\S(?:.*\S)?/g, hiddenWhole);
}

/** One mark a word. */
export function hidden(text: string): string {
  return text.replace(/[^\s\0]+/g, hiddenWhole);
}

/** What brackets hold. */
interface Frame {
  /** Whether texts and numbers may be seen now. */
  isSeen: boolean;
  /** Names whose values may be seen, and those in the objects of a list. */
  readonly names?: (name: string) => boolean;
  readonly entries?: (name: string) => boolean;
  readonly isList?: boolean;
  /** How many questions wait for their colon. */
  questions: number;
}

/**
 * `isOurs` says that the text begins with the name of a setting, so that its value follows. Its texts and numbers may be
 * seen, in lists as well, and what the entries of footerLinks hold; never what is handed to a call. `told` is a name
 * that people are told anyway.
 */
export function masked(text: string, isOurs: boolean, told?: string): string {
  const frames: Frame[] = [{ isSeen: false, questions: 0, ...(isOurs && { names: isSetting }) }];
  const tokens = tokensOf(text);
  let shown = "";
  // The last setting, and the last name, for what it names.
  let [setting, name] = ["", ""];
  for (const [at, { type, start, end }] of tokens.entries()) {
    const frame = frames.at(-1) as Frame;
    const token = text.slice(start, end);
    // Between two tokens are comments.
    shown += hiddenLines(text.slice(shown.length, start));
    if (type === tokTypes.regexp) shown += hiddenWhole(token);
    else if (type === tokTypes.template || type === tokTypes.num) {
      shown += frame.isSeen ? token : hiddenWhole(token);
    } else if (type === tokTypes.string) {
      name = token.slice(1, -1);
      shown += frame.isSeen || isSetting(name) || name === told ? token : hiddenWhole(token);
    } else if (type === tokTypes.name || type === tokTypes.privateId || type.keyword) {
      name = token;
      shown +=
        name === told || isWordSeen(token, frame, tokens[at + 1]) ? token : hiddenWhole(token);
    } else {
      shown += token;
      if (token === ":" && frame.questions > 0) frame.questions--;
      else if (token === ":" || token === "=") {
        frame.isSeen = frame.names?.(name) ?? false;
        if (frame.isSeen && frames.length === 1) setting = name;
      } else if (token === "?") frame.questions++;
      else if (token === "," || token === ";") frame.isSeen &&= frame.isList ?? false;
      else if (/^[([{]$|^\$\{$/.test(token)) {
        frames.push(opened(token, frame, tokens[at - 1], frames.length === 1 ? setting : ""));
      } else if (/^[)\]}]$/.test(token) && frames.length > 1) frames.pop();
      // A name may stand in brackets.
      if (token !== "]" || tokens[at - 2]?.type !== tokTypes.bracketL) name = "";
    }
  }
  return shown + hiddenLines(text.slice(shown.length));
}

/** Where a stretch is cut off, up to the token that has no end. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  try {
    const options = { ecmaVersion: "latest" } as const;
    for (const token of BoundedParser.tokenizer(text, options)) tokens.push(token);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return tokens;
}

const ENDS_VALUE: ReadonlySet<unknown> = new Set([
  tokTypes.name,
  tokTypes.num,
  tokTypes.string,
  tokTypes.parenR,
  tokTypes.bracketR,
  tokTypes.braceR,
  tokTypes.backQuote,
]);

function opened(bracket: string, frame: Frame, before: Token | undefined, setting: string): Frame {
  const inner: Frame = { isSeen: false, questions: 0 };
  if (bracket === "${") return { ...inner, isSeen: frame.isSeen };
  if (bracket === "{") return { ...inner, ...(frame.entries && { names: frame.entries }) };
  // Behind a value, a bracket asks for a part of it.
  if (bracket === "(" || !frame.isSeen || (before && ENDS_VALUE.has(before.type))) return inner;
  const names = entryNamesOf(setting);
  return { ...inner, isSeen: true, isList: true, entries: (name) => names.has(name) };
}

function isWordSeen(word: string, frame: Frame, next: Token | undefined): boolean {
  if (frame.isSeen || isKnownWord(word) || frame.names?.(word) === true) return true;
  // What is called, and what it is read from, tells where to look.
  const isPath = next?.type === tokTypes.parenL || next?.type === tokTypes.dot;
  return isPath && /^[A-Za-z_$]{1,30}\d?$/.test(word);
}

/** A name and its colon at the beginning or behind a brace or a comma, and the plain value behind it; or else a run of letters. */
const PART =
  /(?<=^\s{0,99}|[{,]\s{0,99})(["']?)([A-Za-z_$][\w$]{0,60})\1\s*:(?![:=])(?:\s*(?:"[^"'`\\\r\n]*"|'[^"'`\\\r\n]*'|-?\d[\d.]*|true|false|null)(?=\s*(?:[,}\]]|$)))?|[^\s{}[\](),;:"'`\u2018-\u201f\0]+/g;
const OPERATOR = /^(?:[=+\-*/<>!?&|]{1,3}|<{7}|={7}|>{7}|\|{7})$/;

/** A line that is no JavaScript: what cannot be told apart from the value of another property is hidden. */
export function maskedSlip(line: string): string {
  let shown = "";
  for (const { 0: part, 2: name, index } of line.matchAll(PART)) {
    shown += line.slice(shown.length, index);
    if (name === undefined) {
      const isSeen = OPERATOR.test(part) || part.split(".").every(isKnownWord);
      shown += isSeen ? part : hiddenWhole(part);
    } else if (isSetting(name)) shown += part;
    else {
      // All that follows a name that is none of ours may be its value.
      const end = index + (/^[^:]*:/.exec(part)?.[0].length ?? 0);
      const isTold = shown.trim() === "" && !/\d{4}|.{41}/.test(name);
      shown += isTold ? line.slice(index, end) : hidden(line.slice(index, end));
      return shown + hiddenLines(line.slice(end));
    }
  }
  return shown + line.slice(shown.length);
}
