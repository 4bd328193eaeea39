// What became of portals → text for a terminal: what would change and why it may not, portal by portal, counts last.
import type { PortalResult } from "../plan/result.js";
import type { Looks } from "./difference-text.js";
import type { Paint } from "./paint.js";
import { portalText, titleOf } from "./portal-text.js";
import { counted, failureText } from "./text.js";
import { verdictOf } from "./wording.js";

export interface PlanTextOptions {
  /** The columns of the terminal. */
  readonly width?: number;
  /** Whether long texts and lists are shown whole. */
  readonly isFull?: boolean;
}

/** More than these are counted rather than listed. */
const MOST_LISTED = 20;

const WIDTH = 96;

export function planText(
  results: readonly PortalResult[],
  paint: Paint,
  { width = WIDTH, isFull = false }: PlanTextOptions = {},
): string {
  const looks = (isDone: boolean): Looks => ({ paint, width, isFull, isDone });
  const isOne = results.length === 1;
  const isQuiet = (each: PortalResult) => isUnchanged(each) && !isOne;
  const isShort = (each: PortalResult) => isQuiet(each) || !(each.plan || each.hold);
  const shown = results.filter((each) => !isShort(each));
  const paragraphs = [
    ...(results.length > 0 && results.every(isUnchanged)
      ? [`${paint.green("No changes.")}\n`]
      : []),
    ...shown.map((each) => portalText(each, looks(each.status === "applied"))),
    listed(results.filter(isQuiet), "unchanged", paint),
    listed(
      results.filter((each) => isShort(each) && each.status === "skipped" && !each.failure),
      "skipped",
      paint,
    ),
    ...failures(
      results.filter((each) => isShort(each) && each.failure),
      paint,
    ),
    `${paint.bold(verdictOf(results))}\n`,
  ];
  return paragraphs.filter(Boolean).join("\n");
}

/** What became of plans that were shown before: what went wrong, and the counts. */
export function endText(results: readonly PortalResult[], paint: Paint): string {
  const failed = results.filter((each) => each.failure);
  return [...failures(failed, paint), `${paint.bold(verdictOf(results))}\n`].join("\n");
}

function isUnchanged({ status, failure }: PortalResult): boolean {
  return status === "unchanged" && !failure;
}

/** A line each, or only their number where they are many. */
function listed(results: readonly PortalResult[], word: string, paint: Paint): string {
  if (results.length === 0) return "";
  if (results.length > MOST_LISTED)
    return `${paint.dim(`${counted(results.length, "portal")} ${word}`)}\n`;
  return results.map((each) => `${titleOf(each, paint)}  ${paint.dim(word)}\n`).join("");
}

/** Portals that failed alike, as when they share a sign-in, share the words. */
function failures(results: readonly PortalResult[], paint: Paint): string[] {
  const alike = new Map<string, PortalResult[]>();
  for (const each of results) {
    const { code, message, help } = each.failure ?? {};
    // The diagnostics of the file say what is wrong with it.
    if (code === "file-invalid") continue;
    const key = JSON.stringify([code, message, help]);
    alike.set(key, [...(alike.get(key) ?? []), each]);
  }
  return [...alike.values()].map((group) => {
    const named = group.slice(0, MOST_LISTED).map((each) => `${titleOf(each, paint)}\n`);
    const more =
      group.length > MOST_LISTED
        ? [`${paint.dim(`and ${counted(group.length - MOST_LISTED, "more portal")}`)}\n`]
        : [];
    const failure = group[0]?.failure;
    return [...named, ...more, failure ? failureText(failure, paint) : ""].join("");
  });
}
