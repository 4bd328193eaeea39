// What is asked, by whom → the page, one portal's page, its home, the events, the interface for programs, or the way in.
import { VIEWERS } from "../../preview/home.js";
import { answerIn } from "../../preview/notice.js";
import { toPage, type View } from "../../lib/html-document.js";
import { answerPage, answerText } from "../../lib/local-server.js";
import { homeView } from "../../preview/homes.js";
import { OPEN_PATHS, TOKEN_PATH, UNKNOWN, type Asked } from "./access.js";
import * as api from "./api.js";
import type { Seen } from "./board.js";
import { EVENTS_TYPE, type Events } from "./events.js";
import type { Feed } from "./feed.js";
import { overview } from "./html/overview.js";
import { portalPage } from "./html/portal.js";
import { againPage, tokenPage } from "./html/token.js";
import { letIn } from "./let-in.js";
import { METRICS_TYPE, metricsText, type Metric } from "./metrics.js";
import type { Remember } from "./remembered.js";
import type { Answer, Respond } from "./server.js";
import { settingsNow } from "./settings.js";
import type { Gate } from "./token.js";

export interface Routing {
  readonly feed: Feed;
  readonly events: Events;
  readonly gate: Gate | undefined;
  readonly remember: Remember;
  readonly metrics: () => Promise<readonly Metric[]>;
  readonly isReady: () => boolean;
  readonly now: () => number;
}

const PROGRAMS = /^\/(?:api\/|metrics$|events$)/;
const NOWHERE = answerText(404, "There is nothing at this address.\n");
const BUSY = answerText(503, "Too many pages listen already.\n", { "retry-after": "30" });

export function openRoutes(routing: Routing): Respond {
  const { feed, events, gate, isReady, metrics } = routing;
  let drawn: { stamp: string; answer: Answer } = { stamp: "", answer: NOWHERE };

  /** Drawn once for all who ask before anything changes. */
  function allPortals(): Answer {
    const { stamp } = feed;
    if (drawn.stamp !== stamp) {
      drawn = { stamp, answer: pageAnswer(overview(feed.portals(), stamp)) };
    }
    return drawn.answer;
  }

  return async (asked, request, response, door) => {
    const { path, query, isKnown } = asked;
    if (OPEN_PATHS.includes(path)) {
      const isWell = path === "/healthz" || isReady();
      return isWell ? answerText(200, "ok\n") : answerText(503, "not ready\n");
    }
    if (path === TOKEN_PATH) {
      if (!gate) return NOWHERE;
      return request.method === "POST" ? letIn(request, gate, door) : redirect("/");
    }
    if (!isKnown) return askForToken(asked, request.url ?? "/");
    if (path === "/") return allPortals();
    if (path === "/events") {
      const lastId = request.headers["last-event-id"];
      const since = typeof lastId === "string" ? lastId : (query.get("since") ?? "");
      if (request.method === "HEAD") return { status: 200, type: EVENTS_TYPE, body: "" };
      return events.listen(response, since, query.get("portal") ?? undefined) ? undefined : BUSY;
    }
    if (path === "/metrics") {
      return {
        status: 200,
        type: `${METRICS_TYPE}; charset=utf-8`,
        body: metricsText(await metrics()),
      };
    }
    if (path.startsWith("/api/")) return forPrograms(asked, routing);
    return onePortal(asked, routing);
  };
}

/** Programs are told in words; people get a page that asks. */
function askForToken({ path, isFromElsewhere }: Asked, to: string): Answer {
  const { status, message, headers = {} } = UNKNOWN;
  if (PROGRAMS.test(path)) return answerText(status, `${message}\n`, headers);
  const view = isFromElsewhere ? againPage() : tokenPage(to);
  const again = isFromElsewhere ? { refresh: "0" } : {};
  return { ...pageAnswer(view, status), headers: { ...headers, ...again } };
}

async function forPrograms({ path, query }: Asked, routing: Routing): Promise<Answer> {
  const { feed, remember, now } = routing;
  const asked = { query, board: feed, remember, nowMs: now() };
  const name = /^\/api\/portals\/([^/]+)$/.exec(path)?.[1];
  const { status, pieces } =
    path === "/api/portals"
      ? api.portalsDocument(asked)
      : path === "/api/history"
        ? await api.historyDocument(asked)
        : name !== undefined
          ? await api.portalDocument(decoded(name), asked)
          : api.refusal(404, NO_SUCH_ADDRESS);
  return { status, type: "application/json; charset=utf-8", body: pieces };
}

const NO_SUCH_ADDRESS = {
  code: "no-such-address",
  message: "There is nothing at this address.",
  help: "Ask /api/portals, /api/portals/NAME or /api/history.",
};

async function onePortal({ path, query }: Asked, routing: Routing): Promise<Answer> {
  const { feed, remember, now } = routing;
  const [, key = "", viewer] = /^\/portals\/([^/]+)(?:\/home\/(\w+))?$/.exec(path) ?? [];
  const seen = feed.portal(decoded(key));
  if (!seen) return NOWHERE;
  if (viewer !== undefined) return homeOf(seen, { path, viewer, query }, remember);
  // Taken before the state is read, so that what changes meanwhile is told.
  const { stamp } = feed;
  return pageAnswer(portalPage({ seen, remembered: await remember(seen), stamp, nowMs: now() }));
}

/** Where nobody has seen all settings, what is missing is said to be. */
const UNSEEN = "unknown here, as Lintel does not manage them.";

async function homeOf(
  seen: Seen,
  { path, viewer, query }: { path: string; viewer: string; query: URLSearchParams },
  remember: Remember,
): Promise<Answer> {
  const who = VIEWERS.find((each) => each === viewer);
  const now = settingsNow((await remember(seen)).state, seen.drift);
  if (!who || !now) return NOWHERE;
  const home = { name: seen.name, settings: now.settings, ...(!now.isWhole && { unsaid: UNSEEN }) };
  return pageAnswer(homeView(home, who, path, answerIn(query).answer));
}

function pageAnswer(view: View, status = 200): Answer {
  const answer = answerPage(toPage(view), status);
  return { ...answer, body: Buffer.from(answer.body) };
}

function redirect(location: string, headers: Answer["headers"] = {}): Answer {
  return answerText(303, "", { ...headers, location });
}

/** Empty for what is no encoded text. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
