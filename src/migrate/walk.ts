// A node of a program → the nodes right below it, in the order of the text.
import type { AnyNode, Node } from "acorn";

/** Nothing below these is a node that matters to a walk. */
const LEAVES: ReadonlySet<string> = new Set([
  "Literal",
  "Identifier",
  "ThisExpression",
  "TemplateElement",
]);

export function isLeaf({ type }: Node): boolean {
  return LEAVES.has(type);
}

export function childrenOf(node: Node): readonly Node[] {
  const each = node as AnyNode;
  // A large file is mostly these, and looking at every field of them would take most of the time.
  switch (each.type) {
    case "Literal":
    case "Identifier":
    case "ThisExpression":
    case "TemplateElement":
      return NONE;
    case "Property":
      return [each.key, each.value];
    case "ObjectExpression":
      return each.properties;
    case "ExpressionStatement":
      return [each.expression];
    default:
      return allOf(node);
  }
}

const NONE: readonly Node[] = [];

function allOf(node: Node): Node[] {
  const children: Node[] = [];
  for (const held of Object.values(node) as unknown[]) {
    if (Array.isArray(held)) {
      for (const each of held as unknown[]) if (isNode(each)) children.push(each);
    } else if (isNode(held)) children.push(held);
  }
  return children;
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
