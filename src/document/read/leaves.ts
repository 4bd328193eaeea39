// Reads from a checked file the leaves that it sets and the guards that it opens.
import { findSetting } from "../../catalog/catalog.js";
import { GUARDS, type AllowEntry } from "../../guard.js";
import type { DesiredLeaf, Path } from "../../settings.js";
import { spotOf } from "./source.js";
import { childOf, entriesOf, isAnchorKey, itemsOf, textOf, toJson, type Node } from "./tree.js";

/** What stands under `settings`, whatever the time: in the order of the file, spelled as it spells them. */
export function desiredLeaves(root: Node): DesiredLeaf[] {
  const settings = childOf(root, "settings");
  return settings ? leavesBelow(settings, []) : [];
}

/** All go into one list, since those of a thousand files come by here. */
export function leavesBelow(node: Node, path: Path, leaves: DesiredLeaf[] = []): DesiredLeaf[] {
  if (node.kind === "mapping") {
    for (const [key, { value }] of entriesOf(node)) {
      if (!isAnchorKey(key)) leavesBelow(value, [...path, key], leaves);
    }
    return leaves;
  }
  const isDefault = node.kind === "mark" && node.mark === "default";
  const value = isDefault ? findSetting(path)?.property?.default : toJson(node);
  if (value === undefined) return leaves;
  leaves.push({ path, action: isDefault ? "default" : "set", value, place: spotOf(node.span) });
  return leaves;
}

export function allowEntries(root: Node): AllowEntry[] {
  return itemsOf(childOf(root, "allow")).flatMap((item): AllowEntry[] => {
    const text = (name: string) => textOf(childOf(item, name));
    const guard = GUARDS.find((name) => name === text("guard"));
    const [path, until, reason] = [text("path"), text("until"), text("reason")];
    if (!guard || until === undefined || reason === undefined) return [];
    return [{ guard, ...(path !== undefined && { path: path.split(".") }), until, reason }];
  });
}
