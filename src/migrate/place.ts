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

export interface Places {
  readonly written: ReadonlyMap<string, readonly Written[]>;
  /** Names whose values are changed in place, as by esriGeowConfig.footerLinks.push(…). */
  readonly changed: ReadonlyMap<string, Stretch>;
}

const CHANGES = /^(?:push|unshift|splice|pop|shift|sort|reverse|fill|copyWithin)$/;

export function placesOf(scripts: readonly Parsed[]): Places {
  const [places, changed] = [new Map<string, Written[]>(), new Map<string, Stretch>()];
  for (const { script, program } of scripts) {
    const stretch = ({ start, end }: Node): Stretch => ({ script, start, end });
    const add = (key: Node, isComputed: boolean, whole: Node, written: Node, first?: Stretch) => {
      const name = isComputed && key.type !== "Literal" ? undefined : nameOf(key);
      if (name === undefined) return;
      const there = places.get(name) ?? [];
      places.set(name, there);
      there.push({ name: stretch(whole), written: stretch(written), first });
    };
    const change = (object: Node) => {
      for (let each = object as AnyNode; each.type === "MemberExpression";) {
        changed.set(nameOf(each.property) ?? "", stretch(each));
        each = each.object as AnyNode;
      }
    };
    for (const node of nodesOf(program) as Iterable<AnyNode>) {
      if (node.type === "AssignmentExpression" && node.left.type === "MemberExpression") {
        add(node.left.property, node.left.computed, node.left, node.right);
        change(node.left.object);
      } else if (node.type === "CallExpression" && node.callee.type === "MemberExpression") {
        if (CHANGES.test(nameOf(node.callee.property) ?? "")) change(node.callee.object);
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
  return { written: places, changed };
}

/** The last one in the statement that gave the name its value; without one, the last of all. */
export function placeIn(
  { written }: Places,
  name: string,
  statement?: Stretch,
): Written | undefined {
  const all = (written.get(name) ?? []).toSorted((one, other) => one.name.start - other.name.start);
  return all.findLast(
    ({ name: { script, start, end } }) =>
      !statement ||
      (script === statement.script && start >= statement.start && end <= statement.end),
  );
}
