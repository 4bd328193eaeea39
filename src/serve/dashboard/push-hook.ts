// Serves the webhook of a forge: a signed push makes the checkout fetch at once.
import { createHmac } from "node:crypto";
import type { Context, Hono } from "hono";
import { readBody } from "../../lib/local-server.js";
import type { Secret } from "../../secret.js";
import { PUSH_PATH } from "./access.js";
import { openRateLimit } from "./rate-limit.js";
import { textAnswer, type DashboardEnv } from "./respond.js";
import { isSameText } from "./token.js";

export interface PushHook {
  readonly hookSecret: Secret | undefined;
  readonly pushed: (() => void) | undefined;
  readonly now: () => number;
}

/** In bytes; a forge lists all pushed commits. */
const LARGEST_PUSH = 4 * 1024 * 1024;
/** The limit for one address in a minute. */
const MOST_REFUSED = 10;
/** Limits memory: a body is read before its signature is checked. */
const MOST_AT_ONCE = 4;

export function addPushHook(app: Hono<DashboardEnv>, { hookSecret, pushed, now }: PushHook): void {
  if (!hookSecret || !pushed) return;
  const refused = openRateLimit(MOST_REFUSED, now);
  let reading = 0;
  app.post(PUSH_PATH, async (c) => {
    const { remoteAddress = "" } = c.env.incoming.socket;
    if (refused.isExceeded(remoteAddress)) {
      return textAnswer(429, "Too many wrong signatures. Wait a minute.\n", {
        "retry-after": "60",
      });
    }
    if (reading >= MOST_AT_ONCE) {
      return textAnswer(503, "Too many pushes at once.\n", { "retry-after": "10" });
    }
    reading++;
    const body = await readBody(c.env.incoming, LARGEST_PUSH).finally(() => reading--);
    if (body === undefined) return textAnswer(413, "The request is too large.\n");
    if (!isSigned(c, body, hookSecret)) {
      refused.count(remoteAddress);
      return textAnswer(401, "The signature or the token is wrong.\n");
    }
    // The pushed branch does not matter: the fetch finds new commits.
    pushed();
    return textAnswer(202, "Fetching.\n");
  });
}

/** GitHub and Gitea sign the body, GitLab sends the secret. */
function isSigned({ req }: Context<DashboardEnv>, body: string, hookSecret: Secret): boolean {
  const key = hookSecret.reveal();
  const hmac = createHmac("sha256", key).update(body).digest("hex");
  const sent: readonly (readonly [string | undefined, string])[] = [
    [req.header("x-hub-signature-256"), `sha256=${hmac}`],
    [req.header("x-gitea-signature"), hmac],
    [req.header("x-gitlab-token"), key],
  ];
  return sent.some(([given, right]) => given !== undefined && isSameText(given, right));
}
