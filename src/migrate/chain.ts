// A name with whatever is read through it (a.b["c"].d) → where it begins and the keys on the way.
import type { Expression, Literal, MemberExpression, Node, PrivateIdentifier } from "acorn";
import { childrenOf } from "./walk.js";
import { isFunctionNode } from "./scope.js";

export interface Chain {
  readonly root: Node;
  /** From the root on; undefined where a key is computed and no constant. */
  readonly keys: readonly (string | undefined)[];
  /** The expressions that compute keys. */
  readonly computed: readonly Node[];
}

/** The window under its own names. */
export const WINDOW_NAMES: ReadonlySet<string> = new Set([
  "window",
  "self",
  "globalThis",
  "frames",
]);

export function chainOf(node: Node): Chain {
  const keys: (string | undefined)[] = [];
  const computed: Node[] = [];
  let root = node;
  for (;;) {
    if (root.type === "ChainExpression") root = (root as Node & { expression: Node }).expression;
    else if (root.type === "MemberExpression") {
      const member = root as MemberExpression;
      keys.push(keyOf(member));
      if (member.computed && keyOf(member) === undefined) computed.push(member.property);
      root = member.object;
    } else return { root, keys: keys.toReversed(), computed };
  }
}

/** The key, where it can be told without computing anything. */
export function keyOf({ computed, property }: MemberExpression): string | undefined {
  return computed ? constantText(property) : (property as { name: string }).name;
}

/** The name of a property in a literal or a class. */
export function nameOf(key: Expression | PrivateIdentifier, computed: boolean): string | undefined {
  if (computed) return constantText(key);
  if (key.type === "Identifier" || key.type === "PrivateIdentifier") return key.name;
  return key.type === "Literal" ? literalName(key) : undefined;
}

function literalName({ value, bigint }: Literal): string {
  return bigint ?? String(value);
}

/** A text that is written out, perhaps in parts put together. */
export function constantText(node: Node): string | undefined {
  const parts: string[] = [];
  const left = [node];
  for (let next = left.pop(); next; next = left.pop()) {
    const each = next as Expression;
    if (
      each.type === "Literal" &&
      (typeof each.value === "string" || typeof each.value === "number")
    ) {
      // Numbers add up to a number, and not to a text.
      if (typeof each.value === "number" && node !== next) return undefined;
      parts.push(String(each.value));
    } else if (each.type === "TemplateLiteral" && each.expressions.length === 0) {
      parts.push(each.quasis[0]?.value.cooked ?? "");
    } else if (each.type === "BinaryExpression" && each.operator === "+") {
      left.push(each.right, each.left);
    } else return undefined;
  }
  return parts.join("");
}

/** A function that is called where it is written, once, with nothing that could call it again. */
export function calledFunction(node: Node): InlineFunction | undefined {
  const call = node as Expression;
  if (call.type !== "CallExpression" || call.optional) return undefined;
  let { callee } = call;
  let isByCall = false;
  if (callee.type === "MemberExpression" && keyOf(callee) === "call" && !callee.computed) {
    isByCall = true;
    if (callee.object.type === "Super") return undefined;
    callee = callee.object;
  }
  if (callee.type !== "FunctionExpression" && callee.type !== "ArrowFunctionExpression") {
    return undefined;
  }
  const isSimple =
    !callee.async &&
    !callee.generator &&
    callee.params.every((each) => each.type === "Identifier") &&
    call.arguments.every((each) => each.type !== "SpreadElement");
  return isSimple && !mayCallItself(callee) ? { node: callee, isByCall } : undefined;
}

export interface InlineFunction {
  readonly node: Extract<Expression, { type: "FunctionExpression" | "ArrowFunctionExpression" }>;
  /** By its method "call", whose first argument is what `this` means. */
  readonly isByCall: boolean;
}

function mayCallItself(node: Node & { id?: { name: string } | null | undefined }): boolean {
  const names = ["arguments", ...(node.id ? [node.id.name] : [])];
  const left = childrenOf(node).filter((each) => each !== (node.id as unknown));
  for (let each = left.pop(); each; each = left.pop()) {
    if (each.type === "Identifier" && names.includes((each as Node & { name: string }).name)) {
      return true;
    }
    // What a function inside calls its arguments are its own.
    if (isFunctionNode(each) && names.length === 1 && each.type !== "ArrowFunctionExpression")
      continue;
    left.push(...childrenOf(each));
  }
  return false;
}
