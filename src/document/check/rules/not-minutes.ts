// Rule: an expiration below one minute, which the reference does not define.
import { nameOf, onValue, type Rule } from "./rule.js";

export const notMinutes = {
  code: "not-minutes",
  severity: "warning",
  meaning: "an expiration below one minute",
  find: (view) =>
    view.ofType("minutes").flatMap((found) => {
      const { value, setting } = found;
      if (typeof value !== "number" || !Number.isInteger(value) || value > 0) return [];
      const message = `"${nameOf(found)}" is ${value} minutes. The reference does not say what a portal makes of that.`;
      const help = `Write at least one minute, for example:\n  ${nameOf(found)}: ${JSON.stringify(setting.property?.example)}`;
      return onValue(found, message, help);
    }),
} as const satisfies Rule;
