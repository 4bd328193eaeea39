// What is to be told of a run → the figures at the top of its page, and a bar of the parts that portals fall into.
import { severitiesIn } from "../../diagnostic.js";
import type { Outcome } from "../../outcome.js";
import { html, type Html } from "../../pages/html.js";
import { closedGuards } from "../../plan/result.js";
import { counted, grouped } from "../../text.js";
import type { PortalReport, State } from "../model/portal.js";
import { countsOf } from "../model/verdict.js";

export interface Figure {
  readonly name: string;
  readonly count: number;
  readonly kind: State | "plain" | "error" | "warning";
}

/** In the bar from left to right, the worst first. */
const PARTS = ["failed", "held", "drift", "changes", "applied", "skipped", "unchanged"] as const;

export function figuresOf(reports: readonly PortalReport[], outcome: Outcome): Html | undefined {
  const isMany = reports.length > 1;
  const figures = (
    reports.length === 0
      ? problemFigures(outcome)
      : [...(isMany ? portalFigures(reports) : []), ...changeFigures(reports)]
  ).filter(({ count }) => count > 0);
  // One alone would only say what the verdict says.
  if (figures.length < 2) return undefined;
  const label = `${counted(reports.length, "portal")}, by status`;
  return renderFigures(figures, isMany ? renderShares(partsOf(reports), label) : undefined);
}

/** The bar stands above them, and the legend below. */
export function renderFigures(figures: readonly Figure[], bar?: Html, legend?: Html): Html {
  return html`<div class="figures">
    ${bar}
    <dl>
      ${figures.map(
        ({ name, count, kind }) =>
          html`<div class="figure ${kind}">
            <dt>${name.slice(0, 1).toUpperCase()}${name.slice(1)}</dt>
            <dd>${grouped(count)}</dd>
          </div>`,
      )}
    </dl>
    ${legend}
  </div>`;
}

function portalFigures(reports: readonly PortalReport[]): Figure[] {
  return [{ name: "portals", count: reports.length, kind: "plain" }, ...partsOf(reports)];
}

function changeFigures(reports: readonly PortalReport[]): Figure[] {
  const changes = reports.flatMap((report) => report.changes.map(({ change }) => change));
  if (reports.every(({ isDrift }) => isDrift)) {
    return [{ name: "settings changed", count: changes.length, kind: "drift" }];
  }
  const isDone = reports.every(({ result }) => result.status !== "changes");
  const counts = countsOf(changes, isDone).map(({ kind, count, words }): Figure => ({
    name: words,
    count,
    kind: kind !== "set" ? "plain" : isDone ? "applied" : "changes",
  }));
  const closed = reports.reduce((sum, { result }) => sum + closedGuards(result).length, 0);
  return [...counts, { name: "closed guards", count: closed, kind: "guarded" }];
}

function problemFigures({ diagnostics, files = [] }: Outcome): Figure[] {
  const problems = severitiesIn(diagnostics).map(({ kind, count }): Figure => ({
    name: `${kind}s`,
    count,
    kind: kind === "notice" ? "plain" : kind,
  }));
  return [{ name: "files", count: files.length, kind: "plain" }, ...problems];
}

/** By what a portal is above all: one that is with drift and with changes too counts once. */
function partsOf(reports: readonly PortalReport[]): Figure[] {
  return PARTS.flatMap((kind) => {
    const held = reports.filter(({ states }) => states[0] === kind);
    return held[0] ? [{ name: held[0].status, count: held.length, kind }] : [];
  });
}

/** One bar, in which each part is as wide as its share of all. */
export function renderShares(
  parts: readonly { readonly kind: string; readonly count: number }[],
  label: string,
): Html {
  const all = parts.reduce((sum, { count }) => sum + count, 0);
  let from = 0;
  const drawn = parts.map(({ kind, count }) => {
    const width = (count / all) * 1000;
    const [x, wide] = [from, width].map((each) => each.toFixed(1));
    from += width;
    return html`<rect class="${kind}" x="${x}" width="${wide}" height="10" />`;
  });
  return html`<svg
    class="share"
    viewBox="0 0 1000 10"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}"
  >
    ${drawn}
  </svg>`;
}
