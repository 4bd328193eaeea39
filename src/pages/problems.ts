// Diagnostics → a list for a page: what is wrong, the line with its mark, what to do.
import type { Diagnostic } from "../diagnostic.js";
import { html, type Html } from "./html.js";
import { renderText, shorten } from "./text.js";

/** A message may quote a whole text. */
const LONGEST = 400;

export function renderProblems(diagnostics: readonly Diagnostic[]): Html {
  return html`<ol class="problems">
    ${diagnostics.map(renderProblem)}
  </ol>`;
}

function renderProblem({ severity, message, help, file, place, related, code }: Diagnostic): Html {
  const at = place ? `${file}:${place.line}:${place.column}` : file;
  return html`<li class="problem ${severity}">
    <p class="where"><b>${severity}</b> <code>${renderText(at)}</code></p>
    <p class="message">${renderText(shorten(message, LONGEST))}</p>
    ${place && renderExcerpt(place)}
    <p class="help">${renderText(shorten(help, LONGEST))}</p>
    ${related.map(
      ({ place: { file, line, column }, message }) =>
        html`<p class="quiet">
          <code>${renderText(`${file}:${line}:${column}`)}</code>
          ${renderText(shorten(message, LONGEST))}
        </p>`,
    )}
    <p class="quiet code">${code}</p>
  </li>`;
}

function renderExcerpt({
  line,
  excerpt: { text, from, to },
}: NonNullable<Diagnostic["place"]>): Html {
  // What is missing is marked where it should stand.
  const marked = text.slice(from, Math.max(to, from + 1)) || " ";
  return html`<p class="excerpt">
    <code
      ><span class="line">${line}</span
      >${renderText(text.slice(0, from))}<mark>${renderText(marked)}</mark>${renderText(text.slice(Math.max(to, from + 1)))}</code
    >
  </p>`;
}

export const PROBLEMS_STYLE = `
.problems { margin: 0; padding: 0; list-style: none; display: grid; gap: 0.75rem; }
.problem { min-width: 0; padding: 0.85rem 1rem; background: var(--sheet); border: 1px solid var(--line); border-left: 4px solid var(--edge); border-radius: 4px 10px 10px 4px; overflow-wrap: anywhere; font-size: 0.9375rem; }
.problem.error { border-left-color: var(--bad); }
.problem.warning { border-left-color: var(--warn); }
.problem p + p { margin-top: 0.35rem; }
.where { display: flex; flex-wrap: wrap; gap: 0 0.6rem; align-items: baseline; font-size: 0.875rem; }
.where b { font-weight: 650; }
.error .where b { color: var(--bad); }
.message { font-weight: 600; }
.help { white-space: pre-wrap; }
.problem .code { font-size: 0.8125rem; }
.excerpt { padding: 0.4rem 0.6rem; background: var(--ground); border-radius: 6px; }
.excerpt code { display: block; white-space: pre-wrap; }
.excerpt .line { display: inline-block; min-width: 1.5em; margin-right: 0.75em; color: var(--quiet); user-select: none; }
.problem mark { color: inherit; background: var(--mark); border-radius: 3px; box-shadow: 0 0 0 1px var(--mark); }
.problem.error mark { background: var(--bad-tint); box-shadow: 0 2px 0 var(--bad); }
`;
