// Renders changed settings: one list per parameter, word-by-word diffs of texts, and pictures of banner and notices.
import type { Change } from "../../../apply/reconcile.js";
import type { Html } from "../../../lib/html.js";
import { isEqual, type JsonObject } from "../../../lib/json.js";
import { changeEntry } from "../../../report/change-entry.js";
import { renderChanges } from "../../../report/html-changes.js";
import {
  captionsOf,
  picturesOf,
  sidesBetween,
  type Palette,
} from "../../../report/html-pictures.js";
import { someOf } from "../../../lib/text.js";
import { formatPath, isSent, leavesOf, readPath, withLeaf } from "../../../settings.js";
import type { SettledChange } from "../../../state/state.js";
import type { ChangeJson, DriftJson } from "../../events/change-json.js";

export interface ChangeList {
  readonly changes: readonly Change[];
  /** All settings before. Absent if some are unknown; then there are no pictures. */
  readonly before?: JsonObject | undefined;
  readonly palette: Palette;
  /** Uses the picture headings of drift. */
  readonly isDrift?: boolean;
  /** The changes were applied. */
  readonly isDone?: boolean;
}

export function renderChangeList(list: ChangeList): Html {
  const { changes, before, palette, isDrift = false, isDone = false } = list;
  const sent = changes.filter(isSent);
  const sides = sidesBetween(
    sent,
    () =>
      before && {
        before,
        after: sent.reduce<JsonObject>(
          (held, { path, after }) => withLeaf(held, { path, value: after }),
          before,
        ),
      },
  );
  const entries = changes.map((each) => changeEntry(each, isDone));
  return renderChanges(entries, picturesOf(sides, captionsOf({ isDrift }), palette));
}

export function pendingChange({ path, action, cause, before, after }: ChangeJson): Change {
  return { path: readPath(path), action, cause, before, after, place: null, notes: [] };
}

export function driftChange({ path, proven, live, managed }: DriftJson): Change {
  const change = { action: "set", cause: "drift", before: proven, after: live } as const;
  return { ...change, path: readPath(path), place: null, notes: managed ? [] : [UNMANAGED] };
}

const UNMANAGED = { code: "drift", message: "The file does not manage it." } as const;

export function settledChange({ path, action, cause, before, after }: SettledChange): Change {
  return { path, action, cause, before: before ?? null, after, place: null, notes: [] };
}

/** Every setting whose value differs. */
export function changesBetween(before: JsonObject, after: JsonObject): Change[] {
  const [left, right] = [before, after].map(
    (side) => new Map(leavesOf(side).map(({ path, value }) => [formatPath(path), { path, value }])),
  );
  const all = new Map([...(left ?? []), ...(right ?? [])]);
  return [...all].flatMap(([name, { path }]) => {
    const [was, is] = [left?.get(name)?.value ?? null, right?.get(name)?.value ?? null];
    if (isEqual(was, is)) return [];
    return [{ path, action: "set", cause: "file", before: was, after: is, place: null, notes: [] }];
  });
}

const MOST_NAMED = 3;

/** The names of changed settings, on one line. */
export function namesOf(changes: readonly { readonly path: string }[]): string {
  const paths = changes.map(({ path }) => path);
  return someOf(paths, "setting", MOST_NAMED);
}
