// What is to be told of one portal → its section of a page, which opens: changes, pictures, guards, request, failure.
import { exactText } from "../../json.js";
import { html, type Html } from "../../pages/html.js";
import { renderText, shorten } from "../../pages/text.js";
import type { Guard } from "../../plan/guard.js";
import type { Plan } from "../../plan/plan.js";
import { formatPath } from "../../settings.js";
import { renderChanges } from "./change.js";
import type { Limits } from "./difference.js";
import { picturesOf, type Palette } from "./picture.js";
import { closedIn, countsIn, statesOf, statusWord, type Sheet } from "./sheet.js";
import { PLAIN } from "../text/paint.js";
import { counted } from "../../text.js";
import { basisOf, holdOf, holdHelp, openingHelp, openingText } from "../model/wording.js";

const LONGEST_NAME = 100;
const LONGEST_SENTENCE = 1_000;
const MOST_NAMES = 20;

export interface Drawing {
  readonly limits: Limits;
  readonly palette: Palette;
  /** Not folded, as where it is the only one. */
  readonly isOpen: boolean;
}

export function renderPortal(sheet: Sheet, id: string, drawing: Drawing): Html {
  const { name } = sheet.result.portal;
  const [state] = statesOf(sheet);
  const closed = closedIn(sheet);
  const counts = countsIn(sheet);
  const inside = html`<summary>
      <h3><bdi>${renderText(shorten(name, LONGEST_NAME))}</bdi></h3>
      <span class="pill ${state}">${statusWord(sheet)}</span>
      ${closed > 0 ? html`<span class="pill guarded">${counted(closed, "closed guard")}</span>` : undefined}
      <span class="counts">${counts}</span>
    </summary>
    <div class="inside">${renderInside(sheet, drawing)}</div>`;
  return drawing.isOpen
    ? html`<details class="portal" id="${id}" open>${inside}</details>`
    : html`<details class="portal" id="${id}">${inside}</details>`;
}

function renderInside(sheet: Sheet, { limits, palette }: Drawing): Html {
  const { result, changes, remarks, isDrift } = sheet;
  const { plan, hold, failure, file, status } = result;
  const isDone = status === "applied";
  const pictures = limits.isPictured ? picturesOf(sheet, palette) : new Map<string, Html>();
  return html`${renderBasis(sheet)}
  ${remarks.map((each) => html`<p class="quiet">${renderText(each)}</p>`)}
  ${plan && !isDrift ? plan.notes.map(renderPlanNote) : undefined}
  ${failure ? renderCallout("failed", "Failed", `${failure.message} [${failure.code}]`, failure.help) : undefined}
  ${hold ? renderCallout("held", "On hold", holdOf(hold, status, PLAIN), holdHelp(hold, file)) : undefined}
  ${plan?.reason && !isDrift ? renderCallout("held", "This plan cannot be applied", plan.reason.message, plan.reason.help) : undefined}
  ${renderChanges(changes, pictures, limits, isDone)}
  ${plan && !isDrift && plan.guards.length > 0 ? renderGuards(plan.guards, file, isDone) : undefined}
  ${plan?.request && !isDrift ? renderRequest(plan.request, limits) : undefined}`;
}

/** Which portal it is, and what was compared with what. */
function renderBasis({ result: { portal, file, plan } }: Sheet): Html {
  const where = [portal.url, portal.id === "self" ? "" : `portal ${portal.id}`];
  const [from, compared] = plan ? basisOf(file, plan) : [file, ""];
  const lines = [where.filter(Boolean).join(" · "), from].filter(Boolean);
  return html`<p class="basis">
    ${lines.map((line) => html`<code>${renderText(shorten(line, LONGEST_SENTENCE))}</code> `)}${compared ? html`<span>${compared}</span>` : undefined}
  </p>`;
}

function renderPlanNote({ path, message }: Plan["notes"][number]): Html {
  const text = `${path ? `"${formatPath(path)}": ` : ""}${message}`;
  return html`<p class="note">${renderText(shorten(text, LONGEST_SENTENCE))}</p>`;
}

/** What stands in the way, and what to do: its lines after the first are to be copied. */
export function renderCallout(kind: string, title: string, message: string, help = ""): Html {
  return html`<div class="callout ${kind}">
    <h4>${title}</h4>
    <p>${renderText(shorten(message, LONGEST_SENTENCE))}</p>
    ${help ? renderHelp(help) : undefined}
  </div>`;
}

function renderHelp(help: string): Html {
  const [first = "", ...more] = shorten(help, LONGEST_SENTENCE).split("\n");
  const indent = Math.min(...more.map((line) => line.search(/\S|$/)));
  const copied = more.map((line) => line.slice(indent)).join("\n");
  return html`<p class="help">${renderText(first)}</p>
    ${copied ? html`<p class="copy"><code>${renderText(copied)}</code></p>` : undefined}`;
}

function renderGuards(guards: readonly Guard[], file: string, isDone: boolean): Html {
  const isStopped = !isDone && guards.some(({ isOpen }) => !isOpen);
  return html`<div class="callout ${isStopped ? "guarded" : "open"}">
    <h4>${isStopped ? "Guards stop the apply" : "Guards, all opened"}</h4>
    <ul class="guards">
      ${guards.map(renderGuard)}
    </ul>
    ${isStopped ? renderHelp(openingHelp(guards, file)) : undefined}
  </div>`;
}

function renderGuard(guard: Guard): Html {
  const { name, message, isOpen } = guard;
  return html`<li class="${isOpen ? "is-open" : "is-closed"}">
    <code>${name}</code>
    <span>${renderText(shorten(message, LONGEST_SENTENCE))}</span>
    ${isOpen ? html`<span class="quiet">${renderText(shorten(openingText(guard), LONGEST_SENTENCE))}</span>` : undefined}
  </li>`;
}

/** Whole where it is short: it holds more than what changes. */
function renderRequest(
  { parameters, settings }: NonNullable<Plan["request"]>,
  limits: Limits,
): Html {
  const left = parameters.length - MOST_NAMES;
  const names = parameters
    .slice(0, MOST_NAMES)
    .map((name) => html`<code>${renderText(shorten(name, LONGEST_NAME))}</code> `);
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
