// Finds where the scripts write a property: its name, its value, and whether the same literal holds it twice.
import type { AnyNode, Node } from "acorn";
import { nameOf, nodesOf } from "./evaluate/tree.js";
import type { Parsed } from "./read.js";
import type { Stretch } from "./script.js";

export interface Written {
  /** All that the property is set by, such as window.esriGeowConfig.tokenExpiration. */
  readonly name: Stretch;
  /** The property's own name in that. */
  readonly key: Stretch;
  /** The literals and names that its value is written with; they may be shown for a setting. */
  readonly parts: readonly Stretch[];
  /** Where the same object literal has it before. */
  readonly first?: Stretch | undefined;
}

export interface Places {
  readonly written: ReadonlyMap<string, readonly Written[]>;
  /** Names whose values are changed in place, as by esriGeowConfig.footerLinks.push(…). */
  readonly changed: ReadonlyMap<string, Stretch>;
}

const CHANGES = /^(?:push|unshift|splice|pop|shift|sort|reverse|fill|copyWithin)$/;

export function placesOf(scripts: readonly Parsed[]): Places {
  const [written, changed] = [new Map<string, Written[]>(), new Map<string, Stretch>()];
  for (const { script, program } of scripts) {
    const stretch = ({ start, end }: Node): Stretch => ({ script, start, end });
    const add = (name: string | undefined, entry: Written) => {
      if (name !== undefined) written.set(name, [...(written.get(name) ?? []), entry]);
    };
    const change = (object: Node) => {
      for (let each = object as AnyNode; each.type === "MemberExpression";) {
        changed.set(nameOf(each.property) ?? "", stretch(each));
        each = each.object as AnyNode;
      }
    };
    for (const node of nodesOf(program)) {
      if (node.type === "AssignmentExpression" && node.left.type === "MemberExpression") {
        const { computed, property, object } = node.left;
        const parts = shownIn(node.right).map(stretch);
        add(keyOf(property, computed), {
          name: stretch(node.left),
          key: stretch(property),
          parts,
        });
        change(object);
      } else if (node.type === "CallExpression" && node.callee.type === "MemberExpression") {
        if (CHANGES.test(nameOf(node.callee.property) ?? "")) change(node.callee.object);
      } else if (node.type === "ObjectExpression") {
        const keys = new Map<string | undefined, Stretch>();
        for (const property of node.properties) {
          if (property.type !== "Property") continue;
          const name = keyOf(property.key, property.computed);
          const key = stretch(property.key);
          const parts = shownIn(property.value).map(stretch);
          add(name, { name: key, key, parts, first: keys.get(name) });
          keys.set(name, key);
        }
      }
    }
  }
  return { written, changed };
}

function keyOf(key: Node, isComputed: boolean): string | undefined {
  return isComputed && key.type !== "Literal" ? undefined : nameOf(key);
}

/** Literals of objects and of a call's arguments may be keys. */
function shownIn(value: Node): Node[] {
  const node = value as AnyNode;
  switch (node.type) {
    case "Literal":
    case "Identifier":
      return [node];
    case "TemplateLiteral":
      return [...node.quasis, ...node.expressions.flatMap(shownIn)];
    case "ArrayExpression":
      return node.elements.flatMap((each) => (each ? shownIn(each) : []));
    case "BinaryExpression":
      // Not of a comparison, which may be with a key.
      return /^[-+*/%]$/.test(node.operator) ? [node.left, node.right].flatMap(shownIn) : [];
    case "LogicalExpression":
      return [node.left, node.right].flatMap(shownIn);
    case "ConditionalExpression":
      return [node.consequent, node.alternate].flatMap(shownIn);
    case "UnaryExpression":
      return shownIn(node.argument);
    case "MemberExpression":
      return node.computed ? [] : [node.object, node.property].flatMap(shownIn);
    case "CallExpression":
      return shownIn(node.callee);
    default:
      return [];
  }
}

/** The last one in the last file that has one. */
export function placeIn({ written }: Places, name: string): Written | undefined {
  const all = written.get(name) ?? [];
  return all
    .filter(({ name: { script } }) => script === all.at(-1)?.name.script)
    .toSorted((one, other) => one.name.start - other.name.start)
    .at(-1);
}
