// Finds the setting of the reference that a name of the old file stands for.
import { ADVANCED, catalog, findSetting, referenceName, spellingsOf } from "../catalog/catalog.js";
import { didYouMean } from "../diagnostic.js";
import { isJsonList, isJsonObject, type Json } from "../lib/json.js";
import type { Property } from "../catalog/facts.js";

/** What portals before 11.0 call their configuration. */
export const USUAL_NAME = "esriGeowConfig";

export interface Counterpart {
  readonly property: Property;
  /** As files before 11.0 spell it. */
  readonly inFile: string;
  /** As the reference spells it. */
  readonly inReference: string;
}

export function counterpartOf(name: string): Counterpart | undefined {
  const property = findSetting([ADVANCED, name])?.property;
  return property && counterpart(property);
}

/** All that a file before 11.0 may hold; what an installer sets came later. */
export function counterparts(): Counterpart[] {
  return (catalog.objects[ADVANCED] ?? []).filter(({ setBy }) => !setBy).map(counterpart);
}

/** In every spelling, those that only an installer sets, too. */
export function settingNames(): string[] {
  const names = (catalog.objects[ADVANCED] ?? []).flatMap(({ name }) => spellingsOf(name));
  return [...new Set(names)];
}

function counterpart(property: Property): Counterpart {
  const inReference = referenceName(property.name);
  return { property, inReference, inFile: spellingsOf(inReference).at(-1) ?? inReference };
}

/** Names that portals were shipped with: no misspelt settings. */
const SHIPPED: ReadonlySet<string> = new Set(catalog.oldNames);

/** A setting whose name is almost this one. */
export function nearSetting(name: string): string | undefined {
  if (SHIPPED.has(name)) return undefined;
  return didYouMean(
    name,
    counterparts().map(({ inFile }) => inFile),
  );
}

export function isSetting(name: string): boolean {
  return counterpartOf(name) !== undefined;
}

/** The fields of the objects in a setting's list. */
function entryNamesOf(setting: string): ReadonlySet<string> {
  const type = counterpartOf(setting)?.property.type;
  const fields = typeof type === "object" ? catalog.objects[type.arrayOf] : undefined;
  return new Set(fields?.map(({ name }) => name));
}

/** A setting's value, without what its entries hold under unknown names: that may be a key. */
export function shownValue(setting: string, value: Json): Json {
  const names = entryNamesOf(setting);
  const hidden = (each: Json): Json => {
    if (isJsonList(each)) return each.map(hidden);
    if (!isJsonObject(each)) return each;
    return Object.fromEntries(
      Object.entries(each).map(([key, held]) => [key, names.has(key) ? hidden(held) : "…"]),
    );
  };
  return hidden(value);
}

/** Words that may be shown wherever they stand, because they can be no value of an unknown name. */
export function isKnownWord(word: string): boolean {
  return WORDS.has(word) || isSetting(word) || ENTRY_NAMES.has(word);
}

const ENTRY_NAMES = new Set(counterparts().flatMap(({ inFile }) => [...entryNamesOf(inFile)]));

const WORDS = new Set(
  (
    "var let const function return if else for while do in of new delete typeof void try catch finally throw switch " +
    "case break continue default import export from as meta this true false null undefined window self globalThis " +
    "document location navigator protocol host hostname origin pathname href search hash cookie language userAgent " +
    "localStorage sessionStorage getItem screen width height innerWidth onLine platform Date Math random JSON parse " +
    "indexOf test match split replace toLowerCase getFullYear getMonth getHours setTimeout addEventListener " +
    "esriGeowConfig dojoConfig dojo mixin require define jQuery extend Object assign Array push concat eval"
  ).split(" "),
);
