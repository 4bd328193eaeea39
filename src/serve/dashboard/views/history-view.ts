// Renders the history of a portal, newest first, and the difference between two entries.
import { html, renderFacts, renderText, safeHref, type Html } from "../../../lib/html.js";
import { counted, shellWord, shortened, showTime, someOf, UTC } from "../../../lib/text.js";
import type { Palette } from "../../../report/html-pictures.js";
import { formatPath, isSent } from "../../../settings.js";
import {
  appliesOf,
  authorText,
  entryOf,
  isNote,
  isTaken,
  type Applied,
  type Entry,
  type OpenedGuard,
  type State,
} from "../../../state/state.js";
import { changesBetween, renderChangeList, settledChange } from "./change-list.js";
import { renderCommand } from "./commands.js";
import { renderCommit, renderLink, type Repository } from "./forge.js";
import { renderTime } from "./time.js";

const MOST_ENTRIES = 30;
const LONGEST = 300;

const KINDS: Readonly<Record<Entry["kind"], string>> = {
  apply: "Apply",
  rollback: "Rollback",
  hold: "Hold",
  unhold: "Unhold",
  release: "Release",
  move: "Move of the state",
  sign: "Signature",
  accept: "Acceptance of an older state",
};

/** The numbers of two entries. */
export interface Comparison {
  readonly from: number;
  readonly to: number;
}

export interface HistoryView {
  readonly state: Pick<State, "history" | "journal">;
  readonly file: string;
  readonly repository: Repository | undefined;
  readonly palette: Palette;
}

export function renderHistory(view: HistoryView): Html {
  const { history, journal } = view.state;
  if (history.length === 0 && !journal)
    return html`<p class="quiet">Nothing has been applied yet.</p>`;
  const shown = history.toReversed().slice(0, MOST_ENTRIES);
  const left = history.length - shown.length;
  return html`<ol class="history">
      ${journal && html`<li>${renderEntry(entryOf(journal), view)}</li>`}
      ${shown.map((entry) => html`<li>${renderEntry(entry, view)}</li>`)}
    </ol>
    ${
      left > 0
        ? html`<p class="quiet">and ${counted(left, "more entry")}. Show all of them:</p>
            ${renderCommand(`lintel history ${shellWord(view.file)}`)}`
        : undefined
    }`;
}

function renderEntry(entry: Entry, view: HistoryView): Html {
  const { kind, number, time, by, changes, outcome } = entry;
  const isOpen = number === undefined && !isNote(entry);
  const unsettled = isOpen ? "not settled" : outcome && `outcome ${outcome}`;
  const sent = changes.filter(isSent).length;
  const id = isOpen ? "open" : number === undefined ? `${kind}-${time}` : `apply-${number}`;
  return html`<details class="portal" id="${id}">
    <summary>
      <h3>${KINDS[kind]} ${number}</h3>
      ${renderTime(Date.parse(time))}
      ${unsettled && html`<span class="pill is-drifted">${unsettled}</span>`}
      <span class="counts"
        >by
        ${renderText(shortened(authorText(by), LONGEST))}${by.commit && `, ${by.commit.slice(0, 7)}`}${sent > 0 ? `, ${counted(sent, "setting")}` : ""}</span
      >
    </summary>
    <div class="inside">
      ${renderOrigin(entry, view.repository)} ${renderNotes(entry)}
      ${
        changes.length > 0
          ? renderChangeList({
              changes: changes.map(settledChange),
              before: entry.live?.before,
              palette: view.palette,
              isDone: true,
            })
          : isNote(entry)
            ? undefined
            : html`<p class="quiet">No setting was changed.</p>`
      }
    </div>
  </details>`;
}

function renderOrigin({ by }: Entry, repository: Repository | undefined): Html {
  const job = by.job && renderText(shortened(by.job, LONGEST));
  return renderFacts([
    ["By", renderText(shortened(authorText(by), LONGEST))],
    ["Host", renderText(shortened(by.host, LONGEST))],
    ["Commit", by.commit && renderCommit(by.commit, repository)],
    ["Job", job && renderLink(safeHref(by.job), job)],
  ]);
}

function renderNotes({ guards, changes, why, until, paths }: Entry): Html {
  const refused = changes.filter((each) => !isTaken(each)).map(({ path }) => formatPath(path));
  const sentences = [
    ...guards.map(allowedText),
    ...(why === undefined ? [] : [why]),
    ...(paths && paths.length > 0
      ? [`No longer managed: ${someOf(paths.map(formatPath), "setting", 20)}.`]
      : []),
    ...(refused.length > 0 ? [`The portal did not accept ${someOf(refused, "setting", 20)}.`] : []),
  ];
  return html`${sentences.map((each) => html`<p class="note">${renderText(shortened(each, LONGEST))}</p>`)}
  ${until === undefined ? undefined : html`<p class="note">Until ${renderTime(Date.parse(until))}</p>`}`;
}

/** Says who allowed a guard, but does not name the option for it. */
const WAYS: Readonly<Record<OpenedGuard["how"], string>> = {
  "--allow": "on the command line",
  file: "in the file",
  prompt: "at the prompt",
  "drift: restore": "because the file restores drift",
  window: "by a window",
};

function allowedText({ guard, path, how, reason }: OpenedGuard): string {
  const about = path ? ` for ${formatPath(path)}` : "";
  return `Guard ${guard} was allowed${about} ${WAYS[how]}${reason === undefined ? "." : `: ${reason}`}`;
}

/** Entries that keep the values of all settings, oldest first. */
function withValues(state: Pick<State, "history">): readonly Applied[] {
  return appliesOf(state).filter(({ live }) => live?.after !== undefined);
}

/** A form to choose two entries, and their difference; undefined if there are fewer than two. */
export function renderComparison(
  { state, palette }: Pick<HistoryView, "state" | "palette">,
  chosen: Comparison | undefined,
): Html | undefined {
  const entries = withValues(state).toReversed();
  const [newest, second] = entries;
  if (!newest || !second) return undefined;
  const { from, to } = chosen ?? { from: second.number, to: newest.number };
  const select = (name: string, label: string, value: number) =>
    html`<div class="filter">
      <label for="${name}">${label}</label>
      <select id="${name}" name="${name}">
        ${entries.map(
          ({ number, kind, time, by }) =>
            html`<option value="${number}" ${number === value ? html`selected` : undefined}>
              ${KINDS[kind]} ${number}, ${showTime(time, UTC)}, ${shortened(authorText(by), 40)}
            </option>`,
        )}
      </select>
    </div>`;
  return html`<form class="filters" method="get" action="#comparison">
      ${select("from", "Compare", from)} ${select("to", "with", to)}
      <button>Compare</button>
    </form>
    ${chosen && renderDifference(entries, chosen, palette)}`;
}

function renderDifference(
  entries: readonly Applied[],
  { from, to }: Comparison,
  palette: Palette,
): Html {
  const [before, after] = [from, to].map(
    (wanted) => entries.find(({ number }) => number === wanted)?.live?.after,
  );
  if (!before || !after) {
    return html`<p class="callout" role="status">
      The values of apply ${before ? to : from} are not kept. The history keeps those of the newest
      50 entries.
    </p>`;
  }
  const changes = changesBetween(before, after);
  const title = html`<h3>
    From apply ${from} to apply ${to}:
    ${changes.length === 0 ? "no setting differs" : counted(changes.length, "setting")}
  </h3>`;
  if (changes.length === 0) return title;
  return html`<div class="panel">
    ${title} ${renderChangeList({ changes, before, palette, isDone: true })}
  </div>`;
}
