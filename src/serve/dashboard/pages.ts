// Gathers the data of the pages rollout, activity, calendar and workers, and of one portal.
import { digest } from "../../lib/digest.js";
import type { View } from "../../lib/html-document.js";
import type { Json, JsonObject } from "../../lib/json.js";
import type { Viewer } from "../../preview/home.js";
import { VIEWERS } from "../../preview/home.js";
import type { Snapshot } from "../snapshot.js";
import { EVENT_KINDS } from "../events/event.js";
import type { Shown } from "./board.js";
import type { Feed } from "./feed.js";
import { settingsNow } from "./settings-now.js";
import { activityPage } from "./views/activity-page.js";
import { calendarPage } from "./views/calendar-page.js";
import type { Html } from "../../lib/html.js";
import { portalAddress } from "./views/list-page.js";
import { portalPage, type Homes } from "./views/portal-page.js";
import { rolloutPage, type RolloutCommit } from "./views/rollout-page.js";
import { summaryOf } from "./views/status.js";
import { workersPage } from "./views/workers-page.js";

export interface PageSource extends Pick<
  Shown,
  "remember" | "activity" | "workers" | "commits" | "sourceOf"
> {
  readonly feed: Feed;
  readonly repository?: string | undefined;
  readonly now: () => number;
}

export interface Asked {
  readonly query: URLSearchParams;
  readonly user: string | undefined;
}

function around({ feed, repository }: PageSource, { user }: Asked) {
  const { stamp } = feed;
  return { stamp, user, repository: repository === undefined ? undefined : { url: repository } };
}

/** `actions`: the forms for what the user may do. */
export async function portalView(
  seen: Snapshot,
  source: PageSource,
  asked: Asked,
  actions?: Html,
): Promise<View> {
  const { remember, now, sourceOf } = source;
  // The stamp is taken before the state is read, so that a change meanwhile is an event.
  const common = around(source, asked);
  const { state, failure: stateFailure } = await remember(seen);
  const { query } = asked;
  const viewer = VIEWERS.find((each) => each === query.get("viewer")) ?? VIEWERS[0];
  const settings = settingsNow(state, seen.drift)?.settings;
  const [from, to] = ["from", "to"].map((name) => Number(query.get(name)));
  return portalPage({
    ...common,
    snapshot: seen,
    sinceMs: seen.failure?.sinceMs,
    state,
    stateFailure,
    source: await sourceOf?.(seen.file),
    blockers: seen.blockers,
    homes: settings && homesOf(seen, viewer, settings),
    ...(from && to && { compare: { from, to } }),
    actions,
    nowMs: now(),
  });
}

/** A picture that is still the same keeps its address, so that the browser does not ask for it again. */
function homesOf(seen: Snapshot, viewer: Viewer, settings: JsonObject): Homes {
  const address = `${portalAddress(seen.key)}/home/${viewer}`;
  const { waiting } = seen;
  const [now, after] = [settings, [settings, waiting as unknown as Json]].map((each) =>
    digest(each as Json).slice(0, 12),
  );
  return {
    viewer,
    now: `${address}?as=${now}`,
    after: waiting.length > 0 ? `${address}?pending=${after}` : undefined,
  };
}

/** How many of the newest commits are offered. */
const MOST_COMMITS = 20;

export async function rolloutView(source: PageSource, asked: Asked): Promise<View> {
  const { feed } = source;
  const portals = feed.portals();
  const counts = new Map<string, number>();
  for (const { commit } of portals) {
    if (commit !== undefined) counts.set(commit, (counts.get(commit) ?? 0) + 1);
  }
  const known = (await source.commits?.(MOST_COMMITS)) ?? [];
  const listed = new Set(known.map(({ commit }) => commit));
  const others = [...counts.keys()].filter((commit) => !listed.has(commit));
  const choices: RolloutCommit[] = [...known, ...others.map((commit) => ({ commit }))]
    .slice(0, MOST_COMMITS)
    .map((each) => ({ ...each, portals: counts.get(each.commit) ?? 0 }));
  const wanted = asked.query.get("commit")?.toLowerCase() ?? "";
  const chosen =
    wanted === "" ? choices[0] : choices.find(({ commit }) => commit.startsWith(wanted));
  // Newest first: a portal with a later commit has the earlier one, too.
  const place = (commit: string | undefined) => known.findIndex((each) => each.commit === commit);
  const isReached = ({ commit, status, checkedMs = 0 }: Snapshot) =>
    // A commit that came after the last check may still change the portal.
    (status === "in-sync" && checkedMs >= (chosen?.timeMs ?? 0)) ||
    commit === chosen?.commit ||
    (place(commit) >= 0 && place(commit) < place(chosen?.commit));
  return rolloutPage({
    ...around(source, asked),
    commit: chosen ?? (wanted === "" ? undefined : { commit: wanted }),
    portals: portals.map((seen) => ({
      ...seen,
      isReached: isReached(seen),
      why: summaryOf(seen),
    })),
    choices,
  });
}

/** Days with events on one page. */
const DAYS = 3;

export async function activityView(source: PageSource, asked: Asked): Promise<View> {
  const { activity } = source;
  const { query } = asked;
  const day = /^\d{4}-\d\d-\d\d$/.exec(query.get("day") ?? "")?.[0];
  const days = (await activity?.days()) ?? [];
  const start = Math.max(0, day === undefined ? 0 : days.findIndex((each) => each <= day));
  const shown = days.slice(start, start + DAYS);
  const read = async (each: string) => activity?.eventsOn(each) ?? [];
  const events = (await Promise.all(shown.map(read))).flat();
  return activityPage({
    ...around(source, asked),
    events,
    kind: EVENT_KINDS.find((each) => each === query.get("kind")),
    day: start > 0 ? day : undefined,
    newer: start > 0 ? days[Math.max(0, start - DAYS)] : undefined,
    older: days[start + DAYS],
  });
}

export function calendarView(source: PageSource, asked: Asked): View {
  const { feed, now } = source;
  const windows = feed
    .portals()
    .flatMap((portal) => portal.windows.map((window) => ({ ...window, portal })));
  const from = asked.query.get("from") ?? undefined;
  return calendarPage({ ...around(source, asked), windows, from, nowMs: now() });
}

export async function workersView(source: PageSource, asked: Asked): Promise<View> {
  return workersPage({ ...around(source, asked), queue: await source.workers?.() });
}
