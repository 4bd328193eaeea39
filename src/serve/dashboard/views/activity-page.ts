// Renders the events of all portals by day, one a line, the newest first.
import { html, renderText, type Html } from "../../../lib/html.js";
import type { View } from "../../../lib/html-document.js";
import { isJsonObject } from "../../../lib/json.js";
import { groupBy } from "../../../lib/lists.js";
import { counted, grouped, shortened, UTC } from "../../../lib/text.js";
import { isoTime } from "../../../schedule.js";
import type { Event } from "../../events/event.js";
import { dateAt, longDayText, timeAt } from "./days.js";
import { renderCommit, type Repository } from "./forge.js";
import { layout, type Around } from "./layout.js";
import { renderPortalLink } from "./portal-link.js";

const LONGEST = 600;
const MOST_EVENTS = 1_000;

/** In filter order. Other kinds of events are shown by their own name. */
const LABELS: Readonly<Record<string, string>> = {
  applied: "Applied",
  drift: "Drift",
  pending: "Pending",
  blocked: "Blocked",
  failed: "Failed",
  recovered: "Recovered",
  window: "Window",
  action: "Action",
  notice: "Notice",
};

export interface ActivityPage extends Around {
  /** Of all shown days; within a day in recorded order. */
  readonly events: readonly Event[];
  /** The kind that the user chose. */
  readonly kind?: string | undefined;
  /** The newest shown day, such as "2026-06-15", unless it is today. */
  readonly day?: string | undefined;
  /** First days of the pages before and after; absent at the ends. */
  readonly newer?: string | undefined;
  readonly older?: string | undefined;
}

export function activityPage(page: ActivityPage): View {
  const { events, kind } = page;
  // Events of the same moment are recorded with the cause first, so the order is reversed here.
  const shown = events
    .filter((each) => kind === undefined || each.kind === kind)
    .toReversed()
    .toSorted((one, other) => other.timeMs - one.timeMs);
  const left = shown.length - MOST_EVENTS;
  const days = groupBy(shown.slice(0, MOST_EVENTS), ({ timeMs }) => dateAt(timeMs, UTC));
  const main = html`<div class="head">
      <h1>Activity</h1>
      <p class="quiet">Days and times in UTC.</p>
    </div>
    ${renderKinds(page)}
    <section class="part" id="days" aria-label="Events">
      ${
        days.size === 0
          ? html`<p class="nothing">No events on these days.</p>`
          : [...days].map(([date, held]) => renderDay(date, held, page.repository))
      }
      ${left > 0 ? html`<p class="quiet">and ${counted(left, "earlier event")} of these days</p>` : undefined}
    </section>
    ${renderPages(page)}`;
  return layout({ title: "Activity", nav: "/activity", main, around: page });
}

function hrefOf(day: string | undefined, kind: string | undefined): string {
  const query = new URLSearchParams({ ...(day && { day }), ...(kind && { kind }) });
  return query.size > 0 ? `/activity?${query.toString()}` : "/activity";
}

function renderKinds({ events, kind, day }: ActivityPage): Html {
  const byKind = groupBy(events, (each): string => each.kind);
  const link = (value: string | undefined, label: string) =>
    html`<a
      class="button"
      href="${hrefOf(day, value)}"
      ${value === kind ? html`aria-current="true"` : undefined}
      >${label}</a
    >`;
  const count = (each: string) => grouped(byKind.get(each)?.length ?? 0);
  const offered = [...new Set([...Object.keys(LABELS), ...byKind.keys()])].filter(
    (each) => byKind.has(each) || each === kind,
  );
  return html`<nav class="choice part" id="kinds" aria-label="Kind of event">
    ${link(undefined, `All ${grouped(events.length)}`)}
    ${offered.map((each) => link(each, `${LABELS[each] ?? each} ${count(each)}`))}
  </nav>`;
}

function renderDay(
  date: string,
  events: readonly Event[],
  repository: Repository | undefined,
): Html {
  return html`<section class="day" aria-label="${longDayText(date)}">
    <h2>${longDayText(date)}</h2>
    <ol class="events">
      ${events.map((each) => renderEvent(each, repository))}
    </ol>
  </section>`;
}

function renderEvent(event: Event, repository: Repository | undefined): Html {
  const { timeMs, kind, message, isProblem, key, about } = event;
  const commit = commitOf(event);
  return html`<li>
    <time class="clock" datetime="${isoTime(timeMs)}">${timeAt(timeMs, UTC)}</time>
    <span
      ><span class="pill ${isProblem && kind !== "recovered" ? "is-problem" : ""}"
        >${LABELS[kind] ?? kind}</span
      ></span
    >
    <div class="what">
      ${renderPortalLink({ key, name: about.portal.name })}
      ${renderText(shortened(message, LONGEST))}
      ${commit && html`<span class="quiet">Commit ${renderCommit(commit, repository)}</span>`}
    </div>
  </li>`;
}

/** The applied commit. */
function commitOf({ more }: Event): string | undefined {
  const by = more?.["by"];
  const commit = isJsonObject(by) ? by["commit"] : undefined;
  return typeof commit === "string" ? commit : undefined;
}

function renderPages({ newer, older, kind }: ActivityPage): Html {
  return html`<nav class="pages" aria-label="Days">
    ${newer ? html`<a class="button" href="${hrefOf(newer, kind)}">Newer days</a>` : html`<span></span>`}
    ${older ? html`<a class="button" href="${hrefOf(older, kind)}">Older days</a>` : undefined}
  </nav>`;
}
