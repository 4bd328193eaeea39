// Nothing → the page that asks for the token, and says nothing of what is behind it.
import style from "../../../../generated/lib/page-style.js";
import { html } from "../../../lib/html.js";
import type { View } from "../../../lib/html-document.js";
import { TOKEN_PATH } from "../access.js";

export function tokenPage(to: string, wrong?: string): View {
  return {
    title: "Lintel",
    style,
    body: html`<main class="narrow slim">
      <h1>Lintel</h1>
      <form class="sheet" method="post" action="${TOKEN_PATH}">
        <input type="hidden" name="to" value="${to}" />
        <div>
          <label for="token">Token of this page</label>
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
        <button class="primary">Show the page</button>
      </form>
      <p class="quiet">Whoever runs this page has set it as LINTEL_SERVE_TOKEN.</p>
    </main>`,
  };
}

/** A link of another site led here, and the browser kept the cookie back: this page asks again, as one of ours. */
export function againPage(): View {
  return {
    title: "Lintel",
    style,
    body: html`<main class="narrow slim">
      <h1>Lintel</h1>
      <p><a href="">Go on</a></p>
    </main>`,
  };
}
