// Finds the names in scripts: which they give values to, and which another script may define.
import type { AnyNode, Program } from "acorn";
import { nameOf, namesIn, nodesOf, propertyOf, writtenIn } from "./tree.js";

/** More are no configuration file's. */
const MOST = 2_000;
const LONGEST_CODE = 300;

export function namesOf(programs: readonly Program[]) {
  const all = new Set<string>();
  const own = new Set<string>();
  const keys = new Set<string>();
  const add = (to: Set<string>, names: readonly (string | undefined)[]) => {
    for (const name of names) if (name !== undefined && to.size < MOST) to.add(name);
  };
  const visit = (node: AnyNode) => {
    if (node.type === "Literal" && typeof node.value !== "string") return;
    const { id, params, param } = node as unknown as Record<string, AnyNode & AnyNode[]>;
    add(
      own,
      [id, param, ...(params ?? [])].flatMap((each) => (each ? namesIn(each) : [])),
    );
    add(own, writtenIn(node).flatMap(namesIn));
    if (node.type === "MemberExpression") add(keys, [propertyOf(node)]);
    if (node.type === "Property" && !node.computed) add(keys, [nameOf(node.key)]);
    const text = /^(?:Identifier|Literal)$/.test(node.type) ? (nameOf(node) ?? "") : "";
    if (text.length < LONGEST_CODE) add(all, text.match(/[A-Za-z_$][\w$]*/g) ?? []);
  };
  for (const program of programs) for (const node of nodesOf(program)) visit(node);
  const lexical = programs.flatMap(({ body }) => (body as AnyNode[]).flatMap(lexicalIn));
  return { all: [...all], own, keys: [...keys], lexical };
}

/** Declared with let, const and class, which no object holds. */
function lexicalIn(node: AnyNode): string[] {
  if (node.type === "ClassDeclaration") return node.id ? namesIn(node.id) : [];
  const isVariable = node.type === "VariableDeclaration" && node.kind !== "var";
  return isVariable ? node.declarations.flatMap(({ id }) => namesIn(id)) : [];
}
