// The entries of a portal's history → a list, the newest first: when, who, from which commit, and what was changed.
import { html, renderFacts, type Html, safeHref, renderText } from "../../../lib/html.js";
import { commitText } from "../../../report/state-report.js";
import type { Change } from "../../../apply/reconcile.js";
import { formatPath, isSent } from "../../../settings.js";
import { authorText, entryOf, isNote, isTaken, openedText } from "../../../state/state.js";
import type { Entry, State } from "../../../state/state.js";
import { counted, shellWord, shortened, someOf } from "../../../lib/text.js";
import { renderReports, reportsOf } from "./told.js";
import { renderTime } from "./time.js";

const MOST = 30;
const LONGEST = 300;

const WORDS: Readonly<Record<Entry["kind"], string>> = {
  apply: "Apply",
  rollback: "Rollback",
  hold: "Hold",
  unhold: "End of a hold",
  release: "Release",
  move: "Move of the state",
  sign: "Signature",
  accept: "Acceptance of an older state",
};

export function renderHistory(
  { history: entries, journal }: Pick<State, "history" | "journal">,
  file: string,
): Html {
  if (entries.length === 0 && !journal) {
    return html`<p class="quiet">Nothing was ever applied.</p>`;
  }
  const shown = entries.toReversed().slice(0, MOST);
  const left = entries.length - shown.length;
  return html`<ol class="entries-list">
      ${journal && html`<li>${renderEntry(entryOf(journal))}</li>`}
      ${shown.map((entry) => html`<li>${renderEntry(entry)}</li>`)}
    </ol>
    ${
      left > 0
        ? html`<p class="quiet">and ${counted(left, "more entry")}. To see all:</p>
            <p class="copy"><code>lintel history ${renderText(shellWord(file))}</code></p>`
        : undefined
    }`;
}

function renderEntry(entry: Entry): Html {
  const { kind, number, time, by, changes, outcome } = entry;
  const isOpen = number === undefined && !isNote(entry);
  const commit = commitText(by);
  const open = isOpen ? "not settled" : outcome && `outcome ${outcome}`;
  const unknown = open && html`<span class="pill is-drifted">${open}</span>`;
  return html`<details
    class="portal"
    id="${isOpen ? "open" : number === undefined ? `${kind}-${time}` : `apply-${number}`}"
  >
    <summary>
      <h3>${WORDS[kind]}</h3>
      ${renderTime(Date.parse(time))} ${unknown}
      <span class="counts"
        >${renderText(shortened(`by ${authorText(by)}${commit ? `, ${commit}` : ""}${countsText(entry)}`, LONGEST))}</span
      >
    </summary>
    <div class="inside">
      ${renderFrom(entry)} ${renderNotes(entry)}
      ${changes.length > 0 ? renderReports(reportsOf(changes.map(changeOf), true)) : isNote(entry) ? undefined : html`<p class="quiet">Nothing was changed.</p>`}
    </div>
  </details>`;
}

function countsText({ changes }: Entry): string {
  const sent = changes.filter(isSent).length;
  return sent > 0 ? `: ${counted(sent, "setting")}` : "";
}

function renderFrom({ by, number }: Entry): Html {
  const href = safeHref(by.job);
  const job = by.job && renderText(shortened(by.job, LONGEST));
  const name = renderText(shortened(authorText(by), LONGEST));
  return renderFacts([
    ["Number", number],
    ["By", html`${name}, on ${renderText(shortened(by.host, LONGEST))}`],
    ["Commit", by.commit && html`<code>${renderText(shortened(by.commit, LONGEST))}</code>`],
    ["Job", job && href ? html`<a href="${href}" rel="noopener noreferrer">${job}</a>` : job],
  ]);
}

function renderNotes({ guards, changes, why, until, paths }: Entry): Html {
  const sentences = [
    ...guards.map((each) => `Guard ${openedText(each)}`),
    ...(why === undefined ? [] : [why]),
    ...(paths && paths.length > 0
      ? [`Managed no longer: ${someOf(paths.map(formatPath), "setting", 20)}.`]
      : []),
    ...notTaken(changes),
  ];
  return html`${sentences.map((each) => html`<p class="note">${renderText(shortened(each, LONGEST))}</p>`)}
  ${until === undefined ? undefined : html`<p class="note">Until ${renderTime(Date.parse(until))}</p>`}`;
}

function notTaken(changes: Entry["changes"]): string[] {
  const left = changes.filter((each) => !isTaken(each)).map(({ path }) => formatPath(path));
  return left.length > 0 ? [`The portal did not take ${someOf(left, "setting", 20)}.`] : [];
}

function changeOf({ path, action, cause, before, after }: Entry["changes"][number]): Change {
  return { path, action, cause, before: before ?? null, after, place: null, notes: [] };
}
