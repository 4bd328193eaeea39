// An old file's bytes → its text, tree and comments, or where it is no JavaScript and what that probably comes from.
import { isUtf8 } from "node:buffer";
import type { AnyNode, Comment, Program } from "acorn";
import { BoundedParser, DEEPEST, TOO_DEEP } from "./bounded-parser.js";
import { childrenOf } from "./evaluate/tree.js";
import { scriptOf, type Script } from "./script.js";
import type { Remark } from "./remark.js";
import { syntaxProblem } from "./syntax.js";

type Encoding = "UTF-8" | "UTF-16LE" | "UTF-16BE" | "Windows-1252";

export interface ReadFile {
  readonly script: Script;
  readonly encoding: Encoding;
}

export interface Parsed {
  readonly script: Script;
  readonly program: Program;
  readonly comments: readonly Comment[];
}

export function filesInWords(files: readonly { readonly script: Script }[]): string {
  return files.map(({ script: { file } }) => `"${file}"`).join(" and ");
}

/** A mark at the beginning tells the encoding; else strict UTF-8; else what Windows wrote in western countries. */
export function readFile(file: string, bytes: Uint8Array): ReadFile {
  const encoding = utf16In(bytes) ?? (isUtf8(bytes) ? "UTF-8" : "Windows-1252");
  // A mark in front of the text is none of it; the decoder takes it away.
  return {
    script: scriptOf(file, new TextDecoder(encoding.toLowerCase()).decode(bytes)),
    encoding,
  };
}

/** By its mark, or because of two bytes a character, that of a plain script has one that is zero. */
function utf16In(bytes: Uint8Array): Encoding | undefined {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return "UTF-16LE";
  if (first === 0xfe && second === 0xff) return "UTF-16BE";
  if (bytes.length < 4 || bytes.length % 2 !== 0) return undefined;
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return "UTF-16LE";
  return first === 0 && second !== 0 && third === 0 && fourth !== 0 ? "UTF-16BE" : undefined;
}

export function parseScript(script: Script): Parsed | { readonly problem: Remark } {
  const comments: Comment[] = [];
  const options = { ecmaVersion: "latest", onComment: comments } as const;
  try {
    const program = BoundedParser.parse(script.text, options);
    const deep = tooDeepIn(program);
    if (deep) return { problem: syntaxProblem(script, deep.start, TOO_DEEP) };
    return { script, program, comments };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { pos = 0, message } = error as SyntaxError & { pos?: number };
    return { problem: syntaxProblem(script, pos, message) };
  }
}

/** What is read in a loop may nest, too, such as a.b.c.d, and those who go through the tree call themselves. */
function tooDeepIn(program: Program): AnyNode | undefined {
  let level: AnyNode[] = [program];
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    level = level.flatMap(childrenOf);
  }
  return level[0];
}
