// Serves the actions: checks the operator and a rate limit, then redirects to the portal.
import type { Context, Hono } from "hono";
import type { Unasked } from "../../apply/reconcile.js";
import type { Html } from "../../lib/html.js";
import { ownPath } from "../../lib/local-server.js";
import { counted } from "../../lib/text.js";
import { MINUTE_MS } from "../../moment.js";
import type { Snapshot } from "../snapshot.js";
import { holdOf } from "../../state/state.js";
import type { User } from "./access.js";
import type { ActionName, ActionResult, Actions, Actor, Remember } from "./source.js";
import type { Feed } from "./feed.js";
import { openRateLimit } from "./rate-limit.js";
import { NOTHING_HERE, readForm, redirect, textAnswer, viewAnswer } from "./respond.js";
import type { DashboardEnv } from "./respond.js";
import type { RoleCheck } from "./roles.js";
import {
  HOLD_HOURS,
  renderActionForms,
  renderResult,
  unholdPage,
  type Selection,
} from "./views/action-forms.js";
import type { Around } from "./views/layout.js";
import { portalAddress } from "./views/portal-link.js";

export interface ActionRouting {
  readonly actions: Actions | undefined;
  /** The actions that operators may use. */
  readonly allowed: readonly ActionName[];
  readonly automatic?: readonly Unasked[] | undefined;
  readonly remember: Remember;
  readonly roles: RoleCheck;
  readonly feed: Feed;
  readonly now: () => number;
}

/** The limit for one user in a minute. */
const MOST_ACTIONS = 30;
/** The number of selected portals that are called at a time. */
const AT_ONCE = 4;
/** The limit of results not shown yet; the oldest are dropped. */
const MOST_RESULTS = 1_000;

type Ask = Context<DashboardEnv>;

export interface RenderedActions {
  /** Undefined if the user is no operator of the portal. */
  forms(seen: Snapshot, user: User | undefined): Html | undefined;
  /** What the user may do with several listed portals at once. */
  selection(user: User | undefined): Selection | undefined;
  /** The result of the user's last action on this portal or on the list. It is shown once. */
  takeResult(key: string, user: User | undefined): Html | undefined;
}

/** In place of a key, for the result of an action on several portals. */
export const LIST = "";

/** By the last part of the address. */
type Work = Readonly<Record<ActionName | "unhold", One>>;
type One = (key: string, by: Actor, form: URLSearchParams) => Promise<ActionResult>;

export function addActions(
  app: Hono<DashboardEnv>,
  routing: ActionRouting,
  aroundOf: (c: Ask) => Around,
): RenderedActions {
  const { actions, allowed, roles, now } = routing;
  if (!actions || allowed.length === 0) {
    return { forms: () => undefined, selection: () => undefined, takeResult: () => undefined };
  }
  const limit = openRateLimit(MOST_ACTIONS, now);
  const results = openResults();
  const work = workOf(actions, now);

  /** Acts on the portal of the address, or on those that the form selects. */
  async function act(c: Ask, name: keyof Work, key?: string): Promise<Response> {
    const form = await readForm(c);
    if (!form) return textAnswer(413, "The request is too large.\n");
    const keys = key === undefined ? [...new Set(form.getAll("portal"))] : [key];
    const found = operated(c, routing, keys);
    if (found instanceof Response) return found;
    const { portals, user } = found;
    if (limit.isExceeded(user.name, keys.length)) {
      const message = `Too many actions: a user can take ${MOST_ACTIONS} in a minute. Wait a minute.\n`;
      return textAnswer(429, message, { "retry-after": "60" });
    }
    limit.count(user.name, keys.length);
    const one = async ({ key: own, name: portal }: Snapshot): Promise<Done> => ({
      portal,
      result: await work[name](own, { actor: user.name }, form),
    });
    const done: Done[] = [];
    for (let at = 0; at < portals.length; at += AT_ONCE)
      done.push(...(await Promise.all(portals.slice(at, at + AT_ONCE).map(one))));
    const [only] = done;
    const result = key !== undefined && only ? only.result : summaryOf(done);
    results.keep(user, key ?? LIST, result);
    return redirect(key === undefined ? ownPath(form.get("to")) : portalAddress(key));
  }

  const isAllowed = (name: keyof Work) => allowed.includes(name === "unhold" ? "hold" : name);
  for (const name of (["refresh", "apply", "hold", "unhold"] as const).filter(isAllowed))
    app.post(`/portals/:key/${name}`, (c) => act(c, name, c.req.param("key")));
  for (const name of (["refresh", "hold"] as const).filter(isAllowed))
    app.post(`/actions/${name}`, (c) => act(c, name));
  if (isAllowed("unhold"))
    app.get("/portals/:key/unhold", (c) => showUnhold(c, routing, actions, aroundOf(c)));

  return {
    forms: (seen, user) =>
      user && roles.mayOperate(user, seen) ? renderActionForms(seen, allowed) : undefined,
    selection: (user) => user && { allowed, mayAct: (seen) => roles.mayOperate(user, seen) },
    takeResult(key, user) {
      const result = user && results.take(user, key);
      return result && renderResult(result);
    },
  };
}

function workOf(actions: Actions, now: () => number): Work {
  return {
    refresh: (key, by) => actions.refresh(key, by),
    apply: (key, by, form) => actions.apply(key, { ...by, planDigest: planIn(form) }),
    unhold: (key, by, form) => actions.unhold(key, { ...by, planDigest: planIn(form) }),
    hold(key, by, form) {
      const hours = Number(form.get("hours") ?? "");
      if (![0, ...HOLD_HOURS].includes(hours))
        return Promise.resolve({ message: "Choose one of the listed durations.", isDone: false });
      const until = hours > 0 ? new Date(now() + hours * 60 * MINUTE_MS).toISOString() : undefined;
      return actions.hold(key, { ...by, reason: form.get("reason") ?? "", until });
    },
  };
}

/** The portals and the user, or a refusal. One portal without permission refuses all. */
function operated(c: Ask, { feed, roles }: ActionRouting, keys: readonly string[]) {
  const { user } = c.env.access;
  const portals = keys.flatMap((key) => feed.portal(key) ?? []);
  if (portals.length < keys.length) return textAnswer(404, NOTHING_HERE);
  if (!user || !portals.every((each) => roles.mayOperate(user, each)))
    return textAnswer(403, "None of your groups is an operator of this portal.\n");
  return { portals, user };
}

async function showUnhold(
  c: Ask,
  routing: ActionRouting,
  actions: Actions,
  around: Around,
): Promise<Response> {
  const found = operated(c, routing, [c.req.param("key") ?? ""]);
  if (found instanceof Response) return found;
  const [seen] = found.portals as [Snapshot];
  const { state } = await routing.remember(seen);
  const hold = state && holdOf(state, routing.now());
  const plan = await actions.planAfterUnhold(seen.key);
  return viewAnswer(unholdPage({ seen, hold, plan, automatic: routing.automatic ?? [], around }));
}

interface Done {
  readonly portal: string;
  readonly result: ActionResult;
}

const MOST_NAMED = 10;

/** How many succeeded, and why the others did not. */
function summaryOf(done: readonly Done[]): ActionResult {
  if (done.length === 0) return { message: "No portal is selected.", isDone: false };
  const failed = done.filter(({ result }) => !result.isDone);
  const whys = failed.map(({ portal, result }) => `${portal}: ${result.message}`);
  const left = whys.length > MOST_NAMED ? `And ${whys.length - MOST_NAMED} more.` : "";
  return {
    message: `${done.length - failed.length} of ${counted(done.length, "portal")} done.`,
    help: [...whys.slice(0, MOST_NAMED), left].join("\n"),
    isDone: failed.length === 0,
  };
}

/** Results of actions, by user and portal. */
function openResults() {
  const results = new Map<string, ActionResult>();
  const idOf = (user: User, key: string) => JSON.stringify([user.name, key]);
  return {
    keep(user: User, key: string, result: ActionResult): void {
      results.set(idOf(user, key), result);
      const [oldest] = results.keys();
      if (results.size > MOST_RESULTS && oldest !== undefined) results.delete(oldest);
    },
    take(user: User, key: string): ActionResult | undefined {
      const result = results.get(idOf(user, key));
      results.delete(idOf(user, key));
      return result;
    },
  };
}

function planIn(form: URLSearchParams): string {
  return form.get("plan") ?? "";
}
