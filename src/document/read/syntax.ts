// Parses YAML within limits, or explains its errors.
import {
  Composer,
  Lexer,
  Parser,
  Schema,
  isScalar,
  visit,
  type CST,
  type Document,
  type Node as YamlNode,
  type Scalar,
  type YAMLParseError,
} from "yaml";
import { eachOnce, type Diagnostic } from "../../diagnostic.js";
import { shellWord } from "../../lib/text.js";
import type { Source, Span } from "./source.js";
import { diagnose } from "./tree.js";

/** Settings nest five levels deep; more than this is an error or an attack. */
export const DEEPEST = 64;

/** Hundreds of times more than a portal's settings need. */
const MOST_PIECES = 100_000;

/** Limited, because each one is an Error object with a stack. */
const MOST_SLIPS = 1000;

export function isEmptyScalar(node: YamlNode): boolean {
  return isScalar(node) && (node.source ?? "") === "" && node.type === "PLAIN";
}

/** The content of the only document; absent if there are problems. */
export function readDocument(source: Source): {
  readonly contents?: YamlNode;
  readonly problems: readonly Diagnostic[];
} {
  const { tokens, problem } = tokenise(source);
  if (problem) return { problems: [problem] };
  const documents = [...boundedComposer().compose(tokens, true, source.text.length)];
  const [document, second] = documents;
  const problems = documents
    .flatMap(({ errors }) => errors)
    .filter(({ code }) => code !== "MULTIPLE_DOCS")
    .map((error) => syntaxProblem(source, documents, error));
  if (second) problems.push(severalDocuments(source, second));
  const conflict = problems.length > 0 ? conflictIn(source) : undefined;
  if (conflict) return { problems: [conflict] };
  // One mistake causes more errors on its line; only the first is reported.
  if (problems.length > 0) return { problems: eachOnce(problems, ({ place }) => place?.line) };
  const contents = document?.contents;
  if (contents && !isEmptyScalar(contents)) return { contents, problems };
  const message = `"${source.file}" holds no values.`;
  const help = "Describe a portal. To create such a file:\n  lintel init";
  return {
    problems: [diagnose("empty-file", { span: { source, start: 0, end: 0 } }, message, help)],
  };
}

/** Stops at the limits: the composer is recursive, and every later step takes time for each token. */
function tokenise(source: Source): { tokens: CST.Token[]; problem?: Diagnostic } {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let pieces = 0;
  for (const lexeme of new Lexer().lex(source.text)) {
    tokens.push(...parser.next(lexeme));
    const here = () => ({ source, start: parser.offset, end: parser.offset + 1 });
    if (parser.stack.length > DEEPEST) return { tokens, problem: tooDeep(here()) };
    if (++pieces > MOST_PIECES) return { tokens, problem: tooMany(here()) };
  }
  tokens.push(...parser.end());
  return { tokens };
}

function boundedComposer(): Composer {
  const schema = new Schema({ schema: "core", resolveKnownTags: true });
  const composer = new Composer({ version: "1.2", schema, uniqueKeys: false, stringKeys: true });
  const { onError } = composer as unknown as { onError: (...slip: readonly unknown[]) => void };
  let slips = 0;
  return Object.assign(composer, {
    onError: (...slip: readonly unknown[]) => {
      if (++slips <= MOST_SLIPS) onError(...slip);
    },
  });
}

export function tooDeep(span: Span): Diagnostic {
  const message = `Values nest deeper than ${DEEPEST} levels here.`;
  const help = "Settings nest a few levels deep. Check for stray brackets, dashes or indentation.";
  return diagnose("too-deep", { span }, message, help);
}

function tooMany(span: Span): Diagnostic {
  const message = `The file holds more than ${MOST_PIECES.toLocaleString("en")} pieces of YAML.`;
  const help = "A file holds the settings of one portal. Check that this is the right file.";
  return diagnose("file-too-large", { span }, message, help);
}

function severalDocuments(source: Source, { contents, range }: Document.Parsed): Diagnostic {
  // The line of dashes, which belongs to neither document.
  const dashes = source.text.lastIndexOf("---", contents?.range?.[0] ?? range[0]);
  const start = dashes === -1 ? range[0] : dashes;
  const message = "A second document begins here.";
  const help = 'Put each portal into a file of its own, and remove the "---".';
  return diagnose("several-documents", { span: { source, start, end: start + 3 } }, message, help);
}

/** Both sides of a merge, with git's conflict markers. */
function conflictIn(source: Source): Diagnostic | undefined {
  const { file, text } = source;
  const found = /^<{7}(?: .*)?$/m.exec(text);
  if (!found || !/^>{7}(?: .*)?$/m.test(text)) return undefined;
  const span = { source, start: found.index, end: found.index + 7 };
  const word = shellWord(file);
  return diagnose(
    "yaml-syntax",
    { span },
    "Git left a merge conflict here.",
    `Keep what is right, and remove the lines with <<<<<<<, =======, >>>>>>> and |||||||. To take one side as a whole:\n  git checkout --ours -- ${word}\n  git checkout --theirs -- ${word}`,
  );
}

function syntaxProblem(
  source: Source,
  documents: readonly Document.Parsed[],
  error: YAMLParseError,
): Diagnostic {
  const [start, end] = error.pos;
  const slip = unclosedQuote(documents, error) ?? slipAt(source.text, error) ?? inOtherWords(error);
  return diagnose(
    "yaml-syntax",
    { span: { source, start, end, ...slip.at } },
    slip.message,
    slip.help,
  );
}

interface Slip {
  /** The place of the fix, if it differs from the parser's. */
  readonly at?: { readonly start: number; readonly end: number };
  readonly message: string;
  readonly help: string;
}

/** Rare errors keep the parser's message, without quoted text, which may be secret. */
function inOtherWords({ code, message }: YAMLParseError): Slip {
  const helps: { readonly [other in YAMLParseError["code"]]?: string } = {
    BAD_SCALAR_START: "Put the text in quotes.",
    BAD_DQ_ESCAPE: "Double the backslash, or use single quotes.",
  };
  return {
    message: `${message.replace(/(?:: .*|\.)$/s, "")}.`,
    help: helps[code] ?? "Check the quotes, brackets and indentation around it.",
  };
}

/** The parser reports the end of the text; the fix is at the opening quote. */
function unclosedQuote(
  documents: readonly Document.Parsed[],
  { code, pos, message }: YAMLParseError,
): Slip | undefined {
  if (code !== "MISSING_CHAR" || !message.includes("quote")) return undefined;
  let open: Scalar | undefined;
  for (const document of documents) {
    visit(document, {
      Scalar: (_, node) => {
        const isQuoted = node.type === "QUOTE_SINGLE" || node.type === "QUOTE_DOUBLE";
        if (isQuoted && (node.range?.[0] ?? Infinity) <= pos[0]) open = node;
      },
    });
  }
  const isSingle = open?.type === "QUOTE_SINGLE";
  const start = open?.range?.[0];
  return {
    ...(start !== undefined && { at: { start, end: start + 1 } }),
    message: `The text that begins here has no closing ${isSingle ? "single" : "double"} quote.`,
    help: isSingle ? `Close it. ${APOSTROPHE}` : 'Close it. Write a quote inside it as \\".',
  };
}

const APOSTROPHE = "Inside single quotes write an apostrophe twice: 'It''s open'.";
/** The range around an error that is searched for its cause: many errors in a long text would be slow. */
const NEAR = 10_000;

/** Explains the most common mistakes. */
function slipAt(text: string, { code, pos, message }: YAMLParseError): Slip | undefined {
  const [start] = pos;
  const lineStart = text.slice(0, start).lastIndexOf("\n") + 1;
  const before = text.slice(lineStart, start);
  const isUnexpectedText = message.startsWith("Unexpected scalar");
  switch (code) {
    case "TAB_AS_INDENT":
      return { message: "This line is indented with a tab.", help: "Indent with spaces." };
    case "BAD_INDENT":
      if (message.startsWith("Flow ")) return undefined;
      return besideOthers(text, lineStart) ?? wrongIndent(text, lineStart);
    case "BLOCK_AS_IMPLICIT_KEY":
      return colonInText(text, start, before) ?? wrongIndent(text, nextLine(text, start));
    case "MULTILINE_IMPLICIT_KEY":
    case "MISSING_CHAR": {
      if (!message.startsWith("Implicit ")) return undefined;
      // A value that continues on the next line is no key.
      return /[^\s-]/.test(before)
        ? wrongIndent(text, nextLine(text, start))
        : unfinishedKey(text, start);
    }
    case "UNEXPECTED_TOKEN":
      if (isUnexpectedText && before === "") {
        return besideOthers(text, lineStart) ?? wrongIndent(text, lineStart);
      }
      return isUnexpectedText && /["']\s*$/.test(before)
        ? {
            message: "The quotes are closed before this.",
            help: `Put the quotes around the whole text. ${APOSTROPHE}`,
          }
        : undefined;
    default:
      return undefined;
  }
}

function colonInText(text: string, start: number, before: string): Slip | undefined {
  const [line = ""] = /^.*/.exec(text.slice(start)) ?? [];
  const [value = ""] = /^[^"'[{#][^#]*?:(?=\s|$).*?(?=\s+#|\s*$)/.exec(line) ?? [];
  if (value === "" || !/:\s|^\s*-\s/.test(before)) return undefined;
  return {
    at: { start, end: start + value.length },
    message: 'This text contains ": ". Put it in quotes.',
    help: 'Write, for example:\n  text: "Maintenance: Saturday"',
  };
}

/** A key without its colon, or without the space after it. */
function unfinishedKey(text: string, start: number): Slip | undefined {
  const [line = ""] = /^.*?(?=\s*(?:\s#.*)?$)/m.exec(text.slice(start, start + NEAR)) ?? [];
  const [key = ""] = /^(?:"[^"]*"|'[^']*'|[\w.-]+)/.exec(line) ?? [];
  const end = start + key.length;
  if (key !== "" && /^:[^\s/]/.test(line.slice(key.length))) {
    return {
      at: { start: end, end: end + 1 },
      message: "A space is missing after this colon.",
      help: "Write, for example:\n  enabled: true",
    };
  }
  if (key === "" || line.includes(":")) return undefined;
  return {
    at: { start, end },
    message: "A colon is missing after this key.",
    help: "Write each setting as:\n  key: value",
  };
}

function wrongIndent(text: string, lineStart: number): Slip {
  return {
    at: { start: lineStart, end: lineStart + Math.max(1, indentAt(text, lineStart)) },
    message: "The indentation does not fit the lines above.",
    help: 'Begin all keys of one block in the same column. Put a text of several lines that contains ": " in quotes.',
  };
}

/** A line in the column of those above: a list entry without its dash, or a line below an incomplete key. */
function besideOthers(text: string, lineStart: number): Slip | undefined {
  const column = indentAt(text, lineStart);
  const above = lineAbove(text, lineStart, column);
  if (above === undefined || indentAt(text, above) !== column) return undefined;
  const [start, at] = [above + column, lineStart + column];
  if (!text.startsWith("- ", start)) return unfinishedKey(text, start);
  const isDashed = text.charAt(at) === "-";
  return {
    at: { start: at, end: at + 1 },
    message: isDashed
      ? 'A space is missing after this "-".'
      : 'A "-" is missing before this entry of the list.',
    help: 'Begin each entry of a list with "- ".',
  };
}

/** The start of the nearest non-empty line that is not indented further. */
function lineAbove(text: string, lineStart: number, column: number): number | undefined {
  const lines = text.slice(Math.max(0, lineStart - NEAR), lineStart).split("\n");
  let start = lineStart;
  for (const line of lines.slice(0, -1).toReversed()) {
    start -= line.length + 1;
    const isContent = !/^[ \t]*(?:#|\r?$)/.test(line);
    if (isContent && indentAt(line, 0) <= column) return start;
  }
  return undefined;
}

function indentAt(text: string, lineStart: number): number {
  return /^ */.exec(text.slice(lineStart, lineStart + NEAR))?.[0].length ?? 0;
}

/** The start of the next non-empty line; the end of the text if there is none. */
function nextLine(text: string, start: number): number {
  const found = text.slice(start, start + NEAR).search(/\n(?=[^\n]*\S)/);
  return found === -1 ? text.length : start + found + 1;
}
