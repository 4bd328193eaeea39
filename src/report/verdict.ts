// Counts what became of portals, and sums it up in one line for every format.
import { problemsIn } from "../diagnostic.js";
import type { Change } from "../plan/diff.js";
import type { Outcome } from "../outcome.js";
import { closedGuards, stoppersOf, type PortalResult, type Status } from "../plan/result.js";
import { counted, grouped, listed } from "../lib/text.js";

export const STATUS = {
  changes: "with changes",
  applied: "applied",
  held: "on hold",
  unchanged: "unchanged",
  skipped: "skipped",
  failed: "failed",
} as const satisfies Record<Status, string>;

type Actions = readonly Pick<Change, "action">[];

const WORDS = {
  set: ["to set", "set"],
  adopt: ["to track", "tracked"],
  release: ["to release", "released"],
} as const;

/** "2 to set, 1 to track"; what goes back to its default is set, too. */
export function countsText(changes: Actions, isDone: boolean): string {
  const kinds = changes.map(({ action }) => (action === "default" ? "set" : action));
  return (["set", "adopt", "release"] as const)
    .map((kind) => ({ kind, count: kinds.filter((each) => each === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${grouped(count)} ${WORDS[kind][isDone ? 1 : 0]}`)
    .join(", ");
}

/** Whether a guard or a policy refused the apply. A saved plan can also be refused for what it allows. */
export function isStopped(result: PortalResult): boolean {
  const { failure, policies } = result;
  if (failure?.code === "guarded") return closedGuards(result).length > 0;
  return failure?.code === "against-policy" && policies.length > 0;
}

/** What became of the portals, what stops an apply, and what was left out. */
export function verdictOf(results: readonly PortalResult[]): string {
  const left = results.reduce((sum, { plan }) => sum + (plan?.leftOut ?? 0), 0);
  const notDue = results.reduce((sum, { plan }) => sum + (plan?.notDue ?? 0), 0);
  const waiting =
    notDue > 0 ? [`${counted(notDue, "change")} ${notDue === 1 ? "is" : "are"} not due.`] : [];
  const others = [...leftOutText(left - notDue, "more change"), ...waiting];
  return [countsOfPortals(results), ...stopsOf(results), ...others].join(" ");
}

/** A part must not pass for the whole. */
export function leftOutText(left: number, word: string): string[] {
  return left > 0
    ? [`${counted(left, word)} ${left === 1 ? "is" : "are"} left out by --path.`]
    : [];
}

/** The first words of a report: what is wrong with the files, the verdict, and whether the run failed. */
export function headlineOf(
  { diagnostics = [], failure }: Partial<Outcome>,
  verdict: string,
): string {
  const problems = problemsIn(diagnostics);
  const { size } = new Set(diagnostics.map(({ file }) => file));
  const parts = [
    problems && `${problems} in ${counted(size, "file")}.`,
    verdict,
    failure && "The run failed.",
  ];
  return parts.filter(Boolean).join(" ") || "No problems.";
}

/** The verdict, behind "No changes." where that is so; empty without portals. */
export function verdictOfPlans(results: readonly PortalResult[]): string {
  if (results.length === 0) return "";
  return [nothingToDo(results), verdictOf(results)].filter(Boolean).join(" ");
}

/** Empty where there is something to do, or a portal failed. */
export function nothingToDo(results: readonly PortalResult[]): string {
  if (results.length === 0 || !results.every(isUnchanged)) return "";
  const unseen = results.filter(({ plan }) => isUnseen(plan));
  if (unseen.length === 0) return "No changes.";
  return unseen.length === results.length
    ? "Changes unknown: Lintel could not read all settings."
    : "Changes unknown: Lintel could not read all settings of every portal.";
}

export function isUnchanged({ status, failure }: PortalResult): boolean {
  return status === "unchanged" && !failure;
}

/** Whether the plan saw less than the portal holds: without a sign-in, or without the portal. */
export function isUnseen(plan: PortalResult["plan"]): boolean {
  return ["not-read", "anonymous-view", "preview"].includes(plan?.reason?.code ?? "");
}

/** "1 portal: 3 to set, 1 to release." */
function countsOfPortals(results: readonly PortalResult[]): string {
  const changesOf = (isMeant: (result: PortalResult) => boolean) =>
    results.filter(isMeant).flatMap(({ plan }) => plan?.changes ?? []);
  const waiting = changesOf((each) => isWaiting(each) || each.status === "held");
  const applied = changesOf(({ status }) => status === "applied");
  const changes = [countsText(waiting, false), countsText(applied, true)]
    .filter(Boolean)
    .join(", ");
  const head = counted(results.length, "portal");
  const [only] = results;
  if (!only) return `${head}.`;
  if (results.length > 1) {
    const counts = [ROLLED_BACK, ...Object.values(STATUS), "stopped"].flatMap((word) => {
      const { length } = results.filter((each) => statusWord(each) === word);
      return length > 0 ? [`${grouped(length)} ${word}`] : [];
    });
    return `${head}: ${counts.join(", ")}.${changes ? ` ${changes}.` : ""}`;
  }
  if (only.status === "changes" || statusWord(only) === STATUS.applied || isStopped(only)) {
    return `${head}: ${changes || "an earlier update to settle"}.`;
  }
  const isUnknown = only.status === "unchanged" && isUnseen(only.plan);
  const word = isUnknown ? "changes unknown" : statusWord(only);
  return `${head}: ${[word, changes].filter(Boolean).join(", ")}.`;
}

export const PREVIEW = "Preview without credentials, as intended";
const ROLLED_BACK = "rolled back";

export function statusWord(result: PortalResult): string {
  const { status, plan } = result;
  if (isStopped(result)) return "stopped";
  const isBack = plan?.changes.some(({ cause }) => cause === "rollback") ?? false;
  return status === "applied" && isBack ? ROLLED_BACK : STATUS[status];
}

/** Planned or stopped: nothing was sent. */
function isWaiting(result: PortalResult): boolean {
  return result.status === "changes" || isStopped(result);
}

/** Without it, a plan whose apply will be stopped would read like one that is ready. */
function stopsOf(results: readonly PortalResult[]): string[] {
  const waiting = results.filter(isWaiting);
  const isOne = results.length === 1;
  const previews = results.filter(({ plan }) => plan?.reason?.code === "preview");
  const unfit = waiting.filter(
    (each) => each.plan?.applicable === false && !previews.includes(each),
  ).length;
  const held = waiting.filter(({ hold }) => hold && !hold.isAgreed).length;
  return [
    previews.length > 0 && `${PREVIEW}.`,
    unfit > 0 &&
      (isOne ? "This plan cannot be applied." : `${counted(unfit, "plan")} cannot be applied.`),
    held > 0 && (isOne ? "It is on hold." : `${grouped(held)} on hold.`),
    isOne && results.some(isStopped) && "Nothing was sent.",
    stoppersText(results, isOne),
  ].filter((sentence) => sentence !== false);
}

/** "Stopped by overwrite-drift on 4 portals, token-lifetime on 10 portals." */
function stoppersText(results: readonly PortalResult[], isOne: boolean): string | false {
  // Those on hold are counted before.
  const stoppers = results.map((each) => stoppersOf(each).filter((name) => name !== "hold"));
  const names = [...new Set(stoppers.flat())];
  if (names.length === 0) return false;
  if (isOne) return `Stopped by ${listed(names)}.`;
  const parts = names.map((name) => {
    const { length } = stoppers.filter((each) => each.includes(name));
    return `${name} on ${counted(length, "portal")}`;
  });
  return `Stopped by ${listed(parts)}.`;
}
