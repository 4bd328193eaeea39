// Names and walks the nodes of a program's tree.
import type { AnyNode, Node } from "acorn";

/** In the order of the text. */
export function childrenOf(node: Node): AnyNode[] {
  const found: AnyNode[] = [];
  for (const held of Object.values(node) as unknown[]) {
    // One by one: a list may have more entries than a call may have arguments.
    if (Array.isArray(held)) for (const each of held) if (isNode(each)) found.push(each);
    if (isNode(held)) found.push(held);
  }
  return found;
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

export function* nodesOf(root: Node): Generator<AnyNode> {
  const left = [root as AnyNode];
  for (let next = left.pop(); next; next = left.pop()) {
    yield next;
    for (const child of childrenOf(next)) left.push(child);
  }
}

export function nameOf(key: Node): string | undefined {
  const node = key as AnyNode;
  if (node.type === "Identifier" || node.type === "PrivateIdentifier") return node.name;
  return node.type === "Literal" && !node.regex ? String(node.value) : undefined;
}

export type FunctionNode = AnyNode & {
  readonly id?: Node | null;
  readonly params: readonly Node[];
  readonly body: AnyNode;
};

export function isFunction(node: Node): node is FunctionNode {
  return /^(?:Arrow)?Function(?:Expression|Declaration)$/.test(node.type);
}

/** The property that is read or written; undefined where its name is computed. */
export function propertyOf(node: AnyNode & { type: "MemberExpression" }): string | undefined {
  const { computed, property } = node;
  return computed && property.type !== "Literal" ? undefined : nameOf(property);
}

/** What a pattern gives values to: variables and members. */
function targetsIn(pattern: Node | null): AnyNode[] {
  const node = pattern as AnyNode | null;
  if (!node) return [];
  switch (node.type) {
    case "AssignmentPattern":
      return targetsIn(node.left);
    case "RestElement":
      return targetsIn(node.argument);
    case "ArrayPattern":
      return node.elements.flatMap(targetsIn);
    case "ObjectPattern":
      return node.properties.flatMap((each) =>
        targetsIn(each.type === "Property" ? each.value : each),
      );
    default:
      return [node];
  }
}

/** What a node gives a value to, changes or deletes. */
export function writtenIn(node: AnyNode): AnyNode[] {
  if ("left" in node && /^(?:Assignment|For)/.test(node.type)) return targetsIn(node.left);
  const isOne = node.type === "UnaryExpression" && node.operator === "delete";
  return isOne || node.type === "UpdateExpression" ? [node.argument] : [];
}

/** The variables that a pattern gives values to. */
export function namesIn(pattern: Node): string[] {
  return targetsIn(pattern).flatMap((node) => (node.type === "Identifier" ? [node.name] : []));
}
