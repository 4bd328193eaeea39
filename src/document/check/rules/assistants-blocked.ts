// Rule: assistants are beta applications, and are hidden with them.
import { onValue, type Rule } from "./rule.js";

export const assistantsBlocked = {
  code: "assistants-blocked",
  severity: "warning",
  meaning: "assistants enabled while beta applications are blocked",
  find: (view) => {
    const [assistants, beta] = [view.get("aiAssistantsEnabled"), view.get("blockBetaApps")];
    if (assistants?.value !== true || beta?.value !== true) return [];
    const message =
      '"aiAssistantsEnabled" has no effect on real portals while "blockBetaApps" is true, though the reference does not document it.';
    const help =
      "They hide the assistants with the other beta applications. Set one of the two to false.";
    const also = { node: beta.entry.value, message: "blocks beta applications" };
    return [{ ...onValue(assistants, message, help), also }];
  },
} as const satisfies Rule;
