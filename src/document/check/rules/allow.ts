// A rule about `allow`: an entry whose last day has passed.
import { isDay } from "../allow-entries.js";
import { nodeAt } from "../../read/tree.js";
import type { Finding, Rule } from "./view.js";

/** It opens nothing any more, and says that somebody allows what nobody does. */
export const allowExpired: Rule = ({ root, today }) => {
  const allow = nodeAt(root, ["allow"]);
  const items = allow?.kind === "list" ? allow.items : [];
  return items.flatMap((item, at): Finding[] => {
    const node = nodeAt(item, ["until"]);
    const until = node?.kind === "scalar" && typeof node.value === "string" ? node.value : "";
    if (!node || today === undefined || !isDay(until) || until >= today) return [];
    return [
      {
        code: "allow-expired",
        path: ["allow", at, "until"],
        at: node,
        message: `The guard was to be open until ${until}, which has passed.`,
        help: "It opens nothing any more. Remove the entry, or write a later day.",
      },
    ];
  });
};
