// Checks the entries of `allow` beyond their shape: days that no month has, paths of no setting.
import { readMoment } from "../../moment.js";
import { SETTINGS, findSetting } from "../../catalog/catalog.js";
import { didYouMean, type Diagnostic } from "../../diagnostic.js";
import { diagnose, itemsOf, nodeAt, textOf, type Node } from "../read/tree.js";

export function wrongAllowEntries(root: Node): Diagnostic[] {
  const items = itemsOf(nodeAt(root, ["allow"]));
  return [...items.flatMap(unknownDay), ...items.flatMap(unknownPath)];
}

/** The schema knows what a day looks like, and not how long a month is. */
function unknownDay(item: Node): Diagnostic[] {
  const node = nodeAt(item, ["until"]);
  const text = textOf(node) ?? "";
  if (!node || !isDay(text.slice(0, 10)) || readMoment(text)) return [];
  const help = "Write the last day on which the guard is to be open.";
  return [diagnose("wrong-format", node, `"${text}" is no day of the calendar.`, help)];
}

export function isDay(text: string): boolean {
  return /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(text);
}

/** A guard that is opened for a path which does not exist would open nothing. */
function unknownPath(item: Node): Diagnostic[] {
  const node = nodeAt(item, ["path"]);
  const path = textOf(node);
  if (!node || path === undefined) return [];
  const names = SETTINGS.flatMap((each) => [each.path, each.parameter.name]);
  if (names.includes(path) || findSetting(path.split("."))) return [];
  const help =
    didYouMean(path, names) ??
    "Write parameter and property, for example:\n  path: informationalBanner.enabled";
  return [diagnose("unknown-value", node, `"${path}" is not the path of a setting.`, help)];
}
