// One portal, and what its state remembers → its page: what is the matter, drift word by word, windows, settings now, history.
import script from "../../../../generated/serve/portal-script.js";
import style from "../../../../generated/serve/portal-style.js";
import { html, renderFacts, type Html, type Part, renderText } from "../../../lib/html.js";
import type { View } from "../../../lib/html-document.js";
import { DRIFT_SIDES, stepsAfterDrift } from "../../../report/drift-report.js";
import {
  type Pictures,
  type Sides,
  openPalette,
  picturesOf,
  sidesBetween,
} from "../../../report/html-pictures.js";
import { renderCallout, renderHelp } from "../../../report/html-portal.js";
import { shellWord, shortened } from "../../../lib/text.js";
import type { Seen } from "../board.js";
import type { Stamp } from "../feed.js";
import type { Remembered } from "../remembered.js";
import { settingsNow } from "../settings.js";
import { renderHistory } from "./history.js";
import { LIVE } from "./overview.js";
import { toldOf } from "./row.js";
import { renderSettings } from "./settings.js";
import { renderStatus } from "./status.js";
import { renderTime } from "./time.js";
import { changeIn, driftIn, renderReports, reportsOf } from "./told.js";
import { renderWindows } from "./windows.js";

const LONGEST_NAME = 200;

export interface Shown {
  readonly seen: Seen;
  readonly remembered: Remembered;
  readonly stamp: Stamp;
  readonly nowMs: number;
}

export function portalPage({ seen, remembered, stamp, nowMs }: Shown): View {
  const { key, name, file } = seen;
  const { state, failure } = remembered;
  const now = settingsNow(state, seen.drift);
  const palette = openPalette();
  const pictures = picturesOf(sidesOf(seen, state), true, palette);
  return {
    title: `${shortened(name, LONGEST_NAME)} – Lintel`,
    style: style + palette.style(),
    script,
    data: { stamp, key },
    isLive: true,
    body: html`<div class="report">
      <header class="head">
        <div class="above">
          <p class="brand">
            <span aria-hidden="true" class="contours"></span><a href="/">All portals</a>
          </p>
          ${LIVE}
        </div>
        <h1><bdi>${renderText(shortened(name, LONGEST_NAME))}</bdi></h1>
        <div id="top" class="part">${renderTop(seen)}</div>
      </header>
      <main>
        ${part("trouble", "What to do", renderTrouble(seen))}
        ${part("drift", "What somebody else changed", renderDrift(seen, pictures))}
        ${part("waiting", "What the file wants otherwise", renderWaiting(seen))}
        ${part("windows", "Windows", renderWindows(seen.windows, nowMs))}
        ${failure ? part("unread", "What the state remembers", renderUnread(failure)) : undefined}
        ${part("settings", "Settings now", now && renderSettings(seen, now))}
        ${part("history", "History", failure ? undefined : renderHistory(state ?? { history: [] }, file))}
      </main>
      <p id="said" class="unseen" role="status"></p>
    </div>`,
  };
}

/** There also where it is empty, so that what comes later has its place. */
function part(id: string, title: string, inside: Html | undefined): Html {
  const content =
    inside &&
    html`<h2>${title}</h2>
      ${inside}`;
  return html`<section
    id="${id}"
    class="part"
    aria-label="${title}"
    ${content ? undefined : html`hidden`}
  >
    ${content}
  </section>`;
}

function renderTop(seen: Seen): Html {
  const { status, url, id, file, pool, lookedMs, answeredMs, nextMs, lastApply, commit } = seen;
  const at = (ms: number | undefined) => (ms === undefined ? undefined : renderTime(ms, "near"));
  const code = (text: string | undefined) =>
    text === undefined || text === ""
      ? undefined
      : html`<code>${renderText(shortened(text, LONGEST_NAME))}</code>`;
  const facts = [
    ["Looked at", at(lookedMs) ?? html`not yet`],
    ["Answered", answeredMs === lookedMs ? undefined : at(answeredMs)],
    ["Next look", at(nextMs)],
    ["Address", code(url)],
    ["Id", id === "self" ? undefined : code(id)],
    ["File", code(file)],
    ["Pool", pool === undefined ? undefined : html`${renderText(pool)}`],
    ["Last apply", lastApply === undefined ? undefined : html`${lastApply}`],
    ["Commit", code(commit?.slice(0, 12))],
  ] satisfies [string, Part][];
  return html`<p class="verdict">
      ${renderStatus(status)} ${renderText(shortened(sentenceOf(seen), 400))}
    </p>
    ${renderFacts(facts)}`;
}

function sentenceOf(seen: Seen): string {
  const told = toldOf(seen);
  if (told !== "") return told;
  return seen.status === "unknown" ? "Nobody has looked at it yet." : "It is as its file wants it.";
}

function renderTrouble({ failure, status }: Seen): Html | undefined {
  if (!failure) return undefined;
  const { code, message, help, sinceMs } = failure;
  const isStopped = status === "stopped" || status === "held";
  const title = isStopped ? "Stopped" : "Failed";
  return html`<h3 class="unseen">Why</h3>
    ${renderCallout({ kind: isStopped ? "held" : "failed", title, message, code, help: help ?? "" })}
    <p class="quiet">So since ${renderTime(sinceMs)}.</p>`;
}

/** The banner and notices as they were applied and as they are, where all of them is known. */
function sidesOf({ drift }: Seen, state: Remembered["state"]): Sides[] {
  return sidesBetween(drift.map(driftIn), () => {
    const [applied, now] = [settingsNow(state, []), settingsNow(state, drift)];
    return applied?.isWhole && now ? { before: applied.settings, after: now.settings } : undefined;
  });
}

/** Of what is held, that comes first, and its way out stands above. */
function renderNext({ status }: Seen, helps: readonly string[]): Html | undefined {
  if (status === "held") return undefined;
  return html`<div class="callout">
    <h4>Next</h4>
    ${helps.map(renderHelp)}
  </div>`;
}

function renderDrift(seen: Seen, pictures: Pictures): Html | undefined {
  const { drift, file } = seen;
  if (drift.length === 0) return undefined;
  const reports = reportsOf(drift.map(driftIn));
  const files = { quoted: shellWord(file), portals: 1 };
  return html`<div class="panel">
    <p class="quiet">${DRIFT_SIDES}</p>
    <h3 class="unseen">Settings</h3>
    ${renderReports(reports, pictures)}
    ${renderNext(
      seen,
      stepsAfterDrift(reports, files).map(({ text, command }) => `${text}:\n${command}`),
    )}
  </div>`;
}

function renderWaiting(seen: Seen): Html | undefined {
  const { waiting, file } = seen;
  if (waiting.length === 0) return undefined;
  return html`<div class="panel">
    <h3 class="unseen">Settings</h3>
    ${renderReports(reportsOf(waiting.map(changeIn)))}
    ${renderNext(seen, [`To see it, and to apply it:\nlintel apply ${shellWord(file)}`])}
  </div>`;
}

function renderUnread({ code, message, help = "" }: NonNullable<Remembered["failure"]>): Html {
  return html`<h3 class="unseen">Why it is not shown</h3>
    ${renderCallout({ kind: "failed", title: "It cannot be read now", message, code, help })}`;
}
