// Runs the work on a folder's files up to a named step, in a process of its own, to see what each step adds.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Lexer, Parser } from "yaml";
import { check } from "../../src/document/check/check.js";
import { applyRules } from "../../src/document/check/rules/all.js";
import { readSource } from "../../src/document/read/bytes.js";
import { desiredOf } from "../../src/document/read/desired.js";
import { extend } from "../../src/document/read/extend.js";
import { allowEntries, desiredLeaves } from "../../src/document/read/leaves.js";
import { parse } from "../../src/document/read/parse.js";
import type { Source } from "../../src/document/read/source.js";
import { substitute } from "../../src/document/read/references.js";
import { readDocument } from "../../src/document/read/syntax.js";
import { unvaluedIn, type Node } from "../../src/document/read/tree.js";
import { TARGET } from "./files.js";

const surroundings = { cwd: process.cwd(), env: process.env };

/** Each does what those above it do, and its own. */
const STEPS: Readonly<Record<string, (file: string, source: Source) => unknown>> = {
  "the program alone": () => undefined,
  "the files' bytes": () => undefined,
  "tokens of YAML": (_, { text }) => {
    const parser = new Parser();
    for (const lexeme of new Lexer().lex(text)) for (const token of parser.next(lexeme)) void token;
    return [...parser.end()];
  },
  "documents of YAML": (_, source) => readDocument(source),
  "trees with places": (_, source) => parse(source),
  "bases and references": (_, source) => resolved(source),
  rules: (_, source) => applyRules(resolved(source), TARGET, undefined),
  "schema, and the whole check": (file, source) => checked(file, source),
  "what is wanted": (file, source) => {
    const root = checked(file, source);
    return [desiredOf(file, root), desiredLeaves(root), allowEntries(root)];
  },
};

function resolved(source: Source): Node {
  const { root } = extend({ source }, surroundings);
  if (!root) throw new Error(source.file);
  const { root: whole } = substitute(root, surroundings);
  unvaluedIn(whole);
  return whole;
}

function checked(file: string, source: Source): Node {
  const { root, diagnostics } = check(file, { source }, surroundings);
  if (!root || diagnostics.some(({ severity }) => severity === "error")) throw new Error(file);
  return root;
}

export const STEP_NAMES = Object.keys(STEPS);

const [, program = "", step = "", folder = ""] = process.argv;
const [first] = STEP_NAMES;
if (/steps\.c?js$/.test(program) && step !== first) {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const { source } = readSource({ file, cwd: surroundings.cwd });
    if (!source) throw new Error(file);
    STEPS[step]?.(file, source);
  }
}
