// What is told of one portal → its section of a page, which opens: changes, pictures, guards, request, failure.
import { exactText } from "../../json.js";
import { html, type Html } from "../../pages/html.js";
import { renderText } from "../../pages/text.js";
import { closedGuards } from "../../plan/result.js";
import { counted, shortened } from "../../text.js";
import type { GuardReport } from "../model/guard.js";
import { DRIFT_SIDES, type Callout, type PortalReport } from "../model/portal.js";
import { renderChanges, renderNote } from "./change.js";
import type { PageLimits } from "./budget.js";
import { picturesOf, type Palette } from "./picture.js";

const LONGEST_NAME = 100;
const LONGEST_SENTENCE = 1_000;

interface Drawing {
  readonly limits: PageLimits;
  readonly palette: Palette;
  /** Not folded, as where it is the only one. */
  readonly isOpen: boolean;
}

export function renderPortal(report: PortalReport, id: string, drawing: Drawing): Html {
  const { result, isDrift, states, status, counts } = report;
  const closed = isDrift ? 0 : closedGuards(result).length;
  const open = drawing.isOpen ? html` open` : undefined;
  return html`<details class="portal" id="${id}" ${open}>
    <summary>
      <h3><bdi>${renderText(shortened(result.portal.name, LONGEST_NAME))}</bdi></h3>
      <span class="pill ${states[0]}">${status}</span>
      ${closed > 0 ? html`<span class="pill guarded">${counted(closed, "closed guard")}</span>` : undefined}
      <span class="counts">${counts}</span>
    </summary>
    <div class="inside">${renderInside(report, drawing)}</div>
  </details>`;
}

function renderInside(report: PortalReport, { limits, palette }: Drawing): Html {
  const { isDrift, remarks, notes, changes, callouts } = report;
  const pictures = limits.isPictured ? picturesOf(report, palette) : new Map<string, Html>();
  const sides = isDrift && changes.length > 0 ? [`From ${DRIFT_SIDES}.`] : [];
  return html`${renderBasis(report)}
  ${[...remarks, ...sides].map((each) => html`<p class="quiet">${renderText(each)}</p>`)}
  ${notes.map((note) => renderNote(note, LONGEST_SENTENCE))} ${callouts.map(renderCallout)}
  ${renderChanges(changes, pictures, limits)} ${renderGuards(report)}
  ${renderRequest(report, limits)}`;
}

/** Which portal it is, and what was compared with what. */
function renderBasis({ where, basis: [from = "", compared] }: PortalReport): Html {
  const lines = [where, from].filter(Boolean);
  return html`<p class="basis">
    ${lines.map((line) => html`<code>${sentence(line)}</code> `)}${compared ? html`<span>${compared}</span>` : undefined}
  </p>`;
}

/** What stands in the way, and what to do. */
export function renderCallout({ kind, title, message, code, help }: Callout): Html {
  return html`<div class="callout ${kind === "failed" ? kind : "held"}">
    <h4>${title}</h4>
    <p>${sentence(code === undefined ? message : `${message} [${code}]`)}</p>
    ${help ? renderHelp(help) : undefined}
  </div>`;
}

/** A sentence, and the lines below it, which are to be copied. */
export function renderHelp(help: string): Html {
  const [first = "", ...more] = shortened(help, LONGEST_SENTENCE).split("\n");
  const indent = Math.min(...more.map((line) => line.search(/\S|$/)));
  const copied = more.map((line) => line.slice(indent)).join("\n");
  return html`<p class="help">${renderText(first)}</p>
    ${copied ? html`<p class="copy"><code>${renderText(copied)}</code></p>` : undefined}`;
}

function renderGuards({ guards, opening }: PortalReport): Html | undefined {
  if (guards.length === 0) return undefined;
  return html`<div class="callout ${opening ? "guarded" : "open"}">
    <h4>${opening ? "Stopped by guards" : "Guards, all opened"}</h4>
    <ul class="guards">
      ${guards.map(renderGuard)}
    </ul>
    ${opening ? renderHelp(opening.help) : undefined}
  </div>`;
}

function renderGuard({ name, message, isOpen, opened }: GuardReport): Html {
  return html`<li class="${isOpen ? "is-open" : "is-closed"}">
    <code>${name}</code>
    <span>${sentence(message)}</span>
    ${opened ? html`<span class="quiet">${sentence(opened)}</span>` : undefined}
  </li>`;
}

/** Whole where it is short: it holds more than what changes. */
function renderRequest({ request }: PortalReport, limits: PageLimits): Html | undefined {
  if (!request?.settings) return undefined;
  const { left, settings } = request;
  const names = request.names.map(
    (name) => html`<code>${renderText(shortened(name, LONGEST_NAME))}</code> `,
  );
  const more = left > 0 ? html`<span class="quiet">and ${left} more</span>` : undefined;
  const text = limits.request > 0 ? exactText(settings, 2) : "";
  if (text === "" || text.length > limits.request) {
    return html`<p class="request"><b>Request</b> ${names}${more}</p>`;
  }
  return html`<details class="request">
    <summary><b>Request</b> ${names}${more}</summary>
    <p class="copy"><code>${renderText(text)}</code></p>
  </details>`;
}

function sentence(text: string): Html {
  return renderText(shortened(text, LONGEST_SENTENCE));
}
