// Gathers the data of the pages: rollout, activity, calendar, workers and one portal.
import { digest } from "../../lib/digest.js";
import type { View } from "../../lib/html-document.js";
import type { Json, JsonObject } from "../../lib/json.js";
import type { Viewer } from "../../preview/home.js";
import { VIEWERS } from "../../preview/home.js";
import type { Snapshot } from "../snapshot.js";
import { EVENT_KINDS } from "../events/event.js";
import type { DashboardSource } from "./source.js";
import type { Feed } from "./feed.js";
import { isSent } from "../../settings.js";
import { settingsNow } from "./settings-now.js";
import { activityPage } from "./views/activity-page.js";
import { calendarPage } from "./views/calendar-page.js";
import type { Html } from "../../lib/html.js";
import type { Around } from "./views/layout.js";
import { portalAddress } from "./views/portal-link.js";
import { portalPage, type Homes } from "./views/portal-page.js";
import { rolloutPage, type RolloutCommit } from "./views/rollout-page.js";
import { summaryOf } from "./views/status.js";
import { workersPage } from "./views/workers-page.js";

export interface PageSource extends Pick<
  DashboardSource,
  "remember" | "activity" | "workers" | "commits" | "sourceOf"
> {
  readonly feed: Feed;
  readonly now: () => number;
}

export interface PageRequest {
  readonly query: URLSearchParams;
  /** Its stamp is taken before anything is read, so that a later change is an event. */
  readonly around: Around;
}

export interface PortalPageRequest extends PageRequest {
  /** The actions that the user may take. */
  readonly forms: Html | undefined;
  /** The result of the user's last action. */
  readonly result: Html | undefined;
}

export async function portalView(
  seen: Snapshot,
  { remember, now, sourceOf }: PageSource,
  { query, around, forms, result }: PortalPageRequest,
): Promise<View> {
  const { state, failure: stateFailure } = await remember(seen);
  const viewer = VIEWERS.find((each) => each === query.get("viewer")) ?? VIEWERS[0];
  const settings = settingsNow(state, seen.drift)?.settings;
  const [from, to] = ["from", "to"].map((name) => Number(query.get(name)));
  return portalPage({
    ...around,
    snapshot: seen,
    state,
    stateFailure,
    source: await sourceOf?.(seen.file),
    homes: settings && homesOf(seen, viewer, settings),
    ...(from && to && { compare: { from, to } }),
    actions: forms,
    result,
    nowMs: now(),
  });
}

/** An unchanged picture keeps its address, so that the browser does not fetch it again. */
function homesOf(seen: Snapshot, viewer: Viewer, settings: JsonObject): Homes {
  const address = `${portalAddress(seen.key)}/home/${viewer}`;
  const { waiting } = seen;
  const [now, after] = [settings, [settings, waiting as unknown as Json]].map((each) =>
    digest(each as Json).slice(0, 12),
  );
  return {
    viewer,
    now: `${address}?as=${now}`,
    after: waiting.some(isSent) ? `${address}?pending=${after}` : undefined,
  };
}

/** The number of newest commits to choose from. */
const MOST_COMMITS = 20;

/** Undefined for a commit that is not among the choices. */
export async function rolloutView(
  { feed, commits }: PageSource,
  { query, around }: PageRequest,
): Promise<View | undefined> {
  const portals = feed.portals();
  const known = (await commits?.(MOST_COMMITS)) ?? [];
  const places = new Map(known.map(({ commit }, at) => [commit, at]));
  const others = new Set(portals.flatMap(({ commit }) => commit ?? []));
  for (const commit of places.keys()) others.delete(commit);
  const hasReached = ({ commit: wanted, timeMs = 0 }: RolloutCommit) => {
    const place = places.get(wanted);
    return ({ commit = "", status, checkedMs = 0 }: Snapshot) =>
      commit === wanted ||
      (place !== undefined &&
        // A commit after the last check may still change the portal.
        ((status === "in-sync" && checkedMs >= timeMs) ||
          // Newest first: a portal with a later commit contains this one, too.
          (places.get(commit) ?? Infinity) < place));
  };
  const choices = [...known, ...[...others].map((commit) => ({ commit }))]
    .slice(0, MOST_COMMITS)
    .map((each) => ({ ...each, portals: portals.filter(hasReached(each)).length }));
  const wanted = query.get("commit")?.toLowerCase() ?? "";
  const chosen = choices.find(({ commit }) => commit.startsWith(wanted));
  if (!chosen && wanted !== "") return undefined;
  const isReached = chosen ? hasReached(chosen) : () => false;
  return rolloutPage({
    ...around,
    commit: chosen,
    portals: portals.map((seen) => ({
      ...seen,
      isReached: isReached(seen),
      why: summaryOf(seen),
    })),
    choices,
  });
}

/** The number of days with events on one page. */
const DAYS = 3;

export async function activityView(source: PageSource, asked: PageRequest): Promise<View> {
  const { activity } = source;
  const { query } = asked;
  const day = /^\d{4}-\d\d-\d\d$/.exec(query.get("day") ?? "")?.[0];
  const days = (await activity?.days()) ?? [];
  const start = Math.max(0, day === undefined ? 0 : days.findIndex((each) => each <= day));
  const shown = days.slice(start, start + DAYS);
  const read = async (each: string) => activity?.eventsOn(each) ?? [];
  const events = (await Promise.all(shown.map(read))).flat();
  return activityPage({
    ...asked.around,
    events,
    kind: EVENT_KINDS.find((each) => each === query.get("kind")),
    day: start > 0 ? day : undefined,
    newer: start > 0 ? days[Math.max(0, start - DAYS)] : undefined,
    older: days[start + DAYS],
  });
}

export function calendarView(source: PageSource, asked: PageRequest): View {
  const { feed, now } = source;
  const windows = feed
    .portals()
    .flatMap((portal) => portal.windows.map((window) => ({ ...window, portal })));
  const from = asked.query.get("from") ?? undefined;
  return calendarPage({ ...asked.around, windows, from, nowMs: now() });
}

export async function workersView(source: PageSource, asked: PageRequest): Promise<View> {
  return workersPage({ ...asked.around, queue: await source.workers?.() });
}
