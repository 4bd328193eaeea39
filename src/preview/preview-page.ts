// Renders the preview's page, for a server or as one self-contained file. Its script fills in each file.
import script from "../../generated/preview/preview-script.js";
import style from "../../generated/preview/preview-style.js";
import type { Checked } from "../document/check/check.js";
import type { Card } from "./client/updates.js";
import { html } from "../lib/html.js";
import { toFile, type View } from "../lib/html-document.js";
import { VIEWERS } from "./home.js";
import { cardOf, previewOf } from "./card.js";
import { homesAsFiles } from "./homes.js";

const SCREENS = ["wide", "narrow"];

/** One HTML file with the home pages of files without errors, at a moment. */
export function previewFile(checks: readonly Checked[], atMs: number): string {
  const framedStyles: string[] = [];
  const data = checks.map((checked, at): [number, Card] => {
    const preview = previewOf(checked, atMs);
    return [at, cardOf(checked, preview, preview && homesAsFiles(preview, framedStyles))];
  });
  return toFile({ ...previewView(), data, framedStyles });
}

/** Contains only what all files share. */
export function previewView(): View {
  return {
    title: "Lintel preview",
    style,
    script,
    body: html`<header class="bar">
        <h1><span aria-hidden="true" class="contours"></span>Preview</h1>
        <button id="fold" type="button" aria-expanded="false" aria-controls="choices"></button>
        <div id="choices">
          <div class="which">
            <label for="file">File</label>
            <select id="file"></select>
          </div>
          ${renderChoice("Visitor", "viewer", VIEWERS)} ${renderChoice("Screen", "screen", SCREENS)}
        </div>
        <p id="status" role="status"></p>
      </header>
      <noscript><p class="empty">This page needs JavaScript.</p></noscript>
      <main class="desk">
        <section id="problems" aria-label="Errors" hidden></section>
        <section id="stage" aria-label="The portal’s home">
          <div id="glass" class="glass" hidden>
            <iframe id="home" title="The portal’s home"></iframe>
          </div>
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
