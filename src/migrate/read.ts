// An old file's bytes → its text, tree and comments, or where it is no JavaScript and what that probably comes from.
import type { AnyNode, Comment, Program } from "acorn";
import { BoundedParser, DEEPEST, TOO_DEEP } from "./bounded-parser.js";
import { childrenOf } from "./evaluate/tree.js";
import { decodeText, encodingOf, sourceTextOf, type Encoding } from "../lib/source-text.js";
import type { Script } from "./script.js";
import type { Remark } from "./remark.js";
import { syntaxProblem } from "./syntax.js";

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

/** Old files come from Windows, too, so their encoding is told from their bytes. */
export function readFile(file: string, bytes: Uint8Array): ReadFile {
  const encoding = encodingOf(bytes);
  return { script: sourceTextOf(file, decodeText(bytes, encoding)), encoding };
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
