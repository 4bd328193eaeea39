// A change of a plan → what is told of it in every format: a mark, its name, words, what differs, its place, and notes.
import type { Change } from "../../plan/diff.js";
import type { Note } from "../../plan/note.js";
import type { Plan, PlanNote } from "../../plan/plan.js";
import { formatPath, isSent } from "../../settings.js";
import { counted } from "../../lib/text.js";
import { differenceBetween, shownPath, type Difference, type Mark } from "./difference.js";

export type ChangeReport = ReturnType<typeof reportChange>;
export type NoteReport = ReturnType<typeof reportNote>;

export function reportChange(change: Change, isDone: boolean) {
  const { path, action, before, after, notes } = change;
  const isNew = isSent(change) && before === null;
  const mark: Mark = isNew ? "+" : isSent(change) ? "~" : action === "release" ? "-" : "=";
  return {
    change,
    mark,
    words: WORDS[action](change, isDone),
    // These are found out when they are drawn.
    get parameter(): string {
      return shownPath(path.slice(0, 1));
    },
    /** Below the parameter; empty where the parameter is the setting. */
    get name(): string {
      return path.length > 1 ? shownPath(path.slice(1)) : "";
    },
    get difference(): Difference {
      return isSent(change)
        ? differenceBetween({ before: before ?? undefined, after })
        : { kind: "value", before: undefined, after: after ?? undefined };
    },
    at: placeOf(change),
    get notes(): NoteReport[] {
      return notesBeside(notes);
    },
  };
}

/** "portal.yaml:7"; empty where it stands in no file. */
export function placeOf({ place }: Change): string {
  return place ? `${place.file}:${place.line}` : "";
}

/** Whether somebody else had changed it before. */
export function isDrifted({ notes }: Change): boolean {
  return notes.some(({ code }) => code === "drift");
}

/** That settings are deprecated is said once, of the plan, with the names of all. */
function notesBeside(notes: readonly Note[]): NoteReport[] {
  return notes
    .filter(({ code }) => code !== "deprecated")
    .map((note) => {
      const { code, help } = note;
      // The words beside the change say already that the setting is no longer managed.
      return reportNote(code === "undo" && help ? { code, message: help } : note);
    });
}

const UNMEANT: readonly Note["code"][] = ["deprecated", "drift", "other-commit", "outcome-unknown"];

export function reportNote({ code, message, help }: Note) {
  return {
    text: help === undefined ? message : `${message} ${help}`,
    // Nobody may have meant it, so that it stands out.
    isUnmeant: UNMEANT.includes(code),
  };
}

/** What nobody may have meant of a plan: its own notes, and of those beside what is sent the first of each kind. */
export function unmeantIn({ changes, notes }: Pick<Plan, "changes" | "notes">): NoteReport[] {
  const beside = new Map<Note["code"], { readonly first: PlanNote; more: number }>();
  for (const { path, notes } of changes.filter(isSent)) {
    for (const note of notes.filter(({ code }) => code !== "deprecated")) {
      const known = beside.get(note.code);
      if (known) known.more += 1;
      else beside.set(note.code, { first: { ...note, path }, more: 0 });
    }
  }
  const firsts = [...beside.values()].map(({ first, more }) => {
    const others = more > 0 ? ` The same is so of ${counted(more, "more setting")}.` : "";
    return { ...first, message: first.message + others };
  });
  return [...notes, ...firsts].map(reportPlanNote).filter(({ isUnmeant }) => isUnmeant);
}

export function reportPlanNote({ path, ...note }: PlanNote): NoteReport {
  const { text, isUnmeant } = reportNote(note);
  return { text: path ? `"${formatPath(path)}": ${text}` : text, isUnmeant };
}

/** Beside the value; empty for what was plainly set. */
const WORDS: Readonly<Record<Change["action"], (change: Change, isDone: boolean) => string>> = {
  set: () => "",
  default: () => "back to the documented default",
  release: ({ after }) => `no longer managed, left ${after === null ? "unset" : "as it is"}`,
  adopt: (_, isDone) => `already in sync; ${isDone ? "now" : "will be"} tracked`,
};
