// What became of portals → text for a terminal: what would change and why it may not, portal by portal, counts last.
import type { PortalResult, Remainder } from "../../plan/result.js";
import type { Paint } from "./paint.js";
import { portalText, titleOf } from "./portal.js";
import { failureText } from "./diagnostic.js";
import { counted } from "../../text.js";
import { verdictOf } from "../model/wording.js";
import { legendOf, wordsFor } from "../model/words.js";

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
  options: PlanTextOptions = {},
): string {
  const paragraphs = results.map((each) => () => paragraphOf(each, paint, options));
  return [...planPieces(results, paragraphs, paint)].join("");
}

/** What is told of a portal by itself. */
export function paragraphOf(
  result: PortalResult,
  paint: Paint,
  { width = WIDTH, isFull = false }: PlanTextOptions = {},
): string {
  return portalText(result, { paint, width, isFull, isDone: result.status === "applied" });
}

/** One line tells of a portal among many that is as its file wants it, and of one of which nothing else is known. */
export function isShort(result: Remainder, portals: number): boolean {
  return isQuiet(result, portals) || !(result.plan || result.hold);
}

/** The same piece by piece, since the plans of many portals are long; each paragraph is made when its turn comes. */
export function* planPieces(
  results: readonly Remainder[],
  paragraphs: readonly (() => string)[],
  paint: Paint,
): Generator<string> {
  const { length } = results;
  const short = results.filter((each) => isShort(each, length));
  if (length > 0 && results.every(isUnchanged)) yield `${paint.green("No changes.")}\n\n`;
  for (const [at, each] of results.entries()) {
    const paragraph = isShort(each, length) ? undefined : paragraphs[at];
    if (paragraph) yield `${paragraph()}\n`;
  }
  const ending = [
    listed(
      results.filter((each) => isQuiet(each, length)),
      "unchanged",
      paint,
    ),
    listed(
      short.filter((each) => each.status === "skipped" && !each.failure),
      "skipped",
      paint,
    ),
    ...failures(
      short.filter((each) => each.failure),
      paint,
    ),
    `${paint.bold(verdictOf(results))}\n`,
  ];
  const changes = results.flatMap(({ plan }) => plan?.changes ?? []);
  yield ending.filter(Boolean).join("\n") + legendOf(wordsFor(changes), paint);
}

/** What became of plans that were shown before: what went wrong, and the counts. */
export function endText(results: readonly Remainder[], paint: Paint): string {
  const failed = results.filter((each) => each.failure);
  return [...failures(failed, paint), `${paint.bold(verdictOf(results))}\n`].join("\n");
}

function isQuiet(result: Remainder, portals: number): boolean {
  // That the next apply ends a hold is something to tell.
  return isUnchanged(result) && portals > 1 && !result.hold;
}

function isUnchanged({ status, failure }: Remainder): boolean {
  return status === "unchanged" && !failure;
}

/** A line each, or only their number where they are many. */
function listed(results: readonly Remainder[], word: string, paint: Paint): string {
  if (results.length === 0) return "";
  if (results.length > MOST_LISTED)
    return `${paint.dim(`${counted(results.length, "portal")} ${word}`)}\n`;
  return results.map((each) => `${titleOf(each, paint)}  ${paint.dim(word)}\n`).join("");
}

/** Portals that failed alike, as when they share a sign-in, share the words. */
function failures(results: readonly Remainder[], paint: Paint): string[] {
  const alike = new Map<string, Remainder[]>();
  for (const each of results) {
    const { code, message, help } = each.failure ?? {};
    // The diagnostics of the file say what is wrong with it.
    if (code === "file-invalid") continue;
    const key = JSON.stringify([code, message, help]);
    const group = alike.get(key);
    if (group) group.push(each);
    else alike.set(key, [each]);
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
