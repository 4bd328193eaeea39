// A node of a program → the nodes right below it, in the order of the text.
import type { Node } from "acorn";

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
