// Converts paths between the two spellings of a property.
import { catalog, spellingsOf } from "../catalog/catalog.js";
import { keyOf, referencePath, respelled } from "../catalog/spelling.js";
import { isJsonObject, pointInto, type Json, type JsonObject } from "../lib/json.js";
import { isWithin, type Path } from "../settings.js";

/** Whether a path is one of `paths`, or below one; always true without `paths`. */
export function isPicked(path: Path, paths: readonly Path[] | undefined): boolean {
  return paths?.some((each) => isWithin(referencePath(path), each)) ?? true;
}

/** Whether any leaf belongs to the same parameter as the path. */
export function isTouched([parameter]: Path, leaves: readonly { readonly path: Path }[]): boolean {
  return leaves.some(({ path }) => path[0] === parameter);
}

/** Sorted by their keys. */
export function inKeyOrder<T extends { readonly path: Path }>(leaves: readonly T[]): T[] {
  return leaves
    .map((leaf) => ({ leaf, key: keyOf(leaf.path) }))
    .toSorted((left, right) => (left.key < right.key ? -1 : 1))
    .map(({ leaf }) => leaf);
}

/** The path in the spelling of the settings. If they contain neither, the vendor's spelling if a sibling uses it. */
export function spelledIn(settings: JsonObject, path: Path): Path {
  const isHeld = (name: string) => pointInto(settings, [path[0] ?? "", name]) !== undefined;
  const isVendors = catalog.spellings.some(({ also }) => isHeld(also));
  return respelled(path, (name) => {
    const spellings = spellingsOf(name);
    return [name, ...spellings].find(isHeld) ?? (isVendors ? spellings.at(-1) : name) ?? name;
  });
}

/** The value in either spelling; undefined for none. */
export function valueAt(settings: JsonObject, path: Path): Json | undefined {
  return pointInto(settings, spelledIn(settings, path));
}

/** The settings without the other spelling of a path, so that the property is sent once. */
export function withoutOther(settings: JsonObject, path: Path): JsonObject {
  const [parameter, property] = otherSpelling(path) ?? [];
  const held = pointInto(settings, [parameter ?? ""]);
  if (parameter === undefined || !isJsonObject(held)) return settings;
  const { [String(property)]: _other, ...kept } = held;
  return { ...settings, [parameter]: kept };
}

/** The path in the spelling that it is not in; undefined for a property that has only one. */
export function otherSpelling(path: Path): Path | undefined {
  const other = respelled(path, (name) => spellingsOf(name).find((each) => each !== name) ?? name);
  return other === path ? undefined : other;
}
