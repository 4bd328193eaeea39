// A text → the documents that YAML finds in it, within bounds, or why it is no YAML.
import {
  Composer,
  Lexer,
  Parser,
  isScalar,
  type CST,
  type Document,
  type ErrorCode,
  type Node as YamlNode,
} from "yaml";
import type { Diagnostic } from "../../diagnostic.js";
import type { Source, Span } from "./source.js";
import { diagnose } from "./tree.js";

/** Settings nest five deep; what nests this deep is a mistake or an attack. */
export const DEEPEST = 64;

/** Hundreds of times what a whole portal's settings need. */
const MOST_PIECES = 100_000;

export function isEmptyScalar(node: YamlNode): boolean {
  return isScalar(node) && (node.source ?? "") === "" && node.type === "PLAIN";
}

interface Read {
  readonly contents?: YamlNode;
  readonly problems: readonly Diagnostic[];
}

/** The contents of the one document; absent where there are problems. */
export function readDocument(source: Source): Read {
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
  if (problems.length > 0) return { problems: firstOfEachLine(problems) };
  if (!document?.contents || isEmptyScalar(document.contents)) {
    return { problems: [nothingInside(source)] };
  }
  return { contents: document.contents, problems: [] };
}

/** Beyond these nobody reads on, and each is an error of Node's, with a stack. */
const MOST_SLIPS = 1000;

function boundedComposer(): Composer {
  const composer = new Composer({ version: "1.2", schema: "core", uniqueKeys: false });
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
    // Most pieces complete no token, and to spread nothing took a seventh of this.
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
  const open = scalarsOf(tokens)
    .filter(({ type }) => /quoted/.test(type))
    .findLast(({ offset, source: text }) => offset + text.length >= start && offset <= start);
  const at = open ? { source, start: open.offset, end: open.offset + 1 } : { source, start, end };
  const sign = open?.source.charAt(0) === "'" ? "'" : '"';
  return diagnose(
    "yaml-syntax",
    { span: at },
    `The text that begins here has no closing ${sign === "'" ? "single" : "double"} quote.`,
    sign === "'"
      ? "Close it. Inside single quotes an apostrophe is written twice: 'It''s open'."
      : 'Close it. Inside double quotes a quote is written \\".',
  );
}

function scalarsOf(tokens: readonly CST.Token[]): CST.FlowScalar[] {
  const found: CST.FlowScalar[] = [];
  const left = [...tokens];
  for (let token = left.pop(); token; token = left.pop()) {
    if (token.type === "document" && token.value) left.push(token.value);
    else if ("items" in token) {
      for (const item of token.items) {
        if (item.key) left.push(item.key);
        if (item.value) left.push(item.value);
      }
    } else if (
      token.type === "single-quoted-scalar" ||
      token.type === "double-quoted-scalar" ||
      token.type === "scalar"
    ) {
      found.push(token);
    }
  }
  return found.toSorted((one, other) => one.offset - other.offset);
}

function tooMany(span: Span): Diagnostic {
  return diagnose(
    "file-too-large",
    { span },
    `The file goes on after ${MOST_PIECES.toLocaleString("en")} pieces of YAML.`,
    "A desired-state file holds one portal's settings. Check that this is the right file.",
  );
}

function severalDocuments(source: Source, second: Document.Parsed): Diagnostic {
  // The line with the dashes, which the parser counts to neither document's contents.
  const dashes = source.text.lastIndexOf("---", second.contents?.range?.[0] ?? second.range[0]);
  const start = dashes === -1 ? second.range[0] : dashes;
  return diagnose(
    "several-documents",
    { span: { source, start, end: start + 3 } },
    "A second document begins here.",
    'Put each portal into a file of its own, and remove the "---".',
  );
}

function nothingInside(source: Source): Diagnostic {
  return diagnose(
    "empty-file",
    { span: { source, start: 0, end: 0 } },
    `"${source.file}" holds no values.`,
    'It says nothing about a portal. To begin, write:\n  targetVersion: "11.5"',
  );
}

/** One slip makes a parser stumble over the rest of its line; the first problem is the one to mend. */
function firstOfEachLine(problems: readonly Diagnostic[]): Diagnostic[] {
  const lines = new Set<number | undefined>();
  return problems.filter(({ place }) => {
    const isNew = !lines.has(place?.line);
    lines.add(place?.line);
    return isNew;
  });
}

function syntaxProblem(
  source: Source,
  code: ErrorCode,
  [start, end]: readonly [number, number],
  detail: string,
): Diagnostic {
  const [first, help] = SLIPS[code] ?? OTHER_SLIP;
  const message = first
    .replace("{detail}", () => lowerFirst(detail))
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

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, "");
}
