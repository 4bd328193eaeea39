// Renders the figures at the top of a page, and a bar of the parts that portals fall into.
import { severitiesIn } from "../diagnostic.js";
import { counted, grouped } from "../lib/text.js";
import type { Outcome } from "../outcome.js";
import { html, type Html } from "../lib/html.js";
import type { Badge, PortalEntry } from "./portal-entry.js";
import { countsOf } from "./verdict.js";

export interface Figure {
  readonly name: string;
  readonly count: number;
  readonly kind: Badge | "plain" | "error" | "warning";
}

/** In the bar from left to right, the worst first. */
const PARTS = ["failed", "held", "drift", "changes", "applied", "skipped", "unchanged"] as const;

export function figuresOf(entries: readonly PortalEntry[], outcome: Outcome): Html | undefined {
  const isMany = entries.length > 1;
  const parts = partsOf(entries);
  const portals: Figure = { name: "portals", count: entries.length, kind: "plain" };
  const figures = (
    entries.length === 0
      ? problemFigures(outcome)
      : [...(isMany ? [portals, ...parts] : []), ...changeFigures(entries)]
  ).filter(({ count }) => count > 0);
  // A single one would only repeat the verdict.
  if (figures.length < 2) return undefined;
  const label = `${counted(entries.length, "portal")}, by status`;
  return renderFigures(figures, isMany ? renderShares(parts, label) : undefined);
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

/** By main status: a portal with drift and with changes counts once. */
function partsOf(entries: readonly PortalEntry[]): Figure[] {
  return PARTS.flatMap((kind) => {
    const held = entries.filter(({ states }) => states[0] === kind);
    const name = held.find(({ status }) => status !== "stopped")?.status ?? held[0]?.status;
    return name === undefined ? [] : [{ name, count: held.length, kind }];
  });
}

function changeFigures(entries: readonly PortalEntry[]): Figure[] {
  if (entries.every(({ isDrift }) => isDrift)) {
    const count = entries.reduce((sum, { changes }) => sum + changes.length, 0);
    return [{ name: "settings changed", count, kind: "drift" }];
  }
  const changes = entries.flatMap(({ result }) => result.plan?.changes ?? []);
  const isDone = entries.every(({ result }) => result.status !== "changes");
  const counts = countsOf(changes, isDone).map(({ kind, count, words }): Figure => ({
    name: words,
    count,
    kind: kind !== "set" ? "plain" : isDone ? "applied" : "changes",
  }));
  const stopped = entries.filter(({ stoppers }) => stoppers.length > 0).length;
  return [...counts, { name: "stopped", count: stopped, kind: "guarded" }];
}

function problemFigures({ diagnostics, files = [] }: Outcome): Figure[] {
  const problems = severitiesIn(diagnostics).map(({ kind, count }): Figure => ({
    name: `${kind}s`,
    count,
    kind: kind === "notice" ? "plain" : kind,
  }));
  return [{ name: "files", count: files.length, kind: "plain" }, ...problems];
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
