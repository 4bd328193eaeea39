// What is known of a portal → its row in the table of all, made once for as long as nothing of it changes.
import { html, toText, trusted, type Html, renderText } from "../../../lib/html.js";
import { shortened, someOf } from "../../../lib/text.js";
import type { Seen } from "../board.js";
import { renderStatus } from "./status.js";
import { renderTime } from "./time.js";

const LONGEST_NAME = 100;
const LONGEST_SENTENCE = 160;
/** What is searched beside what is shown. */
const LONGEST_WORDS = 500;
const MOST_NAMED = 3;

const rows = new WeakMap<Seen, Html>();

export function renderRow(seen: Seen): Html {
  const row = rows.get(seen) ?? trusted(tight(toText(drawRow(seen))));
  rows.set(seen, row);
  return row;
}

/** Of thousands of rows, what stands between their cells is half of what a browser has to read. */
function tight(text: string): string {
  return text.replaceAll(/>\s*\n\s*</g, "><").replaceAll(/\s*\n\s*/g, " ");
}

function drawRow(seen: Seen): Html {
  const { key, name, status, pool } = seen;
  const pooled = pool === undefined ? undefined : html` data-pool="${pool}"`;
  return html`<tr
    role="row"
    data-key="${key}"
    data-status="${status}"
    ${pooled}
    data-words="${wordsOf(seen)}"
  >
    <th scope="row" role="rowheader">
      <a href="${addressOf(key)}"><bdi>${renderText(shortened(name, LONGEST_NAME))}</bdi></a>
      <span class="where">${renderText(shortened(whereOf(seen), LONGEST_NAME))}</span>
    </th>
    <td role="cell">${renderStatus(status)}</td>
    <td role="cell" class="told">${renderText(shortened(toldOf(seen), LONGEST_SENTENCE))}</td>
    <td role="cell" class="next">${renderNext(seen)}</td>
    <td role="cell" class="when">${renderLooked(seen)}</td>
  </tr>`;
}

export function addressOf(key: string): string {
  return `/portals/${encodeURIComponent(key)}`;
}

/** "gis.example.com/portal, portal-7"; the file where nobody knows its portal. */
function whereOf({ url, id, file }: Seen): string {
  if (url === "") return file;
  const short = url.replace(/^https?:\/\//, "").replace(/\/sharing\/rest$/, "");
  return id === "self" ? short : `${short}, ${id}`;
}

/** What is to be said of it in a sentence; nothing where all is well. */
export function toldOf({ failure, drift, waiting }: Seen): string {
  if (failure) return failure.message;
  if (drift.length > 0) return `Somebody else changed ${namesOf(drift)}.`;
  return waiting.length > 0 ? `The file wants another ${namesOf(waiting)}.` : "";
}

function namesOf(all: readonly { readonly path: string }[]): string {
  const names = all.map(({ path }) => path);
  return someOf(names, "setting", MOST_NAMED);
}

/** The first boundary after the last look. */
function renderNext({ windows, lookedMs = 0 }: Seen): Html | undefined {
  const boundaries = windows.flatMap(({ name, fromMs, untilMs }) => [
    { name, ms: fromMs, word: "opens" },
    { name, ms: untilMs, word: "closes" },
  ]);
  const [next] = boundaries
    .filter(({ ms }) => ms > lookedMs)
    .toSorted((one, other) => one.ms - other.ms);
  if (!next) return undefined;
  const name = renderText(shortened(next.name, LONGEST_NAME));
  return html`<span class="window">${name}</span> ${next.word} ${renderTime(next.ms, "near")}`;
}

function renderLooked({ lookedMs }: Seen): Html {
  return lookedMs === undefined ? html`not yet` : renderTime(lookedMs, "near");
}

function wordsOf({ file, drift, waiting }: Seen): string {
  const all = [file, ...[...drift, ...waiting].map(({ path }) => path)];
  return shortened([...new Set(all)].join(" "), LONGEST_WORDS);
}
