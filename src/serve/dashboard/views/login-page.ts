// Renders the pages before the dashboard: the token form, the redirect for links from other sites, and refusals.
import style from "../../../../generated/lib/page-style.js";
import { html } from "../../../lib/html.js";
import type { View } from "../../../lib/html-document.js";

/** Reveals nothing about the dashboard. */
export function loginPage(to: string, wrong?: string): View {
  return {
    title: "Lintel",
    style,
    body: html`<main class="narrow slim">
      <h1>Lintel</h1>
      <form class="sheet" method="post" action="/token">
        <input type="hidden" name="to" value="${to}" />
        <div>
          <label for="token">Token of this dashboard</label>
          <input
            type="password"
            id="token"
            name="token"
            required
            autocomplete="current-password"
            spellcheck="false"
            autofocus
            ${wrong === undefined ? undefined : html`aria-invalid="true" aria-describedby="wrong"`}
          />
          ${wrong === undefined ? undefined : html`<p id="wrong" class="bad" role="alert">${wrong}</p>`}
        </div>
        <button class="primary">Sign in</button>
      </form>
      <p class="quiet">The value of LINTEL_SERVE_TOKEN on the server.</p>
    </main>`,
  };
}

/** After a link from another site the browser withheld the cookie: this page of our own asks again. */
export function continuePage(): View {
  return {
    title: "Lintel",
    style,
    body: html`<main class="narrow slim">
      <h1>Lintel</h1>
      <p><a href="">Continue</a></p>
    </main>`,
  };
}

/** One sentence on why the user sees nothing else. */
export function messagePage(message: string, user?: { readonly name: string }): View {
  return {
    title: "Lintel",
    style,
    body: html`<main class="narrow slim">
      <h1>Lintel</h1>
      <p role="alert">${message}</p>
      ${user && html`<p class="quiet">Signed in as <bdi>${user.name}</bdi></p>`}
    </main>`,
  };
}
