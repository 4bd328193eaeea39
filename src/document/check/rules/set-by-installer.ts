// Rule: an installer sets this property.
import { isIntroduced } from "../../../catalog/catalog.js";
import { nameOf, onKey, type Rule } from "./rule.js";

export const setByInstaller = {
  code: "set-by-installer",
  severity: "warning",
  meaning: "a property that an installer sets",
  find: ({ available, target }) =>
    available.flatMap((found) => {
      const { property } = found.setting;
      if (property?.setBy !== "installer" || !target || !isIntroduced(property, target)) return [];
      const message = `"${nameOf(found)}" is set by the software's installer.`;
      const help =
        "Managed here, it is turned back whenever the two disagree. Remove the line unless it is intended.";
      return [onKey(found, message, help)];
    }),
} as const satisfies Rule;
