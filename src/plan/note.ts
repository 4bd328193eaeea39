// Notes on a change or a plan: a code for programs, a sentence, and what to do.
import { findSetting, isDeprecated } from "../catalog/catalog.js";
import type { AccessNotice, InformationalBanner } from "../../schemas/names.js";
import { printJson, sortKeys, type Json } from "../lib/json.js";
import type { Path } from "../settings.js";

/** Every code of a note, and its meaning. */
export const NOTE_CODES = {
  "also-sent": "a setting that is no longer managed, but is still sent with its last applied value",
  deprecated: "a setting that is deprecated in the target version",
  drift: "a value that was changed on the portal since the last apply",
  "newer-portal": "a portal that is newer than the target version",
  "no-longer-sent": "a parameter that requests no longer contain",
  "nothing-managed": "a file that manages no setting",
  "outcome-unknown": "an earlier update that may or may not have arrived",
  schedule: "a window of the schedule that is open, or comes next",
  "shown-otherwise": "a value that the portal shows in another form than it was sent",
  "two-spellings": "a property that the portal shows in two spellings",
  undo: "a setting that is no longer managed and stays as it is",
  "unproven-view":
    "settings that the portal may hide, because the session is not an administrator's",
  "unlisted-release": "a version of the portal that the reference does not list",
  "untold-version": "a portal that does not show its version",
  waits: "changes that --due leaves out of this apply",
  "windows-noted": "new or changed windows, which the state records",
} as const satisfies Record<string, string>;

export type NoteCode = keyof typeof NOTE_CODES;

export interface Note {
  readonly code: NoteCode;
  readonly message: string;
  /** What to do; commands to copy follow on lines of their own. */
  readonly help?: string;
}

/** The switch of notices and of the banner. */
const SWITCH = "enabled" satisfies keyof AccessNotice & keyof InformationalBanner;

function hasSwitch([parameter = ""]: Path): boolean {
  return findSetting([parameter, SWITCH]) !== undefined;
}

export function isSwitch(path: Path): boolean {
  return path.length === 2 && path[1] === SWITCH && hasSwitch(path);
}

export function deprecatedNote(path: Path, target: string): Note[] {
  const property = findSetting(path)?.property;
  if (!property || !isDeprecated(property, target)) return [];
  return [note("deprecated", `It is deprecated since ${property.deprecated}.`)];
}

export function driftNote(proven: Json): Note {
  const before = proven === null ? "not set" : shortly(proven);
  return note("drift", `Changed on the portal since the last apply (was ${before}).`);
}

/** `isSwitchedOff`: the plan switches the notice off anyway. */
export function undoNote(path: Path, value: Json, isSwitchedOff: boolean): Note {
  const help = isSwitchedOff && hasSwitch(path) ? undefined : undoHelp(path, value);
  return note("undo", "It is left as it is and is no longer managed.", help);
}

/** Undefined for a notice or banner that is off already. */
function undoHelp(path: Path, value: Json): string | undefined {
  const [parameter, ...below] = path;
  if (findSetting(path)?.property?.default !== undefined)
    return `To restore the documented default, write under "${parameter}":\n  ${below.join(".")}: !default`;
  if (!hasSwitch(path)) return "No default is documented, so write a value instead.";
  return isSwitch(path) && value === false
    ? undefined
    : `To switch it off, write under "${parameter}":\n  ${SWITCH}: false`;
}

export const STILL_SENT = note(
  "also-sent",
  "Lintel still sends its last applied value, because it never reads the portal and a request replaces the whole parameter.",
  "To stop that:\n  lintel state rm FILE PATH",
);

export const MANAGED_AGAIN = note("also-sent", "Lintel still sent it; now it is managed again.");

export function noLongerSent([parameter]: Path): Note {
  return note(
    "no-longer-sent",
    `The file no longer sets anything in "${parameter}", and Lintel never reads the portal. So requests leave it out. The vendor does not document what a portal does then.`,
  );
}

/** A report names the file. */
export const NOTHING_MANAGED = note(
  "nothing-managed",
  "The file has no settings yet.",
  'Add some under "settings:", or start from the live values:\n  lintel pull FILE --all',
);

export const WINDOWS_NOTED = note(
  "windows-noted",
  "Its windows are new or changed. The state records them, so that they can open and close on time.",
);

export const SENT_AGAIN = note(
  "outcome-unknown",
  "The outcome of the last update is unknown, so it is sent again.",
);

export function note(code: NoteCode, message: string, help?: string): Note {
  return { code, message, ...(help !== undefined && { help }) };
}

const LONGEST_SHOWN = 60;

/** Cuts long texts to one line, between letters. */
export function shortly(value: Json): string {
  if (value === null) return "nothing";
  const letters = Array.from(printJson(sortKeys(value)));
  if (letters.length <= LONGEST_SHOWN) return letters.join("");
  const quote = typeof value === "string" ? '"' : "";
  return `${letters.slice(0, LONGEST_SHOWN).join("")}…${quote}`;
}
