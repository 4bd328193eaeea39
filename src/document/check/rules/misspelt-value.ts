// Rule: a value is misspelt as in the vendor's documentation.
import { catalog } from "../../../catalog/catalog.js";
import { nameOf, onValue, type Rule } from "./rule.js";

export const misspeltValue = {
  code: "misspelt-value",
  severity: "error",
  meaning: "a value as the vendor's documentation misspells it",
  find: (view) =>
    catalog.misspelt.flatMap(({ property, misspelt, right }) => {
      const found = view.settings.filter(
        ({ setting, value }) => value === misspelt && setting.property?.name === property,
      );
      const message = `"${misspelt}" is a slip of the vendor's own documentation.`;
      return found.map((each) =>
        onValue(each, message, `Write it as the portal does:\n  ${nameOf(each)}: ${right}`),
      );
    }),
} as const satisfies Rule;
