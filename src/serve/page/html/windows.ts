// The windows that are open or to come → a time line, each with its bar, and the same in words.
import { html, type Html, renderText } from "../../../lib/html.js";
import { counted, shortened } from "../../../lib/text.js";
import type { Seen } from "../board.js";
import { renderTime } from "./time.js";

type Window = Seen["windows"][number];

const MOST = 24;
const LONGEST_NAME = 100;
/** Of the line, so that what is open now is seen to have begun before. */
const PAST = 0.06;

export function renderWindows(windows: readonly Window[], nowMs: number): Html | undefined {
  if (windows.length === 0) return undefined;
  const coming = windows.toSorted((one, other) => one.fromMs - other.fromMs);
  const shown = coming.slice(0, MOST);
  const last = Math.max(...shown.map(({ untilMs }) => untilMs), nowMs + 1);
  const spanMs = (last - nowMs) / (1 - PAST);
  const from = nowMs - spanMs * PAST;
  const at = (ms: number) => Math.max(0, Math.min(1000, ((ms - from) / spanMs) * 1000));
  const left = coming.length - shown.length;
  return html`<div class="panel">
    <ol class="windows">
      ${shown.map((window) => renderWindow(window, nowMs, at))}
    </ol>
    <p class="quiet small" aria-hidden="true"><span class="now-sign"></span>now</p>
    ${left > 0 ? html`<p class="quiet">and ${counted(left, "more window")} later</p>` : undefined}
  </div>`;
}

function renderWindow(
  { name, fromMs, untilMs }: Window,
  nowMs: number,
  at: (ms: number) => number,
): Html {
  const isOpen = fromMs <= nowMs && nowMs < untilMs;
  const [start, end, now] = [at(fromMs), at(untilMs), at(nowMs)];
  // A short window among long ones is seen all the same.
  const width = Math.max(end - start, 6);
  const [x, wide, line] = [start, width, now].map((each) => each.toFixed(1));
  return html`<li class="${isOpen ? "is-open" : "is-coming"}">
    <p>
      <b>${renderText(shortened(name, LONGEST_NAME))}</b>
      ${isOpen ? html`<span class="pill is-changing">open, closes ${renderTime(untilMs, "near")}</span>` : html`<span class="pill">opens ${renderTime(fromMs, "near")}</span>`}
    </p>
    <svg viewBox="0 0 1000 14" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect class="line" x="0" y="6" width="1000" height="2" />
      <rect class="span" x="${x}" y="1" width="${wide}" height="12" />
      <rect class="now" x="${line}" y="0" width="2" height="14" />
    </svg>
    <p class="quiet small">${renderTime(fromMs)} to ${renderTime(untilMs)}</p>
  </li>`;
}
