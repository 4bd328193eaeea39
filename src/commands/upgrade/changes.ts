// Lists what changes for a file between two versions: deprecated, newly available, removed.
import {
  ADVANCED,
  catalog,
  findParameter,
  findSetting,
  isAccepted,
  isDeprecated,
  pathsOf,
  SETTINGS,
  type Setting,
} from "../../catalog/catalog.js";
import { compareVersions } from "../../catalog/version.js";
import type { Diagnostic, Place } from "../../diagnostic.js";
import { desiredOf } from "../../document/read/desired.js";
import { placeOf } from "../../document/read/source.js";
import { diagnose, entryAt, type Node } from "../../document/read/tree.js";
import type { Upgrade, Used } from "../../report/upgrade-report.js";
import { shellWord } from "../../lib/text.js";

interface UsedSetting {
  readonly name: string;
  readonly setting: Setting;
  readonly place: Place;
}

export function usedIn(root: Node): UsedSetting[] {
  return SETTINGS.flatMap((setting) =>
    pathsOf(setting).flatMap((path): UsedSetting[] => {
      const entry = entryAt(root, ["settings", ...path]);
      return entry ? [{ name: path.at(-1) ?? "", setting, place: placeOf(entry.key.span) }] : [];
    }),
  );
}

/** The version that everything begins with, where the reference shows none. */
export function introducedOf({ parameter, property }: Setting): string {
  const all = [parameter.introduced, property?.introduced].flatMap((each) => each ?? []);
  return all.toSorted(compareVersions).at(-1) ?? catalog.versions[0] ?? "";
}

export function changesBetween(
  root: Node,
  from: string,
  to: string,
): Pick<Upgrade, "deprecated" | "available" | "changed"> {
  const { deployment } = desiredOf("", root);
  return {
    deprecated: usedIn(root).flatMap(({ name, setting: { property }, place }): Used[] =>
      property?.deprecated !== undefined && isBetween(property.deprecated, from, to)
        ? [{ name, since: property.deprecated, meaning: property.meaning, place }]
        : [],
    ),
    available: SETTINGS.filter(
      (setting) =>
        isAccepted(setting.parameter, deployment) && isBetween(introducedOf(setting), from, to),
    ).map((setting) => ({
      name: setting.path,
      since: introducedOf(setting),
      meaning: setting.property?.meaning ?? setting.parameter.meaning,
      setBy: setting.property?.setBy,
      deprecated: isDeprecated(setting.property ?? {}, to)
        ? setting.property?.deprecated
        : undefined,
    })),
    changed: catalog.changed.filter(({ name, since }) => {
      const setting = findSetting([ADVANCED, name]);
      const isThere = setting && compareVersions(introducedOf(setting), from) <= 0;
      return (
        isThere && isAccepted(setting.parameter, deployment) && isBetween(since ?? to, from, to)
      );
    }),
  };
}

/** Before these properties were settings, they stood in a file on the portal. The upgrade does not carry them over. */
export function leftBehind(
  { file, from, to }: Upgrade,
  {
    root,
    target,
    isMany,
  }: { readonly root: Node; readonly target: Node; readonly isMany: boolean },
): Diagnostic[] {
  const advanced = findParameter(ADVANCED);
  const since = advanced?.introduced ?? "";
  const isOffered = advanced && isAccepted(advanced, desiredOf(file, root).deployment);
  if (!isOffered || !isBetween(since, from, to)) return [];
  const message = `What a portal's config.js had set does not count from ${since} on, and nothing carries it over.`;
  const help = `Keep a copy of the file before the portal is upgraded. Once this file has the new target, take its values over:\n  lintel migrate config.js --into ${isMany ? "FILE" : shellWord(file)}`;
  return [diagnose("not-carried-over", target, message, help)];
}

function isBetween(version: string, from: string, to: string): boolean {
  return compareVersions(version, from) > 0 && compareVersions(version, to) <= 0;
}
