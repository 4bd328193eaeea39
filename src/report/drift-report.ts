// Prints what was changed by hand on portals since the last apply, and names the commands that go on from there.
import { pullCall } from "../plan/guard.js";
import { counted, grouped } from "../lib/text.js";
import { clockOf } from "../moment.js";
import type { ChangeEntry } from "./change-entry.js";
import { filesOf, groupEntries, type Group, type Naming } from "./group.js";
import { groupText, isInvalid, listedText } from "./plan-report.js";
import {
  clockIn,
  driftEntry,
  type LastApply,
  type PortalDrift,
  type Step,
} from "./portal-entry.js";
import type { Styles } from "./styles.js";
import { sentenceLines } from "./text-layout.js";
import { leftOutText } from "./verdict.js";

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
  const paragraphs = groupEntries(entriesOf(shown), naming).map((group) => {
    const around = {
      above: aboutDrift(group, styles.time),
      below: stepsOfGroup(group, naming),
    };
    return groupText(group, styles, around);
  });
  const calmed = listedText(quiet, "no drift", styles);
  return [...paragraphs, ...calmed, `${verdict.join("\n")}\n`].join("\n");
}

/** No plan stands beside the changes that says which side is which. */
export const DRIFT_SIDES = "Values after the last apply → on the portal now.";

/** Since when, and which side of a change is which. */
export function aboutDrift({ entries, entry }: Group, time?: (moment: string) => string): string[] {
  const last = lastAppliesText(
    entries.map((each) => each.last),
    clockIn(entry.result, time),
  );
  return [
    ...(last ? [`Last apply: ${last}.`] : []),
    ...(entry.changes.length > 0 ? [DRIFT_SIDES] : []),
  ];
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

/** "2026-06-01 09:30 UTC by ana"; of several portals the first to the last. Empty where nothing was applied. */
export function lastAppliesText(
  all: readonly (LastApply | undefined)[],
  shown = clockOf(),
): string {
  const known = all.flatMap((each) => each ?? []);
  const times = known.map(({ time }) => time).toSorted();
  const [first, last] = [times[0], times.at(-1)].map((time) => time && shown(time));
  if (!first) return "";
  const by = [...new Set(known.map((each) => each.by))].toSorted();
  return `${first === last ? first : `${first} to ${last}`} by ${by.join(", ")}`;
}

/** Where a hold stands in the way, that says what to do. */
export function stepsOfGroup({ entries, entry }: Group, naming: Naming = {}): Step[] {
  const free = entries.map(({ result }) => result).filter(({ hold }) => !hold);
  if (free.length === 0) return [];
  return stepsAfterDrift(entry.changes, {
    quoted: filesOf(free, naming),
    portals: free.length,
  });
}

/** `quoted` are the files of so many portals, as a shell reads them. */
export function stepsAfterDrift(
  changes: readonly ChangeEntry[],
  { quoted, portals }: { readonly quoted: string; readonly portals: number },
): Step[] {
  const [file, says] = portals === 1 ? ["the file", "says"] : ["the files", "say"];
  const managed = changes.filter(({ change }) => change.notes.length === 0);
  const shown = managed.filter(({ change }) => change.after !== null);
  const pull = pullCall(
    shown.map(({ change }) => change.path),
    quoted,
  );
  const steps = [
    pull && { text: `To keep it, write it into ${file}`, command: pull },
    managed.length > 0 && {
      text: `To put back what ${file} ${says} (apply asks before it overwrites)`,
      command: `lintel apply ${quoted}`,
    },
    managed.length < changes.length && {
      text: `To manage what is not set yet, write that into ${file}, too`,
      command: `lintel pull ${quoted} --all`,
    },
  ];
  return steps.filter((step) => typeof step === "object");
}
