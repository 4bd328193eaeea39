// A rule: a property that an installer sets.
import { isIntroduced } from "../../../catalog/catalog.js";
import { nameOf, type Finding, type Rule } from "./rule.js";

export const setByInstaller = {
  code: "set-by-installer",
  severity: "warning",
  meaning: "a property that an installer sets",
  find: ({ available, target }) =>
    available.flatMap((found): Finding[] => {
      const { property } = found.setting;
      if (property?.setBy !== "installer" || !target || !isIntroduced(property, target)) return [];
      return [
        {
          path: found.path,
          at: found.entry.key,
          message: `"${nameOf(found)}" is set by the software's installer.`,
          help: "Managed here, it is turned back whenever the two disagree. Remove the line unless that is meant.",
        },
      ];
    }),
} as const satisfies Rule;
