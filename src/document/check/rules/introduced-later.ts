// Rule: the target version does not have a property yet.
import { isIntroduced } from "../../../catalog/catalog.js";
import { nameOf, onKey, type Rule } from "./rule.js";

export const introducedLater = {
  code: "introduced-later",
  severity: "error",
  meaning: "a property that the target version does not have yet",
  find: ({ available, target }) =>
    available.flatMap((found) => {
      const { property } = found.setting;
      if (!property || !target || isIntroduced(property, target)) return [];
      const message = `"${nameOf(found)}" was introduced at ${property.introduced}, after the target ${target}.`;
      const help = `Remove it, or raise the target:\n  targetVersion: "${property.introduced}"`;
      return [onKey(found, message, help)];
    }),
} as const satisfies Rule;
