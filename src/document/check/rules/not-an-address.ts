// Rule: a value must be an http or https address.
import { nameOf, onValue, type Rule } from "./rule.js";

export const notAnAddress = {
  code: "not-an-address",
  severity: "error",
  meaning: "what should be an http or https address",
  find: (view) =>
    view.ofType("URL").flatMap((found) => {
      const { value } = found;
      if (typeof value !== "string" || isAddress(value)) return [];
      const message = `"${nameOf(found)}" must be an http or https address, but it is ${JSON.stringify(value.slice(0, 80))}.`;
      return onValue(found, message, helpFor(value));
    }),
} as const satisfies Rule;

export function isAddress(text: string): boolean {
  return /^https?:\/\/[^\s/?#]\S*$/i.test(text) && URL.canParse(text);
}

function helpFor(text: string): string {
  const trimmed = text.trim();
  if (trimmed !== text && isAddress(trimmed)) return `Remove the white space: ${trimmed}`;
  if (trimmed.startsWith("//") && isAddress(`https:${trimmed}`)) return `Write https:${trimmed}`;
  if (/^[\w-]+(\.[\w-]+)+([:/].*)?$/.test(trimmed)) return `Write https://${trimmed}`;
  return "Write the whole address, for example:\n  https://www.example.org/";
}
