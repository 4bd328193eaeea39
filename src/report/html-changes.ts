// Renders changes for a page, one list per parameter: mark, name, before and after, what differs inside, and the place.
import { html, type Html, renderText } from "../lib/html.js";
import { counted, shortened } from "../lib/text.js";
import type { ChangeEntry, NoteEntry } from "./change-entry.js";
import { neighbours, type Segment } from "./diff.js";
import { withSpacesShown, type Difference, type Row } from "./difference.js";
import type { Pictures } from "./html-pictures.js";

const LONGEST_PLACE = 120;
const LONGEST_NOTE = 600;

/** For readers who do not see a mark. */
const MARKS = { "+": "new", "~": "changed", "-": "released", "=": "adopted" } as const;

export function renderChanges(changes: readonly ChangeEntry[], pictures: Pictures): Html {
  const groups = neighbours(changes, ({ parameter }) => parameter).map(
    ([parameter, own]) =>
      html`<section class="group">
        <h4><code>${parameter}</code></h4>
        ${pictures.get(parameter)}
        <ul>
          ${own.map(renderChange)}
        </ul>
      </section>`,
  );
  return html`${groups}`;
}

export function renderMore(left: number, word: string): Html | undefined {
  return left > 0 ? html`<p class="quiet">and ${counted(left, `more ${word}`)}</p>` : undefined;
}

function renderChange(change: ChangeEntry): Html {
  const { mark, name, words, difference, at, notes } = change;
  const value = renderValue(difference);
  const remark = words ? html` <span class="quiet">${words}</span>` : undefined;
  const now = value || remark ? html`<p>${value}${remark}</p>` : undefined;
  return renderLine({
    mark: { sign: mark, look: MARKS[mark], word: MARKS[mark] },
    name: name || "the value",
    what: html`${now}${renderInside(difference)}${notes.map((note) => renderNote(note, LONGEST_NOTE))}`,
    at,
  });
}

/** The look is a class of the style sheet; the word is for readers who do not see the sign. */
export function renderLine({
  mark: { sign, look, word },
  name,
  what,
  at,
}: {
  readonly mark: { readonly sign: string; readonly look: string; readonly word: string };
  readonly name: Html | string;
  readonly what: Html | undefined;
  /** Empty where it stands in no file. */
  readonly at: string;
}): Html {
  return html`<li class="change">
    <span class="mark ${look}"
      ><span aria-hidden="true">${sign}</span><span class="unseen">${word}</span></span
    ><code class="name">${name}</code>
    <div class="what">${what}</div>
    ${at ? html`<code class="at">${renderText(shortened(at, LONGEST_PLACE))}</code>` : undefined}
  </li>`;
}

export function renderNote({ text, isUnexpected }: NoteEntry, most: number): Html {
  const kind = isUnexpected ? "note unmeant" : "note";
  return html`<p class="${kind}">${renderText(shortened(text, most))}</p>`;
}

const ARROW = html` <span class="arrow" aria-label="becomes" role="img">→</span> `;

/** On the line of the name. */
function renderValue(difference: Difference): Html | undefined {
  if (difference.kind === "text") return undefined;
  if (difference.kind === "list") return html`<span class="quiet">${difference.size}</span>`;
  const { before, after } = difference;
  if (before === undefined) return after === undefined ? undefined : html`<code>${after}</code>`;
  if (after === undefined) return html`<del><code>${before}</code></del>`;
  return html`<span
    ><del class="whole"><code>${before}</code></del
    >${ARROW}<ins class="whole"><code>${after}</code></ins></span
  >`;
}

/** Below that line. */
function renderInside(difference: Difference): Html | undefined {
  if (difference.kind === "value") return undefined;
  if (difference.kind === "text") return renderSegments(difference.segments);
  return html`<ul class="entries">
    ${difference.rows.map(renderRow)}
  </ul>`;
}

/** Line ends are kept, so that nothing but the text may stand inside the element. */
function renderSegments(segments: readonly Segment[]): Html {
  const parts = segments.map(({ kind, text }) => {
    if (segments.length === 1 || kind === "same") return renderText(text);
    return renderMarked(kind, renderText(withSpacesShown(text)));
  });
  return html`<p class="words" dir="auto">${parts}</p>`;
}

function renderRow(row: Row): Html {
  if (row.kind === "rest") return html`<li class="quiet">${row.text}</li>`;
  if (row.kind !== "changed") {
    return html`<li>${renderMarked(row.kind, html`<code>${row.value}</code>`)}</li>`;
  }
  const { name, difference } = row;
  return html`<li>
    <code class="name">${name}</code>
    ${renderValue(difference)}${renderInside(difference)}
  </li>`;
}

function renderMarked(kind: "removed" | "added", what: Html): Html {
  return kind === "removed" ? html`<del>${what}</del>` : html`<ins>${what}</ins>`;
}
