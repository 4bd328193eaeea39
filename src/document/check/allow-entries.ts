// Checks `allow` entries beyond the schema: invalid times and unknown paths.
import { SETTINGS, findSetting } from "../../catalog/catalog.js";
import { didYouMean, type Diagnostic } from "../../diagnostic.js";
import { timeAt, zoneNameOf } from "../schedule/windows.js";
import { wrongTime } from "./schedule.js";
import { diagnose, itemsOf, nodeAt, textOf, type Node } from "../read/tree.js";

export function wrongAllowEntries(root: Node): Diagnostic[] {
  const items = itemsOf(nodeAt(root, ["allow"]));
  const ends = items.flatMap((item) => {
    const zone = zoneNameOf(root, item);
    return wrongTime(timeAt(root, item, "until"), "until", zone, ["allow", "until"]);
  });
  return [...ends.map(({ diagnostic }) => diagnostic), ...items.flatMap(unknownPath)];
}

/** Allowing a guard for an unknown path would have no effect. */
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
