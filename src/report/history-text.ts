// Prints entries of histories for a terminal, newest first.
import { changeEntry, type ChangeEntry } from "./change-entry.js";
import { changesLines } from "./change-text.js";
import { namesOf } from "./group.js";
import { shownValue } from "./difference.js";
import { commitText } from "./state-report.js";
import type { Styles } from "./styles.js";
import { inColumns, plainly, sentenceLines } from "./text-layout.js";
import { compareNames, counted, oneLine } from "../lib/text.js";
import { formatPath } from "../settings.js";
import { authorText, isNote, isTaken, openedText } from "../state/state.js";
import type { Entry, OpenEntry, SettledChange } from "../state/state.js";

export interface HistoryItem {
  /** An open one has no number yet. */
  readonly entry: Entry | OpenEntry;
  readonly portal: string;
}

/** The entries of several portals are named; those of one run that are equal share the words. */
export function historyText(
  items: readonly HistoryItem[],
  styles: Styles,
  named?: "named",
): string {
  if (items.length === 0) return "No entries.\n";
  // Of entries of the same moment, the one that came last stands first.
  const newest = items
    .toReversed()
    .toSorted(({ entry: one }, { entry: other }) =>
      one.time < other.time ? 1 : one.time > other.time ? -1 : 0,
    );
  if (!named) return newest.map(({ entry }) => entryText(entry, [], styles)).join("\n");
  return groupsOf(newest, styles)
    .map(([entry, portals]) => entryText(entry, portals.toSorted(compareNames), styles))
    .join("\n");
}

/** Equal entries of one run, and equal notes of one minute. A portal's own notes keep their order. */
function groupsOf(newest: readonly HistoryItem[], styles: Styles) {
  const groups = new Map<string, readonly [entry: Entry, portals: string[]]>();
  const notes = new Map<string, number>();
  for (const { entry, portal } of newest as readonly { entry: Entry; portal: string }[]) {
    const { outcome, run = styles.time(entry.time) } = entry;
    const own = JSON.stringify([portal, run]);
    if (isNote(entry)) notes.set(own, (notes.get(own) ?? 0) + 1);
    const nth = isNote(entry) ? notes.get(own) : 0;
    const key = JSON.stringify([run, outcome, nth, headOf(entry, true), bodyText(entry, styles)]);
    const group = groups.get(key);
    if (group) group[1].push(portal);
    else groups.set(key, [entry, [portal]]);
  }
  return [...groups.values()];
}

function entryText(entry: Entry, portals: readonly string[], styles: Styles): string {
  const isMany = portals.length > 1;
  const names = namesOf(portals.map((name) => ({ portal: { name } })));
  const parts = [
    headOf(entry, isMany),
    styles.time(entry.time),
    isMany ? `${counted(portals.length, "portal")}: ${names}` : names,
    entry.outcome ? `outcome ${entry.outcome}` : "",
  ];
  const head = sentenceLines(parts.filter(Boolean).join("  "), styles.bold, "", styles);
  return `${head.join("\n")}\n${bodyText(entry, styles)}`;
}

/** Each portal counts its own applies. */
function headOf(entry: Entry, isMany: boolean): string {
  const { kind, number } = entry;
  if (isNote(entry)) return kind;
  if (number === undefined) return `${kind} not settled`;
  return isMany ? kind : `${kind} ${number}`;
}

function bodyText(entry: Entry, styles: Styles): string {
  const { by, why, until, guards, changes, alsoSent = [], paths = [] } = entry;
  const author = [authorText(by), commitText(by), by.job, `on ${by.host}`]
    .filter(Boolean)
    .join(", ");
  const released = paths.map((path) => `  ${formatPath(path)} is no longer managed`);
  const others = alsoSent.map(
    ({ path, sent }) =>
      [`  still sent ${formatPath(path)}`, `${shownValue(sent, 80)}, unmanaged`] as const,
  );
  const lines = [
    ...sentenceLines(oneLine(`by ${author}`), plainly, "  ", styles),
    ...guards.map((each) => oneLine(`  guard ${openedText(each)}`)),
    ...(why === undefined ? [] : [oneLine(`  ${why}`)]),
    ...(until === undefined ? [] : [`  until ${styles.time(until)}`]),
    ...(changes.length > 0 || isNote(entry) ? [] : ["  no changes"]),
    ...released,
    ...changesLines(changes.map(settledEntry), styles),
    ...inColumns(others, styles),
  ];
  return `${lines.join("\n")}\n`;
}

/** As the plan shows it, and what the portal made of it. */
function settledEntry(change: SettledChange): ChangeEntry {
  const { before = null, shown, cause, window } = change;
  const entry = changeEntry({ ...change, before, place: null, notes: [] }, true);
  const isOpened = window?.is === "open";
  const words = [
    entry.words,
    cause === "schedule" && window
      ? `(the window "${window.name}" ${isOpened ? "opened" : "closed"})`
      : "",
    change.before === undefined ? "the value before is unknown" : "",
    shown === undefined ? "" : isTaken(change) ? `shown as ${shownValue(shown, 80)}` : "not taken",
  ];
  return { ...entry, words: oneLine(words.filter(Boolean).join(", ")) };
}
