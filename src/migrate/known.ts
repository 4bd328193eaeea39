// A name in the old file → the advanced property of the reference that it is, if it is one.
import { ADVANCED, catalog, findSetting, referenceName, spellingsOf } from "../catalog/catalog.js";
import type { Property } from "../catalog/facts.js";

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

function counterpart(property: Property): Counterpart {
  const inReference = referenceName(property.name);
  return { property, inReference, inFile: spellingsOf(inReference).at(-1) ?? inReference };
}

/** Names whose values may be shown: the properties themselves, and what entries of their lists hold. */
export function isShown(name: string): boolean {
  return counterpartOf(name) !== undefined || ENTRY_NAMES.has(name);
}

const ENTRY_NAMES = new Set(
  (catalog.objects[ADVANCED] ?? []).flatMap(({ type }) =>
    typeof type === "object" ? (catalog.objects[type.arrayOf] ?? []).map(({ name }) => name) : [],
  ),
);
