// Describes what was changed by hand on portals since the last apply, and prints it for a terminal.
import type { Change } from "../plan/diff.js";
import type { Drift } from "../plan/drift.js";
import { pullCall } from "../plan/guard.js";
import type { PortalResult } from "../plan/result.js";
import { counted, grouped, oneLine, shellWord } from "../lib/text.js";
import { changeEntry, type ChangeEntry } from "./change-entry.js";
import { groupEntries, type Naming } from "./group.js";
import { groupText, isInvalid, listedText } from "./plan-report.js";
import {
  calloutsOf,
  clockIn,
  type Context,
  type LastApply,
  type PortalEntry,
  type Step,
} from "./portal-entry.js";
import type { Styles } from "./styles.js";
import { sentenceLines } from "./text-layout.js";
import { leftOutText, STATUS } from "./verdict.js";

export interface PortalDrift {
  readonly result: PortalResult;
  /** From what the last apply left to what the portal shows. */
  readonly changes: readonly Change[];
  /** How many more --path leaves out. */
  readonly leftOut?: number;
  /** What prevents a comparison; undefined where it was made. */
  readonly remark?: string;
  /** Its time as ISO 8601, in UTC. */
  readonly last?: LastApply;
}

/** A setting that the file does not manage has a note. */
export function driftChange(drift: Drift, place: Change["place"]): Change {
  const { path, proven: before, live: after, isManaged } = drift;
  const notes = isManaged ? [] : [UNMANAGED];
  return { path, action: "set", cause: "drift", before, after, place, notes };
}

const UNMANAGED = { code: "drift", message: "The file does not manage it." } as const;

/** No plan stands beside the changes that says which side is which. */
export const DRIFT_SIDES = "Each change: value after the last apply → value now.";

/** As if it were the changes of a plan. */
export function driftEntry(drift: PortalDrift, context: Context = {}): PortalEntry {
  const { result, changes, remark, last } = drift;
  const { status, file, hold } = result;
  const calm = last ? "no drift" : "nothing applied yet";
  const entries = changes.map((each) => changeEntry(each, false));
  const notes = [remark, changes.length > 0 ? DRIFT_SIDES : undefined];
  return {
    result,
    isDrift: true,
    status: status === "changes" ? "with drift" : status === "unchanged" ? calm : STATUS[status],
    badge: status === "changes" ? "drift" : status,
    counts: changes.length > 0 ? `${counted(changes.length, "setting")} changed` : "",
    notes: notes.flatMap((text) => (text === undefined ? [] : [{ text, isUnexpected: false }])),
    changes: entries,
    tracked: "",
    stoppers: [],
    callouts: calloutsOf({ ...result, plan: null }, context),
    // A hold says what to do.
    steps: hold ? [] : stepsAfterDrift(entries, shellWord(oneLine(file))),
    last: last && { ...last, time: clockIn(result, context.time)(last.time) },
  };
}

/** `quoted` is the file as a shell reads it. */
export function stepsAfterDrift(changes: readonly ChangeEntry[], quoted: string): Step[] {
  const managed = changes.filter(({ change }) => change.notes.length === 0);
  const shown = managed.filter(({ change }) => change.after !== null);
  const pull = pullCall(
    shown.map(({ change }) => change.path),
    quoted,
  );
  return [
    ...(pull ? [{ text: "Keep the portal's values", command: pull }] : []),
    ...(managed.length > 0
      ? [
          {
            text: "Review a plan that restores the file's values",
            command: `lintel plan ${quoted}`,
          },
        ]
      : []),
    ...(managed.length < changes.length
      ? [
          {
            text: "Add the unmanaged settings to the file",
            command: `lintel pull ${quoted} --all`,
          },
        ]
      : []),
  ];
}

export function driftReport(
  portals: readonly PortalDrift[],
  styles: Styles,
  naming: Naming = {},
): string {
  const isQuiet = ({ result, changes, remark }: PortalDrift) =>
    changes.length === 0 && !result.failure && remark === undefined;
  const isInSync = (each: PortalDrift) => isQuiet(each) && each.last !== undefined;
  const entriesOf = (held: readonly PortalDrift[]) =>
    held.map((each) => driftEntry(each, { time: styles.time }));
  const shown = portals.filter((each) => !isQuiet(each) && !isInvalid(each.result));
  const quiet = shown.length > 0 ? entriesOf(portals.filter(isInSync)) : [];
  const calm = portals.length > 0 && portals.every(isInSync) ? "No drift. " : "";
  const style = calm ? styles.green : styles.bold;
  const verdict = sentenceLines(calm + driftVerdictOf(portals), style, "", styles);
  return [
    ...groupEntries(entriesOf(shown), naming).map((group) => groupText(group, styles)),
    ...listedText(quiet, "no drift", styles),
    `${verdict.join("\n")}\n`,
  ].join("\n");
}

/** "2 portals: 3 settings changed since the last apply, 1 failed." */
export function driftVerdictOf(portals: readonly PortalDrift[]): string {
  const drifts = portals.reduce((sum, { changes }) => sum + changes.length, 0);
  const failed = portals.filter(({ result }) => result.failure).length;
  const unapplied = portals.filter(
    ({ result, last, changes }) => !result.failure && !last && changes.length === 0,
  ).length;
  const parts = [
    drifts > 0 && `${counted(drifts, "setting")} changed since the last apply`,
    drifts === 0 && failed + unapplied < portals.length && "no drift",
    unapplied > 0 &&
      `${portals.length > 1 ? `${grouped(unapplied)} with ` : ""}nothing applied yet`,
    failed > 0 && `${grouped(failed)} failed`,
  ];
  const left = portals.reduce((sum, { leftOut = 0 }) => sum + leftOut, 0);
  const counts = parts.filter(Boolean).join(", ");
  const verdict = `${counted(portals.length, "portal")}${counts && `: ${counts}`}.`;
  return [verdict, ...leftOutText(left, "more changed setting")].join(" ");
}
