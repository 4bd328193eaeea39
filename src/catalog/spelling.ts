// Converts a path to the reference's spelling, and gives all spellings one key.
import type { JsonObject } from "../lib/json.js";
import { withLeaf, type Leaf, type Path } from "../settings.js";
import { findSetting, referenceName, spellingsOf } from "./catalog.js";

export function referencePath(path: Path): Path {
  return respelled(path, referenceName);
}

/** Equal for all spellings of a path, and different for different leaves. */
export function keyOf(path: Path): string {
  return JSON.stringify(referencePath(path));
}

/** The same path if its property has only one spelling. */
export function respelled(path: Path, choose: (property: string) => string): Path {
  const [parameter, property, ...deeper] = path;
  if (parameter === undefined || typeof property !== "string") return path;
  const isSpelledTwice = spellingsOf(property).length > 1 && findSetting([parameter, property]);
  return isSpelledTwice ? [parameter, choose(property), ...deeper] : path;
}

/** Combines leaves into one object of settings, with the reference's names. */
export function settingsOf(leaves: readonly Leaf[]): JsonObject {
  return leaves.reduce<JsonObject>(
    (settings, { path, value }) => withLeaf(settings, { path: referencePath(path), value }),
    {},
  );
}
