// The addresses of the actions: each checks the operator, counts against a rate limit, and leads back to the portal.
import type { Context, Hono } from "hono";
import type { Unasked } from "../../apply/reconcile.js";
import type { Html } from "../../lib/html.js";
import { MINUTE_MS } from "../../moment.js";
import type { Snapshot } from "../snapshot.js";
import { holdOf } from "../../state/state.js";
import type { User } from "./access.js";
import type { ActionName, ActionResult, Actions, Remember } from "./board.js";
import type { Feed } from "./feed.js";
import { openRateLimit } from "./rate-limit.js";
import { NOTHING_HERE, readForm, redirect, textAnswer, viewAnswer } from "./respond.js";
import type { DashboardEnv } from "./respond.js";
import type { RoleCheck } from "./roles.js";
import { HOLD_HOURS, renderActionForms, renderResult, unholdPage } from "./views/action-forms.js";
import type { Around } from "./views/layout.js";
import { portalAddress } from "./views/list-page.js";

export interface ActionRouting {
  readonly actions: Actions | undefined;
  /** Those that operators have. */
  readonly allowed: readonly ActionName[];
  readonly automatic?: readonly Unasked[] | undefined;
  readonly remember: Remember;
  readonly roles: RoleCheck;
  readonly feed: Feed;
  readonly now: () => number;
}

/** Of one user within a minute. */
const MOST_ACTIONS = 30;
/** Results that wait to be shown; the oldest of more are forgotten. */
const MOST_RESULTS = 1_000;

type Ask = Context<DashboardEnv>;

export interface RenderedActions {
  /** Undefined for a user who is no operator of the portal. */
  forms(seen: Snapshot, user: User | undefined): Html | undefined;
  /** The result of the last action of the user there, which is shown once. */
  takeResult(seen: Snapshot, user: User | undefined): Html | undefined;
}

export function addActions(
  app: Hono<DashboardEnv>,
  { actions, allowed, automatic = [], remember, roles, feed, now }: ActionRouting,
  aroundOf: (c: Ask) => Around,
): RenderedActions {
  if (!actions || allowed.length === 0) {
    return { forms: () => undefined, takeResult: () => undefined };
  }
  const limit = openRateLimit(MOST_ACTIONS, now);
  const results = openResults();
  const mayAct = (user: User | undefined, seen: Snapshot): user is User =>
    user !== undefined && roles.mayOperate(user, seen);

  /** The portal and the user, or the refusal. */
  function operated(c: Ask): { readonly seen: Snapshot; readonly user: User } | Response {
    const seen = feed.portal(c.req.param("key") ?? "");
    const { user } = c.env.access;
    if (!seen) return textAnswer(404, NOTHING_HERE);
    if (!mayAct(user, seen)) {
      return textAnswer(403, "None of your groups is an operator of this portal.\n");
    }
    return { seen, user };
  }

  const post = (
    name: ActionName | "unhold",
    work: (seen: Snapshot, form: URLSearchParams, actor: string) => Promise<ActionResult>,
  ) => {
    if (!allowed.includes(name === "unhold" ? "hold" : name)) return;
    app.post(`/portals/:key/${name}`, async (c) => {
      const found = operated(c);
      if (found instanceof Response) return found;
      const { seen, user } = found;
      if (limit.isExceeded(user.name)) {
        const message = "Too many actions within a minute. Wait a minute.\n";
        return textAnswer(429, message, { "retry-after": "60" });
      }
      limit.count(user.name);
      const form = await readForm(c);
      if (!form) return textAnswer(413, "The request is too large.\n");
      results.keep(user, seen, await work(seen, form, user.name));
      return redirect(portalAddress(seen.key));
    });
  };

  post("refresh", ({ key }, _, actor) => actions.refresh(key, { actor }));
  post("apply", ({ key }, form, actor) => actions.apply(key, { actor, planDigest: planIn(form) }));
  post("unhold", ({ key }, form, actor) =>
    actions.unhold(key, { actor, planDigest: planIn(form) }),
  );
  post("hold", ({ key }, form, actor) => {
    const hours = Number(form.get("hours") ?? "");
    if (![0, ...HOLD_HOURS].includes(hours))
      return Promise.resolve({ message: "Choose one of the listed durations.", isDone: false });
    const until = hours > 0 ? new Date(now() + hours * 60 * MINUTE_MS).toISOString() : undefined;
    return actions.hold(key, { actor, reason: form.get("reason") ?? "", until });
  });
  app.get("/portals/:key/unhold", async (c) => {
    const found = allowed.includes("hold") ? operated(c) : textAnswer(404, NOTHING_HERE);
    if (found instanceof Response) return found;
    const { seen } = found;
    const around = aroundOf(c);
    const { state } = await remember(seen);
    const hold = state && holdOf(state, now());
    const plan = await actions.planAfterUnhold(seen.key);
    return viewAnswer(unholdPage({ seen, hold, plan, automatic, around }));
  });

  return {
    forms: (seen, user) => (mayAct(user, seen) ? renderActionForms(seen, allowed) : undefined),
    takeResult(seen, user) {
      const result = user && results.take(user, seen);
      return result && renderResult(result);
    },
  };
}

/** Of actions, by user and portal. */
function openResults() {
  const results = new Map<string, ActionResult>();
  const keyOf = (user: User, seen: Snapshot) => JSON.stringify([user.name, seen.key]);
  return {
    keep(user: User, seen: Snapshot, result: ActionResult): void {
      results.set(keyOf(user, seen), result);
      const [oldest] = results.keys();
      if (results.size > MOST_RESULTS && oldest !== undefined) results.delete(oldest);
    },
    take(user: User, seen: Snapshot): ActionResult | undefined {
      const key = keyOf(user, seen);
      const result = results.get(key);
      results.delete(key);
      return result;
    },
  };
}

function planIn(form: URLSearchParams): string {
  return form.get("plan") ?? "";
}
