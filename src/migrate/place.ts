// Where a name is written, in all scripts → its key, what is written for it, and whether the same literal holds it twice.
import type { AnyNode, Node } from "acorn";
import { nameOf, nodesOf } from "./evaluate/tree.js";
import type { Parsed } from "./read.js";
import type { Stretch } from "./script.js";

export interface Written {
  /** The name that it was set by. */
  readonly name: Stretch;
  readonly written: Stretch;
  /** Where the same literal has it before. */
  readonly first?: Stretch | undefined;
}

export type Places = ReadonlyMap<string, readonly Written[]>;

export function placesOf(scripts: readonly Parsed[]): Places {
  const places = new Map<string, Written[]>();
  for (const { script, program } of scripts) {
    const stretch = ({ start, end }: Node): Stretch => ({ script, start, end });
    const add = (key: Node, isComputed: boolean, whole: Node, written: Node, first?: Stretch) => {
      const name = isComputed && key.type !== "Literal" ? undefined : nameOf(key);
      if (name === undefined) return;
      const there = places.get(name) ?? [];
      places.set(name, there);
      there.push({ name: stretch(whole), written: stretch(written), first });
    };
    for (const each of nodesOf(program)) {
      const node = each as AnyNode;
      if (node.type === "AssignmentExpression" && node.left.type === "MemberExpression") {
        add(node.left.property, node.left.computed, node.left, node.right);
      } else if (node.type === "ObjectExpression") {
        const keys = new Map<string | undefined, Stretch>();
        for (const property of node.properties) {
          if (property.type !== "Property") continue;
          const { key, computed, value } = property;
          add(key, computed, key, value, keys.get(nameOf(key)));
          keys.set(nameOf(key), stretch(key));
        }
      }
    }
  }
  return places;
}

const CHANGES = /^(?:push|unshift|splice|pop|shift|sort|reverse|fill|copyWithin)$/;

/** Names whose values are changed in place, as by esriGeowConfig.footerLinks.push(…) → where. */
export function changesOf(scripts: readonly Parsed[]): ReadonlyMap<string, Stretch> {
  const found = new Map<string, Stretch>();
  for (const { script, program } of scripts) {
    for (const node of nodesOf(program) as Iterable<AnyNode>) {
      const isCall = node.type === "CallExpression" || node.type === "AssignmentExpression";
      const target = isCall && (node.type === "CallExpression" ? node.callee : node.left);
      if (!target || target.type !== "MemberExpression") continue;
      const { property, object } = target;
      if (node.type === "CallExpression" && !CHANGES.test(nameOf(property) ?? "")) continue;
      for (
        let each: AnyNode = object;
        each.type === "MemberExpression";
        each = each.object as AnyNode
      ) {
        const name = nameOf(each.property);
        if (name !== undefined) found.set(name, { script, start: each.start, end: each.end });
      }
    }
  }
  return found;
}

/** The last one in the statement that gave the name its value; without one, the last of all. */
export function placeIn(places: Places, name: string, statement?: Stretch): Written | undefined {
  const all = (places.get(name) ?? []).toSorted((one, other) => one.name.start - other.name.start);
  return all.findLast(
    ({ name: { script, start, end } }) =>
      !statement ||
      (script === statement.script && start >= statement.start && end <= statement.end),
  );
}
