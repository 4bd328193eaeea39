// The addresses of the dashboard: pages, live events, the interface for programs, metrics, login, actions and the push hook.
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono, type Context } from "hono";
import { compress } from "hono/compress";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { toPage, type View } from "../../lib/html-document.js";
import { headersFor, ownPath, readBody } from "../../lib/local-server.js";
import { digest } from "../../lib/digest.js";
import type { Json, JsonObject } from "../../lib/json.js";
import { VIEWERS, type Viewer } from "../../preview/home.js";
import { homeView } from "../../preview/homes.js";
import { answerIn } from "../../preview/notice.js";
import type { Secret } from "../../secret.js";
import type { Seen } from "../known.js";
import { LOGIN_PATH, TOO_MANY_GUESSES, UNKNOWN, cookieName } from "./access.js";
import type { Access, ServerAccess } from "./access.js";
import * as api from "./api.js";
import type { Remember, Shown } from "./board.js";
import type { Feed } from "./feed.js";
import { EVENTS_TYPE, type LiveEvents } from "./live-events.js";
import { listPortals, readListQuery } from "./portal-list.js";
import { METRICS_TYPE } from "./prometheus.js";
import type { RoleCheck } from "./roles.js";
import { settingsAfter, settingsNow } from "./settings-now.js";
import { listPage, portalAddress } from "./views/list-page.js";
import { continuePage, loginPage } from "./views/login-page.js";
import { messagePage } from "./views/message-page.js";
import { portalPage, type Homes } from "./views/portal-page.js";

export interface Routing extends Omit<Shown, "board" | "metrics"> {
  readonly feed: Feed;
  readonly live: LiveEvents;
  readonly server: Pick<ServerAccess, "origin" | "token"> & { readonly isTls: boolean };
  readonly roles: RoleCheck;
  readonly hookSecret?: Secret | undefined;
  readonly repository?: string | undefined;
  readonly metricsText: () => Promise<string>;
  readonly now: () => number;
}

interface Env {
  Bindings: {
    readonly incoming: IncomingMessage;
    readonly outgoing: ServerResponse;
    readonly access: Access;
  };
}
type Ask = Context<Env>;

type Body = ConstructorParameters<typeof Response>[0];

/** Programs get words, people a page. */
const FOR_PROGRAMS = /^\/(?:api\/|metrics$|events$|hooks\/)/;
/** In bytes; many times what a form sends. */
const LONGEST_FORM = 16 * 1024;

export function openRoutes(routing: Routing): Hono<Env> {
  const { feed, roles, isReady } = routing;
  const app = new Hono<Env>();
  app.use(compress({ encoding: "gzip", threshold: 4_096 }));
  app.get("/healthz", () => textAnswer(200, "ok\n"));
  app.get("/readyz", () => (isReady() ? textAnswer(200, "ok\n") : textAnswer(503, "not ready\n")));
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
  app.get("/", (c) => {
    const { stamp } = feed;
    const list = listPortals(feed.portals(), readListQuery(queryOf(c)));
    return viewAnswer(listPage(list, { stamp, user: c.env.access.user?.name }));
  });
  app.get("/events", (c) => listen(c, routing));
  app.get("/metrics", async () => answer(200, METRICS_TYPE, await routing.metricsText()));
  addApi(app, routing);
  addPortal(app, routing);
  app.notFound(() => textAnswer(404, "There is nothing at this address.\n"));
  return app;
}

function addLogin(app: Hono<Env>, { server }: Routing): void {
  const { token } = server;
  if (!token) return;
  app.get(LOGIN_PATH, () => redirect("/"));
  app.post(LOGIN_PATH, async (c) => {
    const form = await readForm(c);
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
    (make: (asked: api.Asked, c: Ask) => api.Document | Promise<api.Document>) =>
    async (c: Ask) => {
      const asked = { query: queryOf(c), board: feed, remember, nowMs: now() };
      const { status, pieces } = await make(asked, c);
      const body = Readable.toWeb(Readable.from(pieces, { objectMode: false }));
      return answer(status, "application/json; charset=utf-8", body as Body);
    };
  app.get("/api/portals", documentOf(api.portalsDocument));
  app.get(
    "/api/portals/:name",
    documentOf((asked, c) => api.portalDocument(c.req.param("name") ?? "", asked)),
  );
  app.get("/api/history", documentOf(api.historyDocument));
  app.get(
    "/api/*",
    documentOf(() => api.refusal(404, api.NO_SUCH_ADDRESS)),
  );
}

function addPortal(app: Hono<Env>, routing: Routing): void {
  const { feed, remember } = routing;
  app.get("/portals/:key", async (c) => {
    const seen = feed.portal(c.req.param("key"));
    return seen ? viewAnswer(await portalView(seen, c, routing)) : c.notFound();
  });
  app.get("/portals/:key/home/:viewer", async (c) => {
    const seen = feed.portal(c.req.param("key"));
    const view = seen && (await homeOf(seen, c, remember));
    return view ? viewAnswer(view) : c.notFound();
  });
}

async function portalView(seen: Seen, c: Ask, routing: Routing): Promise<View> {
  const { feed, remember, repository, now } = routing;
  // Taken before the state is read, so that a change meanwhile is an event.
  const { stamp } = feed;
  const { state, failure: stateFailure } = await remember(seen);
  const viewer = VIEWERS.find((each) => each === c.req.query("viewer")) ?? VIEWERS[0];
  const settings = settingsNow(state, seen.drift)?.settings;
  const [from, to] = ["from", "to"].map((name) => Number(c.req.query(name)));
  return portalPage({
    snapshot: seen,
    sinceMs: seen.failure?.sinceMs,
    state,
    stateFailure,
    repository: repository === undefined ? undefined : { url: repository },
    homes: settings && homesOf(seen, viewer, settings),
    ...(from && to && { compare: { from, to } }),
    nowMs: now(),
    stamp,
    user: c.env.access.user?.name,
  });
}

/** A picture that is still the same keeps its address, so that the browser does not ask for it again. */
function homesOf(seen: Seen, viewer: Viewer, settings: JsonObject): Homes {
  const address = `${portalAddress(seen.key)}/home/${viewer}`;
  const { waiting } = seen;
  const after = new URLSearchParams({ pending: digest([settings, waiting as unknown as Json]) });
  return {
    viewer,
    now: `${address}?as=${digest(settings).slice(0, 12)}`,
    after: waiting.length > 0 ? `${address}?${after}` : undefined,
  };
}

/** What visitors of the portal see, as far as its settings are known. */
async function homeOf(seen: Seen, c: Ask, remember: Remember): Promise<View | undefined> {
  const viewer = VIEWERS.find((each) => each === c.req.param("viewer"));
  const now = settingsNow((await remember(seen)).state, seen.drift);
  if (!viewer || !now) return undefined;
  const unsaid = "unknown here, because Lintel does not manage them.";
  const isPending = c.req.query("pending") !== undefined;
  const settings = isPending ? settingsAfter(now.settings, seen.waiting) : now.settings;
  const home = { name: seen.name, settings, ...(!now.isWhole && { unsaid }) };
  return homeView(home, viewer, c.req.path, answerIn(queryOf(c)).answer);
}

async function readForm({ env }: Ask): Promise<URLSearchParams> {
  return new URLSearchParams(await readBody(env.incoming, LONGEST_FORM));
}

function queryOf({ req }: Ask): URLSearchParams {
  return new URL(req.url).searchParams;
}

function viewAnswer(view: View, status = 200, headers: Record<string, string> = {}): Response {
  const { text, contentSecurityPolicy } = toPage(view);
  const own = headersFor("text/html; charset=utf-8", contentSecurityPolicy);
  return new Response(text, { status, headers: { ...own, ...headers } });
}

function answer(status: number, type: string, body: Body, headers = {}): Response {
  return new Response(body, { status, headers: { ...headersFor(type), ...headers } });
}

function textAnswer(status: number, body: string, headers = {}): Response {
  return answer(status, "text/plain; charset=utf-8", body, headers);
}

function redirect(location: string, headers = {}): Response {
  return new Response(null, {
    status: 303,
    headers: { ...headersFor("text/plain; charset=utf-8"), location, ...headers },
  });
}
