// A script's text → its tree and its comments, or where it is no JavaScript and what that probably comes from.
import { parse as parseScript, type Comment, type Program } from "acorn";
import { syntaxProblem, type SyntaxProblem } from "./syntax.js";
import type { Script } from "./script.js";

export type Parsed =
  | {
      readonly program: Program;
      readonly comments: readonly Comment[];
      readonly problem?: undefined;
    }
  | { readonly problem: SyntaxProblem; readonly comments: readonly Comment[] };

export function parse(script: Script): Parsed {
  const comments: Comment[] = [];
  try {
    const program = parseScript(script.text, {
      ecmaVersion: "latest",
      sourceType: "script",
      onComment: comments,
    });
    return { program, comments };
  } catch (error) {
    // The parser descends into what nests, and ends so where that is bottomless.
    const isTooDeep = error instanceof RangeError || /stack space/.test(String(error));
    if (!isTooDeep && !(error instanceof SyntaxError)) throw error;
    const { pos = 0, message } = error as SyntaxError & { pos?: number };
    const problem = isTooDeep ? tooDeep(script, pos) : syntaxProblem(script, pos, message);
    return { problem, comments };
  }
}

function tooDeep(script: Script, pos: number): SyntaxProblem {
  return {
    at: { script, start: pos, end: Math.min(pos + 1, script.text.length) },
    message: "The script nests too deep to be read from here on.",
    help: "A portal's configuration file nests a few levels deep. Check that this is the right file.",
  };
}
