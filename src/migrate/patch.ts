// A whole program → where it changes what all lists, texts or objects inherit, and so what every line means.
import type { AnyNode, Node } from "acorn";
import { chainOf, keyOf, nameOf } from "./chain.js";
import type { Reading } from "./effect.js";
import { why } from "./world.js";

/** `parent` tells what becomes of the node. */
export function notePatches(node: AnyNode, parent: Node | undefined, reading: Reading): void {
  const key = keyRead(node);
  if (key === undefined) return;
  const isDeeper = parent?.type === "MemberExpression" && "object" in parent;
  if (GIVES_PROTOTYPE.has(key)) note(node, true, reading);
  else if (key === "constructor") {
    const isOnlyRead = isDeeper && "property" in parent && keyOf(parent as never) === "name";
    if (!isOnlyRead && !isTarget(node, parent)) {
      note(node, true, reading);
      // It is Function, for a function, and makes code of any text.
      reading.world.hidden ??= why(reading, node, "hidden");
    }
  } else if (key === "prototype" || key === "__proto__") {
    // Array.prototype.slice.call(…) changes nothing; what stands left of "=" is looked at from there.
    if (!isDeeper || isTarget(node, parent)) note(node, reachesObjects(node, key), reading);
  } else if (key === ANY) note(node, true, reading);
}

/** An assignment is looked at as a whole, because of what its left side goes through. */
export function noteTargets(node: AnyNode, reading: Reading): void {
  const target =
    node.type === "AssignmentExpression"
      ? node.left
      : node.type === "UpdateExpression" || (node.type === "UnaryExpression" && isDelete(node))
        ? node.argument
        : undefined;
  if (target?.type !== "MemberExpression") return;
  const { root, keys } = chainOf(target);
  const at = keys.findIndex((key) => key === "prototype" || key === "__proto__");
  if (at !== -1) {
    const { name } = root as Node & { name?: string };
    const isOther = at === 0 && keys[at] === "prototype" && OTHERS.has(name ?? "");
    note(target, !isOther, reading);
  } else if (keys.slice(0, -1).includes(undefined)) {
    // Such as x["__pro" + more].y = z.
    note(target, true, reading);
  }
}

const GIVES_PROTOTYPE: ReadonlySet<string> = new Set([
  "getPrototypeOf",
  "setPrototypeOf",
  "__lookupGetter__",
  "getOwnPropertyDescriptor",
  "getOwnPropertyDescriptors",
]);

/** Their objects are lists, texts and the like, of which the configuration is none. */
const OTHERS: ReadonlySet<string> = new Set(["Array", "String", "Function", "Number", "Date"]);

const ANY = "*";

function isDelete(node: AnyNode): boolean {
  return node.type === "UnaryExpression" && node.operator === "delete";
}

function keyRead(node: AnyNode): string | undefined {
  if (node.type === "MemberExpression") {
    const { root } = chainOf(node.object);
    const { name = "" } = root as Node & { name?: string };
    if (name === "Reflect") return ANY;
    const isBuiltIn = OTHERS.has(name) || name === "Object";
    return keyOf(node) ?? (isBuiltIn ? ANY : undefined);
  }
  if (node.type !== "ObjectPattern") return undefined;
  const keys = node.properties.map((each) =>
    each.type === "Property" ? nameOf(each.key, each.computed) : undefined,
  );
  return keys.find((key) => key === "prototype" || key === "__proto__" || key === "constructor");
}

function isTarget(node: Node, parent: Node | undefined): boolean {
  return parent?.type === "AssignmentExpression" && (parent as Node & { left: Node }).left === node;
}

function reachesObjects(node: AnyNode, key: string): boolean {
  if (key === "__proto__" || node.type !== "MemberExpression") return true;
  const { root, keys } = chainOf(node);
  const { name = "" } = root as Node & { name?: string };
  return keys.length !== 1 || !OTHERS.has(name);
}

function note(at: Node, reachesAll: boolean, reading: Reading): void {
  const { world } = reading;
  const cause = why(reading, at, "prototype");
  world.patchedMethods ??= cause;
  if (reachesAll) world.patchedObjects ??= cause;
}
