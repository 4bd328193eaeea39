// Changes and drift as plain JSON → the same as reports show them: one parameter after the other, texts word by word.
import { readPath } from "../../../settings.js";
import { type ChangeEntry, changeEntry } from "../../../report/change-entry.js";
import { renderChanges } from "../../../report/html-changes.js";
import type { Pictures } from "../../../report/html-pictures.js";
import type { Change } from "../../../apply/reconcile.js";
import type { ChangeJson, DriftJson } from "../../news/changes.js";

const LIMITS = { text: 4_000, value: 400, entries: 40, changes: 200 };

export function reportsOf(changes: readonly Change[], isDone = false): ChangeEntry[] {
  return changes.map((each) => changeEntry(each, isDone));
}

export function renderReports(reports: readonly ChangeEntry[], pictures: Pictures = new Map()) {
  return renderChanges(reports, pictures, LIMITS);
}

export function changeIn({ path, action, cause, before, after }: ChangeJson): Change {
  return { path: readPath(path), action, cause, before, after, place: null, notes: [] };
}

export function driftIn({ path, proven, live, managed }: DriftJson): Change {
  const notes = managed ? [] : [UNMANAGED];
  const change = { action: "set", cause: "drift", before: proven, after: live } as const;
  return { ...change, path: readPath(path), place: null, notes };
}

const UNMANAGED = { code: "drift", message: "The file does not manage it." } as const;
