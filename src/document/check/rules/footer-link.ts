// Rule: a footer link has an address, or a mail address with its type.
import type { JsonObject } from "../../../lib/json.js";
import { objectsIn, onItem, type Rule } from "./rule.js";

export const footerLink = {
  code: "footer-link",
  severity: "error",
  meaning: "a footer link with neither or both of an address and a mail address",
  find: (view) => {
    const found = view.get("portalConfigProperties.footerLinks");
    if (!found) return [];
    return objectsIn(found.value).flatMap(([link, index]) => {
      const wrong = wrongLink(link);
      if (!wrong) return [];
      const title = typeof link["title"] === "string" ? ` ${JSON.stringify(link["title"])}` : "";
      const message = `The footer link${title} ${wrong}.`;
      const help =
        "Give it either url, or email and type:\n  - { title: Contact, email: gis@example.org, type: contactUs }";
      return onItem(found, index, message, help);
    });
  },
} as const satisfies Rule;

function wrongLink(link: JsonObject): string | undefined {
  const [url, email, type] = ["url", "email", "type"].map((name) => link[name] !== undefined);
  if (url && email) return "has both a url and an email";
  if (url && type) return "has a type, which belongs to an email, beside its url";
  if (url || (email && type)) return undefined;
  return email ? "has an email without a type" : "has neither a url nor an email";
}
