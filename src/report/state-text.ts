// A state, its history, or the holder of its lock → text for a terminal.
import type { Identity } from "../plan/inputs.js";
import { formatPath } from "../settings.js";
import { isEqual, type Json } from "../json.js";
import type { Author, Entry, State } from "../state/state.js";
import type { Holder } from "../state/store.js";
import { shownValue } from "./change.js";
import { inColumns } from "./layout.js";
import { oneLine, type Paint } from "./paint.js";
import { counted } from "./text.js";

export interface ShownState {
  readonly portal: Identity;
  readonly place: string;
  readonly state: State | undefined;
  readonly holder: Holder | undefined;
}

export function stateText({ portal, place, state, holder }: ShownState, paint: Paint): string {
  const rows: [string, string][] = [
    ["portal", `${portal.url} (${portal.id})`],
    ["place", place],
    ["lock", holder ? holderText(holder) : "free"],
  ];
  if (!state) return lines([...inColumns(rows), "", "Nothing was ever applied."]);
  const { serial, lineage, leaves, alsoSent = [], journal, hold, history } = state;
  const last = history.at(-1);
  rows.push(
    ["serial", String(serial)],
    ["lineage", lineage],
    ["last apply", last ? entryHead(last) : "none"],
    ["journal", journal ? `open since ${journal.time}: its outcome is unknown` : "closed"],
    ["hold", hold ? `since ${hold.since} by ${authorText(hold.by)}: ${hold.why}` : "none"],
  );
  const managed = leaves.map(({ path, sent, shown }): [string, string] => [
    `  ${formatPath(path)}`,
    isEqual(sent, shown)
      ? shownValue(sent, 200)
      : `${shownValue(sent, 200)}, shown as ${shownValue(shown, 200)}`,
  ]);
  return lines([
    ...inColumns(safe(rows)),
    "",
    paint.bold(`${counted(leaves.length, "setting")} managed`),
    ...(managed.length > 0 ? inColumns(safe(managed)) : []),
    ...(alsoSent.length > 0
      ? [
          "",
          paint.bold(`${counted(alsoSent.length, "setting")} sent without being managed`),
          ...inColumns(
            safe(
              alsoSent.map(({ path, sent }) => [`  ${formatPath(path)}`, shownValue(sent, 200)]),
            ),
          ),
        ]
      : []),
  ]);
}

/** The newest first. */
export function historyText(entries: readonly Entry[], paint: Paint): string {
  if (entries.length === 0) return "Nothing was ever applied.\n";
  return entries
    .toReversed()
    .map((entry) => {
      const { serial, kind, time, by, guards, changes, alsoSent = [], outcome } = entry;
      const from = [by.commit && `commit ${by.commit.slice(0, 12)}`, by.job, `on ${by.host}`];
      const facts = [
        `  by ${authorText(by)}, ${from.filter(Boolean).join(", ")}`,
        ...guards.map(({ guard, reason }) => `  guard ${guard} opened: ${reason}`),
      ].map(oneLine);
      const rows = changes.map(({ path, action, before, after }): [string, string] => [
        `    ${action} ${formatPath(path)}`,
        `${earlier(before)} → ${shownValue(after, 80)}`,
      ]);
      const others = alsoSent.map(({ path, sent }): [string, string] => [
        `    still sent ${formatPath(path)}`,
        `${shownValue(sent, 80)}, without being managed`,
      ]);
      return lines([
        paint.bold(`serial ${serial}  ${kind}  ${time}${outcome ? `  outcome ${outcome}` : ""}`),
        ...facts,
        ...(rows.length > 0 ? [] : ["    nothing was changed"]),
        ...inColumns(safe([...rows, ...others])),
      ]);
    })
    .join("\n");
}

/** "2026-01-02T03:04:05.678Z by ada, serial 7" */
export function entryHead({ kind, time, by, serial, outcome }: Entry): string {
  return `${time} by ${authorText(by)}, serial ${serial}${kind === "rollback" ? ", a rollback" : ""}${outcome ? `, outcome ${outcome}` : ""}`;
}

export function holderText({ who, host, run, since }: Holder): string {
  return oneLine(`${who} on ${host} since ${since} (${run})`);
}

function earlier(before: Json | undefined): string {
  if (before === undefined) return "unknown";
  return before === null ? "not set" : shownValue(before, 80);
}

function authorText({ actor, account }: Author): string {
  return account === undefined ? actor : `${actor} as ${account}`;
}

function safe(rows: readonly (readonly [string, string])[]): [string, string][] {
  return rows.map(([left, right]) => [oneLine(left), oneLine(right)]);
}

function lines(all: readonly string[]): string {
  return `${all.join("\n")}\n`;
}
