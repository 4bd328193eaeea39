// A tree of a program → what its nodes are called and hold.
import type { AnyNode, Node } from "acorn";

/** In the order of the text. */
export function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

export function* nodesOf(root: Node): Generator<AnyNode> {
  const left: Node[] = [root];
  for (let next = left.pop(); next; next = left.pop()) {
    yield next as AnyNode;
    left.push(...childrenOf(next));
  }
}

export function nameOf(key: Node): string | undefined {
  const node = key as AnyNode;
  if (node.type === "Identifier" || node.type === "PrivateIdentifier") return node.name;
  return literalOf(key);
}

export function literalOf(key: Node): string | undefined {
  const node = key as AnyNode;
  return node.type === "Literal" && !node.regex ? String(node.value) : undefined;
}

export type FunctionNode = AnyNode & {
  readonly id?: Node | null;
  readonly params: readonly Node[];
  readonly body: Node;
};

export function isFunction(node: Node): node is FunctionNode {
  return /^(?:Arrow)?Function(?:Expression|Declaration)$/.test(node.type);
}

export function listOf(node: AnyNode): readonly Node[] {
  if (node.type === "SwitchCase") return node.consequent;
  return /^(?:Program|BlockStatement|StaticBlock)$/.test(node.type)
    ? (node as { body: Node[] }).body
    : [];
}

/** The names of variables and properties that a pattern gives values to. */
export function namesIn(pattern: Node): string[] {
  const node = pattern as AnyNode;
  if (node.type === "Identifier") return [node.name];
  if (node.type === "MemberExpression") {
    const key = node.computed ? literalOf(node.property) : nameOf(node.property);
    return key === undefined ? namesIn(node.object) : [key];
  }
  if (node.type === "AssignmentPattern") return namesIn(node.left);
  if (node.type === "Property") return namesIn(node.value);
  return /Pattern$|^RestElement$/.test(node.type) ? childrenOf(node).flatMap(namesIn) : [];
}

export function isEval(node: Node): boolean {
  const each = node as AnyNode;
  if (each.type === "Identifier") return each.name === "eval";
  return each.type === "MemberExpression" && !each.computed && isEval(each.property);
}

/** Where eval is handed on under another name, and not called. */
export function evalsIn(node: AnyNode): Node[] {
  if ("shorthand" in node && node.shorthand) return [];
  return Object.entries(node).flatMap(([field, held]: [string, unknown]) =>
    VALUES.test(`${node.type}.${field}`) ? [held].flat().filter(isNode).filter(isEval) : [],
  );
}

const VALUES =
  /^(?:VariableDeclarator\.init|AssignmentExpression\.right|(?:Call|New)Expression\.arguments|Property\.value|SequenceExpression\.expressions|ConditionalExpression\.(?:consequent|alternate)|LogicalExpression\.right|ArrayExpression\.elements|ReturnStatement\.argument)$/;
