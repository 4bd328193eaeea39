// Changes → lists for a page, one a parameter: mark, name, before and after, what differs inside, and where it stands.
import { html, type Html } from "../../pages/html.js";
import { renderText, shorten } from "../../pages/text.js";
import type { Change } from "../../plan/diff.js";
import type { Note } from "../../plan/note.js";
import { differenceOf, markOf, splitPath, wordsOf, type Mark } from "../model/change.js";
import type { Pictures } from "./picture.js";
import { renderInside, renderValue, type Limits } from "./difference.js";
import { counted } from "../../text.js";
import { notesBeside, noteText } from "../model/wording.js";

const LONGEST_PLACE = 120;
const LONGEST_NOTE = 600;

/** For those who do not see a mark. */
const MARKS: Readonly<Record<Mark, string>> = {
  "+": "new",
  "~": "changed",
  "-": "released",
  "=": "adopted",
};

/** What nobody may have meant stands out. */
const UNMEANT: readonly Note["code"][] = ["drift", "deprecated", "outcome-unknown"];

export function renderChanges(
  changes: readonly Change[],
  pictures: Pictures,
  limits: Limits,
  isDone: boolean,
): Html {
  const shown = changes.slice(0, limits.changes);
  const left = changes.length - shown.length;
  const groups = groupsOf(shown).map(
    ({ parameter, held }) =>
      html`<section class="group">
        <h4><code>${parameter}</code></h4>
        ${pictures.get(parameter)}
        <ul>
          ${held.map((change) => renderChange(change, limits, isDone))}
        </ul>
      </section>`,
  );
  const more =
    left > 0 ? html`<p class="quiet">… and ${counted(left, "more change")}</p>` : undefined;
  return html`${groups}${more}`;
}

/** Neighbours of one parameter stand together, under its name. */
function groupsOf(changes: readonly Change[]) {
  const groups: { readonly parameter: string; readonly held: Change[] }[] = [];
  for (const change of changes) {
    const [parameter] = splitPath(change.path);
    const last = groups.at(-1);
    if (last?.parameter === parameter) last.held.push(change);
    else groups.push({ parameter, held: [change] });
  }
  return groups;
}

function renderChange(change: Change, limits: Limits, isDone: boolean): Html {
  const { path, place } = change;
  const [, rest] = splitPath(path);
  const [mark, words] = [markOf(change), wordsOf(change, isDone)];
  const difference = differenceOf(change);
  const at = place && `${shorten(place.file, LONGEST_PLACE)}:${place.line}`;
  const value = renderValue(difference, limits);
  const said = words ? html` <span class="quiet">${words}</span>` : undefined;
  const now = value || said ? html`<p>${value}${said}</p>` : undefined;
  const name = html`<code class="name">${rest || "the value"}</code>`;
  return html`<li class="change">
    <span class="mark ${MARKS[mark]}"
      ><span aria-hidden="true">${mark}</span><span class="unseen">${MARKS[mark]}</span></span
    >${name}
    <div class="what">
      ${now}${renderInside(difference, limits)}${notesBeside(change).map(renderNote)}
    </div>
    ${at === null ? undefined : html`<code class="at">${renderText(at)}</code>`}
  </li>`;
}

function renderNote(note: Note): Html {
  const text = renderText(shorten(noteText(note), LONGEST_NOTE));
  return UNMEANT.includes(note.code)
    ? html`<p class="note unmeant">${text}</p>`
    : html`<p class="note">${text}</p>`;
}
