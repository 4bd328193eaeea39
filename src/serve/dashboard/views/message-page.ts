// A page that says one sentence, such as why a user gets nothing else.
import style from "../../../../generated/lib/page-style.js";
import { html } from "../../../lib/html.js";
import type { View } from "../../../lib/html-document.js";

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
