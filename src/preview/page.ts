// Nothing but what is common to all files → the preview's page, into which its script puts what belongs to a file.
import { html } from "../pages/html.js";
import type { View } from "../pages/page.js";
import { CONTRAST_STYLE } from "../pages/contrast.js";
import { PROBLEMS_STYLE } from "../pages/problems.js";
import { STYLE } from "../pages/style.js";
import { TEXT_STYLE } from "../pages/text.js";
import { VIEWERS } from "../pages/home.js";
import { SCRIPT } from "./script.js";
import { PREVIEW_STYLE } from "./style.js";

const SCREENS = ["wide", "narrow"];

export function previewView(): View {
  return {
    title: "Lintel preview",
    style: `${STYLE}${TEXT_STYLE}${PROBLEMS_STYLE}${CONTRAST_STYLE}${PREVIEW_STYLE}`,
    script: SCRIPT,
    body: html`<header class="bar">
        <h1><span aria-hidden="true" class="contours"></span>Preview</h1>
        <div class="which">
          <label for="file">File</label>
          <select id="file"></select>
        </div>
        ${renderChoice("Visitor", "viewer", VIEWERS)} ${renderChoice("Screen", "screen", SCREENS)}
        <p id="status" role="status"></p>
      </header>
      <noscript><p class="empty">This page needs JavaScript.</p></noscript>
      <main class="desk">
        <section id="problems" aria-label="Errors" hidden></section>
        <section id="stage" aria-label="The portal’s home">
          <div id="glass" hidden><iframe id="home" title="The portal’s home"></iframe></div>
          <p id="empty" class="empty" hidden>Nothing to show until the file is right.</p>
        </section>
        <section id="warnings" aria-label="Warnings" hidden></section>
        <div id="facts"></div>
      </main>`,
  };
}

function renderChoice(legend: string, name: string, values: readonly string[]) {
  return html`<fieldset class="choice">
    <legend>${legend}</legend>
    <div class="segments">
      ${values.map(
        (value, at) =>
          html`<label>
            <input
              type="radio"
              name="${name}"
              value="${value}"
              ${at === 0 ? html`checked` : undefined}
            /><span>${value}</span>
          </label>`,
      )}
    </div>
  </fieldset>`;
}
