// What is to be told of a run → the figures at the top of its page, and a bar of the parts that portals fall into.
import type { Outcome } from "../../outcome.js";
import { html, type Html } from "../../pages/html.js";
import { closedIn, statesOf, statusWord, type Sheet, type State } from "./sheet.js";
import { counted, grouped } from "../../text.js";
import { numbersOf } from "../model/wording.js";

interface Figure {
  readonly name: string;
  readonly count: number;
  readonly kind: State | "plain" | "error" | "warning";
}

/** In the bar from left to right, the worst first. */
const PARTS = ["failed", "held", "drift", "changes", "applied", "skipped", "unchanged"] as const;

export function figuresOf(sheets: readonly Sheet[], outcome: Outcome): Html | undefined {
  const figures =
    sheets.length === 0
      ? problemFigures(outcome)
      : [...(sheets.length > 1 ? portalFigures(sheets) : []), ...changeFigures(sheets)];
  // One alone would only say what the verdict says.
  if (figures.length < 2) return undefined;
  return html`<div class="figures">
    ${sheets.length > 1 ? renderBar(sheets) : undefined}
    <dl>
      ${figures.map(
        ({ name, count, kind }) =>
          html`<div class="figure ${kind}">
            <dt>${name}</dt>
            <dd>${grouped(count)}</dd>
          </div>`,
      )}
    </dl>
  </div>`;
}

function portalFigures(sheets: readonly Sheet[]): Figure[] {
  const parts = partsOf(sheets).map(({ part, held }): Figure => ({
    name: capital(held[0] ? statusWord(held[0]) : ""),
    count: held.length,
    kind: part,
  }));
  return [{ name: "Portals", count: sheets.length, kind: "plain" }, ...parts];
}

function changeFigures(sheets: readonly Sheet[]): Figure[] {
  const changes = sheets.flatMap((sheet) => sheet.changes);
  if (sheets.every(({ isDrift }) => isDrift)) {
    return some([{ name: "Settings changed", count: changes.length, kind: "drift" }]);
  }
  const { set, adopt, release } = numbersOf(changes);
  const isDone = sheets.every(({ result }) => result.status !== "changes");
  return some([
    { name: isDone ? "Set" : "To set", count: set, kind: isDone ? "applied" : "changes" },
    { name: isDone ? "Adopted" : "To adopt", count: adopt, kind: "plain" },
    { name: isDone ? "Released" : "To release", count: release, kind: "plain" },
    {
      name: "Closed guards",
      count: sheets.reduce((sum, sheet) => sum + closedIn(sheet), 0),
      kind: "guarded",
    },
  ]);
}

function problemFigures({ diagnostics, files = [] }: Outcome): Figure[] {
  const of = (severity: string) => diagnostics.filter((each) => each.severity === severity).length;
  return some([
    { name: "Files", count: files.length, kind: "plain" },
    { name: "Errors", count: of("error"), kind: "error" },
    { name: "Warnings", count: of("warning"), kind: "warning" },
    { name: "Notices", count: of("notice"), kind: "plain" },
  ]);
}

function some(figures: readonly Figure[]): Figure[] {
  return figures.filter(({ count }) => count > 0);
}

/** By what a portal is above all: one that is with drift and with changes too counts once. */
function partsOf(sheets: readonly Sheet[]) {
  return PARTS.map((part) => ({
    part,
    held: sheets.filter((sheet) => statesOf(sheet)[0] === part),
  })).filter(({ held }) => held.length > 0);
}

function renderBar(sheets: readonly Sheet[]): Html {
  let from = 0;
  const parts = partsOf(sheets).map(({ part, held }) => {
    const width = (held.length / sheets.length) * 1000;
    const drawn = html`<rect
      class="${part}"
      x="${from.toFixed(1)}"
      width="${width.toFixed(1)}"
      height="10"
    />`;
    from += width;
    return drawn;
  });
  return html`<svg
    class="share"
    viewBox="0 0 1000 10"
    preserveAspectRatio="none"
    role="img"
    aria-label="${counted(sheets.length, "portal")}, by status"
  >
    ${parts}
  </svg>`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
