// Renders changes of settings: one list per parameter, texts word by word, the banner and notices as pictures.
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
  /** All settings before; absent where some are unknown, and then there are no pictures. */
  readonly before?: JsonObject | undefined;
  readonly palette: Palette;
  /** The headings of the pictures are those of drift. */
  readonly isDrift?: boolean;
  /** They were applied. */
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

/** Each setting that has another value. */
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

/** The settings of changes, for one line. */
export function namesOf(changes: readonly { readonly path: string }[]): string {
  const paths = changes.map(({ path }) => path);
  return someOf(paths, "setting", MOST_NAMED);
}
