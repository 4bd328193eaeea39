// Draws the windows of a portal on a time line of the next 14 days, by the clock of the first of them.
import { html, renderText, type Html } from "../../../lib/html.js";
import { groupBy } from "../../../lib/lists.js";
import { counted, shortened } from "../../../lib/text.js";
import type { TimedWindow } from "../../due.js";
import { dateAt, dayText, daysFrom, shortWeekday, timeAt, zoneOfName } from "./days.js";
import { renderTime } from "./time.js";

const DAYS = 14;
const MOST_ROWS = 24;
const MOST_TIMES = 4;
const LONGEST_NAME = 100;

export function renderTimeLine(windows: readonly TimedWindow[], nowMs: number): Html | undefined {
  const coming = windows
    .filter(({ untilMs }) => untilMs > nowMs)
    .toSorted((one, other) => one.fromMs - other.fromMs);
  if (coming.length === 0) return undefined;
  const zone = zoneOfName(coming[0]?.timeZone);
  const days = daysFrom(dateAt(nowMs, zone), DAYS, zone);
  const [first, last] = [days[0]?.fromMs ?? nowMs, days.at(-1)?.untilMs ?? nowMs];
  const percent = (ms: number) => Math.max(0, Math.min(100, ((ms - first) / (last - first)) * 100));
  const ticks = days.map((day) => ({ ...day, x: percent(day.fromMs) }));
  const line: Line = { ticks, percent, lastMs: last, nowMs };
  const rows = [...groupBy(coming, ({ name }) => name).values()];
  const left = rows.length - MOST_ROWS;
  return html`<div class="panel">
    <p class="quiet">
      ${dayText(ticks[0]?.date ?? "")} to ${dayText(ticks.at(-1)?.date ?? "")}, by the clock of
      <b>${zone.label ?? "UTC"}</b>;<span class="now-sign" aria-hidden="true"></span>now,
      ${timeAt(nowMs, zone)}
    </p>
    <div class="time-line">
      <div class="axis" aria-hidden="true">${renderAxis(line)}</div>
      <ol>
        ${rows.slice(0, MOST_ROWS).map((held) => renderRow(held, line))}
      </ol>
    </div>
    ${left > 0 ? html`<p class="quiet">and ${counted(left, "more window")}</p>` : undefined}
  </div>`;
}

interface Line {
  readonly ticks: readonly { readonly date: string; readonly x: number }[];
  readonly percent: (ms: number) => number;
  /** Where the line ends. */
  readonly lastMs: number;
  readonly nowMs: number;
}

function renderAxis({ ticks }: Line): Html {
  return html`<svg focusable="false">
    ${ticks.map(
      ({ date, x }) =>
        html`<text x="${x.toFixed(2)}%" dx="3" y="1em">
          <tspan class="weekday">${shortWeekday(date)}</tspan> ${Number(date.slice(8))}
        </text>`,
    )}
  </svg>`;
}

/** The windows of one name; those that begin after the line are in words alone. */
function renderRow(held: readonly TimedWindow[], line: Line): Html {
  const { ticks, percent, nowMs, lastMs } = line;
  const name = held[0]?.name ?? "";
  const isOpen = held.some(({ fromMs }) => fromMs <= nowMs);
  const bars = held.filter(({ fromMs }) => fromMs < lastMs);
  const left = held.length - MOST_TIMES;
  return html`<li class="${isOpen ? "is-open" : "is-planned"}">
    <div class="row">
      <b>${renderText(shortened(name, LONGEST_NAME))}</b>
      ${
        bars.length > 0
          ? html`<svg aria-hidden="true" focusable="false">
              ${ticks.map(({ date, x }) => renderTick(date, x))}
              ${bars.map(({ fromMs, untilMs }) => renderBar(percent(fromMs), percent(untilMs)))}
              <rect class="now" x="${percent(nowMs).toFixed(2)}%" width="2" height="100%" />
            </svg>`
          : html`<span class="quiet">later</span>`
      }
    </div>
    <ul class="times">
      ${held.slice(0, MOST_TIMES).map((each) => html`<li>${renderSpan(each, line)}</li>`)}
      ${left > 0 ? html`<li>and ${counted(left, "more time")}</li>` : undefined}
    </ul>
  </li>`;
}

function renderBar(start: number, end: number): Html {
  // A window of an hour can still be seen.
  const width = Math.max(end - start, 0.4).toFixed(2);
  const x = start.toFixed(2);
  return html`<rect class="bar" x="${x}%" width="${width}%" y="25%" height="50%" rx="3" />`;
}

function renderTick(date: string, x: number): Html {
  const isWeekend = shortWeekday(date).startsWith("S");
  return html`${isWeekend ? html`<rect class="weekend" x="${x.toFixed(2)}%" width="7.15%" height="100%" />` : undefined}<rect
      class="tick"
      x="${x.toFixed(2)}%"
      width="1"
      height="100%"
    />`;
}

/** "Mon, 15 June 18:00 to 22:00 Europe/Vienna, closes in 3 h" */
function renderSpan(window: TimedWindow, { nowMs }: Line): Html {
  const { fromMs, untilMs } = window;
  const isOpen = fromMs <= nowMs && nowMs < untilMs;
  const next = isOpen
    ? html`<span class="pill is-open">open, closes ${renderTime(untilMs, "near")}</span>`
    : html`<span class="quiet">opens ${renderTime(fromMs, "near")}</span>`;
  return html`${spanText(window)} ${next}`;
}

/** "Mon, 15 June 18:00 to 22:00 Europe/Vienna" */
export function spanText({ fromMs, untilMs, timeZone }: TimedWindow): string {
  const zone = zoneOfName(timeZone);
  const [from, until] = [dateAt(fromMs, zone), dateAt(untilMs, zone)];
  const end = until === from ? "" : `${shortWeekday(until)}, ${dayText(until)} `;
  return `${shortWeekday(from)}, ${dayText(from)} ${timeAt(fromMs, zone)} to ${end}${timeAt(untilMs, zone)} ${zone.label ?? "UTC"}`;
}
