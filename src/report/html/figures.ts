// What is to be told of a run → the figures at the top of its page, and a bar of the parts that portals fall into.
import { severitiesIn } from "../../diagnostic.js";
import type { Outcome } from "../../outcome.js";
import { html, type Html } from "../../pages/html.js";
import { closedGuards } from "../../plan/result.js";
import { counted, grouped } from "../../lib/text.js";
import type { Line } from "../model/line.js";
import type { State } from "../model/portal.js";
import { countsOf } from "../model/verdict.js";

export interface Figure {
  readonly name: string;
  readonly count: number;
  readonly kind: State | "plain" | "error" | "warning";
}

/** In the bar from left to right, the worst first. */
const PARTS = ["failed", "held", "drift", "changes", "applied", "skipped", "unchanged"] as const;

export function figuresOf(lines: readonly Line[], outcome: Outcome): Html | undefined {
  const isMany = lines.length > 1;
  const figures = (
    lines.length === 0
      ? problemFigures(outcome)
      : [...(isMany ? portalFigures(lines) : []), ...changeFigures(lines)]
  ).filter(({ count }) => count > 0);
  // One alone would only say what the verdict says.
  if (figures.length < 2) return undefined;
  const label = `${counted(lines.length, "portal")}, by status`;
  return renderFigures(figures, isMany ? renderShares(partsOf(lines), label) : undefined);
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

function portalFigures(lines: readonly Line[]): Figure[] {
  return [{ name: "portals", count: lines.length, kind: "plain" }, ...partsOf(lines)];
}

function changeFigures(lines: readonly Line[]): Figure[] {
  if (lines.every(({ isDrift }) => isDrift)) {
    const count = lines.reduce((sum, { changes }) => sum + changes, 0);
    return [{ name: "settings changed", count, kind: "drift" }];
  }
  const changes = lines.flatMap(({ result }) => result.plan?.changes ?? []);
  const isDone = lines.every(({ result }) => result.status !== "changes");
  const counts = countsOf(changes, isDone).map(({ kind, count, words }): Figure => ({
    name: words,
    count,
    kind: kind !== "set" ? "plain" : isDone ? "applied" : "changes",
  }));
  const closed = lines.reduce((sum, { result }) => sum + closedGuards(result).length, 0);
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
function partsOf(lines: readonly Line[]): Figure[] {
  return PARTS.flatMap((kind) => {
    const held = lines.filter(({ states }) => states[0] === kind);
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
