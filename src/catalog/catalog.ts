// Answers from the reference: what is introduced, deprecated, default, and how it is spelled.
import facts from "../../schemas/catalog.json" with { type: "json" };
import { printJson, type Json, type JsonObject } from "../lib/json.js";
import { encodeForm } from "../request.js";
import type { Catalog, Parameter, Property, SignInOperation } from "./facts.js";
import type { OperationName, ParameterName, SettingPath, Version } from "../../schemas/names.js";
import { compareVersions, parseVersion } from "./version.js";

export const catalog = facts as Catalog;

/** A setting that the reference lists: a parameter that is a boolean, or a property of one that is an object. */
export interface Setting {
  readonly path: SettingPath;
  readonly parameter: Parameter;
  /** Absent for a parameter that is itself the setting. */
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

/** What may be named where settings are chosen: a parameter as a whole, or one of its properties. */
export const SETTING_PATHS: readonly string[] = [
  ...new Set(SETTINGS.flatMap(({ path, parameter }) => [parameter.name, path])),
];

const parameters = new Map(catalog.parameters.map((each) => [each.name, each]));
const references = new Map(catalog.spellings.map(({ property, also }) => [also, property]));
const others = new Map(catalog.spellings.map(({ property, also }) => [property, also]));
/** The place of each setting in SETTINGS, by each of its spellings. */
const ranks = new Map(
  SETTINGS.flatMap((each, at) => pathsOf(each).map((path) => [JSON.stringify(path), at] as const)),
);

/** The name that the reference uses for a property, whichever way it is spelled. */
export function referenceName(name: string): string {
  return references.get(name) ?? name;
}

/** Every spelling of a property, the reference's first. */
export function spellingsOf(name: string): readonly string[] {
  const property = referenceName(name);
  const also = others.get(property);
  return also ? [property, also] : [property];
}

/** Where a file may say it, with each spelling. */
export function pathsOf({ parameter, property }: Setting): string[][] {
  if (!property) return [[parameter.name]];
  return spellingsOf(property.name).map((name) => [parameter.name, name]);
}

/** The values that a property has before it is set: its documented default, and what portals shipped. */
export function stockValues(property: Property): readonly Json[] {
  const shipped = catalog.stock.filter((each) => each.property === property.name);
  const values = [property.default, ...shipped.map(({ value }) => value)];
  return values.filter((value) => value !== undefined);
}

export function findParameter(name: string): Parameter | undefined {
  return parameters.get(name);
}

/** The setting at a path such as portalConfigProperties.extentService, spelled either way. */
export function findSetting(path: readonly (string | number)[]): Setting | undefined {
  const rank = rankOf(path);
  return rank === undefined ? undefined : SETTINGS[rank];
}

/** Its index in SETTINGS; undefined for what the reference does not list. */
function rankOf(path: readonly (string | number)[]): number | undefined {
  return ranks.get(JSON.stringify(path));
}

/** In the order of the reference; what it does not list comes last, by name. A parameter stands where its first setting does. */
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

/** The newest version that the reference lists, at or below `target`; undefined for one older than all or no version. */
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

/** Whether a deployment accepts a parameter; where the reference does not show it, it is taken to. */
export function isAccepted(parameter: Parameter, deployment: string): boolean {
  return parameter.deployments?.includes(deployment) ?? true;
}

/** The parameters whose names src/ may spell out; each is checked against the reference when it is compiled. */
export const ADVANCED = "portalConfigProperties" satisfies ParameterName;

/** The parameters of the reference alone; a portal shows much else. */
export function listedIn(settings: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => findParameter(name)));
}

/** The parameters in the order of the reference, then any others, each whole as JSON text. */
export function updateFields(settings: JsonObject): readonly (readonly [string, string])[] {
  const listed = catalog.parameters.map((each) => each.name).filter((name) => name in settings);
  const others = Object.keys(settings).filter((name) => !listed.includes(name));
  return [
    ...[...listed, ...others].map((name) => [name, printJson(settings[name] ?? null)] as const),
    ["f", "json"],
  ];
}

/** The body as it is sent, but for a token that travels in the form. */
export function updateBody(settings: JsonObject): string {
  return encodeForm(updateFields(settings));
}
