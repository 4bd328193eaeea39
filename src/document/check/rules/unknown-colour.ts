// Rule: browsers may not know a colour.
import { COLOUR_NAMES, parseColour } from "../../../colour.js";
import { didYouMean } from "../../../diagnostic.js";
import { onValue, type Rule } from "./rule.js";

export const unknownColour = {
  code: "unknown-colour",
  severity: "warning",
  meaning: "a colour that is neither a CSS colour name nor a hexadecimal colour",
  find: (view) =>
    view.ofType("colour").flatMap((found) => {
      const { value } = found;
      if (typeof value !== "string" || parseColour(value)) return [];
      const message = `${JSON.stringify(value)} is neither a CSS colour name nor a hexadecimal colour.`;
      const help =
        didYouMean(value, COLOUR_NAMES.keys()) ??
        'The portal accepts any text here; a browser may show no colour. Write a name or, for example, "#b30000".';
      return onValue(found, message, help);
    }),
} as const satisfies Rule;
