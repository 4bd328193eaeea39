// A checked file → what there is to see of it: its problems and, where none is an error, the settings that it wants.
import type { Checked } from "../document/check.js";
import { desiredOf } from "../document/desired.js";
import { desiredLeaves } from "../document/leaves.js";
import { hasErrors, type Diagnostic } from "../diagnostic.js";
import { isJsonObject, type Json, type JsonObject } from "../json.js";
import type { Visit } from "../pages/home.js";
import { shorten } from "../pages/text.js";
import { withLeaf } from "../settings.js";

/** Longer than what anybody reads in a picture, and short enough for a browser to lay out at once. */
export const LONGEST_TEXT = 20_000;

export interface Seen extends Pick<Visit, "name" | "settings"> {
  /** Some text is longer than a picture shows. */
  readonly isShortened: boolean;
}

export interface Sight {
  readonly file: string;
  readonly problems: readonly Diagnostic[];
  /** Absent where the file has errors. */
  readonly seen?: Seen;
}

export function sightOf({ file, root, diagnostics }: Checked): Sight {
  if (!root || hasErrors(diagnostics)) return { file, problems: diagnostics };
  const { name } = desiredOf(file, root).portal;
  const wanted = desiredLeaves(root).reduce<JsonObject>(withLeaf, {});
  let isShortened = false;
  const shortenedText = (text: string): string => {
    isShortened ||= text.length > LONGEST_TEXT;
    return shorten(text, LONGEST_TEXT);
  };
  const shortened = (value: Json): Json => {
    if (typeof value === "string") return shortenedText(value);
    if (Array.isArray(value)) return value.map(shortened);
    return isJsonObject(value) ? eachShortened(value) : value;
  };
  const eachShortened = (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [key, shortened(value)]));
  const seen = { name: shortenedText(name), settings: eachShortened(wanted) };
  return { file, problems: diagnostics, seen: { ...seen, isShortened } };
}
