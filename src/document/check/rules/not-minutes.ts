// A rule: an expiration is a whole number of minutes.
import type { Json } from "../../../lib/json.js";
import { nameOf, onValue, type Rule } from "./rule.js";

export const notMinutes = {
  code: "not-minutes",
  severity: "error",
  meaning: "an expiration that is no whole positive number of minutes",
  find: (view) =>
    view.ofType("minutes").flatMap((found) => {
      const { value, setting } = found;
      if (value === undefined || isMinutes(value)) return [];
      const isDigits = typeof value === "string" && /^[1-9]\d*$/.test(value.trim());
      const message = `"${nameOf(found)}" must be a whole number of minutes above zero, but it is ${described(value)}.`;
      const help = isDigits
        ? `Write the number without quotes:\n  ${nameOf(found)}: ${value.trim()}`
        : `Write minutes, for example:\n  ${nameOf(found)}: ${JSON.stringify(setting.property?.example)}`;
      return onValue(found, message, help);
    }),
} as const satisfies Rule;

export function isMinutes(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0;
}

function described(value: Json): string {
  if (typeof value === "string") return `the text ${JSON.stringify(value.slice(0, 40))}`;
  if (typeof value !== "object") return String(value);
  return Array.isArray(value) ? "a list" : "a mapping";
}
