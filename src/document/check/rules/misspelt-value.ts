// A rule: a value as the vendor's documentation misspells it.
import { catalog } from "../../../catalog/catalog.js";
import { nameOf, type Rule } from "./rule.js";

export const misspeltValue = {
  code: "misspelt-value",
  severity: "error",
  meaning: "a value as the vendor's documentation misspells it",
  find: (view) =>
    view.settings.flatMap((found) =>
      catalog.misspelt
        .filter(
          ({ property, misspelt }) =>
            property === found.setting.property?.name && misspelt === found.value,
        )
        .map(({ misspelt, right }) => ({
          path: found.path,
          at: found.entry.value,
          message: `"${misspelt}" is a slip of the vendor's own documentation.`,
          help: `Write it as the portal does:\n  ${nameOf(found)}: ${right}`,
        })),
    ),
} as const satisfies Rule;
