// Renders the events of all portals by day, the newest first.
import { html, renderText, type Html } from "../../../lib/html.js";
import type { View } from "../../../lib/html-document.js";
import { groupBy } from "../../../lib/lists.js";
import { shortened, type Zone } from "../../../lib/text.js";
import { isoTime } from "../../../schedule.js";
import { dateAt, longDayText, timeAt, zoneOfName } from "./days.js";
import { renderCommit, type Repository } from "./forge.js";
import { layout } from "./layout.js";
import { renderPortalLinks, type NamedPortal } from "./portal-link.js";

const LONGEST = 600;

/** The kinds that the page filters by, and their labels. Events of other kinds show their own name. */
export const EVENT_LABELS: Readonly<Record<string, string>> = {
  applied: "Applied",
  drift: "Drift",
  waits: "Pending",
  stopped: "Blocked",
  failed: "Failed",
  recovered: "Recovered",
  window: "Window",
  action: "Action",
  files: "Files",
  revision: "Revision",
  started: "Started",
  notice: "Notice",
};

export interface ActivityEvent {
  readonly id: string;
  readonly timeMs: number;
  readonly kind: string;
  /** Absent for what concerns the process as a whole. */
  readonly portal?: NamedPortal | undefined;
  readonly message: string;
  readonly isProblem: boolean;
  readonly commit?: string | undefined;
  /** The user who asked for it. */
  readonly actor?: string | undefined;
}

export interface ActivityPage {
  /** Of the days shown, in any order. */
  readonly events: readonly ActivityEvent[];
  /** In which days begin and times are shown; UTC where absent. */
  readonly timeZone?: string | undefined;
  /** The chosen kind. */
  readonly kind?: string | undefined;
  /** How many events of the days shown have each kind; the filter offers these. */
  readonly kinds: Readonly<Record<string, number>>;
  /** The newest day shown, where that is not today. */
  readonly day?: string | undefined;
  /** Days on which the pages before and after begin, as "2026-06-15"; absent at the ends. */
  readonly newer?: string | undefined;
  readonly older?: string | undefined;
  readonly repository?: Repository | undefined;
  readonly stamp: string;
  readonly user?: string | undefined;
}

export function activityPage(page: ActivityPage): View {
  const { events, timeZone, stamp, user } = page;
  const zone = zoneOfName(timeZone);
  const sorted = events.toSorted((one, other) => other.timeMs - one.timeMs);
  const days = groupBy(sorted, ({ timeMs }) => dateAt(timeMs, zone));
  const main = html`<div class="head">
      <h1>Activity</h1>
      <p class="quiet">Times in ${zone.label ?? "UTC"}.</p>
    </div>
    ${renderKinds(page)}
    <div class="part" id="days" aria-label="Events">
      ${
        days.size === 0
          ? html`<p class="nothing">No events on these days.</p>`
          : [...days].map(([date, held]) => renderDay(date, held, page, zone))
      }
    </div>
    ${renderPages(page)}`;
  return layout({ title: "Activity", nav: "/activity", main, data: { stamp }, user });
}

function hrefOf(day: string | undefined, kind: string | undefined): string {
  const query = new URLSearchParams({ ...(day && { day }), ...(kind && { kind }) });
  return query.size > 0 ? `/activity?${query}` : "/activity";
}

function renderKinds({ kinds, kind, day }: ActivityPage): Html {
  const link = (value: string | undefined, label: string) =>
    html`<a
      class="button"
      href="${hrefOf(day, value)}"
      ${value === kind ? html`aria-current="true"` : undefined}
      >${label}</a
    >`;
  const known = Object.keys(EVENT_LABELS).filter((each) => kinds[each] || each === kind);
  return html`<nav class="choice" aria-label="Kind of event">
    ${link(undefined, "All")}
    ${known.map((each) => link(each, `${EVENT_LABELS[each]} ${kinds[each] ?? 0}`))}
  </nav>`;
}

function renderDay(
  date: string,
  events: readonly ActivityEvent[],
  { repository }: ActivityPage,
  zone: Zone,
): Html {
  // What happens to many portals in the same minute is one line.
  const groups = groupBy(events, ({ timeMs, kind, message, commit, actor, portal }) =>
    JSON.stringify([timeAt(timeMs, zone), kind, message, commit, actor, portal !== undefined]),
  );
  return html`<section class="day" aria-label="${longDayText(date)}">
    <h2>${longDayText(date)}</h2>
    <ol class="events">
      ${[...groups.values()].map((held) => renderEvents(held, repository, zone))}
    </ol>
  </section>`;
}

function renderEvents(
  held: readonly ActivityEvent[],
  repository: Repository | undefined,
  zone: Zone,
): Html | undefined {
  const [event] = held;
  if (!event) return undefined;
  const { id, timeMs, kind, message, isProblem, commit, actor } = event;
  const portals = held.flatMap(({ portal }) => portal ?? []);
  const look = isProblem && kind !== "recovered" ? "is-problem" : `is-event-${kind}`;
  return html`<li>
    <time class="clock" datetime="${isoTime(timeMs)}">${timeAt(timeMs, zone)}</time>
    <span><span class="pill ${look}">${EVENT_LABELS[kind] ?? kind}</span></span>
    <div class="what">
      ${portals.length > 0 ? renderPortalLinks(portals, `event-${id}`) : undefined}
      ${renderText(shortened(message, LONGEST))}
      ${commit && html`<span class="quiet">at ${renderCommit(commit, repository)}</span>`}
      ${actor && html`<span class="quiet">by ${renderText(shortened(actor, 100))}</span>`}
    </div>
  </li>`;
}

function renderPages({ newer, older, kind }: ActivityPage): Html {
  return html`<nav class="pages" aria-label="Days">
    ${newer ? html`<a class="button" href="${hrefOf(newer, kind)}">Newer days</a>` : html`<span></span>`}
    ${older ? html`<a class="button" href="${hrefOf(older, kind)}">Older days</a>` : undefined}
  </nav>`;
}
