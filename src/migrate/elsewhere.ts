// Scripts without a configuration that a portal finds → where somebody put one all the same.
import type { AnyNode } from "acorn";
import { nameOf, nodesOf } from "./evaluate/tree.js";
import { isSetting } from "./known.js";
import type { Parsed } from "./read.js";
import type { Stretch } from "./script.js";

export interface Elsewhere {
  readonly at: Stretch;
  /** That no other script can see; absent where it is in a comment. */
  readonly variable?: string | undefined;
}

export function findElsewhere(scripts: readonly Parsed[]): Elsewhere | undefined {
  for (const { script, program } of scripts) {
    for (const node of nodesOf(program)) {
      const variable = variableIn(node as AnyNode);
      if (variable) return { at: { script, start: node.start, end: node.end }, variable };
    }
  }
  for (const { script, comments } of scripts) {
    // Of many lines each is a comment of its own.
    const named = comments.flatMap((comment) =>
      [...comment.value.matchAll(/([\w$]+)["']?\s*[:=]/g)].map(([, name = ""]) => ({
        comment,
        name,
      })),
    );
    const ours = named.find(({ name }) => name.endsWith("GeowConfig") || isSetting(name));
    if (ours && (!isSetting(ours.name) || areMany(named.map(({ name }) => name)))) {
      return { at: { script, start: ours.comment.start, end: ours.comment.end } };
    }
  }
  return undefined;
}

/** So many settings' names have no other reason. */
function areMany(names: readonly (string | undefined)[]): boolean {
  return new Set(names.filter((name) => name !== undefined && isSetting(name))).size >= 3;
}

function variableIn(node: AnyNode): string | undefined {
  const isVariable = node.type === "VariableDeclarator";
  if (!isVariable && node.type !== "AssignmentExpression") return undefined;
  const [left, right] = isVariable ? [node.id, node.init] : [node.left, node.right];
  if (left.type !== "Identifier" || right?.type !== "ObjectExpression") return undefined;
  const names = right.properties.map((each) => (each.type === "Property" ? nameOf(each.key) : ""));
  return areMany(names) ? left.name : undefined;
}
