// Prints what was changed by hand on portals since the last apply, and names the commands that go on from there.
import { pullCall } from "../plan/guard.js";
import type { PortalResult } from "../plan/result.js";
import { counted, grouped, showTime, UTC } from "../lib/text.js";
import type { ChangeEntry } from "./change-entry.js";
import { groupEntries, type Naming } from "./group.js";
import { groupText } from "./plan-report.js";
import { driftEntry, type LastApply, type PortalDrift, type Step } from "./portal-entry.js";
import type { Styles } from "./styles.js";
import { sentenceLines } from "./text-layout.js";
import { leftOutText } from "./verdict.js";

/** No plan stands beside the changes that says which side is which. */
export const DRIFT_SIDES = "after the last apply → on the portal now";

export function driftReport(
  portals: readonly PortalDrift[],
  styles: Styles,
  naming: Naming = {},
): string {
  const isQuiet = ({ result, drifts, remark }: PortalDrift) =>
    drifts.length === 0 && !result.failure && remark === undefined;
  const isInSync = (each: PortalDrift) => isQuiet(each) && each.last !== undefined;
  const entries = portals
    .filter((each) => !isQuiet(each) && each.result.failure?.code !== "file-invalid")
    .map((each) => driftEntry(each, { time: styles.time }));
  const calm = portals.length > 0 && portals.every(isInSync) ? "No drift. " : "";
  const style = calm ? styles.green : styles.bold;
  const verdict = sentenceLines(calm + driftVerdictOf(portals), style, "", styles);
  const paragraphs = groupEntries(entries, naming).map((group) =>
    groupText(group, styles, DRIFT_SIDES),
  );
  return [...paragraphs, `${verdict.join("\n")}\n`].join("\n");
}

/** "2 portals: 3 settings changed since the last apply, 1 failed." */
export function driftVerdictOf(
  portals: readonly {
    readonly result: PortalResult;
    readonly drifts: readonly unknown[];
    readonly leftOut?: number;
    readonly last?: object;
  }[],
): string {
  const drifts = portals.reduce((sum, each) => sum + each.drifts.length, 0);
  const failed = portals.filter(({ result }) => result.failure).length;
  const unapplied = portals.filter(
    ({ result, last, drifts }) => !result.failure && !last && drifts.length === 0,
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
export function lastAppliesText(all: readonly (LastApply | undefined)[]): string {
  const known = all.flatMap((each) => each ?? []);
  const times = known.map(({ time }) => time).toSorted();
  const [first, last] = [times[0], times.at(-1)].map((time) => time && showTime(time, UTC));
  if (!first) return "";
  const by = [...new Set(known.map((each) => each.by))].toSorted();
  return `${first === last ? first : `${first} to ${last}`} by ${by.join(", ")}`;
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
    pull && { text: `To keep it, write it into ${file}:`, command: pull },
    managed.length > 0 && {
      text: `To put back what ${file} ${says} (apply asks before it overwrites):`,
      command: `lintel apply ${quoted}`,
    },
    managed.length < changes.length && {
      text: `To manage what is not set yet, write that into ${file}, too:`,
      command: `lintel pull ${quoted} --all`,
    },
  ];
  return steps.filter((step) => typeof step === "object");
}
