// A rule: a property that is deprecated at the target version.
import { isDeprecated } from "../../../catalog/catalog.js";
import { nameOf, type Finding, type Rule } from "./rule.js";

export const deprecated = {
  code: "deprecated",
  severity: "warning",
  meaning: "a property that is deprecated at the target version",
  find: ({ available, target }) =>
    available.flatMap((found): Finding[] => {
      const { property } = found.setting;
      if (!property || !target || !isDeprecated(property, target)) return [];
      return [
        {
          path: found.path,
          at: found.entry.key,
          message: `"${nameOf(found)}" is deprecated since ${property.deprecated}.`,
          help: `A later version may drop it. To see what it did:\n  lintel explain ${nameOf(found)}`,
        },
      ];
    }),
} as const satisfies Rule;
