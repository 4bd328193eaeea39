// A tree of a program → what its nodes are called, hold and decide.
import type { AnyNode, Node } from "acorn";

/** In the order of the text. */
export function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (const held of Object.values(node) as unknown[]) {
    for (const each of Array.isArray(held) ? (held as unknown[]) : [held]) {
      if (isNode(each)) children.push(each);
    }
  }
  return children;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

export function* nodesOf(root: Node): Generator<Node> {
  const left: Node[] = [root];
  for (let next = left.pop(); next; next = left.pop()) {
    yield next;
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

export function isFunction(node: AnyNode): node is FunctionNode {
  return /^(?:Arrow)?Function(?:Expression|Declaration)$/.test(node.type);
}

export function isList({ type }: Node): boolean {
  return type === "Program" || type === "BlockStatement" || type === "SwitchCase";
}

export function mayLeave(root: Node): boolean {
  if (/^(?:Return|Break|Continue|Throw)Statement$/.test(root.type)) return true;
  return !isFunction(root as AnyNode) && childrenOf(root).some(mayLeave);
}

/** What decides whether a part of a node is come to. */
export function decidersOf(node: AnyNode, child: Node): readonly Node[] {
  switch (node.type) {
    case "IfStatement":
    case "ConditionalExpression":
    case "WhileStatement":
    case "DoWhileStatement":
      return child === node.test ? [] : [node.test];
    case "ForStatement":
      return node.test && child !== node.test && child !== node.init ? [node.test] : [];
    case "LogicalExpression":
      return child === node.right ? [node.left] : [];
    case "ForInStatement":
    case "ForOfStatement":
      return child === node.body ? [node.right] : [];
    case "SwitchStatement":
      return child === node.discriminant
        ? []
        : [node.discriminant, ...node.cases.flatMap(({ test }) => test ?? [])];
    case "TryStatement":
      return child === node.handler ? [node.block] : [];
    case "AssignmentPattern":
      return child === node.right ? [node.left] : [];
    case "AssignmentExpression":
      return child === node.right && node.operator !== "=" ? [node.left] : [];
    default:
      return [];
  }
}

/** The names that may lead to the object that a value is: none where it is a text, a number or something new. */
export function heldIn(root: Node): string[] {
  const node = root as AnyNode;
  if (node.type === "Identifier") return [node.name];
  if (node.type === "ThisExpression") return ["this"];
  if (node.type === "MemberExpression") {
    const key = node.computed ? literalOf(node.property) : nameOf(node.property);
    return key === undefined ? heldIn(node.object) : [key];
  }
  const isNew = /^(?:Literal|Template|Binary|Unary|Update|Object)/.test(node.type);
  return isNew || isFunction(node) ? [] : childrenOf(node).flatMap(heldIn);
}

/** The names and members that a pattern gives values to. */
export function patternsOf(target: Node): Node[] {
  const node = target as AnyNode;
  if (node.type === "MemberExpression" || node.type === "Identifier") return [node];
  if (node.type === "Property") return patternsOf(node.value);
  return node.type === "AssignmentPattern"
    ? patternsOf(node.left)
    : childrenOf(node).flatMap(patternsOf);
}
