// Prints entries of histories for a terminal, newest first.
import { commitText } from "./state-report.js";
import { changesLines } from "./change-text.js";
import { namesOf } from "./group.js";
import { differenceBetween, shownPath, shownValue } from "./difference.js";
import type { Styles } from "./styles.js";
import { inColumns, plainly, sentenceLines } from "./text-layout.js";
import type { Json } from "../lib/json.js";
import { compareNames, counted, oneLine } from "../lib/text.js";
import { formatPath, type Path } from "../settings.js";
import { authorText, isNote, isTaken, openedText } from "../state/state.js";
import type { Entry, OpenEntry, SettledChange } from "../state/state.js";

export interface ToldEntry {
  /** An open one has no number yet. */
  readonly entry: Entry | OpenEntry;
  readonly portal: string;
}

/** Those of several portals are named; what one run did to several is told once. */
export function historyText(told: readonly ToldEntry[], styles: Styles, named?: "named"): string {
  if (told.length === 0) return "No entries.\n";
  // Of entries of the same moment, the one that came last stands first.
  const newest = told
    .toReversed()
    .toSorted(({ entry: one }, { entry: other }) =>
      one.time < other.time ? 1 : one.time > other.time ? -1 : 0,
    );
  const groups = named ? groupsOf(newest, styles) : newest.map((each): Group => [each]);
  return groups.map((group) => groupText(group, styles, named)).join("\n");
}

type Group = readonly [ToldEntry, ...ToldEntry[]];

/** Entries of one run that differ in nothing but the portal, and notes of one minute. A portal's own notes keep their order. */
function groupsOf(told: readonly ToldEntry[], styles: Styles): Group[] {
  const groups: [ToldEntry, ...ToldEntry[]][] = [];
  const latest = new Map<string, number>();
  const notedIn = new Map<string, number>();
  for (const each of told) {
    const entry: Entry = each.entry;
    const { outcome = "", run = styles.time(entry.time) } = entry;
    const text = JSON.stringify([run, outcome, headOf(entry, true), bodyText(entry, styles)]);
    const known = latest.get(text) ?? -1;
    const isAfter = !isNote(entry) || (notedIn.get(each.portal) ?? -1) < known;
    const index = known >= 0 && isAfter ? known : groups.push([each]) - 1;
    if (index === known) groups[index]?.push(each);
    latest.set(text, index);
    if (isNote(entry)) notedIn.set(each.portal, Math.max(index, notedIn.get(each.portal) ?? -1));
  }
  return groups;
}

function groupText(group: Group, styles: Styles, named?: "named"): string {
  const entry: Entry = group[0].entry;
  const isMany = group.length > 1;
  const portals = group.map(({ portal }) => portal).toSorted(compareNames);
  const names = named ? namesOf(portals.map((name) => ({ portal: { name } }))) : "";
  const parts = [
    headOf(entry, isMany),
    styles.time(entry.time),
    isMany ? `${counted(group.length, "portal")}: ${names}` : names,
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
  const long = changes.filter(isLong);
  const rows = changes.filter((each) => !long.includes(each)).map(changeRow);
  const released = paths.map((path) => `  ${formatPath(path)} is managed no longer`);
  const others = alsoSent.map(({ path, sent }) =>
    row("  still sent ", path, `${shownValue(sent, 80)}, without being managed`),
  );
  const lines = [
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
