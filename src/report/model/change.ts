// A change of a plan → what is told of it in every format: a mark, its name, words, what differs, its place, and notes.
import type { Change } from "../../plan/diff.js";
import type { Note } from "../../plan/note.js";
import { differenceBetween, shownPath, type Difference, type Mark } from "./difference.js";

export interface ChangeReport {
  readonly change: Change;
  readonly mark: Mark;
  readonly parameter: string;
  /** Below the parameter; empty where the parameter is the setting. */
  readonly name: string;
  /** Beside the value; empty for what was plainly set. */
  readonly words: string;
  readonly difference: Difference;
  /** "portal.yaml:7"; empty where it stands in no file. */
  readonly at: string;
  readonly notes: readonly NoteReport[];
  /** Whether somebody else had changed it before. */
  readonly isDrifted: boolean;
}

export interface NoteReport {
  readonly text: string;
  /** Nobody may have meant it, so that it stands out. */
  readonly isUnmeant: boolean;
}

export function reportChange(change: Change, isDone: boolean): ChangeReport {
  const { path, action, before, after, place, notes } = change;
  const isSent = action === "set" || action === "default";
  return {
    change,
    ...ACTIONS[action](change, isDone),
    parameter: shownPath(path.slice(0, 1)),
    name: path.length > 1 ? shownPath(path.slice(1)) : "",
    difference: isSent
      ? differenceBetween({ before: before ?? undefined, after })
      : { kind: "value", before: undefined, after: after ?? undefined },
    at: place ? `${place.file}:${place.line}` : "",
    // That settings are deprecated is said once, of the plan, with the names of all.
    notes: notes.filter(({ code }) => code !== "deprecated").map(reportNoteBeside),
    isDrifted: notes.some(({ code }) => code === "drift"),
  };
}

export function reportNote({ code, message, help }: Note): NoteReport {
  return {
    text: help === undefined ? message : `${message} ${help}`,
    isUnmeant: code === "drift" || code === "deprecated" || code === "outcome-unknown",
  };
}

/** The words beside the change say already that the setting is no longer managed. */
function reportNoteBeside(note: Note): NoteReport {
  const { code, help } = note;
  return reportNote(code === "undo" && help !== undefined ? { code, message: help } : note);
}

/** What follows on each other under one name, which is told once. */
export function neighbours<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): (readonly [name: string, held: Item[]])[] {
  const groups: (readonly [string, Item[]])[] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last?.[0] === nameOf(item)) last[1].push(item);
    else groups.push([nameOf(item), [item]]);
  }
  return groups;
}

type Told = Pick<ChangeReport, "mark" | "words">;

const ACTIONS: Readonly<Record<Change["action"], (change: Change, isDone: boolean) => Told>> = {
  set: ({ before }) => ({ mark: before === null ? "+" : "~", words: "" }),
  default: ({ before }) => ({
    mark: before === null ? "+" : "~",
    words: "back to the documented default",
  }),
  release: ({ after }) => ({
    mark: "-",
    words: `no longer managed, left ${after === null ? "unset" : "as it is"}`,
  }),
  adopt: (_, isDone) => ({
    mark: "=",
    words: `already so; the state ${isDone ? "took" : "takes"} note`,
  }),
};
