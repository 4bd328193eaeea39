// The entries of `allow` → what is wrong with them beyond their shape: days that are none, paths of no setting.
import { SETTINGS, findSetting } from "../../catalog/catalog.js";
import { didYouMean, type Diagnostic } from "../../diagnostic.js";
import { diagnose, nodeAt, type Node } from "../read/tree.js";

export function wrongAllowEntries(root: Node): Diagnostic[] {
  const allow = nodeAt(root, ["allow"]);
  const items = allow?.kind === "list" ? allow.items : [];
  return [...items.flatMap(unknownDay), ...items.flatMap(unknownPath)];
}

/** The schema knows what a day looks like, and not how long a month is. */
function unknownDay(item: Node): Diagnostic[] {
  const node = nodeAt(item, ["until"]);
  const text = node?.kind === "scalar" && typeof node.value === "string" ? node.value : "";
  if (!node || !isDay(text)) return [];
  if (new Date(text).toISOString().startsWith(text)) return [];
  return [
    diagnose(
      "wrong-format",
      node,
      `"${text}" is no day: that month is shorter.`,
      "Write the last day on which the guard is to be open.",
    ),
  ];
}

export function isDay(text: string): boolean {
  return /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(text);
}

/** A guard that is opened for a path which does not exist would open nothing. */
function unknownPath(item: Node): Diagnostic[] {
  const node = nodeAt(item, ["path"]);
  if (node?.kind !== "scalar" || typeof node.value !== "string") return [];
  const names = SETTINGS.flatMap(({ path, parameter }) => [path, parameter.name]);
  if (names.includes(node.value) || findSetting(node.value.split("."))) return [];
  return [
    diagnose(
      "unknown-value",
      node,
      `"${node.value}" is not the path of a setting.`,
      didYouMean(node.value, names) ??
        "Write parameter and property, for example:\n  path: informationalBanner.enabled",
    ),
  ];
}
