// A rule: a property that the target version does not have yet.
import { isIntroduced } from "../../../catalog/catalog.js";
import { nameOf, type Finding, type Rule } from "./rule.js";

export const introducedLater = {
  code: "introduced-later",
  severity: "error",
  meaning: "a property that the target version does not have yet",
  find: ({ available, target }) =>
    available.flatMap((found): Finding[] => {
      const { property } = found.setting;
      if (!property || !target || isIntroduced(property, target)) return [];
      return [
        {
          path: found.path,
          at: found.entry.key,
          message: `"${nameOf(found)}" was introduced at ${property.introduced}, after the target ${target}.`,
          help: `Remove it, or raise the target:\n  targetVersion: "${property.introduced}"`,
        },
      ];
    }),
} as const satisfies Rule;
