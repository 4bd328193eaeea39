// Routes the addresses of the dashboard: pages, live events, API, metrics, login, actions and the push hook.
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono, type Context } from "hono";
import { compress } from "hono/compress";
import { Failure } from "../../failure.js";
import type { View } from "../../lib/html-document.js";
import { ownPath } from "../../lib/local-server.js";
import { listed } from "../../lib/text.js";
import { VIEWERS } from "../../preview/home.js";
import { homeView } from "../../preview/homes.js";
import { answerIn } from "../../preview/notice.js";
import type { Snapshot } from "../snapshot.js";
import { LOGIN_PATH, TOO_MANY_GUESSES, UNKNOWN, cookieName, type ServerAccess } from "./access.js";
import { addActions, LIST, type ActionRouting } from "./action-routes.js";
import * as api from "./api.js";
import type { Remember } from "./source.js";
import { EVENTS_TYPE, type LiveEvents } from "./live-events.js";
import * as pages from "./pages.js";
import type { PageSource } from "./pages.js";
import { listPortals, readListQuery } from "./portal-list.js";
import { METRICS_TYPE } from "./prometheus.js";
import { addPushHook, type PushHook } from "./push-hook.js";
import {
  answer,
  NOTHING_HERE,
  queryOf,
  readForm,
  redirect,
  textAnswer,
  viewAnswer,
} from "./respond.js";
import type { DashboardEnv } from "./respond.js";
import { settingsAfter, settingsNow } from "./settings-now.js";
import type { Repository } from "./views/forge.js";
import type { Around } from "./views/layout.js";
import { listPage } from "./views/list-page.js";
import { continuePage, loginPage, messagePage } from "./views/login-page.js";
import { withOutage } from "./views/outage.js";

export interface Routing extends ActionRouting, PageSource, PushHook {
  readonly isReady: () => boolean;
  readonly live: LiveEvents;
  readonly server: Pick<ServerAccess, "origin" | "token"> & { readonly isTls: boolean };
  readonly metricsText: () => Promise<string>;
  readonly repository?: Repository | undefined;
}

type Env = DashboardEnv;
type Ask = Context<Env>;

/** Programs get text, people a page. */
const FOR_PROGRAMS = /^\/(?:api\/|metrics$|events$|hooks\/)/;

export function openRoutes(routing: Routing): Hono<Env> {
  const { roles, isReady } = routing;
  const app = new Hono<Env>();
  app.use(compress({ encoding: "gzip", threshold: 4_096 }));
  app.get("/healthz", () => textAnswer(200, "ok\n"));
  app.get("/readyz", () => (isReady() ? textAnswer(200, "ok\n") : textAnswer(503, "not ready\n")));
  addPushHook(app, routing);
  addLogin(app, routing);
  app.use(async (c, next) => {
    const { isKnown, user } = c.env.access;
    if (!isKnown) return askForToken(c);
    if (!user || roles.mayView(user)) return next();
    const message = "None of your groups may view this dashboard.";
    return FOR_PROGRAMS.test(c.req.path)
      ? textAnswer(403, `${message}\n`)
      : viewAnswer(messagePage(message, user), 403);
  });
  app.get("/events", (c) => listen(c, routing));
  app.get("/metrics", async () => answer(200, METRICS_TYPE, await routing.metricsText()));
  addApi(app, routing);
  addPages(app, routing);
  app.notFound(() => textAnswer(404, NOTHING_HERE));
  app.onError((error, c) => unreadAnswer(error, c, routing));
  return app;
}

/** Data that only the database has is not shown during an outage. The browser retries every few seconds. */
function unreadAnswer(error: Error, c: Ask, { feed }: Routing): Response {
  if (!(error instanceof Failure)) throw error;
  const message = "The database does not answer. This page returns when it does.";
  const view = messagePage(message, c.env.access.user);
  return viewAnswer(withOutage(view, feed.outage()), 503, { refresh: "10" });
}

function addLogin(app: Hono<Env>, { server }: Routing): void {
  const { token } = server;
  if (!token) return;
  app.get(LOGIN_PATH, () => redirect("/"));
  app.post(LOGIN_PATH, async (c) => {
    const form = await readForm(c);
    if (!form) return textAnswer(413, "The request is too large.\n");
    const to = ownPath(form.get("to"));
    const { remoteAddress = "" } = c.env.incoming.socket;
    const isRight = token.isToken(form.get("token") ?? "", remoteAddress);
    if (isRight === undefined) {
      return viewAnswer(loginPage(to, TOO_MANY_GUESSES.message), TOO_MANY_GUESSES.status);
    }
    if (!isRight) return viewAnswer(loginPage(to, "This is not the token."), 401);
    const { value, maxAgeS } = token.makeCookie();
    const name = cookieName(server);
    const secure = name.startsWith("__Host-") ? "; Secure" : "";
    const cookie = `${name}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Strict${secure}`;
    return redirect(to, { "set-cookie": cookie });
  });
}

function askForToken(c: Ask): Response {
  const { status, message, headers = {} } = UNKNOWN;
  if (FOR_PROGRAMS.test(c.req.path)) return textAnswer(status, `${message}\n`, headers);
  const { isFromElsewhere } = c.env.access;
  const view = isFromElsewhere ? continuePage() : loginPage(c.env.incoming.url ?? "/");
  const again = isFromElsewhere ? { refresh: "0" } : {};
  return viewAnswer(view, status, { ...headers, ...again });
}

function listen(c: Ask, { live }: Routing): Response {
  const { incoming, outgoing } = c.env;
  if (incoming.method === "HEAD") return answer(200, EVENTS_TYPE, "");
  const since = c.req.header("last-event-id") ?? c.req.query("since") ?? "";
  return live.listen(outgoing, since, c.req.query("portal"))
    ? RESPONSE_ALREADY_SENT
    : textAnswer(503, "Too many pages are open already.\n", { "retry-after": "30" });
}

function addApi(app: Hono<Env>, { feed, remember, now }: Routing): void {
  const documentOf =
    (make: (asked: api.ApiRequest, c: Ask) => api.Document | Promise<api.Document>) =>
    async (c: Ask) => {
      const asked = { query: queryOf(c), snapshots: feed, remember, nowMs: now() };
      const { status, text } = await make(asked, c);
      return answer(status, "application/json; charset=utf-8", text);
    };
  app.get("/api/portals", documentOf(api.portalsDocument));
  app.get(
    "/api/portals/:name",
    documentOf((asked, c) => api.portalDocument(c.req.param("name") ?? "", asked)),
  );
  app.get(
    "/api/*",
    documentOf(() => api.refusal(404, api.NO_SUCH_ADDRESS)),
  );
}

function addPages(app: Hono<Env>, routing: Routing): void {
  const { feed, remember } = routing;
  const aroundOf = (c: Ask) => aroundIn(routing, c);
  const asked = (c: Ask) => ({ query: queryOf(c), around: aroundOf(c) });
  const show = (view: View) => viewAnswer(withOutage(view, feed.outage()));
  const actions = addActions(app, routing, aroundOf);
  app.get("/", (c) => {
    const { query, around } = asked(c);
    const { user } = c.env.access;
    const list = listPortals(feed.portals(), readListQuery(query));
    const result = isPageLoad(c) ? actions.takeResult(LIST, user) : undefined;
    return show(listPage(list, around, { selection: actions.selection(user), result }));
  });
  app.get("/rollout", async (c) => {
    const view = await pages.rolloutView(routing, asked(c));
    return view ? show(view) : textAnswer(404, "The repository has no such commit.\n");
  });
  app.get("/activity", async (c) => show(await pages.activityView(routing, asked(c))));
  app.get("/calendar", (c) => show(pages.calendarView(routing, asked(c))));
  app.get("/workers", async (c) => show(await pages.workersView(routing, asked(c))));
  app.get("/portals/:key", async (c) => {
    const seen = feed.portal(c.req.param("key"));
    if (!seen) return c.notFound();
    const { user } = c.env.access;
    const result = isPageLoad(c) ? actions.takeResult(seen.key, user) : undefined;
    const forms = actions.forms(seen, user);
    return show(await pages.portalView(seen, routing, { ...asked(c), forms, result }));
  });
  app.get("/portals/:key/home/:viewer", async (c) => {
    const seen = feed.portal(c.req.param("key"));
    const view = seen && (await homeOf(seen, c, remember));
    return view ? viewAnswer(view) : c.notFound();
  });
}

/** An open page fetches itself, too. A result that is shown once must not be taken by that. */
function isPageLoad(c: Ask): boolean {
  return c.req.header("sec-fetch-dest") !== "empty";
}

function aroundIn({ feed, roles, allowed, automatic, repository }: Routing, c: Ask): Around {
  const { user } = c.env.access;
  const applied =
    automatic === undefined
      ? "Workers apply changes."
      : automatic.length === 0
        ? "Nothing is applied automatically."
        : `Applied automatically: ${listed(automatic)}.`;
  const may =
    allowed.length === 0
      ? "This dashboard is read-only."
      : `Operators may use: ${listed(allowed)}.`;
  const role = user && (allowed.length === 0 ? "viewer" : roles.roleOf(user));
  return {
    stamp: feed.stamp,
    user: user && role !== undefined ? { name: user.name, role } : undefined,
    note: `${applied} ${may}`,
    repository,
  };
}

/** The portal's home as visitors see it, as far as its settings are known. */
async function homeOf(seen: Snapshot, c: Ask, remember: Remember): Promise<View | undefined> {
  const viewer = VIEWERS.find((each) => each === c.req.param("viewer"));
  const now = settingsNow((await remember(seen)).state, seen.drift);
  if (!viewer || !now) return undefined;
  const unsaid = "unknown here, because Lintel does not manage them.";
  const isPending = c.req.query("pending") !== undefined;
  const settings = isPending ? settingsAfter(now.settings, seen.waiting) : now.settings;
  const home = { name: seen.name, settings, ...(!now.isWhole && { unsaid }) };
  return homeView(home, viewer, c.req.path, answerIn(queryOf(c)).answer);
}
