// Rules about what the target version and the deployment know: introduced, deprecated, unavailable, set by an installer.
import { isAccepted, isDeprecated, isIntroduced } from "../../../catalog/catalog.js";
import { nameOf, type Finding, type Rule } from "./view.js";

export const advancedUnavailable: Rule = (view) =>
  view.parameters.flatMap(({ parameter, path, entry }): Finding[] => {
    const at = { code: "advanced-unavailable", path, at: entry.key } as const;
    if (view.deployment && !isAccepted(parameter, view.deployment)) {
      return [
        {
          ...at,
          message: `"${parameter.name}" does not exist where the deployment is "${view.deployment}".`,
          help: `Remove it, or say what this portal is:\n  deployment: ${parameter.deployments?.[0]}`,
        },
      ];
    }
    if (!view.target || isIntroduced(parameter, view.target)) return [];
    return [
      {
        ...at,
        message: `"${parameter.name}" was introduced at ${parameter.introduced}, after the target ${view.target}.`,
        help: `Before ${parameter.introduced} these properties stand in the configuration file of a portal on Windows or Linux. Remove them here, or raise the target.`,
      },
    ];
  });

export const introducedLater: Rule = (view) =>
  view.available.flatMap(({ setting, path, entry }): Finding[] => {
    const { property } = setting;
    if (!property || !view.target || isIntroduced(property, view.target)) return [];
    return [
      {
        code: "introduced-later",
        path,
        at: entry.key,
        message: `"${String(path.at(-1))}" was introduced at ${property.introduced}, after the target ${view.target}.`,
        help: `Remove it, or raise the target:\n  targetVersion: "${property.introduced}"`,
      },
    ];
  });

export const deprecated: Rule = (view) =>
  view.available.flatMap((found): Finding[] => {
    const { property } = found.setting;
    if (!property || !view.target || !isDeprecated(property, view.target)) return [];
    return [
      {
        code: "deprecated",
        path: found.path,
        at: found.entry.key,
        message: `"${nameOf(found)}" is deprecated since ${property.deprecated}.`,
        help: `A later version may drop it. To see what it did:\n  lintel explain ${nameOf(found)}`,
      },
    ];
  });

export const setByInstaller: Rule = (view) =>
  view.available.flatMap((found): Finding[] => {
    const { property } = found.setting;
    const isKnown = property && view.target && isIntroduced(property, view.target);
    if (!isKnown || property.setBy !== "installer") return [];
    return [
      {
        code: "set-by-installer",
        path: found.path,
        at: found.entry.key,
        message: `"${nameOf(found)}" is set by the software's installer.`,
        help: "Managed here, it is turned back whenever the two disagree. Remove the line unless that is meant.",
      },
    ];
  });
