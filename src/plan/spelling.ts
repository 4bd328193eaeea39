// Two spellings are one property: a path → the reference's spelling of it, or the one that some settings use.
import { findSetting, referenceName, spellingsOf } from "../catalog/catalog.js";
import { isJsonObject, pointInto, type Json, type JsonObject } from "../json.js";
import type { Path } from "../settings.js";

export function referencePath(path: Path): Path {
  const [parameter, property, ...deeper] = path;
  if (parameter === undefined || typeof property !== "string" || !isSpelledTwice(path)) return path;
  return [parameter, referenceName(property), ...deeper];
}

/** The same for every spelling of a path, and different for different leaves. */
export function keyOf(path: Path): string {
  return JSON.stringify(referencePath(path));
}

/** In the order of their keys, each of which is made once. */
export function inKeyOrder<T extends { readonly path: Path }>(leaves: readonly T[]): T[] {
  return leaves
    .map((leaf) => ({ leaf, key: keyOf(leaf.path) }))
    .toSorted((left, right) => (left.key < right.key ? -1 : 1))
    .map(({ leaf }) => leaf);
}

/** The path as the settings spell it; as it stands where they hold neither spelling. */
export function spelledIn(settings: JsonObject, path: Path): Path {
  const [parameter, property, ...deeper] = path;
  if (parameter === undefined || typeof property !== "string" || !isSpelledTwice(path)) return path;
  const names = [property, ...spellingsOf(property)];
  const held = names.find((name) => pointInto(settings, [parameter, name]) !== undefined);
  return [parameter, held ?? property, ...deeper];
}

/** What stands there in either spelling; undefined where nothing does. */
export function valueAt(settings: JsonObject, path: Path): Json | undefined {
  return pointInto(settings, spelledIn(settings, path));
}

/** The settings without the spellings of a path other than its own, so that the property is sent once. */
export function withoutOthers(settings: JsonObject, path: Path): JsonObject {
  const [parameter, property] = path;
  if (typeof parameter !== "string" || typeof property !== "string") return settings;
  const held = pointInto(settings, [parameter]);
  if (!isSpelledTwice(path) || !isJsonObject(held)) return settings;
  const others = spellingsOf(property).filter((name) => name !== property);
  const kept: Record<string, Json> = { ...held };
  for (const name of others) delete kept[name];
  return { ...settings, [parameter]: kept };
}

/** The path in the spelling that it is not in; undefined for a property that has only one. */
export function otherSpelling(path: Path): Path | undefined {
  const [parameter, property, ...deeper] = path;
  if (parameter === undefined || typeof property !== "string") return undefined;
  if (!isSpelledTwice(path)) return undefined;
  const other = spellingsOf(property).find((name) => name !== property);
  return other === undefined ? undefined : [parameter, other, ...deeper];
}

function isSpelledTwice([parameter, property]: Path): boolean {
  if (parameter === undefined || typeof property !== "string") return false;
  return spellingsOf(property).length > 1 && findSetting([parameter, property]) !== undefined;
}
