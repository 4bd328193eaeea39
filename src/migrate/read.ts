// Reads an old configuration file: its bytes become text, a syntax tree and comments, or a syntax problem.
import { Parser, type AnyNode, type Comment, type Program } from "acorn";
import { decodeText, encodingOf, sourceTextOf, type Encoding } from "../lib/source-text.js";
import { childrenOf } from "./evaluate/tree.js";
import type { Remark } from "./remark.js";
import type { Script } from "./script.js";
import { syntaxProblem, TOO_DEEP } from "./syntax.js";

export interface ReadFile {
  readonly script: Script;
  readonly encoding: Encoding;
}

export interface Parsed {
  readonly script: Script;
  readonly program: Program;
  readonly comments: readonly Comment[];
}

export function readFile(file: string, bytes: Uint8Array): ReadFile {
  const encoding = encodingOf(bytes);
  return { script: sourceTextOf(file, decodeText(bytes, encoding)), encoding };
}

export function parseScript(script: Script): Parsed | { readonly problem: Remark } {
  const comments: Comment[] = [];
  let lastTokenEnd = 0;
  try {
    const program = BoundedParser.parse(script.text, {
      ecmaVersion: "latest",
      onComment: comments,
      onToken: ({ end }) => void (lastTokenEnd = end),
    });
    const deep = tooDeepIn(program);
    if (deep) return { problem: syntaxProblem(script, deep.start, TOO_DEEP, lastTokenEnd) };
    return { script, program, comments };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { pos = 0, message } = error as SyntaxError & { pos?: number };
    return { problem: syntaxProblem(script, pos, message, lastTokenEnd) };
  }
}

/**
 * A full stack is more than an error: where V8 has to compile a regular expression at that moment, it aborts the
 * process. The stack of Node holds at least three times as many.
 */
const DEEPEST = 1_200;

/** acorn's recursive methods, and what a call counts for: an operand of a sum takes less stack than a bracket. */
const STEPS: Readonly<Record<string, number>> = {
  parseExprOp: 1,
  parseMaybeUnary: 4,
  parseMaybeAssign: 4,
  parseExprAtom: 4,
  parseBindingAtom: 4,
  parseStatement: 4,
  regexp_disjunction: 4,
  regexp_eatNestedClass: 4,
};

interface Counting {
  steps: number;
  readonly start: number;
  raise(offset: number, message: string): never;
}

type Method = (this: Counting, ...args: unknown[]) => unknown;

const BoundedParser = Parser.extend((Base) => {
  class Bounded extends Base {
    steps = 0;
  }
  const methods = Bounded.prototype as unknown as Record<string, Method>;
  for (const [name, count] of Object.entries(STEPS)) {
    const inherited = methods[name];
    if (!inherited) throw new TypeError(`acorn has no method "${name}"`);
    methods[name] = function (...args) {
      this.steps += count;
      if (this.steps > DEEPEST) this.raise(this.start, TOO_DEEP);
      const parsed = inherited.apply(this, args);
      this.steps -= count;
      return parsed;
    };
  }
  return Bounded;
});

/** acorn reads a.b.c.d in a loop, but those who walk the tree recurse. */
function tooDeepIn(program: Program): AnyNode | undefined {
  let level: AnyNode[] = [program];
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    level = level.flatMap(childrenOf);
  }
  return level[0];
}
