// A value as it is meant → the same as a desired-state file writes it, so that nothing in its texts is taken for a reference.
import { isJsonList, isJsonObject, type Json } from "../../json.js";

export function asLiteral(value: Json): Json {
  if (typeof value === "string") return literalText(value);
  if (isJsonList(value)) return value.map(asLiteral);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, asLiteral(held)]));
}

/** A dollar is doubled where a reference would begin, or where it was doubled already. */
function literalText(text: string): string {
  return text.replace(/\$\{/g, (sign, at: number) => {
    const isReference = /^\$\{(?:env|file|portal)[.:]/i.test(text.slice(at, at + 10));
    return isReference || text.charAt(at - 1) === "$" ? `$${sign}` : sign;
  });
}
