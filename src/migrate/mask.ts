// Code of the old file → the same with a mark for all that is not the plain value of a setting of ours; the length stays.
import { entryNamesOf, isKnownWord, isSetting } from "./known.js";

/** Stands behind the mark, for each character that it hides; taken out before anybody sees the text. */
export const FILL = "\0";

export function hidden(text: string): string {
  return text.replace(/[^\s\0]+/g, (run) => `…${FILL.repeat(run.length - 1)}`);
}

function hiddenWhole(text: string): string {
  return text === "" ? "" : `…${FILL.repeat(text.length - 1)}`;
}

const TOKEN =
  /\/\/[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\r\n]|\\[\s\S])*"?|'(?:[^'\\\r\n]|\\[\s\S])*'?|`(?:[^`\\]|\\[\s\S])*`?|[\p{L}\p{N}_$]+(?:\.\d[\w]*)?|\s+|=>|[=!<>]=+|\?\.|\?\?|[^]/gu;

/** What brackets hold, and whether the values in it may be seen. */
interface Frame {
  readonly kind: "value" | "list" | "entry" | "hidden";
  isOurs: boolean;
  /** How many questions wait for their colon. */
  questions: number;
  tokens: number;
}

/**
 * `isOurs` says that the text begins with the name of a setting, so that its value follows. Its texts and numbers may be
 * seen, in lists as well, and what the entries of footerLinks hold; never what is handed to a call.
 */
export function masked(text: string, isOurs: boolean): string {
  const frames: Frame[] = [
    { kind: isOurs ? "value" : "hidden", isOurs: false, questions: 0, tokens: 0 },
  ];
  let shown = "";
  let setting = "";
  // The last name, for what it names, and the last sign that is no white space.
  let name: string | undefined;
  let before = "";
  for (const { index, 0: token } of text.matchAll(TOKEN)) {
    if (index < shown.length) continue;
    const frame = frames.at(-1) as Frame;
    if (/^\s/.test(token)) {
      shown += token;
      continue;
    }
    if (token.startsWith("//") || token.startsWith("/*")) {
      shown += hiddenWhole(token);
      continue;
    }
    frame.tokens++;
    if (token === "/" && !/[\p{L}\p{N}_$)\]"'`]$/u.test(before)) {
      const end = endOfPattern(text, index);
      shown += hiddenWhole(text.slice(index, end));
      before = '"';
      name = undefined;
      continue;
    }
    if (/^["'`]/.test(token)) {
      // What a template computes may hold texts of its own, so that its end is not known.
      if (token.startsWith("`") && /\$\{(?![\w$.]*\})/.test(token)) {
        return shown + hiddenWhole(text.slice(index));
      }
      name = token.slice(1, -1);
      shown += isVisible(frame) || isSetting(name) ? token : hiddenWhole(token);
    } else if (/^[\p{L}\p{N}_$]/u.test(token)) {
      name = token;
      shown += mayBeSeen(token, frame, text.slice(index + token.length, index + token.length + 9))
        ? token
        : hiddenWhole(token);
    } else {
      shown += token;
      switch (token) {
        case "(":
          frames.push(hiddenFrame());
          break;
        case "[": {
          const isList = isVisible(frame) && !/[\p{L}\p{N}_$)\]"'`]$/u.test(before);
          frames.push(isList ? { ...frame, kind: "list", questions: 0, tokens: 0 } : hiddenFrame());
          break;
        }
        case "{": {
          const isEntry =
            frame.kind === "list" && frames.length === 2 && entryNamesOf(setting).size > 0;
          frames.push(
            isEntry ? { kind: "entry", isOurs: false, questions: 0, tokens: 0 } : hiddenFrame(),
          );
          break;
        }
        case ")":
        case "]":
        case "}":
          if (frames.length > 1) frames.pop();
          if (token !== "]" || frame.tokens !== 2) name = undefined;
          break;
        case "?":
          frame.questions++;
          name = undefined;
          break;
        case ":":
        case "=":
          if (token === ":" && frame.questions > 0) frame.questions--;
          else if (frame.kind === "entry") frame.isOurs = entryNamesOf(setting).has(name ?? "");
          else if (frame.kind === "value") {
            frame.isOurs = name !== undefined && isSetting(name);
            if (frame.isOurs) setting = name ?? "";
          } else frame.isOurs = false;
          name = undefined;
          break;
        case ",":
        case ";":
          if (frame.kind !== "list") frame.isOurs = false;
          name = undefined;
          break;
        default:
          name = undefined;
      }
    }
    before = token;
  }
  return shown;
}

function hiddenFrame(): Frame {
  return { kind: "hidden", isOurs: false, questions: 0, tokens: 0 };
}

function isVisible({ kind, isOurs }: Frame): boolean {
  return kind !== "hidden" && isOurs;
}

function mayBeSeen(word: string, frame: Frame, behind: string): boolean {
  if (isVisible(frame) || isKnownWord(word)) return true;
  if (frame.kind === "entry" && entryNamesOf("footerLinks").has(word)) return true;
  // What is called, and what it is read from, tells where to look.
  return /^[A-Za-z_$]{1,30}\d?$/.test(word) && /^\s*(?:\(|\.[A-Za-z_$])/.test(behind);
}

/** Behind a regular expression; where it has no end, behind its line. */
function endOfPattern(text: string, start: number): number {
  PATTERN.lastIndex = start;
  return start + (PATTERN.exec(text)?.[0].length ?? 1);
}

const PATTERN = /\/(?:[^/\\[\r\n]|\\.|\[(?:[^\]\\\r\n]|\\.)*\]?)*(?:\/\w*)?/y;

const KEY = /\s*(["']?)([A-Za-z_$][\w$]{0,60})\1\s*:(?![:=])/y;
const VALUE =
  /\s*(?:"[^"'`\\\r\n]*"|'[^"'`\\\r\n]*'|-?\d[\d.]*|true|false|null)(?=\s*(?:[,}\]]|$))/y;
const SIGNS = /[\s{}[\](),;:"'`\u2018-\u201f\0]+/y;
const RUN = /[^\s{}[\](),;:"'`\u2018-\u201f\0]+/y;

/** A line that is no JavaScript: what cannot be told apart from the value of another property is hidden. */
export function maskedSlip(line: string): string {
  let at = 0;
  let shown = "";
  const next = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(line);
    if (found) at = pattern.lastIndex;
    return found;
  };
  let mayName = true;
  while (at < line.length) {
    const isFirst = line.slice(0, at).trim() === "";
    const key = mayName ? next(KEY) : null;
    if (key) {
      const [written, , name = ""] = key;
      if (!isSetting(name)) {
        const isTold = isFirst && !/\d{4}|.{41}/.test(name);
        return shown + (isTold ? written : hidden(written)) + restHidden(line.slice(at));
      }
      shown += written;
      shown += next(VALUE)?.[0] ?? "";
      mayName = false;
      continue;
    }
    const signs = next(SIGNS)?.[0];
    const run = signs === undefined ? (next(RUN)?.[0] ?? "") : undefined;
    if (signs !== undefined) {
      shown += signs;
      // Only a brace or a comma begins something new.
      mayName = /[{,]\s*$/.test(signs);
    } else if (run) {
      const isSeen = OPERATOR.test(run) || run.split(".").every(isKnownWord);
      shown += isSeen ? run : hiddenWhole(run);
      mayName = false;
    } else break;
  }
  return shown;
}

const OPERATOR = /^(?:[=+\-*/<>!?&|]{1,3}|<{7}|={7}|>{7}|\|{7})$/;

function restHidden(rest: string): string {
  const lead = /^\s*/.exec(rest)?.[0] ?? "";
  const tail = /\s*$/.exec(rest)?.[0] ?? "";
  return lead.length === rest.length
    ? rest
    : lead + hiddenWhole(rest.slice(lead.length, rest.length - tail.length)) + tail;
}
