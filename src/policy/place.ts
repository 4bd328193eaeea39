// A path of the document that policies judge → where the file says that, or what should hold it.
import type { Placed } from "../document/read/tree.js";
import { entryAt, type Entry, type Node } from "../document/read/tree.js";
import { windowsOf } from "../document/schedule/windows.js";
import type { DesiredLeaf, Path } from "../settings.js";
import type { SettingPath } from "../../schemas/names.js";
import { referencePath } from "../catalog/spelling.js";

/** Of the leaves, those that are wanted at the moment; null for a change's where no file says it. */
export function placeFor(
  path: Path,
  root: Node,
  leaves: readonly DesiredLeaf[],
  changed: readonly Path[],
): Placed {
  const [first, ...below] = path;
  switch (first) {
    case "settings":
      return ofSetting(below, root, leaves);
    case "contrast":
      return ofSetting(CONTRAST.split("."), root, leaves);
    case "changes": {
      const [at] = below;
      const change = changed[typeof at === "number" ? at : 0];
      return change ? ofSetting(change, root, leaves) : startOf(root);
    }
    case "portal":
      return nearest(root, ["portal", below[0] === "name" ? "name" : "url"]);
    case "targetVersion":
    case "deployment":
      return nearest(root, [first]);
    case "schedule": {
      const name = windowsOf(root)[Number(below[0] ?? NaN)]?.name;
      return nearest(root, name === undefined ? ["schedule"] : ["schedule", name]);
    }
    default:
      return startOf(root);
  }
}

const CONTRAST = "informationalBanner.fontColor" satisfies SettingPath;

/** A window gives it where one is open; the file may spell it the other way. */
function ofSetting(path: Path, root: Node, leaves: readonly DesiredLeaf[]): Placed {
  const key = JSON.stringify(referencePath(path).slice(0, 2));
  const leaf = leaves.find((each) => JSON.stringify(referencePath(each.path).slice(0, 2)) === key);
  const own = leaf ? [...leaf.path.slice(0, 2), ...path.slice(2)] : path;
  const above = leaf?.window === undefined ? [] : ["schedule", leaf.window];
  return nearest(root, [...above, "settings", ...own]);
}

/** The value; where it is not there, the key of what should hold it; in the end the file. */
function nearest(root: Node, path: Path): Placed {
  const entry = entryAt(root, path);
  if (entry && path.length > 0) {
    const { kind } = entry.value;
    // What takes many lines is named by the one that it begins with.
    return kind === "mapping" || kind === "list" ? entry.key : entry.value;
  }
  for (let length = path.length - 1; length > 0; length--) {
    const above: Entry | undefined = entryAt(root, path.slice(0, length));
    if (above) return above.key;
  }
  return startOf(root);
}

export function startOf(root: Node): Placed {
  return { span: { ...root.span, end: root.span.start }, via: [] };
}
