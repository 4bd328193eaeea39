// Prints a state, its history, its holds, or the holder of a lock for a terminal.
import type { Identity } from "../plan/inputs.js";
import { formatPath, type Path } from "../settings.js";
import { isEqual, type Json } from "../lib/json.js";
import {
  appliesOf,
  authorText,
  isNote,
  isTaken,
  openedText,
  type Applied,
  type Author,
  type Entry,
  type Journal,
  type OpenEntry,
  type Hold,
  type SettledChange,
  type State,
} from "../state/state.js";
import type { Trust } from "../state/trust/signature.js";
import type { StateReader } from "../state/state-store.js";
import { shownValue } from "./difference.js";
import { inColumns, plainly, sentenceLines } from "./text-layout.js";
import { type Styles } from "./styles.js";
import { counted, oneLine } from "../lib/text.js";

interface Remembered {
  readonly state: State | undefined;
  /** Whether somebody signed it, and this run could see that. */
  readonly signature?: Trust | null;
}

export function stateText(
  {
    portal,
    store: { place },
  }: { readonly portal: Identity; readonly store: Pick<StateReader, "place"> },
  { state, signature }: Remembered,
  styles: Styles,
): string {
  const head = [
    ["portal", `${portal.url} (${portal.id})`],
    ["place", place],
  ] as const;
  if (!state) return lines([...inColumns(head, styles), "", "Nothing was ever applied."]);
  const { serial, lineage, leaves, alsoSent = [], journal, hold, history } = state;
  const last = appliesOf({ history }).at(-1);
  const since = journal && `${openText(journal, styles)}: its outcome is unknown`;
  const managed = leaves.map(({ path, sent, shown }) => {
    const otherwise = isEqual(sent, shown) ? "" : `, shown as ${shownValue(shown, 200)}`;
    return row("", path, shownValue(sent, 200) + otherwise);
  });
  const others = alsoSent.map(({ path, sent }) => row("", path, shownValue(sent, 200)));
  return lines([
    ...inColumns(
      [
        ...head,
        ["serial", String(serial)],
        ["lineage", lineage],
        ["last apply", last ? entryHead(last, styles) : "none"],
        ["journal", since ?? "closed"],
        ["hold", hold ? holdText(hold, styles) : "none"],
        ...(signature ? [["signature", TRUST[signature]] as const] : []),
      ],
      styles,
    ),
    "",
    styles.bold(`${counted(leaves.length, "setting")} managed`),
    ...inColumns(managed, styles),
    ...(others.length > 0
      ? ["", styles.bold(`${counted(others.length, "setting")} sent without being managed`)]
      : []),
    ...inColumns(others, styles),
  ]);
}

export const TRUST: Readonly<Record<Trust, string>> = {
  verified: "verified",
  "not-verified": "not verified, because LINTEL_STATE_KEY is not set, or empty",
};

/** The newest first; before it what is not settled. */
export function historyText(
  entries: readonly Entry[],
  open: OpenEntry | undefined,
  styles: Styles,
): string {
  if (entries.length === 0 && !open) return "Nothing was ever applied.\n";
  const newest = [...(open ? [open] : []), ...entries.toReversed()];
  return newest.map((entry) => entryText(entry, styles)).join("\n");
}

/** An open one has no number yet. */
function entryText(entry: Entry, styles: Styles): string {
  const { kind, number, time, by, outcome, why, until } = entry;
  const { guards, changes, alsoSent = [], paths = [] } = entry;
  const author = [authorText(by), commitText(by), by.job, `on ${by.host}`]
    .filter(Boolean)
    .join(", ");
  const rows = changes.map((change) => {
    const value = `${askedText(change)}${windowText(change)}`;
    // What was in sync has one value.
    return change.action === "adopt"
      ? row("  track ", change.path, value)
      : row(`  ${change.action} `, change.path, `${earlier(change.before)} → ${value}`);
  });
  const released = paths.map((path) => `  ${formatPath(path)} is managed no longer`);
  const others = alsoSent.map(({ path, sent }) =>
    row("  still sent ", path, `${shownValue(sent, 80)}, without being managed`),
  );
  const head = isNote(entry) ? kind : `${kind} ${number ?? "not settled"}`;
  const end = outcome ? `  outcome ${outcome}` : "";
  return lines([
    styles.bold(`${head}  ${styles.time(time)}${end}`),
    ...sentenceLines(oneLine(`by ${author}`), plainly, "  ", styles),
    ...guards.map((each) => oneLine(`  guard ${openedText(each)}`)),
    ...(why === undefined ? [] : [oneLine(`  ${why}`)]),
    ...(until === undefined ? [] : [`  until ${styles.time(until)}`]),
    ...(rows.length > 0 || isNote(entry) ? [] : ["    nothing was changed"]),
    ...released,
    ...inColumns([...rows, ...others], styles),
  ]);
}

/** "2026-01-02 03:04 UTC by ada, apply 7, commit 0123456789ab" */
export function entryHead({ kind, time, by, number, outcome }: Applied, styles: Styles): string {
  const head = `${styles.time(time)} by ${authorText(by)}, ${kind} ${number}`;
  const unsettled = outcome && `outcome ${outcome}`;
  const more = [unsettled, commitText(by)];
  return [head, ...more].filter(Boolean).join(", ");
}

/** By whom and from where the update was sent that may still arrive. */
export function openText({ time, by }: Journal, styles: Styles): string {
  const commit = commitText(by);
  return oneLine(
    `open since ${styles.time(time)} by ${authorText(by)}${commit ? `, ${commit}` : ""}`,
  );
}

export function holdText({ since, by, why, until }: Hold, styles: Styles): string {
  const end = until === undefined ? "" : ` until ${styles.time(until)}`;
  return `since ${styles.time(since)}${end} by ${authorText(by)}: ${why}`;
}

/** Whoever looks the commit up must know that not all that was applied stands in it. */
export function commitText({ commit }: Author): string | undefined {
  if (commit === undefined) return undefined;
  const name = commit.replace(/-dirty$/, "");
  const isDirty = name !== commit;
  return `commit ${name.slice(0, 12)}${isDirty ? " with changes that are not committed" : ""}`;
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

function lines(all: readonly string[]): string {
  return `${all.join("\n")}\n`;
}
