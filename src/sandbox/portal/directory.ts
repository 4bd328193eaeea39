// The pages of the REST directory: a resource or an answer as text, and a form that drives the update from a browser.
import style from "../../../generated/lib/page-style.js";
import { catalog } from "../../catalog/catalog.js";
import type { Parameter } from "../../catalog/facts.js";
import type { JsonObject } from "../../lib/json.js";
import { html, type Html, type Part } from "../../lib/html.js";
import { toPage, type Page } from "../../lib/html-document.js";
import { knownParameters } from "./update.js";
import type { Switches } from "../options.js";
import { isRefusal } from "./refusal.js";
import { signInAddress } from "../context.js";

export function resourcePage(title: string, path: string, body: JsonObject): Page {
  const text = JSON.stringify(body, undefined, 2);
  const done = html`<p role="status">
    The settings were updated. <a href="${path}">Update again</a>
  </p>`;
  const note = isRefusal(body)
    ? html`<p class="bad" role="alert">${body.error.message}</p>`
    : html`<p><a href="${path}?f=pjson">As JSON</a></p>`;
  return directoryPage(
    title,
    html`${body["success"] === true ? done : note}
      <pre tabindex="0">${text}</pre>`,
  );
}

export function updateFormPage(switches: Switches, path: string, token?: string): Page {
  const signIn = html`<p class="quiet">
    <a href="${signInAddress(path)}">Sign in</a> to have one filled in.
  </p>`;
  const formats = catalog.formats.map(({ name, isDefault }) =>
    isDefault ? html`<option selected>${name}</option>` : html`<option>${name}</option>`,
  );
  return directoryPage(
    "Update settings",
    html`<p class="quiet">A field left empty is left out of the request.</p>
      <form class="sheet" method="post" action="${path}">
        ${knownParameters(switches).map(renderParameter)}
        ${renderField("clearEmptyFields", renderBooleanSelect("clearEmptyFields"))}
        ${renderField(
          "token",
          html`<input id="token" name="token" autocomplete="off" value="${token}" />
            ${token === undefined ? signIn : undefined}`,
        )}
        ${renderField(
          "f",
          html`<select id="f" name="f">
            ${formats}
          </select>`,
        )}
        <div><button class="primary">Update settings</button></div>
      </form>`,
  );
}

function renderParameter({ name, object, meaning }: Parameter): Html {
  const about = html`<p class="quiet" id="about-${name}">${meaning}</p>`;
  if (object === undefined) return renderField(name, [about, renderBooleanSelect(name)]);
  const text = html`<textarea
    id="${name}"
    name="${name}"
    spellcheck="false"
    aria-describedby="about-${name}"
    placeholder="${example(object)}"
  ></textarea>`;
  return renderField(name, [about, text]);
}

function renderField(name: string, control: Part): Html {
  return html`<div>
    <label for="${name}">${name}</label>
    ${control}
  </div>`;
}

function renderBooleanSelect(name: string): Html {
  return html`<select id="${name}" name="${name}">
    <option value="">leave out</option>
    <option>true</option>
    <option>false</option>
  </select>`;
}

function example(object: string): string {
  // Four short ones show the form well enough.
  const properties = (catalog.objects[object] ?? []).filter((each) => each.type !== "URL");
  const some = properties.slice(0, 4).map((each) => [each.name, each.example]);
  return JSON.stringify(Object.fromEntries(some), undefined, 1);
}

function directoryPage(title: string, body: Html): Page {
  return toPage({
    title: `${title} – REST directory`,
    style,
    body: html`<main class="narrow">
      <p class="quiet"><a href="/">Home</a> / REST directory</p>
      <h1>${title}</h1>
      ${body}
    </main>`,
  });
}
