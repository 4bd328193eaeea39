// What differs → before and after for a page: values beside each other, texts word by word, lists entry by entry.
import { html, type Html } from "../../pages/html.js";
import { renderText } from "../../pages/text.js";
import type { Segment } from "../model/diff.js";
import {
  differenceBetween,
  firstRows,
  shortenedSegments,
  shownValue,
  withSpacesShown,
  type Difference,
  type Limits,
  type Row,
} from "../model/difference.js";

const ARROW = html` <span class="arrow" aria-label="becomes" role="img">→</span> `;

/** On the line of the name. */
export function renderValue(difference: Difference, limits: Limits): Html | undefined {
  if (difference.kind === "text") return undefined;
  if (difference.kind === "list") return html`<span class="quiet">${difference.size}</span>`;
  const [gone, come] = [difference.before, difference.after].map((each) =>
    each === undefined ? undefined : shownValue(each, limits.value),
  );
  if (gone === undefined) return come === undefined ? undefined : html`<code>${come}</code>`;
  if (come === undefined) return html`<del><code>${gone}</code></del>`;
  return html`<span
    ><del class="whole"><code>${gone}</code></del
    >${ARROW}<ins class="whole"><code>${come}</code></ins></span
  >`;
}

/** Below that line. */
export function renderInside(difference: Difference, limits: Limits): Html | undefined {
  if (difference.kind === "value") return undefined;
  if (difference.kind === "text") return renderSegments(difference.segments, limits);
  return html`<ul class="entries">
    ${firstRows(difference.rows, limits.entries).map((row) => renderRow(row, limits))}
  </ul>`;
}

/** Line ends are kept, so that nothing but the text may stand inside the element. */
function renderSegments(segments: readonly Segment[], { text: most }: Limits): Html {
  const parts = shortenedSegments(segments, most).map(({ kind, text }) => {
    if (segments.length === 1 || kind === "same") return renderText(text);
    return marked(kind, renderText(withSpacesShown(text)));
  });
  return html`<p class="words" dir="auto">${parts}</p>`;
}

function renderRow(row: Row, limits: Limits): Html | Html[] {
  if (row.kind === "rest") return html`<li class="quiet">${row.text}</li>`;
  if (row.kind !== "changed") {
    const value = html`<code>${shownValue(row.value, limits.value)}</code>`;
    return html`<li>${marked(row.kind, value)}</li>`;
  }
  return row.parts.slice(0, limits.entries).map((part) => {
    const difference = differenceBetween(part);
    return html`<li>
      <code class="name">${part.name}</code>
      ${renderValue(difference, limits)}${renderInside(difference, limits)}
    </li>`;
  });
}

function marked(kind: "removed" | "added", what: Html): Html {
  return kind === "removed" ? html`<del>${what}</del>` : html`<ins>${what}</ins>`;
}
