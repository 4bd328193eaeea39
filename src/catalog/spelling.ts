// A path in either spelling of its property → the reference's spelling, and a key that is the same for both.
import type { Path } from "../settings.js";
import { SETTINGS, findSetting, pathsOf, referenceName, spellingsOf } from "./catalog.js";

export function referencePath(path: Path): Path {
  return respelled(path, referenceName);
}

// Made once, because the key of each leaf of each file is asked for a dozen times.
const keys = new Map(SETTINGS.map((each) => [each, JSON.stringify(pathsOf(each)[0])]));

/** The same for every spelling of a path, and different for different leaves. */
export function keyOf(path: Path): string {
  const setting = findSetting(path);
  return (setting && keys.get(setting)) ?? JSON.stringify(referencePath(path));
}

/** The path itself where its property has one spelling. */
export function respelled(path: Path, choose: (property: string) => string): Path {
  const [parameter, property, ...deeper] = path;
  if (parameter === undefined || typeof property !== "string") return path;
  const isSpelledTwice = spellingsOf(property).length > 1 && findSetting([parameter, property]);
  return isSpelledTwice ? [parameter, choose(property), ...deeper] : path;
}
