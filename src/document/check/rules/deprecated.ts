// Rule: a property is deprecated at the target version.
import { isDeprecated } from "../../../catalog/catalog.js";
import { nameOf, onKey, type Rule } from "./rule.js";

export const deprecated = {
  code: "deprecated",
  severity: "warning",
  meaning: "a property that is deprecated at the target version",
  find: ({ available, target }) =>
    available.flatMap((found) => {
      const { property } = found.setting;
      if (!property || !target || !isDeprecated(property, target)) return [];
      const message = `"${nameOf(found)}" is deprecated since ${property.deprecated}.`;
      const help = `A later version may drop it. To see what it did:\n  lintel explain ${nameOf(found)}`;
      return [onKey(found, message, help)];
    }),
} as const satisfies Rule;
