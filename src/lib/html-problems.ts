// Renders diagnostics as a list for a page: the error, the marked line and the help.
import { formatPlace, type Diagnostic } from "../diagnostic.js";
import { formatSpot } from "../settings.js";
import { html, type Html, renderText } from "./html.js";
import { shortened } from "./text.js";

/** Cuts messages that quote a whole text. */
const LONGEST = 400;

export function renderProblems(diagnostics: readonly Diagnostic[]): Html {
  return html`<ol class="problems">
    ${diagnostics.map(renderProblem)}
  </ol>`;
}

function renderProblem(diagnostic: Diagnostic): Html {
  const { severity, message, help, place, related, code } = diagnostic;
  return html`<li class="problem ${severity}">
    <p class="where"><b>${severity}</b> <code>${renderText(formatPlace(diagnostic))}</code></p>
    <p class="message">${renderText(shortened(message, LONGEST))}</p>
    ${place && place.excerpt.text.trim() !== "" ? renderExcerpt(place) : undefined}
    <p class="help">${renderText(shortened(help, LONGEST))}</p>
    ${related.map(
      ({ place, message }) =>
        html`<p class="quiet">
          <code>${renderText(formatSpot(place))}</code>
          ${renderText(shortened(message, LONGEST))}
        </p>`,
    )}
    <p class="quiet code">${code}</p>
  </li>`;
}

function renderExcerpt({
  line,
  excerpt: { text, from, to },
}: NonNullable<Diagnostic["place"]>): Html {
  // A missing part is marked where it belongs.
  const marked = text.slice(from, Math.max(to, from + 1)) || " ";
  return html`<p class="excerpt">
    <code
      ><span class="line">${line}</span
      >${renderText(text.slice(0, from))}<mark>${renderText(marked)}</mark>${renderText(text.slice(Math.max(to, from + 1)))}</code
    >
  </p>`;
}
