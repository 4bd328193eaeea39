// Changes → lists for a page, one a parameter: mark, name, before and after, what differs inside, and where it stands.
import { html, type Html } from "../../pages/html.js";
import { renderText } from "../../pages/text.js";
import { counted, shortened } from "../../lib/text.js";
import type { ChangeReport, NoteReport } from "../model/change.js";
import { neighbours } from "../model/diff.js";
import type { Limits } from "../model/difference.js";
import { renderInside, renderValue } from "./difference.js";
import type { Pictures } from "./picture.js";

const LONGEST_PLACE = 120;
const LONGEST_NOTE = 600;

/** For those who do not see a mark. */
const MARKS = { "+": "new", "~": "changed", "-": "released", "=": "adopted" } as const;

export function renderChanges(
  changes: readonly ChangeReport[],
  pictures: Pictures,
  limits: Limits,
): Html {
  const shown = changes.slice(0, limits.changes);
  const left = changes.length - shown.length;
  const groups = neighbours(shown, ({ parameter }) => parameter).map(
    ([parameter, held]) =>
      html`<section class="group">
        <h4><code>${parameter}</code></h4>
        ${pictures.get(parameter)}
        <ul>
          ${held.map((change) => renderChange(change, limits))}
        </ul>
      </section>`,
  );
  return html`${groups}${renderMore(left, "change")}`;
}

export function renderMore(left: number, word: string): Html | undefined {
  return left > 0 ? html`<p class="quiet">and ${counted(left, `more ${word}`)}</p>` : undefined;
}

function renderChange(change: ChangeReport, limits: Limits): Html {
  const { mark, name, words, difference, at, notes } = change;
  const value = renderValue(difference, limits);
  const said = words ? html` <span class="quiet">${words}</span>` : undefined;
  const now = value || said ? html`<p>${value}${said}</p>` : undefined;
  return renderLine({
    mark: { sign: mark, look: MARKS[mark], word: MARKS[mark] },
    name: name || "the value",
    what: html`${now}${renderInside(difference, limits)}${notes.map((note) => renderNote(note, LONGEST_NOTE))}`,
    at,
  });
}

/** The look is a class of the style sheet; the word is for those who do not see the sign. */
export function renderLine({
  mark: { sign, look, word },
  name,
  what,
  at,
}: {
  readonly mark: { readonly sign: string; readonly look: string; readonly word: string };
  readonly name: Html | string;
  readonly what: Html | undefined;
  /** Empty where it stands nowhere. */
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

export function renderNote({ text, isUnmeant }: NoteReport, most: number): Html {
  const [kind, shown] = [isUnmeant ? "note unmeant" : "note", renderText(shortened(text, most))];
  return html`<p class="${kind}">${shown}</p>`;
}
