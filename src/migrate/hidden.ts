// A call → the text that it runs as code, or that it may run any text at all.
import type { CallExpression, Expression, NewExpression, Node } from "acorn";
import { chainOf, constantText, keyOf, WINDOW_NAMES } from "./chain.js";
import type { Script } from "./script.js";

export const RUNS_TEXT: ReadonlySet<string> = new Set(["eval", "execScript", "Function"]);

/** They take a function as well, which is what everybody gives them. */
export const MAY_RUN_TEXT: ReadonlySet<string> = new Set([
  "setTimeout",
  "setInterval",
  "setImmediate",
]);

export function hiddenCode(
  { callee, arguments: given }: CallExpression | NewExpression,
  isGlobal: (name: string) => boolean,
  script: Script,
  isData: (name: string) => boolean,
): { readonly text: string } | "anything" | undefined {
  // (function () {}).constructor is Function, however one comes to it.
  if (callee.type === "MemberExpression" && keyOf(callee) === "constructor") return "anything";
  const name = globalCalled(callee, isGlobal);
  if (name === undefined) return undefined;
  const code = name === "Function" ? given.at(-1) : given[0];
  if (code === undefined) return undefined;
  if (RUNS_TEXT.has(name)) {
    const text = constantText(code);
    if (text !== undefined) return { text };
    return isJsonIdiom(code, isData) ? undefined : "anything";
  }
  if (!MAY_RUN_TEXT.has(name) || code.type.includes("Function")) return undefined;
  const text = constantText(code);
  if (text !== undefined) return { text };
  const isName = code.type === "Identifier" || code.type === "MemberExpression";
  return isName && !HIDES_NAME.test(script.text) ? undefined : "anything";
}

/** A variable may hold a text, which then has to come from somewhere. */
const HIDES_NAME = /["'`][^"'`\n]*GeowConfig/;

/** eval("(" + text + ")"): how data were read before browsers knew JSON. */
export function isJsonIdiom(node: Node | undefined, isData: (name: string) => boolean): boolean {
  if (!node) return false;
  let first = node as Expression;
  if (first.type !== "BinaryExpression" || first.operator !== "+") return false;
  const last = constantText(first.right);
  while (first.type === "BinaryExpression" && first.operator === "+") {
    // A variable may hold a text of the script's own, and not data from elsewhere.
    if (first.right.type === "Identifier" && !isData(first.right.name)) return false;
    first = first.left as Expression;
  }
  return constantText(first) === "(" && last === ")";
}

function globalCalled(
  callee: CallExpression["callee"],
  isGlobal: (name: string) => boolean,
): string | undefined {
  const { root, keys } = chainOf(callee);
  if (root.type !== "Identifier") return undefined;
  const { name } = root as Node & { name: string };
  if (!isGlobal(name)) return undefined;
  const path = [name, ...keys];
  while (path[0] !== undefined && WINDOW_NAMES.has(path[0])) path.shift();
  return path.length === 1 ? path[0] : undefined;
}
