// Draws the windows of a portal on a time line of the next 14 days, by the clock of its file.
import { html, renderText, type Html } from "../../../lib/html.js";
import { groupBy } from "../../../lib/lists.js";
import { counted, shortened, type Zone } from "../../../lib/text.js";
import { dateAt, dayText, daysFrom, shortWeekday, timeAt, zoneOfName } from "./days.js";
import { renderTime } from "./time.js";

export interface PlannedWindow {
  readonly name: string;
  /** Included. */
  readonly fromMs: number;
  /** Not included. */
  readonly untilMs: number;
  /** Its own where the file names one for it. */
  readonly timeZone?: string | undefined;
}

const DAYS = 14;
const MOST_ROWS = 24;
const MOST_TIMES = 4;
const LONGEST_NAME = 100;

/** `timeZone` is the one that the file names. */
export function renderTimeLine(
  windows: readonly PlannedWindow[],
  timeZone: string | undefined,
  nowMs: number,
): Html | undefined {
  if (windows.length === 0) return undefined;
  const zone = zoneOfName(timeZone);
  const days = daysFrom(dateAt(nowMs, zone), DAYS, zone);
  const fromMs = days[0]?.fromMs ?? nowMs;
  const untilMs = days.at(-1)?.untilMs ?? nowMs;
  const percent = (ms: number) =>
    Math.max(0, Math.min(100, ((ms - fromMs) / (untilMs - fromMs)) * 100));
  const ticks = days.map((day) => ({ ...day, x: percent(day.fromMs) }));
  const sorted = windows.toSorted((one, other) => one.fromMs - other.fromMs);
  const rows = [...groupBy(sorted, ({ name }) => name).values()].slice(0, MOST_ROWS);
  const left = new Set(windows.map(({ name }) => name)).size - rows.length;
  const line: Line = { ticks, percent, nowMs, zone };
  return html`<div class="panel">
    <p class="quiet">
      The next ${DAYS} days in <b>${zone.label ?? "UTC"}</b>,
      <span class="now-sign" aria-hidden="true"></span>now ${timeAt(nowMs, zone)}
    </p>
    <div class="time-line">
      <div class="axis" aria-hidden="true">${renderAxis(line)}</div>
      <ol>
        ${rows.map((held) => renderRow(held, line))}
      </ol>
    </div>
    ${left > 0 ? html`<p class="quiet">and ${counted(left, "more window")}</p>` : undefined}
  </div>`;
}

interface Line {
  readonly ticks: readonly { readonly date: string; readonly x: number }[];
  readonly percent: (ms: number) => number;
  readonly nowMs: number;
  readonly zone: Zone;
}

function renderAxis({ ticks }: Line): Html {
  const [first] = ticks;
  return html`<svg focusable="false">
    ${ticks.map(
      ({ date, x }) =>
        html`<text x="${x.toFixed(2)}%" dx="3" y="1em">
          <tspan class="weekday">${shortWeekday(date)}</tspan> ${Number(date.slice(8))}${
            date === first?.date || date.endsWith("-01")
              ? html`<tspan class="month-name"> ${dayText(date).split(" ")[1]?.slice(0, 3)}</tspan>`
              : undefined
          }
        </text>`,
    )}
  </svg>`;
}

function renderRow(held: readonly PlannedWindow[], line: Line): Html {
  const { ticks, percent, nowMs } = line;
  const name = held[0]?.name ?? "";
  const isOpen = held.some(({ fromMs, untilMs }) => fromMs <= nowMs && nowMs < untilMs);
  const bars = held.filter((each) => percent(each.untilMs) > 0 && percent(each.fromMs) < 100);
  const left = held.length - MOST_TIMES;
  return html`<li class="${isOpen ? "is-open" : "is-planned"}">
    <div class="row">
      <b>${renderText(shortened(name, LONGEST_NAME))}</b>
      <svg aria-hidden="true" focusable="false">
        ${ticks.map(({ date, x }) => renderTick(date, x))}
        ${bars.map(({ fromMs, untilMs }) => {
          const [start, end] = [percent(fromMs), percent(untilMs)];
          // A window of an hour can still be seen.
          const width = Math.max(end - start, 0.4);
          return html`<rect
            class="bar"
            x="${start.toFixed(2)}%"
            width="${width.toFixed(2)}%"
            y="25%"
            height="50%"
            rx="3"
          />`;
        })}
        <rect class="now" x="${percent(nowMs).toFixed(2)}%" width="2" height="100%" />
      </svg>
    </div>
    <ul class="times">
      ${held.slice(0, MOST_TIMES).map((each) => html`<li>${renderSpan(each, line)}</li>`)}
      ${left > 0 ? html`<li>and ${counted(left, "more time")}</li>` : undefined}
    </ul>
  </li>`;
}

function renderTick(date: string, x: number): Html {
  const isWeekend = /^S/.test(shortWeekday(date));
  return html`${isWeekend ? html`<rect class="weekend" x="${x.toFixed(2)}%" width="7.15%" height="100%" />` : undefined}<rect
      class="tick"
      x="${x.toFixed(2)}%"
      width="1"
      height="100%"
    />`;
}

/** "Mon, 15 June 18:00 to 22:00 Europe/Vienna, closes in 3 h" */
function renderSpan(window: PlannedWindow, { nowMs, zone: fileZone }: Line): Html {
  const { fromMs, untilMs, timeZone } = window;
  const zone = timeZone === undefined ? fileZone : zoneOfName(timeZone);
  const isOpen = fromMs <= nowMs && nowMs < untilMs;
  const next = isOpen
    ? html`<span class="pill is-open">open, closes ${renderTime(untilMs, "near")}</span>`
    : html`<span class="quiet">opens ${renderTime(fromMs, "near")}</span>`;
  return html`${spanText(window, zone)} ${next}`;
}

/** "Mon, 15 June 18:00 to 22:00 Europe/Vienna" */
export function spanText({ fromMs, untilMs }: PlannedWindow, zone: Zone): string {
  const [from, until] = [dateAt(fromMs, zone), dateAt(untilMs, zone)];
  const end = until === from ? "" : `${shortWeekday(until)}, ${dayText(until)} `;
  return `${shortWeekday(from)}, ${dayText(from)} ${timeAt(fromMs, zone)} to ${end}${timeAt(untilMs, zone)} ${zone.label ?? "UTC"}`;
}
