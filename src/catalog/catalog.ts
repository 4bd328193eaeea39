// Answers questions from the reference: names, versions, defaults and spellings of settings.
import facts from "../../schemas/catalog.json" with { type: "json" };
import { printJson, type Json, type JsonObject } from "../lib/json.js";
import { encodeForm } from "../request.js";
import type { Catalog, Parameter, Property, SignInOperation } from "./facts.js";
import type { OperationName, ParameterName, SettingPath, Version } from "../../schemas/names.js";
import { compareVersions, parseVersion } from "./version.js";

export const catalog = facts as Catalog;

/** A setting in the reference: a boolean parameter, or a property of an object parameter. */
export interface Setting {
  readonly path: SettingPath;
  readonly parameter: Parameter;
  /** Absent if the parameter itself is the setting. */
  readonly property?: Property;
}

export const SETTINGS: readonly Setting[] = catalog.parameters.flatMap((parameter): Setting[] =>
  parameter.object
    ? (catalog.objects[parameter.object] ?? []).map((property) => ({
        path: `${parameter.name}.${property.name}` as SettingPath,
        parameter,
        property,
      }))
    : [{ path: parameter.name as SettingPath, parameter }],
);

/** The paths that select settings: whole parameters, or single properties. */
export const SETTING_PATHS: readonly string[] = [
  ...new Set(SETTINGS.flatMap(({ path, parameter }) => [parameter.name, path])),
];

const parameters = new Map(catalog.parameters.map((each) => [each.name, each]));
const references = new Map(catalog.spellings.map(({ property, also }) => [also, property]));
const others = new Map(catalog.spellings.map(({ property, also }) => [property, also]));
/** The index of each setting in SETTINGS, by all of its spellings. */
const ranks = new Map(
  SETTINGS.flatMap((each, at) => pathsOf(each).map((path) => [JSON.stringify(path), at] as const)),
);

/** The reference's name of a property, for any of its spellings. */
export function referenceName(name: string): string {
  return references.get(name) ?? name;
}

/** All spellings of a property, the reference's first. */
export function spellingsOf(name: string): readonly string[] {
  const property = referenceName(name);
  const also = others.get(property);
  return also ? [property, also] : [property];
}

/** The paths of a setting in a file, one for each spelling. */
export function pathsOf({ parameter, property }: Setting): string[][] {
  if (!property) return [[parameter.name]];
  return spellingsOf(property.name).map((name) => [parameter.name, name]);
}

/** A property's possible initial values: its documented default, and values that portals shipped with. */
export function stockValues(property: Property): readonly Json[] {
  const shipped = catalog.stock.filter((each) => each.property === property.name);
  const values = [property.default, ...shipped.map(({ value }) => value)];
  return values.filter((value) => value !== undefined);
}

export function findParameter(name: string): Parameter | undefined {
  return parameters.get(name);
}

/** The setting at a path such as portalConfigProperties.extentService, in any spelling. */
export function findSetting(path: readonly (string | number)[]): Setting | undefined {
  const rank = rankOf(path);
  return rank === undefined ? undefined : SETTINGS[rank];
}

/** The index in SETTINGS; undefined for unlisted settings. */
function rankOf(path: readonly (string | number)[]): number | undefined {
  return ranks.get(JSON.stringify(path));
}

/** Sorts by the reference; unlisted settings come last, by name. A parameter sorts like its first setting. */
export function inReferenceOrder<T>(
  items: readonly T[],
  pathOf: (item: T) => readonly (string | number)[],
): T[] {
  return items
    .map((item) => ({ item, path: pathOf(item), rank: orderOf(pathOf(item)) }))
    .toSorted((left, right) => {
      if (left.rank !== right.rank) return left.rank - right.rank;
      return JSON.stringify(left.path) < JSON.stringify(right.path) ? -1 : 1;
    })
    .map(({ item }) => item);
}

function orderOf(path: readonly (string | number)[]): number {
  const whole = SETTINGS.findIndex(({ parameter }) => parameter.name === path[0]);
  const rank = path.length === 1 && whole !== -1 ? whole : rankOf(path);
  return rank ?? Infinity;
}

export function findOperation(name: OperationName): SignInOperation {
  const found = catalog.operations.find((each) => each.name === name);
  if (!found) throw new TypeError(`the catalogue lacks the operation "${name}"`);
  return found;
}

/** The newest listed version at or below `target`; undefined if there is none, or for no version. */
export function knownVersion(target: string): Version | undefined {
  if (!parseVersion(target)) return undefined;
  return catalog.versions.findLast((each) => compareVersions(each, target) <= 0) as
    | Version
    | undefined;
}

export function isIntroduced(each: { readonly introduced?: string }, target: string): boolean {
  return !each.introduced || compareVersions(each.introduced, target) <= 0;
}

export function isDeprecated(each: { readonly deprecated?: string }, target: string): boolean {
  return each.deprecated !== undefined && compareVersions(each.deprecated, target) <= 0;
}

/** Whether a deployment accepts a parameter; true if the reference does not say. */
export function isAccepted(parameter: Parameter, deployment: string): boolean {
  return parameter.deployments?.includes(deployment) ?? true;
}

/** The parameter names that src/ may use directly; the compiler checks each against the reference. */
export const ADVANCED = "portalConfigProperties" satisfies ParameterName;

/** Only the listed parameters; a portal shows many others. */
export function listedIn(settings: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => findParameter(name)));
}

/** The parameters in the reference's order, then others, each as JSON text. */
export function updateFields(settings: JsonObject): readonly (readonly [string, string])[] {
  const listed = catalog.parameters.map((each) => each.name).filter((name) => name in settings);
  const others = Object.keys(settings).filter((name) => !listed.includes(name));
  return [
    ...[...listed, ...others].map((name) => [name, printJson(settings[name] ?? null)] as const),
    ["f", "json"],
  ];
}

/** The body of the request, without a token that the form carries. */
export function updateBody(settings: JsonObject): string {
  return encodeForm(updateFields(settings));
}
