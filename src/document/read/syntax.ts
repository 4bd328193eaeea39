// A text → the documents that YAML finds in it, within bounds, or why it is no YAML.
import {
  Composer,
  Lexer,
  Parser,
  Schema,
  isScalar,
  CST,
  type Document,
  type ErrorCode,
  type Node as YamlNode,
} from "yaml";
import { eachOnce, type Diagnostic } from "../../diagnostic.js";
import { conflictIn } from "./conflict.js";
import type { Source, Span } from "./source.js";
import { diagnose } from "./tree.js";

/** Settings nest five deep; what nests this deep is a mistake or an attack. */
export const DEEPEST = 64;

/** Hundreds of times what a whole portal's settings need. */
const MOST_PIECES = 100_000;

export function isEmptyScalar(node: YamlNode): boolean {
  return isScalar(node) && (node.source ?? "") === "" && node.type === "PLAIN";
}

/** The contents of the one document; absent where there are problems. */
export function readDocument(source: Source): {
  readonly contents?: YamlNode;
  readonly problems: readonly Diagnostic[];
} {
  const { tokens, problem } = tokenise(source);
  if (problem) return { problems: [problem] };
  const documents = [...boundedComposer().compose(tokens, true, source.text.length)];
  const [document, second] = documents;
  const problems = documents
    .flatMap((each) => each.errors)
    .filter((error) => error.code !== "MULTIPLE_DOCS")
    .map(({ code, pos, message }) =>
      /closing ["']|quote/.test(message)
        ? unclosedQuote(source, tokens, pos)
        : syntaxProblem(source, code, pos, message),
    );
  if (second) problems.push(severalDocuments(source, second));
  const conflict = problems.length > 0 ? conflictIn(source) : undefined;
  if (conflict) return { problems: [conflict] };
  // One slip makes a parser stumble over the rest of its line; the first problem is the one to mend.
  if (problems.length > 0) return { problems: eachOnce(problems, ({ place }) => place?.line) };
  const contents = document?.contents;
  if (contents && !isEmptyScalar(contents)) return { contents, problems };
  const message = `"${source.file}" holds no values.`;
  const help = 'It says nothing about a portal. To begin, write:\n  targetVersion: "11.5"';
  return {
    problems: [diagnose("empty-file", { span: { source, start: 0, end: 0 } }, message, help)],
  };
}

/** Beyond these nobody reads on, and each is an error of Node's, with a stack. */
const MOST_SLIPS = 1000;

/** Made once: each document would make its own. */
const SCHEMA = new Schema({ schema: "core", resolveKnownTags: true });

function boundedComposer(): Composer {
  const composer = new Composer({
    version: "1.2",
    schema: SCHEMA,
    uniqueKeys: false,
    stringKeys: true,
  });
  const { onError } = composer as unknown as { onError: (...slip: readonly unknown[]) => void };
  let slips = 0;
  return Object.assign(composer, {
    onError: (...slip: readonly unknown[]) => {
      if (++slips <= MOST_SLIPS) onError(...slip);
    },
  });
}

/** Bounded while it goes: the composer recurses into what nests, and every later step costs time a piece. */
function tokenise(source: Source): { tokens: CST.Token[]; problem?: Diagnostic } {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let pieces = 0;
  for (const lexeme of new Lexer().lex(source.text)) {
    // Most pieces complete no token, and to spread nothing takes time.
    for (const token of parser.next(lexeme)) tokens.push(token);
    const here = () => ({ source, start: parser.offset, end: parser.offset + 1 });
    if (parser.stack.length > DEEPEST) return { tokens, problem: tooDeep(here()) };
    if (++pieces > MOST_PIECES) return { tokens, problem: tooMany(here()) };
  }
  tokens.push(...parser.end());
  return { tokens };
}

export function tooDeep(span: Span): Diagnostic {
  const message = `Values nest deeper than ${DEEPEST} levels here.`;
  const help = "Settings nest a few levels deep. Check for stray brackets, dashes or indentation.";
  return diagnose("too-deep", { span }, message, help);
}

/** The parser notices at the end of the file; what is to be mended is where the quote opens. */
function unclosedQuote(
  source: Source,
  tokens: readonly CST.Token[],
  [start, end]: readonly [number, number],
): Diagnostic {
  const open = quotedTexts(tokens)
    .toSorted((one, other) => one.offset - other.offset)
    .findLast(({ offset, source: text }) => offset + text.length >= start && offset <= start);
  const span = open ? { source, start: open.offset, end: open.offset + 1 } : { source, start, end };
  const isSingle = open?.type === "single-quoted-scalar";
  const message = `The text that begins here has no closing ${isSingle ? "single" : "double"} quote.`;
  const help = isSingle
    ? "Close it. Inside single quotes an apostrophe is written twice: 'It''s open'."
    : 'Close it. Inside double quotes a quote is written \\".';
  return diagnose("yaml-syntax", { span }, message, help);
}

function quotedTexts(tokens: readonly CST.Token[]): CST.FlowScalar[] {
  const found: CST.FlowScalar[] = [];
  for (const document of tokens) {
    if (document.type !== "document") continue;
    CST.visit(document, ({ key, value }) => {
      for (const each of [key, value]) {
        if (each?.type === "single-quoted-scalar" || each?.type === "double-quoted-scalar")
          found.push(each);
      }
    });
  }
  return found;
}

function tooMany(span: Span): Diagnostic {
  const message = `The file goes on after ${MOST_PIECES.toLocaleString("en")} pieces of YAML.`;
  const help =
    "A desired-state file holds one portal's settings. Check that this is the right file.";
  return diagnose("file-too-large", { span }, message, help);
}

function severalDocuments(source: Source, { contents, range }: Document.Parsed): Diagnostic {
  // The line with the dashes, which the parser counts to neither document's contents.
  const dashes = source.text.lastIndexOf("---", contents?.range?.[0] ?? range[0]);
  const start = dashes === -1 ? range[0] : dashes;
  const message = "A second document begins here.";
  const help = 'Put each portal into a file of its own, and remove the "---".';
  return diagnose("several-documents", { span: { source, start, end: start + 3 } }, message, help);
}

function syntaxProblem(
  source: Source,
  code: ErrorCode,
  [start, end]: readonly [number, number],
  detail: string,
): Diagnostic {
  // Of the parser's words for one code, these alone are about brackets.
  const isUnclosed = code === "BAD_INDENT" && detail.startsWith("Flow ");
  const [first, help] = isUnclosed ? UNCLOSED : (SLIPS[code] ?? OTHER_SLIP);
  const message = first
    .replace("{detail}", () => detail.charAt(0).toLowerCase() + detail.slice(1).replace(/\.$/, ""))
    .replace("{sign}", () => source.text.slice(start, end).trim().charAt(0));
  return diagnose("yaml-syntax", { span: { source, start, end } }, message, help);
}

type Slip = readonly [message: string, help: string];

const NO_KEY: Slip = [
  "A key must stand on one line and be followed by a colon.",
  'Check for a missing colon or quote, and that the next line is not indented too far. A text that holds ": " needs quotes.',
];
const OTHER_SLIP: Slip = [
  "The YAML cannot be read here: {detail}.",
  "Check the quotes, brackets and indentation around it.",
];

const UNCLOSED: Slip = [
  'A "[" or "{" of the lines above is still open here.',
  'Close it with "]" or "}". What stands between them is indented further than the key before it.',
];

const SLIPS: { readonly [code in ErrorCode]?: Slip } = {
  TAB_AS_INDENT: ["A tab stands where YAML wants spaces.", "Indent with spaces."],
  BAD_INDENT: [
    "The indentation does not fit the lines above.",
    "Let the keys of one mapping begin in the same column.",
  ],
  MISSING_CHAR: [
    "Something is missing here: {detail}.",
    "Close what was opened, and put a space after each colon.",
  ],
  MULTILINE_IMPLICIT_KEY: NO_KEY,
  BLOCK_AS_IMPLICIT_KEY: NO_KEY,
  BAD_SCALAR_START: ['A plain text may not begin with "{sign}".', "Put the text in quotes."],
  BAD_DQ_ESCAPE: [
    "The backslash begins no escape that YAML knows.",
    "Double the backslash, or use single quotes.",
  ],
  UNEXPECTED_TOKEN: [
    "This does not belong here: {detail}.",
    "Check the quotes, brackets and indentation around it. In single quotes an apostrophe is written twice: 'It''s open'.",
  ],
};
