// Lists the open and coming windows of a portal in the time zone of the file.
import { html, renderText, type Html } from "../../../lib/html.js";
import { counted, shortened } from "../../../lib/text.js";
import type { TimedWindow } from "../../poll-times.js";
import { dateAt, dayText, shortWeekday, timeAt, zoneOfName } from "./days.js";
import { renderTime } from "./time.js";

const MOST_WINDOWS = 12;
const LONGEST_NAME = 100;

export function renderWindows(windows: readonly TimedWindow[], nowMs: number): Html | undefined {
  const coming = windows
    .filter(({ untilMs }) => untilMs > nowMs)
    .toSorted((one, other) => one.fromMs - other.fromMs);
  if (coming.length === 0) return undefined;
  const left = coming.length - MOST_WINDOWS;
  return html`<ol class="events">
      ${coming.slice(0, MOST_WINDOWS).map((each) => renderWindow(each, nowMs))}
    </ol>
    ${left > 0 ? html`<p class="quiet">and ${counted(left, "more window")}</p>` : undefined}`;
}

export const UNAPPLIED = html`<span class="pill">opens only after an apply</span>`;

function renderWindow(window: TimedWindow, nowMs: number): Html {
  const { name, fromMs, untilMs } = window;
  const when = window.isUnapplied
    ? UNAPPLIED
    : fromMs <= nowMs
      ? html`<span class="pill is-open">open, closes ${renderTime(untilMs, "near")}</span>`
      : html`<span class="quiet">opens ${renderTime(fromMs, "near")}</span>`;
  return html`<li class="of-portal">
    <div class="what">
      <b>${renderText(shortened(name, LONGEST_NAME))}</b> ${when}
      <p class="quiet small">${spanText(window)}</p>
    </div>
  </li>`;
}

/** "Mon, 15 June 18:00 to 22:00 Europe/Vienna" */
export function spanText({ fromMs, untilMs, timeZone }: TimedWindow): string {
  const zone = zoneOfName(timeZone);
  const [from, until] = [dateAt(fromMs, zone), dateAt(untilMs, zone)];
  const end = until === from ? "" : `${shortWeekday(until)}, ${dayText(until)} `;
  return `${shortWeekday(from)}, ${dayText(from)} ${timeAt(fromMs, zone)} to ${end}${timeAt(untilMs, zone)} ${zone.label ?? "UTC"}`;
}
