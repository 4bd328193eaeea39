// Describes one change of a plan for every format: its mark, name, difference, place and notes.
import type { Change } from "../plan/diff.js";
import type { Note } from "../plan/note.js";
import type { PlanNote } from "../plan/plan.js";
import { formatPath, isSent } from "../settings.js";
import {
  differenceBetween,
  LONGEST_VALUE,
  shownPath,
  shownValue,
  type Difference,
  type Mark,
} from "./difference.js";

export interface ChangeEntry {
  readonly change: Change;
  readonly mark: Mark;
  /** Beside the value; empty for what is plainly set. */
  readonly words: string;
  readonly parameter: string;
  /** Below the parameter; empty where the parameter itself is the setting. */
  readonly name: string;
  readonly difference: Difference;
  /** "portal.yaml:7"; empty where it stands in no file. */
  readonly at: string;
  /** The same of the value before, in a comparison: `at` then names both. */
  readonly spots?: { readonly before: string; readonly after: string };
  readonly notes: readonly NoteEntry[];
}

export interface NoteEntry {
  readonly text: string;
  /** It stands out, because it may be a mistake. */
  readonly isUnexpected: boolean;
}

export function changeEntry(change: Change, isDone: boolean): ChangeEntry {
  const { path, action, before, after, place, notes } = change;
  const isNew = isSent(change) && before === null;
  return {
    change,
    mark: isNew ? "+" : isSent(change) ? "~" : action === "release" ? "-" : "=",
    words: WORDS[action](change, isDone),
    parameter: shownPath(path.slice(0, 1)),
    name: path.length > 1 ? shownPath(path.slice(1)) : "",
    difference: isSent(change)
      ? differenceBetween({ before: before ?? undefined, after })
      : {
          kind: "value",
          before: undefined,
          after: after === null ? undefined : shownValue(after, LONGEST_VALUE),
        },
    at: place ? `${place.file}:${place.line}` : "",
    notes: notesOf(notes),
  };
}

const WORDS: Readonly<Record<Change["action"], (change: Change, isDone: boolean) => string>> = {
  set: () => "",
  default: () => "back to the documented default",
  release: ({ after }) => `no longer managed, left ${after === null ? "unset" : "as it is"}`,
  adopt: (_, isDone) => `already in sync; ${isDone ? "now" : "will be"} tracked`,
};

/** The plan names all deprecated settings in one note of its own. */
function notesOf(notes: readonly Note[]): NoteEntry[] {
  return notes
    .filter(({ code }) => code !== "deprecated")
    .flatMap((note) => {
      const { code, help } = note;
      if (code !== "undo") return [noteEntry(note)];
      // The words beside the change say already that the setting is no longer managed.
      return help === undefined ? [] : [noteEntry({ code, message: help })];
    });
}

const UNEXPECTED: readonly Note["code"][] = ["deprecated", "drift", "outcome-unknown"];

export function noteEntry({ code, message, help }: Note): NoteEntry {
  return {
    text: help === undefined ? message : `${message} ${help}`,
    isUnexpected: UNEXPECTED.includes(code),
  };
}

export function planNoteEntry({ path, ...note }: PlanNote): NoteEntry {
  const { text, isUnexpected } = noteEntry(note);
  return { text: path ? `"${formatPath(path)}": ${text}` : text, isUnexpected };
}
