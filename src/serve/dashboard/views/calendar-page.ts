// Renders the windows of all portals for four weeks: as a calendar, and as a list by day.
import { html, renderText, type Html } from "../../../lib/html.js";
import type { View } from "../../../lib/html-document.js";
import { groupBy } from "../../../lib/lists.js";
import { shortened, UTC } from "../../../lib/text.js";
import type { TimedWindow } from "../../poll-times.js";
import {
  addDays,
  dateAt,
  dayText,
  isDate,
  longDayText,
  timeAt,
  weekdayOf,
  zoneOfName,
} from "./days.js";
import { layout, type Around } from "./layout.js";
import { renderPortalLinks, type NamedPortal } from "./portal-link.js";
import { spanText, UNAPPLIED } from "./window-list.js";

const DAYS = 28;
const MOST_IN_CELL = 4;
const LONGEST_NAME = 100;

export interface PortalWindow extends TimedWindow {
  readonly portal: NamedPortal;
}

export interface CalendarPage extends Around {
  /** All known windows; the page selects those of its four weeks. */
  readonly windows: readonly PortalWindow[];
  /** A day of the first week, such as "2026-06-15"; today if absent or invalid. */
  readonly from?: string | undefined;
  readonly nowMs: number;
}

/** The same window of one or more portals, with its days by its own clock. */
interface Planned {
  readonly id: string;
  readonly window: PortalWindow;
  readonly portals: readonly NamedPortal[];
  readonly firstDate: string;
  readonly lastDate: string;
}

export function calendarPage(page: CalendarPage): View {
  const { windows, nowMs } = page;
  const today = dateAt(nowMs, UTC);
  const start = mondayOf(isDate(page.from) ? page.from : today);
  const end = addDays(start, DAYS - 1);
  const planned = plannedOf(windows).filter(
    ({ firstDate, lastDate }) => firstDate <= end && lastDate >= start,
  );
  const link = (days: number, label: string) =>
    html`<a class="button" href="/calendar?from=${addDays(start, days)}">${label}</a>`;
  const main = html`<div class="head">
      <h1>Calendar</h1>
      <p class="quiet">
        Windows from ${dayText(start)} to ${dayText(end)} ${end.slice(0, 4)}, each in the time zone
        of its file.
      </p>
    </div>
    <nav class="choice" aria-label="Weeks">
      ${link(-DAYS, "Earlier")} <a class="button" href="/calendar">Today</a> ${link(DAYS, "Later")}
    </nav>
    <div class="part" id="month">${renderMonth(start, today, planned)}</div>
    <section class="part" id="list" aria-label="Windows by day">
      ${renderList(start, planned, nowMs)}
    </section>`;
  return layout({ title: "Calendar", nav: "/calendar", main, around: page });
}

function mondayOf(date: string): string {
  return addDays(date, -((weekdayOf(date) + 6) % 7));
}

function plannedOf(windows: readonly PortalWindow[]): Planned[] {
  const sorted = windows.toSorted((one, other) => one.fromMs - other.fromMs);
  const groups = groupBy(sorted, ({ name, fromMs, untilMs, timeZone = "UTC", isUnapplied }) =>
    JSON.stringify([name, fromMs, untilMs, timeZone, isUnapplied]),
  );
  return [...groups.values()].flatMap((held, at) => {
    const [window] = held;
    if (!window) return [];
    const zone = zoneOfName(window.timeZone);
    return {
      id: `window-${at}`,
      window,
      portals: held.map(({ portal }) => portal),
      firstDate: dateAt(window.fromMs, zone),
      // A window until midnight does not include the next day.
      lastDate: dateAt(window.untilMs - 1, zone),
    };
  });
}

/** The list below repeats the grid for screen readers and small screens. */
function renderMonth(start: string, today: string, planned: readonly Planned[]): Html {
  const dates = Array.from({ length: DAYS }, (_, at) => addDays(start, at));
  return html`<div class="month" aria-hidden="true">
    <div class="weekdays">
      ${["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].map((each) => html`<span>${each}</span>`)}
    </div>
    ${dates.map((date) => renderCell(date, date === today, planned))}
  </div>`;
}

function renderCell(date: string, isToday: boolean, planned: readonly Planned[]): Html {
  const held = planned.filter((each) => each.firstDate <= date && date <= each.lastDate);
  const left = held.length - MOST_IN_CELL;
  const isWeekend = [0, 6].includes(weekdayOf(date));
  const day = Number(date.slice(8));
  return html`<div class="cell${isWeekend ? " is-weekend" : ""}${isToday ? " is-today" : ""}">
    <span class="date">${day === 1 ? dayText(date) : day}</span>
    ${held.slice(0, MOST_IN_CELL).map((each) => renderChip(each, date))}
    ${left > 0 ? html`<span class="quiet">and ${left} more</span>` : undefined}
  </div>`;
}

function renderChip({ id, window, portals, firstDate, lastDate }: Planned, date: string): Html {
  const { name, fromMs, untilMs, timeZone, isUnapplied } = window;
  const zone = zoneOfName(timeZone);
  const time =
    date === firstDate
      ? timeAt(fromMs, zone)
      : date === lastDate
        ? `until ${timeAt(untilMs, zone)}`
        : "";
  const who = portals.length === 1 ? (portals[0]?.name ?? "") : `${portals.length} portals`;
  return html`<a href="#${id}" tabindex="-1" class="${isUnapplied ? "is-unapplied" : ""}"
    >${time} <b>${renderText(shortened(name, 40))}</b> ${renderText(shortened(who, 40))}</a
  >`;
}

function renderList(start: string, planned: readonly Planned[], nowMs: number): Html {
  if (planned.length === 0) return html`<p class="nothing">No windows in these weeks.</p>`;
  const days = groupBy(planned, ({ firstDate }) => (firstDate < start ? "" : firstDate));
  return html`${[...days].map(
    ([date, held]) =>
      html`<section class="day">
        <h2>${date === "" ? "Opened before" : longDayText(date)}</h2>
        <ol class="events">
          ${held.map((each) => renderPlanned(each, nowMs))}
        </ol>
      </section>`,
  )}`;
}

function renderPlanned({ id, window, portals }: Planned, nowMs: number): Html {
  const { name, fromMs, untilMs, timeZone, isUnapplied = false } = window;
  const zone = zoneOfName(timeZone);
  const isOpen = fromMs <= nowMs && nowMs < untilMs && !isUnapplied;
  return html`<li id="${id}" class="planned">
    <span class="clock">${timeAt(fromMs, zone)}</span>
    <div class="what">
      <b>${renderText(shortened(name, LONGEST_NAME))}</b>
      ${isOpen ? html`<span class="pill is-open">open</span>` : undefined}
      ${isUnapplied ? UNAPPLIED : undefined}
      ${untilMs <= nowMs ? html`<span class="pill">over</span>` : undefined}
      <p class="quiet small">${spanText(window)}</p>
      ${renderPortalLinks(portals, `${id}-portals`)}
    </div>
  </li>`;
}
