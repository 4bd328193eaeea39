// A piece of a script → all that its value may be made of: names, literals, and the ways out of the branches in it.
import type { AnyNode, Node } from "acorn";
import { wayOut, type Token } from "./flow.js";
import type { Branches } from "./instrument.js";
import { childrenOf, literalOf, nameOf } from "./tree.js";

/** All that a value may be made of. */
export function mentions(root: Node, branches: Branches): Set<Token> {
  const found = new Set<Token>();
  const left: [Node, isHolder: boolean][] = [[root, false]];
  for (let next = left.pop(); next; next = left.pop()) {
    const [node, isHolder] = next as [AnyNode, boolean];
    const branch = branches.get(node);
    if (branch) found.add(wayOut(branch.id, true)).add(wayOut(branch.id, false));
    const isMember = node.type === "MemberExpression";
    const isKeyed = (isMember || node.type === "Property") && !node.computed;
    const key = isMember && node.computed ? literalOf(node.property) : undefined;
    const name =
      node.type === "Identifier" ? node.name : isMember && isKeyed ? nameOf(node.property) : key;
    if (name !== undefined) found.add(name);
    if (name !== undefined && !isHolder) found.add(`in:${name}`);
    if (node.type === "ThisExpression") found.add("this");
    if (node.type === "Literal")
      found.add(`"${node.regex ? node.regex.pattern : String(node.value)}`);
    if (node.type === "TemplateElement") found.add(`"${node.value.raw}`);
    if (node.type === "Property" && isKeyed) found.add(`"${nameOf(node.key) ?? ""}`);
    for (const child of childrenOf(node)) {
      const {
        object,
        callee,
        property,
        key: own,
      } = node as { object?: Node; callee?: Node; property?: Node; key?: Node };
      if (isKeyed && (child === property || child === own)) continue;
      left.push([child, (child === object && name !== undefined) || child === callee]);
    }
  }
  return found;
}
