// A rule: a value as the vendor's documentation misspells it.
import { catalog } from "../../../catalog/catalog.js";
import { nameOf, onValue, type Rule } from "./rule.js";

export const misspeltValue = {
  code: "misspelt-value",
  severity: "error",
  meaning: "a value as the vendor's documentation misspells it",
  find: (view) =>
    view.settings.flatMap((found) => {
      const name = found.setting.property?.name;
      const slip = catalog.misspelt.find(
        ({ property, misspelt }) => property === name && misspelt === found.value,
      );
      if (!slip) return [];
      const message = `"${slip.misspelt}" is a slip of the vendor's own documentation.`;
      const help = `Write it as the portal does:\n  ${nameOf(found)}: ${slip.right}`;
      return onValue(found, message, help);
    }),
} as const satisfies Rule;
