// What became of portals → text for a terminal: what would change and why it may not, portal by portal, counts last.
import type { PortalResult } from "../../../plan/result.js";
import {
  ANY_HOST,
  openCollection,
  withFiles,
  withHost,
  withoutFile,
  withoutPlace,
  type Collection,
  type Pieces,
} from "../../model/alike.js";
import { reportPortal } from "../../model/portal.js";
import { isUnchanged, nothingToDo, verdictOf } from "../../model/verdict.js";
import { counted } from "../../../lib/text.js";
import { failureText } from "../diagnostic.js";
import type { Looks } from "./difference.js";
import { said } from "../flow.js";
import type { Paint } from "../paint.js";
import { alikeText, filesOf, namesOf } from "./alike.js";
import { portalText, titleOf } from "./portal.js";

type Shape = Partial<Omit<Looks, "paint">>;

/** More than these are counted rather than listed. */
const MOST_LISTED = 20;
/** More than these are named without their addresses. */
const MOST_TITLES = 4;

export function planText(results: readonly PortalResult[], paint: Paint, shape: Shape = {}) {
  const collection = openCollection();
  const pieces = results.map((each) => piecesOf(each, results.length, collection, paint));
  return [...planPieces(results, { pieces, collection, shape }, paint)].join("");
}

/** What is told of a portal among many; of one alone, nothing has to be found that others have, too. */
export function piecesOf(
  result: PortalResult,
  portals: number,
  collection: Collection,
  { time }: Pick<Paint, "time">,
): Pieces | undefined {
  return portals > 1 && !isShort(result, portals)
    ? collection.add(reportPortal(result, time))
    : undefined;
}

/** One line tells of a portal among many that is as its file wants it, and of one of which nothing else is known. */
function isShort(result: PortalResult, portals: number): boolean {
  return isQuiet(result, portals) || !(result.plan || result.hold);
}

interface Collected {
  readonly pieces: readonly (Pieces | undefined)[];
  readonly collection: Collection;
  readonly shape?: Shape;
}

/** The same piece by piece, since the plans of many portals are long; each paragraph is made when its turn comes. */
export function* planPieces(
  results: readonly PortalResult[],
  { pieces, collection, shape }: Collected,
  paint: Paint,
): Generator<string> {
  const { length } = results;
  const looks = { paint, width: paint.width, isFull: false, ...shape };
  const nothing = nothingToDo(results);
  if (nothing) yield `${paint.green(nothing)}\n\n`;
  const [only] = results;
  const isAlone = only && length === 1 && !isShort(only, length);
  if (isAlone) yield `${portalText(reportPortal(only, paint.time), looks)}\n`;
  else yield* alikeText(results, pieces, collection, looks);
  const failed = isAlone ? [] : results.filter((each) => each.failure);
  const quiet = results.filter((each) => isQuiet(each, length));
  const skipped = results.filter((each) => each.status === "skipped" && !each.failure);
  const ending = [
    listed(quiet, "unchanged", paint),
    listed(skipped, "skipped", paint),
    endText(results, paint, failed),
  ];
  yield ending.filter(Boolean).join("\n");
}

/** What became of plans that were shown before: what went wrong, and the counts. */
export function endText(
  results: readonly PortalResult[],
  paint: Paint,
  failed = results.filter((each) => each.failure),
): string {
  const verdict = said(verdictOf(results), paint.bold, "", paint)
    .map((line) => `${line}\n`)
    .join("");
  return [...failuresText(failed, paint), verdict].join("\n");
}

function isQuiet(result: PortalResult, portals: number): boolean {
  // That the next apply ends a hold is something to tell.
  return isUnchanged(result) && portals > 1 && !result.hold;
}

/** One by itself; of several the names, or only their number where they are many. */
function listed(results: readonly PortalResult[], word: string, paint: Paint): string {
  const [only, ...others] = results;
  if (!only) return "";
  if (others.length === 0) return `${titleOf(only, paint, word)}\n`;
  const names = results.length > MOST_LISTED ? "" : `: ${namesOf(results)}`;
  const text = `${counted(results.length, "portal")} ${word}${names}`;
  return said(text, paint.dim, "", paint)
    .map((line) => `${line}\n`)
    .join("");
}

/** Portals that failed alike share the words, be it that they share a sign-in, or that each is down at a host of its own. */
export function failuresText(
  results: readonly PortalResult[],
  paint: Paint,
  word: "error" | "warning" = "error",
): string[] {
  const alike = new Map<string, Failed[]>();
  for (const result of results) {
    const { failure, portal, file } = result;
    // The diagnostics of the file say what is wrong with it.
    if (!failure || failure.code === "file-invalid") continue;
    const said = withoutPlace(failure.message, file);
    const help = withoutFile(failure.help ?? "", file);
    const text = JSON.stringify([failure.code, withHost(said, portal, ANY_HOST), help]);
    const group = alike.get(text) ?? [];
    group.push({ result, failure, said, help });
    alike.set(text, group);
  }
  return [...alike.values()].map((group) => groupText(group, paint, word));
}

interface Failed {
  readonly result: PortalResult;
  readonly failure: NonNullable<PortalResult["failure"]>;
  /** What it says, without what is of this portal alone. */
  readonly said: string;
  readonly help: string;
}

/** Why plans cannot be applied, for those who are shown no plan. */
export function unfitText(results: readonly PortalResult[], paint: Paint): string[] {
  const unfit = results.flatMap((result) => {
    const reason = !result.failure && result.plan?.reason;
    if (!reason) return [];
    const { help } = reason;
    const message = `This plan cannot be applied. ${reason.message}`;
    return [{ ...result, failure: { code: "plan-not-applicable" as const, message, help } }];
  });
  return failuresText(unfit, paint, "warning");
}

function groupText(group: readonly Failed[], paint: Paint, wrong: "error" | "warning"): string {
  const [first, ...others] = group;
  if (!first) return "";
  const { failure, said, result } = first;
  const isOneHost = others.every((each) => each.said === said);
  const message = !isOneHost
    ? withHost(said, result.portal, ANY_HOST)
    : others.length > 0
      ? said
      : failure.message;
  const results = group.map((each) => each.result);
  const help = withFiles(first.help, filesOf(results));
  const word = failure.code === "not-begun" ? "skipped" : wrong;
  // Where the words name no host, the addresses do.
  const heads = isOneHost ? headsOf(results, paint) : titlesOf(results, paint);
  return heads.join("") + failureText({ code: failure.code, message, help }, paint, word);
}

/** Above what several have in common: a line each, or their names alone where they are many. */
export function headsOf(results: readonly PortalResult[], paint: Paint): string[] {
  if (results.length <= MOST_TITLES) return titlesOf(results, paint);
  const names = `${counted(results.length, "portal")}: ${namesOf(results)}`;
  return said(names, paint.bold, "", paint).map((line) => `${line}\n`);
}

function titlesOf(results: readonly PortalResult[], paint: Paint): string[] {
  const left = results.length - MOST_LISTED;
  const more = left > 0 ? [`${paint.dim(`and ${counted(left, "more portal")}`)}\n`] : [];
  return [...results.slice(0, MOST_LISTED).map((each) => `${titleOf(each, paint)}\n`), ...more];
}
