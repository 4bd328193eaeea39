// Prints entries of histories for a terminal, newest first.
import { commitText } from "./state-report.js";
import { changesLines } from "./change-text.js";
import { differenceBetween, shownPath, shownValue } from "./difference.js";
import type { Styles } from "./styles.js";
import { inColumns, plainly, sentenceLines } from "./text-layout.js";
import type { Json } from "../lib/json.js";
import { oneLine } from "../lib/text.js";
import { formatPath, type Path } from "../settings.js";
import { authorText, isNote, isTaken, openedText } from "../state/state.js";
import type { Entry, OpenEntry, SettledChange } from "../state/state.js";

export interface ToldEntry {
  /** An open one has no number yet. */
  readonly entry: Entry | OpenEntry;
  readonly portal: string;
}

/** Those of several portals are named. Of entries of the same moment, the one that came last stands first. */
export function historyText(told: readonly ToldEntry[], styles: Styles, named?: "named"): string {
  if (told.length === 0) return "No entries.\n";
  return told
    .toReversed()
    .toSorted(({ entry: one }, { entry: other }) =>
      one.time < other.time ? 1 : one.time > other.time ? -1 : 0,
    )
    .map(({ entry, portal }) => entryText(entry, named && portal, styles))
    .join("\n");
}

function entryText(entry: Entry, portal: string | undefined, styles: Styles): string {
  const { kind, number, time, by, outcome, why, until } = entry;
  const { guards, changes, alsoSent = [], paths = [] } = entry;
  const author = [authorText(by), commitText(by), by.job, `on ${by.host}`]
    .filter(Boolean)
    .join(", ");
  const long = changes.filter(isLong);
  const rows = changes.filter((each) => !long.includes(each)).map(changeRow);
  const released = paths.map((path) => `  ${formatPath(path)} is managed no longer`);
  const others = alsoSent.map(({ path, sent }) =>
    row("  still sent ", path, `${shownValue(sent, 80)}, without being managed`),
  );
  const head = isNote(entry) ? kind : `${kind} ${number ?? "not settled"}`;
  const end = outcome ? `  outcome ${outcome}` : "";
  const name = portal === undefined ? "" : `  ${oneLine(portal)}`;
  const lines = [
    styles.bold(`${head}  ${styles.time(time)}${name}${end}`),
    ...sentenceLines(oneLine(`by ${author}`), plainly, "  ", styles),
    ...guards.map((each) => oneLine(`  guard ${openedText(each)}`)),
    ...(why === undefined ? [] : [oneLine(`  ${why}`)]),
    ...(until === undefined ? [] : [`  until ${styles.time(until)}`]),
    ...(changes.length > 0 || isNote(entry) ? [] : ["    nothing was changed"]),
    ...released,
    ...inColumns([...rows, ...others], styles),
    ...long.flatMap((change) => longLines(change, styles)),
  ];
  return `${lines.join("\n")}\n`;
}

function changeRow(change: SettledChange) {
  const value = `${askedText(change)}${windowText(change)}`;
  // What was in sync has one value.
  return change.action === "adopt"
    ? row("  track ", change.path, value)
    : row(`  ${change.action} `, change.path, `${earlier(change.before)} → ${value}`);
}

/** Its values are told by what differs, as the plan tells them. */
function isLong(change: SettledChange): boolean {
  const { action, before, after } = change;
  const isSet = action === "set" && before !== undefined && before !== null;
  return isSet && isTaken(change) && differenceBetween({ before, after }).kind !== "value";
}

function longLines(change: SettledChange, styles: Styles): string[] {
  const { path, before, after } = change;
  const entry = {
    mark: "~" as const,
    words: windowText(change).trim(),
    parameter: "",
    name: shownPath(path),
    difference: differenceBetween({ before, after }),
    at: "",
    notes: [],
  };
  return changesLines([entry], { ...styles, width: styles.width - 2 }).map((line) => `  ${line}`);
}

/** What was asked for, and what of it the portal did not do. */
function askedText(change: SettledChange): string {
  const { after, shown } = change;
  const asked = shownValue(after, 80);
  if (shown === undefined) return asked;
  return isTaken(change)
    ? `${asked} asked, shown as ${shownValue(shown, 80)}`
    : `${asked} asked, not taken`;
}

/** The window that it comes from. */
function windowText({ cause, window }: SettledChange): string {
  if (cause !== "schedule" || !window) return "";
  return oneLine(` (the window "${window.name}" ${window.is === "open" ? "opened" : "closed"})`);
}

function row(head: string, path: Path, text: string) {
  return [`  ${head}${formatPath(path)}`, text] as const;
}

function earlier(before: Json | undefined): string {
  if (before === undefined) return "unknown";
  return before === null ? "not set" : shownValue(before, 80);
}
