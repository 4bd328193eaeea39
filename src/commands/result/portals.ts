// What became of a run's portals → the command's result, in every report that plans have.
import type { Diagnostic } from "../../diagnostic.js";
import { EXIT } from "../../failure.js";
import { rollUp, type Outcome, type Sends } from "../../outcome.js";
import { sendsIn, summarise, type PortalResult } from "../../plan/result.js";
import { portalJson } from "../../report/data/plan.js";
import { PLAIN, type Paint } from "../../report/text/paint.js";
import { openCollection, type Collection, type Pieces } from "../../report/model/alike.js";
import { unmeantIn, type NoteReport } from "../../report/model/change.js";
import { gather, type Gathered } from "../../report/model/line.js";
import { reportPortal } from "../../report/model/portal.js";
import {
  endText,
  failuresText,
  piecesOf,
  planPieces,
  unfitText,
} from "../../report/text/portals/plan.js";
import { noteLines } from "../../report/text/portals/difference.js";
import { titleOf } from "../../report/text/portals/portal.js";
import { openDetails } from "./details.js";
import { problemsAbove } from "../../cli/result.js";
import { reviewableOf, reviewJson, reviewOf, reviewText, type Reviewable } from "./review.js";
import type { ParsedArguments, Result } from "../command.js";

/** A portal as the reports that were asked for tell of it; its plan is let go where they need no more of it. */
export interface Told {
  readonly rest: PortalResult;
  /** For a portal alone. */
  readonly whole: PortalResult | undefined;
  /** For Markdown and pages. */
  readonly gathered: Gathered | undefined;
  /** Undefined where there is no plan. */
  readonly reviewable: Reviewable | undefined;
  /** For text, in the order of those who read it. */
  readonly pieces: readonly (Pieces | undefined)[];
  /** What nobody may have meant, for those who want to be told of nothing else. */
  readonly unmeant: readonly NoteReport[];
  /** Null where there is no plan; for GitLab. */
  readonly sends: Sends | null;
  /** Printed at once and kept as bytes, a tenth of what a plan takes; for JSON. */
  readonly json: Buffer | undefined;
}

/** What the portals of a run have to tell, as they come up; then all of it. */
export interface Telling {
  tell(result: PortalResult): Told;
  /** Under what is wrong with the files. */
  text(
    told: readonly Told[],
    about: Pick<About, "files" | "diagnostics">,
    paint: Paint,
  ): Generator<string>;
  result(told: readonly Told[], about: About): Result;
}

export function openTelling(
  { destinations, paint }: Pick<ParsedArguments, "destinations" | "paint">,
  portals: number,
  { reviewed }: About["review"] & {} = {},
): Telling {
  const isOf = (...formats: readonly string[]) =>
    destinations.some(({ format }) => formats.includes(format));
  const readers = destinations.flatMap(({ format, file }) =>
    format === "text" ? [file === undefined ? paint : PLAIN] : [],
  );
  const collections = readers.map((reader) => ({ reader, collection: openCollection() }));
  const isPage = isOf("html");
  // Text says nothing of it where nobody says what was reviewed.
  const isReviewed = reviewed !== undefined || isOf("json", "markdown", "html");
  const pages =
    isPage || isOf("markdown")
      ? openCollection(["failed", "request", ...(isPage ? (["picture"] as const) : [])])
      : undefined;
  const withoutDetails = openDetails();
  const telling: Telling = {
    tell(result) {
      const rest = withoutDetails(result);
      return {
        rest,
        whole: portals === 1 ? result : undefined,
        gathered: pages && gather(pages, reportPortal(result), rest),
        reviewable: isReviewed && result.plan ? reviewableOf(result.plan) : undefined,
        pieces: collections.map(({ reader, collection }) =>
          piecesOf(result, portals, collection, reader),
        ),
        unmeant: result.plan ? unmeantIn(result.plan) : [],
        sends: result.plan && sendsIn(result.plan),
        // No function, which would keep the whole result alive.
        json: isOf("json") ? Buffer.from(portalJson(result)) : undefined,
      };
    },
    *text(told, { files, diagnostics }, reader) {
      const problems = untold(diagnostics).filter(({ severity }) => severity !== "notice");
      yield problemsAbove({ files, diagnostics: problems }, reader);
      const results = told.map(({ rest, whole }) => whole ?? rest);
      const at = collections.findIndex((each) => each.reader === reader);
      const collection = collections[at]?.collection ?? openCollection();
      const pieces = told.map((each) => each.pieces[at]);
      yield* planPieces(results, { pieces, collection }, reader);
    },
    result: (told, about) =>
      resultOfPortals(told, about, pages, (reader) => telling.text(told, about, reader)),
  };
  return telling;
}

function kept(bytes: Buffer | undefined): string {
  if (!bytes) throw new TypeError("a report was not asked for");
  return bytes.toString();
}

export interface About {
  readonly command: string;
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** Whether somebody has seen the plans already, and need only be told how it ended. */
  readonly isShown?: boolean;
  /** Whether changes that were not carried out have an exit status of their own. */
  readonly isDetailed?: boolean;
  /** Plans that nobody may have meant to be for looking at alone. */
  readonly unfit?: readonly Told[];
  /** Of a plan: the digest of the changes that were reviewed, where somebody says that. */
  readonly review?: { readonly reviewed?: string | undefined };
}

function resultOfPortals(
  told: readonly Told[],
  about: About,
  pages: Collection | undefined,
  text: (paint: Paint) => Generator<string>,
): Result {
  const { command, files, diagnostics, isShown = false, isDetailed = false } = about;
  const results = told.map(({ rest }) => rest);
  const gathering = () => ({
    collection: pages ?? openCollection(),
    gathered: told.flatMap((each) => each.gathered ?? []),
  });
  const reviewables = told.flatMap(({ reviewable }) => reviewable ?? []);
  // Where one has no plan, what the others change is not all.
  const review =
    about.review && reviewables.length === told.length
      ? reviewOf(reviewables, about.review.reviewed)
      : undefined;
  const exits = results.map(({ exit, status }) =>
    isDetailed && exit === EXIT.done && status === "changes" ? EXIT.pending : exit,
  );
  const sends = sumOf(told);
  const outcome: Outcome = {
    command,
    exit: rollUp(exits),
    diagnostics,
    files,
    portals: told.map(
      ({ json }) =>
        () =>
          kept(json),
    ),
    ...(sends && { sends }),
    ...(review && { review }),
    more: { summary: { ...summarise(results) }, ...(about.review && reviewJson(review)) },
  };
  const inReports = { ...outcome, diagnostics: untold(diagnostics) };
  return {
    outcome,
    quiet: (paint) => {
      const failed = results.filter(({ failure }) => failure);
      const unmeant = isShown ? [] : told.flatMap((each) => unmeantText(each, paint));
      const unfit = (about.unfit ?? []).map(({ rest }) => rest);
      const texts = [...unmeant, ...unfitText(unfit, paint), ...failuresText(failed, paint)];
      return problemsAbove(inReports, paint) + texts.join("\n");
    },
    text: function* (paint) {
      if (isShown) yield endText(results, paint);
      else yield* text(paint);
      if (review?.comparison) yield reviewText(review, paint);
    },
    markdown: async () => {
      const { markdownOf } = await import("../../report/markdown/markdown.js");
      return markdownOf(gathering(), inReports);
    },
    html: async (made) => {
      const { htmlOf } = await import("../../report/html/html.js");
      return htmlOf(gathering(), inReports, made);
    },
  };
}

/** Of some portals alone it would look like that of all. */
function sumOf(told: readonly Told[]): Sends | undefined {
  const sum = { create: 0, update: 0, delete: 0 };
  for (const { sends } of told) {
    if (!sends) return undefined;
    sum.create += sends.create;
    sum.update += sends.update;
    sum.delete += sends.delete;
  }
  return sum;
}

function unmeantText({ rest, unmeant }: Told, paint: Paint): string[] {
  if (unmeant.length === 0) return [];
  const { width } = paint;
  const lines = [
    titleOf(rest, paint),
    ...noteLines(unmeant, "  ", { paint, width, isFull: false }),
  ];
  return [lines.map((line) => `${line}\n`).join("")];
}

/** A plan names by itself what is deprecated of that which it changes; of the rest, validate tells. */
function untold(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.filter(({ code, severity }) => code !== "deprecated" || severity === "error");
}
