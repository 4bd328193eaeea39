// The addresses of the actions: each checks the operator, counts against a rate limit, and leads back to the portal.
import type { Context, Hono } from "hono";
import type { Html } from "../../lib/html.js";
import { MINUTE_MS } from "../../moment.js";
import type { Snapshot } from "../snapshot.js";
import type { User } from "./access.js";
import type { ActionResult, Actions } from "./board.js";
import type { Feed } from "./feed.js";
import { openRateLimit } from "./rate-limit.js";
import { readForm, redirect, textAnswer, viewAnswer } from "./respond.js";
import type { DashboardEnv } from "./respond.js";
import type { RoleCheck } from "./roles.js";
import { HOLD_HOURS, renderActionForms, unholdPage } from "./views/action-forms.js";
import { portalAddress } from "./views/list-page.js";

export interface ActionRouting {
  readonly actions: Actions | undefined;
  readonly roles: RoleCheck;
  readonly feed: Feed;
  readonly now: () => number;
}

/** Of one user within a minute. */
const MOST_ACTIONS = 30;
/** Results that wait to be shown; the oldest of more are forgotten. */
const MOST_RESULTS = 1_000;

type Ask = Context<DashboardEnv>;

/** Returns what renders the forms of a portal; undefined for a user who is no operator of it. */
export function addActions(
  app: Hono<DashboardEnv>,
  { actions, roles, feed, now }: ActionRouting,
): (seen: Snapshot, user: User | undefined) => Html | undefined {
  if (!actions) return () => undefined;
  const limit = openRateLimit(MOST_ACTIONS, now);
  const results = new Map<string, ActionResult>();
  const resultKey = (user: User, key: string) => JSON.stringify([user.name, key]);
  const mayAct = (user: User | undefined, seen: Snapshot): user is User =>
    user !== undefined && roles.mayOperate(user, seen);

  function keep(key: string, result: ActionResult): void {
    results.delete(key);
    results.set(key, result);
    const [oldest] = results.keys();
    if (results.size > MOST_RESULTS && oldest !== undefined) results.delete(oldest);
  }

  /** The portal and the user, or the refusal. */
  function operated(c: Ask): { readonly seen: Snapshot; readonly user: User } | Response {
    const seen = feed.portal(c.req.param("key") ?? "");
    const { user } = c.env.access;
    if (!seen) return textAnswer(404, "There is nothing at this address.\n");
    if (!mayAct(user, seen)) {
      return textAnswer(403, "None of your groups is an operator of this portal.\n");
    }
    return { seen, user };
  }

  const post = (
    name: string,
    work: (seen: Snapshot, form: URLSearchParams, actor: string) => Promise<ActionResult>,
  ) =>
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
      keep(resultKey(user, seen.key), await work(seen, form, user.name));
      return redirect(`${portalAddress(seen.key)}#head`);
    });

  post("refresh", ({ key }, _, actor) => actions.refresh(key, { actor }));
  post("apply", ({ key }, form, actor) => actions.apply(key, { actor, planDigest: planIn(form) }));
  post("unhold", ({ key }, form, actor) =>
    actions.unhold(key, { actor, planDigest: planIn(form) }),
  );
  post("hold", ({ key }, form, actor) => {
    const hours = Number(form.get("hours") ?? "");
    if (![0, ...HOLD_HOURS].includes(hours))
      return Promise.resolve({ message: "Choose one of the listed ends.", isDone: false });
    const until = hours > 0 ? new Date(now() + hours * 60 * MINUTE_MS).toISOString() : undefined;
    return actions.hold(key, { actor, reason: form.get("reason") ?? "", until });
  });
  app.get("/portals/:key/unhold", async (c) => {
    const found = operated(c);
    if (found instanceof Response) return found;
    const { seen, user } = found;
    const { stamp } = feed;
    const plan = await actions.planAfterUnhold(seen.key);
    return viewAnswer(unholdPage({ seen, plan, stamp, user: user.name }));
  });

  return (seen, user) => {
    if (!mayAct(user, seen)) return undefined;
    const result = results.get(resultKey(user, seen.key));
    return renderActionForms({ seen, mayApply: actions.mayApply, result });
  };
}

function planIn(form: URLSearchParams): string {
  return form.get("plan") ?? "";
}
