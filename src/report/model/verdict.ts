// What became of portals, and what is wrong with their files → the counts and the verdict, in the words of every format.
import { problemsIn } from "../../diagnostic.js";
import type { Change } from "../../plan/diff.js";
import type { Outcome, Review } from "../../outcome.js";
import { closedGuards, type PortalResult, type Status } from "../../plan/result.js";
import { counted, grouped } from "../../lib/text.js";
import { openingWords } from "./guard.js";

export const STATUS = {
  changes: "with changes",
  applied: "applied",
  held: "on hold",
  unchanged: "unchanged",
  skipped: "skipped",
  failed: "failed",
} as const satisfies Record<Status, string>;

type Actions = Iterable<Pick<Change, "action">>;

/** How many changes of each kind; what is put back to its default is set, too. */
export function tallyOf(changes: Actions) {
  const tally = { set: 0, adopt: 0, release: 0 };
  for (const { action } of changes) tally[action === "default" ? "set" : action]++;
  return tally;
}

/** One after the other, since of many portals there may be a million. */
export function* changesIn(results: readonly Pick<PortalResult, "plan">[]): Generator<Change> {
  for (const { plan } of results) yield* plan?.changes ?? [];
}

const PLANNED = { set: "to set", adopt: "to track", release: "to release" } as const;
const DONE = { set: "set", adopt: "tracked", release: "released" } as const;

/** Those of which there are any: 2 "to set", 1 "to track". */
export function countsOf(changes: Actions, isDone: boolean) {
  const tally = tallyOf(changes);
  return countsBy(["set", "adopt", "release"], (kind) => tally[kind]).map((each) => ({
    ...each,
    words: (isDone ? DONE : PLANNED)[each.kind],
  }));
}

/** Of the kinds of which there are any. */
export function countsBy<const Kind>(kinds: readonly Kind[], countOf: (kind: Kind) => number) {
  return kinds.map((kind) => ({ kind, count: countOf(kind) })).filter(({ count }) => count > 0);
}

/** "2 to set, 1 to track" */
export function countsText(changes: Actions, isDone: boolean): string {
  const counts = countsOf(changes, isDone);
  return counts.map(({ count, words }) => `${grouped(count)} ${words}`).join(", ");
}

/** What a reader takes home: what became of the portals, and what stops an apply. */
export function verdictOf(results: readonly PortalResult[]): string {
  const left = results.reduce((sum, { plan }) => sum + (plan?.leftOut ?? 0), 0);
  const notDue = results.reduce((sum, { plan }) => sum + (plan?.notDue ?? 0), 0);
  const waiting =
    notDue > 0 ? [`${counted(notDue, "more change")} ${notDue === 1 ? "is" : "are"} not due.`] : [];
  const others = [...leftOutText(left - notDue, "more change"), ...waiting];
  return [countsOfPortals(results), ...stopsOf(results), ...others].join(" ");
}

/** Nobody must take a part for the whole. */
export function leftOutText(left: number, word: string): string[] {
  return left > 0
    ? [`${counted(left, word)} ${left === 1 ? "is" : "are"} left out by --path.`]
    : [];
}

/** The first words of a report: what is wrong with the files, the verdict on the portals, and whether the run failed. */
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

/** The verdict with a word before it where there is nothing to do; empty without portals. */
export function verdictOfPlans(results: readonly PortalResult[]): string {
  if (results.length === 0) return "";
  return [nothingToDo(results), verdictOf(results)].filter(Boolean).join(" ");
}

/** Said before all else where nothing is to be done; empty where something is, or a portal failed. */
export function nothingToDo(results: readonly PortalResult[]): string {
  if (results.length === 0 || !results.every(isUnchanged)) return "";
  const unseen = results.filter(({ plan }) => isUnseen(plan));
  if (unseen.length === 0) return "No changes.";
  return unseen.length === results.length
    ? "Changes unknown: Lintel could not read all settings."
    : "Changes unknown: Lintel could not read all settings of every portal.";
}

const REVIEWED = {
  same: "These are the changes that were reviewed.",
  wanted:
    "These are not the changes that were reviewed. The files want the same, but the reviewed plan found the portals otherwise, or could not look at all of them. Read this one before you approve it.",
  other:
    "These are not the changes that were reviewed. The files want something else, as where another proposal was merged or a window has opened. Read this plan before you approve it.",
} as const;

/** Empty where nobody says what was reviewed. */
export function reviewSentence({ comparison }: Review): string {
  return comparison ? REVIEWED[comparison] : "";
}

export function isUnchanged({ status, failure }: PortalResult): boolean {
  return status === "unchanged" && !failure;
}

/** Whether the plan compared with less than the portal holds: without a sign-in, or without the portal. */
export function isUnseen(plan: PortalResult["plan"]): boolean {
  return plan?.reason?.code === "not-read" || plan?.reason?.code === "anonymous-view";
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
  const isNew = (each: (typeof portals)[number]) =>
    !each.result.failure && !each.last && each.drifts.length === 0;
  const unapplied = portals.filter(isNew).length;
  const parts = [
    drifts > 0 && `${counted(drifts, "setting")} changed since the last apply`,
    drifts === 0 && failed + unapplied < portals.length && "no drift",
    unapplied > 0 &&
      `${portals.length > 1 ? `${grouped(unapplied)} with ` : ""}nothing applied yet`,
    failed > 0 && `${grouped(failed)} failed`,
  ];
  const left = portals.reduce((sum, { leftOut = 0 }) => sum + leftOut, 0);
  const told = parts.filter(Boolean).join(", ");
  const counts = `${counted(portals.length, "portal")}${told && `: ${told}`}.`;
  return [counts, ...leftOutText(left, "more changed setting")].join(" ");
}

/** "1 portal: 3 to set, 1 to release." */
function countsOfPortals(results: readonly PortalResult[]): string {
  const of = (...statuses: readonly Status[]) =>
    changesIn(results.filter(({ status }) => statuses.includes(status)));
  const changes = [countsText(of("changes", "held"), false), countsText(of("applied"), true)]
    .filter(Boolean)
    .join(", ");
  const head = counted(results.length, "portal");
  const told = countsBy(
    Object.keys(STATUS) as Status[],
    (kind) => results.filter(({ status }) => status === kind).length,
  );
  const [only] = told;
  if (!only) return `${head}.`;
  if (results.length > 1) {
    const counts = told.map(({ kind, count }) => `${grouped(count)} ${STATUS[kind]}`);
    return `${head}: ${counts.join(", ")}.${changes ? ` ${changes}.` : ""}`;
  }
  if (only.kind === "changes" || only.kind === "applied") {
    return `${head}: ${changes || "an earlier update to settle"}.`;
  }
  const isUnknown = only.kind === "unchanged" && isUnseen(results[0]?.plan ?? null);
  const word = isUnknown ? "changes unknown" : STATUS[only.kind];
  return `${head}: ${[word, changes].filter(Boolean).join(", ")}.`;
}

/** What of a verdict is to be copied: the options that allow what guards block; empty where none does. */
export function wordsToOpen(results: readonly PortalResult[]): string {
  const waiting = results.filter(({ status }) => status === "changes");
  const guarded = waiting.filter((each) => closedGuards(each).length > 0);
  return openingWords(guarded.flatMap(({ plan }) => plan?.guards ?? []));
}

/** A headline before, in and after such words, for formats that show them in another way. */
export function aroundWords(headline: string, words: string): readonly [string, string, string] {
  const at = words ? headline.lastIndexOf(words) : -1;
  if (at < 0) return [headline, "", ""];
  return [headline.slice(0, at), words, headline.slice(at + words.length)];
}

/** Without it, a plan whose apply will be stopped would read like one that is ready. */
function stopsOf(results: readonly PortalResult[]): string[] {
  const waiting = results.filter(({ status }) => status === "changes");
  const unfit = waiting.filter(({ plan }) => plan && !plan.applicable).length;
  const held = waiting.filter(({ hold }) => hold && !hold.isAgreed).length;
  // Of a portal that failed the failure tells what to do, and it may be something else.
  const guarded = waiting.filter((each) => closedGuards(each).length > 0);
  const names = new Set(guarded.flatMap(closedGuards));
  const policies = new Set(waiting.flatMap((each) => each.policies));
  const words = wordsToOpen(results);
  const isOne = results.length === 1;
  const where = isOne ? "" : ` on ${counted(guarded.length, "portal")}`;
  return [
    unfit > 0 &&
      (isOne ? "This plan cannot be applied." : `${counted(unfit, "plan")} cannot be applied.`),
    held > 0 && (isOne ? "It is on hold." : `${grouped(held)} on hold.`),
    policies.size > 0 &&
      `Blocked by ${counted(policies.size, "policy")}${isOne ? "" : ` on ${counted(waiting.filter((each) => each.policies.length > 0).length, "portal")}`}: ${[...policies].join(", ")}.`,
    // Without a full stop, which would be copied with the words.
    names.size > 0 && `Blocked by ${counted(names.size, "guard")}${where}. To allow it: ${words}`,
  ].filter((sentence) => sentence !== false);
}
