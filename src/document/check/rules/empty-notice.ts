// Rule: an enabled notice or banner has a text.
import { catalog } from "../../../catalog/catalog.js";
import { childOf } from "../../read/tree.js";
import type { Finding, Rule } from "./rule.js";

export const emptyNotice = {
  code: "empty-notice",
  severity: "warning",
  meaning: "an enabled notice or banner without text",
  find: (view) =>
    view.parameters.flatMap(({ parameter, path, entry }): Finding[] => {
      const properties = catalog.objects[parameter.object ?? ""] ?? [];
      const enabled = childOf(entry.value, "enabled");
      if (enabled?.kind !== "scalar" || enabled.value !== true) return [];
      if (!properties.some(({ name }) => name === "enabled")) return [];
      const text = childOf(entry.value, "text");
      // Null has its own diagnostic.
      const isEmpty = text?.kind === "scalar" && text.value !== null && !String(text.value).trim();
      if (text && !isEmpty) return [];
      const message = `"${parameter.name}" is enabled and has no text.`;
      const help = text
        ? "Write the text that visitors should see, or disable it."
        : "Add a text, so that the file alone decides what visitors see.";
      return [{ path: [...path, "text"], at: text ?? entry.key, message, help }];
    }),
} as const satisfies Rule;
