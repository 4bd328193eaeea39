// A person in a browser: the page that signs in, the cookie that remembers it, and the way out again.
import style from "../../../generated/lib/page-style.js";
import { html, type Html } from "../../lib/html.js";
import { toPage } from "../../lib/html-document.js";
import { answerPage, answerText, ownPath, type Answer } from "../../lib/local-server.js";
import { redirect, type Incoming } from "../incoming.js";
import { tokenLifetime } from "./token.js";
import type { Account } from "../memory.js";
import {
  BROWSER_SIGN_IN,
  signInAddress,
  BROWSER_SIGN_OUT,
  findByPassword,
  type SandboxContext,
} from "../context.js";

const COOKIE = "sandbox_session";
/** The box that a user ticks to stay signed in. */
const KEPT = "persistent";

/** The account of the browser's session; undefined for a visitor who is not signed in. */
export function browserAccount(context: SandboxContext, incoming: Incoming): Account | undefined {
  const cookie = new RegExp(`(?:^|;) *${COOKIE}=([^; ]+)`).exec(incoming.headers.cookie ?? "")?.[1];
  const found = cookie === undefined ? undefined : context.tokens.read(cookie);
  return found?.claims.kind === "browser" && found.account.isActive ? found.account : undefined;
}

/** undefined for any other path. */
export function answerBrowser(context: SandboxContext, incoming: Incoming): Answer | undefined {
  if (incoming.path === BROWSER_SIGN_OUT) return redirect("/", { "set-cookie": cookie("", 0) });
  if (incoming.path !== BROWSER_SIGN_IN) return undefined;
  // Prevents open redirects: a link to this page must not lead to another site after sign-in.
  const then = ownPath(incoming.query.get("then"));
  if (incoming.method === "GET") return signInPage(200, then);
  if (incoming.method !== "POST") return answerText(405, "This page takes GET and POST.");
  // Else another page could sign a person in to an account of its choice.
  if (isForeign(incoming)) return answerText(403, "This page takes its own form alone.");
  const form = new URLSearchParams(incoming.body);
  const account = findByPassword(context, form.get("username"), form.get("password"));
  if (!account?.isActive) {
    const why = account ? "The account is not active." : "The username or the password is wrong.";
    return signInPage(401, then, html`<p class="bad" role="alert">${why}</p>`);
  }
  const lifetimeS =
    tokenLifetime(context, form.has(KEPT) ? "longTokenExpiration" : "tokenExpiration") * 60;
  const { token } = context.tokens.issue({ sub: account.username, kind: "browser" }, lifetimeS);
  return redirect(then, { "set-cookie": cookie(token, lifetimeS) });
}

/** A browser says where a form came from; other clients do not send the header. */
function isForeign({ headers: { origin, host } }: Incoming): boolean {
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}

function cookie(value: string, lifetimeS: number): string {
  return `${COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${lifetimeS}`;
}

function signInPage(status: number, then: string, note?: Html): Answer {
  const view = {
    title: "Sign in",
    style,
    body: html`<main class="narrow slim">
      <h1>Sign in</h1>
      <form class="sheet" method="post" action="${signInAddress(then)}">
        ${note}
        <div>
          <label for="username">Username</label>
          <input id="username" name="username" autocomplete="username" required autofocus />
        </div>
        <div>
          <label for="password">Password</label>
          <input
            id="password"
            name="password"
            type="password"
            autocomplete="current-password"
            required
          />
        </div>
        <label><input type="checkbox" name="${KEPT}" value="true" /> Keep me signed in</label>
        <div><button class="primary">Sign in</button></div>
      </form>
    </main>`,
  };
  return answerPage(toPage(view), status);
}
