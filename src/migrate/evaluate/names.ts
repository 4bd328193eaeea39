// Programs → the names that they use and none of them defines.
import type { AnyNode, Node, Program } from "acorn";
import { WINDOWS } from "./outside.js";
import { nameOf, nodesOf } from "./tree.js";

export interface Names {
  /** Used as if they were there. */
  readonly used: readonly string[];
  /** Looked for in the window, where what is missing is undefined. */
  readonly lookedFor: readonly string[];
  /** What let, const and class declare, which no object holds. */
  readonly lexical: readonly string[];
  /** Given a value without being declared, which a strict script may not. */
  readonly assigned: ReadonlySet<string>;
  /** Given a value in some way. */
  readonly given: ReadonlySet<string>;
}

export function namesOf(programs: readonly Program[]): Names {
  const [used, lookedFor] = [new Set<string>(), new Set<string>()];
  const [declared, assigned] = [new Set<string>(), new Set<string>()];
  const given = new Set<string>();
  const targets = new Set<Node>();
  const lexical: string[] = [];
  for (const program of programs) {
    for (const each of program.body as AnyNode[]) {
      const isLexical = each.type === "VariableDeclaration" && each.kind !== "var";
      if (isLexical) lexical.push(...each.declarations.flatMap(({ id }) => namesIn(id)));
      if (each.type === "ClassDeclaration" && each.id) lexical.push(each.id.name);
    }
    for (const node of nodesOf(program) as Iterable<AnyNode>) {
      if (node.type === "AssignmentExpression" && node.operator === "=") targets.add(node.left);
      for (const [field, held] of Object.entries(node) as [string, unknown][]) {
        const isKey = /^(?:key|property)$/.test(field) && "computed" in node && !node.computed;
        if (isKey || field === "label") continue;
        const isTarget = field === "left" && node.type === "AssignmentExpression";
        const into = DECLARES.test(field)
          ? declared
          : isTarget && node.operator === "="
            ? assigned
            : used;
        for (const each of [held].flat() as (AnyNode | null)[]) {
          if (into === declared && each?.type) for (const name of namesIn(each)) declared.add(name);
          else if (each?.type === "Identifier") into.add(each.name);
        }
      }
      if (node.type === "MemberExpression" && isWindow(node.object)) {
        const into = targets.has(node) ? given : lookedFor;
        into.add(nameIn(node) ?? "");
      }
      if (node.type === "BinaryExpression" && node.operator === "in" && isWindow(node.right)) {
        lookedFor.add(nameOf(node.left) ?? "");
      }
    }
  }
  lookedFor.delete("");
  const isFree = (name: string) => !declared.has(name);
  return {
    used: [...used].filter((name) => isFree(name) && !assigned.has(name) && !given.has(name)),
    lookedFor: [...lookedFor].filter(
      (name) => isFree(name) && (!used.has(name) || given.has(name)),
    ),
    lexical,
    assigned,
    given: new Set([...given, ...assigned, ...declared]),
  };
}

const DECLARES = /^(?:id|params|param)$/;

function namesIn(pattern: Node): string[] {
  const node = pattern as AnyNode;
  if (node.type === "Identifier") return [node.name];
  if (node.type === "AssignmentPattern") return namesIn(node.left);
  if (node.type === "Property") return namesIn(node.value);
  if (node.type === "RestElement") return namesIn(node.argument);
  if (node.type === "ObjectPattern") return node.properties.flatMap(namesIn);
  return node.type === "ArrayPattern"
    ? node.elements.flatMap((each) => (each ? namesIn(each) : []))
    : [];
}

function isWindow(node: Node): boolean {
  const each = node as AnyNode;
  return each.type === "ThisExpression" || (each.type === "Identifier" && WINDOWS.has(each.name));
}

function nameIn({
  property,
  computed,
}: AnyNode & { property: Node; computed: boolean }): string | undefined {
  return computed && property.type !== "Literal" ? undefined : nameOf(property);
}
