// A value and the property it is meant for → what was expected instead, in words.
import type { Property } from "../../catalog/facts.js";
import type { Json } from "../../json.js";

/** undefined for a value that is of the property's type. */
export function mismatch({ type, values }: Property, value: Json): string | undefined {
  if (typeof type === "object") return "a list of objects";
  switch (type) {
    case "string":
      if (values && !values.some((each) => each === value)) return `one of ${values.join(", ")}`;
      return typeof value === "string" ? undefined : "a text";
    case "colour":
    case "URL":
      // Any colour is accepted, and nothing documents that an address is looked at.
      return typeof value === "string" ? undefined : "a text";
    case "boolean":
      return typeof value === "boolean" ? undefined : "true or false";
    case "minutes":
      return Number.isInteger(value) && Number(value) > 0 ? undefined : "a whole number of minutes";
    case "string or `false`":
      return typeof value === "string" || value === false ? undefined : "a text, or false";
    case "array of domain names":
    case "array of application titles":
      return Array.isArray(value) && value.every((each) => typeof each === "string")
        ? undefined
        : "a list of texts";
    default:
      throw type satisfies never;
  }
}
