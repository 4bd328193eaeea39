// Rule: a list of domains contains only host names.
import type { Json } from "../../../lib/json.js";
import { onItem, type Rule } from "./rule.js";

export const notAHostName = {
  code: "not-a-host-name",
  severity: "warning",
  meaning: "a domain with scheme, port, path or wildcard",
  find: (view) =>
    view.ofType("array of domain names").flatMap((found) => {
      const { value } = found;
      if (!Array.isArray(value)) return [];
      return value.flatMap((host: Json, index) => {
        if (typeof host !== "string" || isHostName(host)) return [];
        const bare = host
          .trim()
          .replace(/^[a-z]+:\/\//i, "")
          .replace(/^\*\./, "")
          .replace(/[:/?#].*$/s, "");
        const write = isHostName(bare) ? bare : "a host name such as gis.example.com";
        const message = `${JSON.stringify(host)} is not a bare host name.`;
        const help = `Write ${write}, without scheme, port, path or wildcard.`;
        return onItem(found, index, message, help);
      });
    }),
} as const satisfies Rule;

function isHostName(text: string): boolean {
  const labels = text.replace(/\.$/, "").split(".");
  return text.length <= 253 && labels.every((label) => label.length <= 63 && isLabel(label));
}

function isLabel(label: string): boolean {
  if (/^-|-$/.test(label)) return false;
  // Tests ASCII first, because Unicode tables load slowly.
  return /^[a-z\d-]+$/i.test(label) || /^[\p{L}\p{N}-]+$/u.test(label);
}
