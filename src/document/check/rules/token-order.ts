// Rule: the "Keep me signed in" token lives longest.
import { onValue, type Rule } from "./rule.js";

export const tokenOrder = {
  code: "token-order",
  severity: "warning",
  meaning: 'a token that lives longer than that of "Keep me signed in"',
  find: (view) => {
    const short = view.get("portalConfigProperties.tokenExpiration");
    const long = view.get("portalConfigProperties.longTokenExpiration");
    const [shorter, longer] = [short?.value, long?.value];
    if (!short || !long || typeof shorter !== "number" || typeof longer !== "number") return [];
    if (shorter <= longer) return [];
    const message = `"tokenExpiration" (${shorter} minutes) is longer than "longTokenExpiration" (${longer} minutes).`;
    const help =
      'Users who choose "Keep me signed in" would be signed out sooner than the others. Swap the two, or raise the long one.';
    const also = { node: long.entry.value, message: "sets the long one" };
    return [{ ...onValue(short, message, help), also }];
  },
} as const satisfies Rule;
