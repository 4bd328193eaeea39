// Reads the leaves that a checked file sets, and the guards that it allows.
import { findSetting } from "../../catalog/catalog.js";
import { GUARDS, type AllowEntry } from "../../guard.js";
import { firstMomentIn, readMoment, zoneNamed } from "../../moment.js";
import { isoTime } from "../../schedule.js";
import type { DesiredLeaf, Path } from "../../settings.js";
import { holdsReference } from "./references.js";
import { spotOf } from "./source.js";
import {
  childOf,
  entriesOf,
  isAnchorKey,
  itemsOf,
  replacedTexts,
  textOf,
  toJson,
  type Node,
} from "./tree.js";

/** The leaves under `settings`, without windows, in the order and spelling of the file. */
export function desiredLeaves(root: Node): DesiredLeaf[] {
  const settings = childOf(root, "settings");
  return settings ? leavesBelow(settings, []) : [];
}

export function leavesBelow(node: Node, path: Path): DesiredLeaf[] {
  if (node.kind === "mapping") {
    return [...entriesOf(node)].flatMap(([key, { value }]) =>
      isAnchorKey(key) ? [] : leavesBelow(value, [...path, key]),
    );
  }
  const isDefault = node.kind === "mark" && node.mark === "default";
  const value = isDefault ? findSetting(path)?.property?.default : toJson(node);
  if (value === undefined) return [];
  const at = node.usedAt ?? (replacedTexts(node).some(holdsReference) ? node.span : undefined);
  return [
    {
      path,
      action: isDefault ? "default" : "set",
      value,
      place: spotOf(node.span),
      ...(at && { reference: spotOf(at) }),
    },
  ];
}

/** Converts times to UTC. A date stays a date, because it includes the whole day. */
export function allowEntries(root: Node): AllowEntry[] {
  const zone = zoneNamed(textOf(childOf(root, "timeZone")) ?? "UTC");
  const inUtc = (text: string) => {
    const written = readMoment(text);
    if (!written || written.isDay || !zone) return text;
    return isoTime(written.ms ?? firstMomentIn(zone, written.utcMs));
  };
  return itemsOf(childOf(root, "allow")).flatMap((item): AllowEntry[] => {
    const text = (name: string) => textOf(childOf(item, name));
    const guard = GUARDS.find((name) => name === text("guard"));
    const [path, until, reason] = [text("path"), text("until"), text("reason")];
    if (!guard || until === undefined || reason === undefined) return [];
    return [
      { guard, ...(path !== undefined && { path: path.split(".") }), until: inUtc(until), reason },
    ];
  });
}
