// The catalogue as the program asks it: which version, introduced, deprecated, default, spelling?
import facts from "../../schemas/catalog.json" with { type: "json" };
import type { Catalog, Parameter, Property, SignInOperation } from "./facts.js";
import type { Json } from "../json.js";
import type { OperationName, ParameterName, SettingPath, Version } from "./names.js";
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

/** The name that the reference uses for a property, whichever way it is spelled. */
export function referenceName(name: string): string {
  return catalog.spellings.find((each) => each.also === name)?.property ?? name;
}

/** Every spelling of a property, the reference's first. */
export function spellingsOf(name: string): readonly string[] {
  const property = referenceName(name);
  const also = catalog.spellings.find((each) => each.property === property)?.also;
  return also ? [property, also] : [property];
}

/** What a property was when nobody had chosen it: its documented default, and what portals shipped. */
export function stockValues(property: Property): readonly Json[] {
  const shipped = catalog.stock.filter((each) => each.property === property.name);
  return [
    ...(property.default === undefined ? [] : [property.default]),
    ...shipped.map(({ value }) => value),
  ];
}

export function findParameter(name: string): Parameter | undefined {
  return catalog.parameters.find((each) => each.name === name);
}

/** The setting at a path such as portalConfigProperties.extentService, spelled either way. */
export function findSetting(path: readonly (string | number)[]): Setting | undefined {
  const [parameter, property, ...deeper] = path;
  if (deeper.length > 0 || typeof parameter !== "string") return undefined;
  const name = property === undefined ? [] : [referenceName(String(property))];
  const wanted = [parameter, ...name].join(".");
  return SETTINGS.find((each) => each.path === wanted);
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
