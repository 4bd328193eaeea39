// A checked file → what there is to see of it: its problems and, where none is an error, the settings that it wants.
import type { Checked } from "../document/check/check.js";
import { desiredOf, type PortalFile } from "../document/read/desired.js";
import { desiredAt } from "../document/schedule/at.js";
import { hasErrors, type Diagnostic } from "../diagnostic.js";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../lib/json.js";
import type { Visit } from "./home.js";
import type { Schedule } from "../schedule.js";
import { shortened } from "../lib/text.js";
import { withLeaf } from "../settings.js";

/** Longer than what anybody reads in a picture, and short enough for a browser to lay out at once. */
export const LONGEST_TEXT = 20_000;

/** Where the settings of a file say nothing. */
const UNMANAGED = "unknown, as this file does not manage them.";

export interface Seen extends Pick<Visit, "name" | "settings" | "unsaid"> {
  /** Some text is longer than a picture shows. */
  readonly isShortened: boolean;
  /** At the moment that is shown; absent where the file has none. */
  readonly schedule?: Schedule;
}

export interface Sight {
  readonly file: string;
  readonly problems: readonly Diagnostic[];
  /** Both absent where the file has errors. */
  readonly seen?: Seen;
  readonly desired?: PortalFile;
}

/** As of a moment, in milliseconds since 1970. */
export function sightOf({ file, root, diagnostics }: Checked, atMs: number): Sight {
  if (!root || hasErrors(diagnostics)) return { file, problems: diagnostics };
  const desired = desiredOf(file, root);
  const { leaves, schedule } = desiredAt(root, atMs);
  const wanted = leaves.reduce<JsonObject>(withLeaf, {});
  return {
    file,
    problems: diagnostics,
    desired,
    seen: { ...seenOf(desired.portal.name, wanted, UNMANAGED), ...(schedule && { schedule }) },
  };
}

/** As much of it as a picture shows. */
export function seenOf(name: string, settings: JsonObject, unsaid: string): Seen {
  let isShortened = false;
  const shownText = (text: string): string => {
    isShortened ||= text.length > LONGEST_TEXT;
    return shortened(text, LONGEST_TEXT);
  };
  const shownObject = (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [key, shown(value)]));
  const shown = (value: Json): Json => {
    if (typeof value === "string") return shownText(value);
    if (isJsonList(value)) return value.map(shown);
    return isJsonObject(value) ? shownObject(value) : value;
  };
  const seen = { name: shownText(name), settings: shownObject(settings), unsaid };
  return { ...seen, isShortened };
}
