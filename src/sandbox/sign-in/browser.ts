// A person in a browser: the page that signs in, the cookie that remembers it, and the way out again.
import { html, type Html } from "../../pages/html.js";
import { toPage } from "../../pages/page.js";
import { STYLE } from "../../pages/style.js";
import { answerPage, answerText, redirect, type Answer, type Asked } from "../server/exchange.js";
import { keptMinutes, tokenMinutes } from "./lifetime.js";
import type { Account } from "../store.js";
import { BROWSER_SIGN_IN, BROWSER_SIGN_OUT, findByPassword, type World } from "../world.js";

const COOKIE = "sandbox_session";
/** The box that a user ticks to stay signed in. */
const KEPT = "persistent";

/** The account of the browser's session; undefined for a visitor who is not signed in. */
export function browserAccount(world: World, asked: Asked): Account | undefined {
  const cookie = new RegExp(`(?:^|;) *${COOKIE}=([^; ]+)`).exec(asked.headers.cookie ?? "")?.[1];
  const found = cookie === undefined ? undefined : world.tokens.read(cookie);
  return found?.claims.kind === "browser" && found.account.isActive ? found.account : undefined;
}

/** undefined for a path that is none of these pages'. */
export function answerBrowser(world: World, asked: Asked): Answer | undefined {
  if (asked.path === BROWSER_SIGN_OUT) return redirect("/", { "set-cookie": cookie("", 0) });
  if (asked.path !== BROWSER_SIGN_IN) return undefined;
  const then = localAddress(asked.query.get("then"));
  if (asked.method === "GET") return answerPage(200, toPage(signInPage(then)));
  if (asked.method !== "POST") return answerText(405, "This page takes GET and POST.");
  // Another page could else sign somebody in to an account of its own choosing.
  if (isForeign(asked)) return answerText(403, "This page takes its own form alone.");
  const form = new URLSearchParams(asked.body);
  const account = findByPassword(world, form.get("username"), form.get("password"));
  if (!account) return refused(then, "The username or the password is wrong.");
  if (!account.isActive) return refused(then, "The account is not active.");
  const lifetimeS = (form.has(KEPT) ? keptMinutes(world) : tokenMinutes(world)) * 60;
  const exp = Math.floor(world.now() / 1000) + lifetimeS;
  const session = world.tokens.issue({ sub: account.username, exp, kind: "browser" });
  return redirect(then, { "set-cookie": cookie(session, lifetimeS) });
}

/** A browser says where a form came from; what is no browser says nothing. */
function isForeign({ headers: { origin, host } }: Asked): boolean {
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}

function cookie(value: string, lifetimeS: number): string {
  return `${COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${lifetimeS}`;
}

// Only an address of this server: else a link to this page could send somebody anywhere after signing in.
function localAddress(then: string | null): string {
  const here = "http://sandbox.example.com";
  if (then === null || !URL.canParse(then, here)) return "/";
  const { origin, pathname, search } = new URL(then, here);
  // A path that begins with two slashes would name a host.
  return origin === here && !pathname.startsWith("//") ? `${pathname}${search}` : "/";
}

function refused(then: string, message: string): Answer {
  const note = html`<p class="bad" role="alert">${message}</p>`;
  return answerPage(401, toPage(signInPage(then, note)));
}

function signInPage(then: string, note?: Html) {
  return {
    title: "Sign in",
    style: STYLE,
    body: html`<main class="narrow slim">
      <h1>Sign in</h1>
      <form
        class="sheet"
        method="post"
        action="${BROWSER_SIGN_IN}?then=${encodeURIComponent(then)}"
      >
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
}
