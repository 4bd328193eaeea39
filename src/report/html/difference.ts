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
  type Row,
} from "../model/difference.js";

/** How much of a portal is told, so that a report over many is still opened at once. */
export interface Limits {
  /** In characters: of a text that is compared, and of a value. */
  readonly text: number;
  readonly value: number;
  readonly entries: number;
  readonly changes: number;
  /** The longest request that is shown whole, in characters. */
  readonly request: number;
  readonly isPictured: boolean;
}

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
  switch (difference.kind) {
    case "value":
      return undefined;
    case "text":
      return renderSegments(difference.segments, limits);
    case "list":
      return html`<ul class="entries">
        ${firstRows(difference.rows, limits.entries).map((row) => renderRow(row, limits))}
      </ul>`;
    default:
      throw difference satisfies never;
  }
}

/** Line ends are kept, so that nothing but the text may stand inside the element. */
function renderSegments(segments: readonly Segment[], { text: most }: Limits): Html {
  const parts = shortenedSegments(segments, most).map(({ kind, text }) => {
    if (segments.length === 1 || kind === "same") return renderText(text);
    const marked = renderText(withSpacesShown(text));
    return kind === "removed" ? html`<del>${marked}</del>` : html`<ins>${marked}</ins>`;
  });
  return html`<p class="words" dir="auto">${parts}</p>`;
}

function renderRow(row: Row, limits: Limits): Html | Html[] {
  switch (row.kind) {
    case "rest":
      return html`<li class="quiet">${row.text}</li>`;
    case "added":
      return html`<li>
        <ins><code>${shownValue(row.value, limits.value)}</code></ins>
      </li>`;
    case "removed":
      return html`<li>
        <del><code>${shownValue(row.value, limits.value)}</code></del>
      </li>`;
    case "changed":
      return row.parts.slice(0, limits.entries).map((part) => {
        const difference = differenceBetween(part);
        return html`<li>
          <code class="name">${part.name}</code>
          ${renderValue(difference, limits)}${renderInside(difference, limits)}
        </li>`;
      });
    default:
      throw row satisfies never;
  }
}
