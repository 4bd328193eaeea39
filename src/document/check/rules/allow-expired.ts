// Rule: an `allow` entry whose last day has passed has no effect.
import { readMoment } from "../../../moment.js";
import { itemsOf, nodeAt, textOf } from "../../read/tree.js";
import type { Finding, Rule } from "./rule.js";

export const allowExpired = {
  code: "allow-expired",
  severity: "warning",
  meaning: "a guard opened until a day that has passed",
  find: ({ root, today }) =>
    itemsOf(nodeAt(root, ["allow"])).flatMap((item, index): Finding[] => {
      const at = nodeAt(item, ["until"]);
      const until = textOf(at) ?? "";
      if (!at || today === undefined || !readMoment(until.slice(0, 10))) return [];
      if (until.slice(0, 10) >= today) return [];
      const path = ["allow", index, "until"];
      const message = `The guard was to be open until ${until}, which has passed.`;
      const help = "It has no effect. Remove the entry, or write a later day.";
      return [{ path, at, message, help }];
    }),
} as const satisfies Rule;
