// What is said beside a change or a plan: a code for programs, what is so, and what can be done about it.
import { findSetting, isDeprecated, SETTINGS } from "../catalog/catalog.js";
import type { AccessNotice, InformationalBanner } from "../../schemas/names.js";
import { printJson, sortKeys, type Json } from "../json.js";
import type { Path } from "../settings.js";
import type { Pending } from "./inputs.js";

export type NoteCode =
  | "also-sent"
  | "deprecated"
  | "drift"
  | "newer-portal"
  | "no-longer-sent"
  | "nothing-managed"
  | "outcome-unknown"
  | "shown-otherwise"
  | "two-spellings"
  | "undo"
  | "unlisted-release"
  | "untold-version";

export interface Note {
  readonly code: NoteCode;
  /** What is so. */
  readonly message: string;
  /** What can be done about it; lines to copy stand below the first. */
  readonly help?: string;
}

/** What notices and the banner are switched on and off with. */
export const SWITCH = "enabled" satisfies keyof AccessNotice & keyof InformationalBanner;

/** Whether a path is the switch of a notice or banner, or lies beside it. */
export function hasSwitch([parameter]: Path): boolean {
  return SETTINGS.some(
    ({ parameter: { name }, property }) => name === parameter && property?.name === SWITCH,
  );
}

export function deprecatedNote(path: Path, target: string): Note[] {
  const property = findSetting(path)?.property;
  if (!property || !isDeprecated(property, target)) return [];
  return [{ code: "deprecated", message: `It is deprecated since ${property.deprecated}.` }];
}

export function driftNote(proven: Json): Note {
  return {
    code: "drift",
    message: `The portal was changed since the last apply, when it showed ${shortly(proven)}.`,
  };
}

export function undoNote(path: Path, value: Json): Note {
  const help = undoHelp(path, value);
  return {
    code: "undo",
    message: "It is left as it is and is no longer managed.",
    ...(help !== undefined && { help }),
  };
}

/** Undefined for a notice or banner that is off already. */
function undoHelp(path: Path, value: Json): string | undefined {
  const [parameter, ...below] = path;
  if (findSetting(path)?.property?.default !== undefined) {
    return `To put the documented default back, write under "${parameter}":\n  ${below.join(".")}: !default`;
  }
  if (!hasSwitch(path)) {
    return "No default is documented, so write the value that you want instead.";
  }
  if (path.at(-1) === SWITCH && value === false) return undefined;
  return `To switch it off, write under "${parameter}":\n  ${SWITCH}: false`;
}

export const STILL_SENT: Note = {
  code: "also-sent",
  message:
    "The portal is never read, and a request replaces all of what it names, so requests go on sending it as it was last applied.",
  help: "To end that:\n  lintel state release FILE PATH",
};

export const ALSO_SENT: Note = {
  code: "also-sent",
  message:
    "It is managed no longer, and is sent as it was last applied, because the portal is never read.",
};

export const MANAGED_AGAIN: Note = {
  code: "also-sent",
  message: "Requests have gone on sending it so; now it is managed again.",
};

export function noLongerSent([parameter]: Path): Note {
  return {
    code: "no-longer-sent",
    message: `The portal is never read, and the file sets nothing of "${parameter}" any more, so requests leave it out. What a portal does with a parameter that a request leaves out is not documented.`,
  };
}

export const SENT_AGAIN: Note = {
  code: "outcome-unknown",
  message: "Nobody knows whether the last apply reached the portal, so it is sent again.",
};

export function openJournalNote({ kind, unknownForMs }: Pending): Note {
  const isOver = unknownForMs === 0;
  const seconds = Math.ceil(unknownForMs / 1000);
  return {
    code: "outcome-unknown",
    message: `The outcome of the last ${kind} is unknown${isOver ? "" : ` for up to ${seconds} s, while its update may still arrive`}; ${kind === "rollback" ? "the same rollback" : "applying this plan"} ${isOver ? "settles it" : "waits for that and settles it"}.`,
  };
}

const LONGEST_SHOWN = 60;

/** Texts may be pages long, and a note is one line. Cut between letters, since half of one is no text. */
function shortly(value: Json): string {
  if (value === null) return "nothing";
  const letters = Array.from(printJson(sortKeys(value)));
  return letters.length > LONGEST_SHOWN
    ? `${letters.slice(0, LONGEST_SHOWN).join("")}…`
    : letters.join("");
}
