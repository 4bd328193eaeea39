// Renders a portal, or several that report the same: a row of the table, and a section that opens.
import { html, type Html, renderText } from "../lib/html.js";
import { counted, shortened } from "../lib/text.js";
import type { Group } from "./group.js";
import { renderChanges, renderNote } from "./html-changes.js";
import { captionsOf, picturesOf, sidesOf, type Palette } from "./html-pictures.js";
import { targetOf, whereOf, type Callout, type PortalEntry, type Step } from "./portal-entry.js";

const LONGEST_NAME = 100;
const LONGEST_SENTENCE = 1_000;
const MOST_PARAMETERS = 4;
/** More than these are counted. */
const MOST_NAMED = 200;

export interface Section {
  readonly group: Group;
  /** Undefined where there is nothing more to report than the status. */
  readonly id: string | undefined;
}

export function renderTable(sections: readonly Section[]): Html {
  const heads = ["Portal", "Status", "Changes", "Reason"];
  return html`<section class="all">
    <h2>Portals</h2>
    <div class="box" tabindex="0" role="region" aria-label="Portals">
      <table id="matrix">
        <thead>
          <tr>
            ${heads.map((head) => html`<th scope="col">${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${sections.map(renderRow)}
        </tbody>
      </table>
    </div>
  </section>`;
}

function renderRow({ group: { entries, entry }, id }: Section): Html {
  const [only, another] = entries;
  const names =
    only && !another
      ? html`<bdi>${nameOf(only)}</bdi>`
      : html`${counted(entries.length, "portal")}`;
  const reasons = [
    ...entry.stoppers,
    ...entry.callouts.flatMap(({ kind, items }) =>
      kind === "failed" ? items.map(({ text }) => text) : [],
    ),
  ];
  return html`<tr>
    <th scope="row">
      ${id === undefined ? names : html`<a href="#${id}">${names}</a>`}
      ${another ? renderNames(entries) : undefined}
    </th>
    <td>${renderStatus(entry)}</td>
    <td>${renderText(parametersIn(entry))}</td>
    <td class="why">${renderText(shortened(reasons.join(", "), 160))}</td>
  </tr>`;
}

function renderNames(entries: readonly PortalEntry[]): Html {
  return html`<details class="names">
    <summary>Names</summary>
    <ul>
      ${entries.map((entry) => html`<li><bdi>${nameOf(entry)}</bdi></li> `)}
    </ul>
  </details>`;
}

/** Of what changes, so that a row says what is in it. */
function parametersIn({ changes, counts }: PortalEntry): string {
  const all = [...new Set(changes.map(({ parameter }) => parameter))];
  const named = all.slice(0, MOST_PARAMETERS).map((name) => shortened(name, LONGEST_NAME));
  const left = all.length - named.length;
  const names = [...named, ...(left > 0 ? [`${left} more`] : [])].join(", ");
  return [counts, names].filter(Boolean).join(": ");
}

function renderStatus({ badge, status, stoppers }: PortalEntry): Html {
  const isStopped = stoppers.length > 0 && status !== "stopped" && badge !== "held";
  return html`<span class="pill ${status === "stopped" ? "guarded" : badge}">${status}</span
    >${isStopped ? html` <span class="pill guarded">stopped</span>` : undefined}`;
}

function nameOf({ result }: PortalEntry): Html {
  return renderText(shortened(result.portal.name, LONGEST_NAME));
}

export function renderSection({ group, id }: Section, palette: Palette, isOpen: boolean): Html {
  const { entries, entry } = group;
  const [only, another] = entries;
  const named = entries.slice(0, MOST_NAMED);
  const left = entries.length - named.length;
  const list = named.map((each, at) => html`${at > 0 ? ", " : ""}<bdi>${nameOf(each)}</bdi>`);
  return html`<details class="portal" id="${id}" ${isOpen ? html` open` : undefined}>
    <summary>
      <h3>
        ${only && !another ? html`<bdi>${nameOf(only)}</bdi>` : counted(entries.length, "portal")}
      </h3>
      ${renderStatus(entry)}
      <span class="counts">${renderText(parametersIn(entry))}</span>
    </summary>
    <div class="inside">
      ${another ? html`<p class="names">${list}${left > 0 ? ` and ${counted(left, "more portal")}` : ""}</p>` : renderBasis(entry)}
      ${renderInside(entry, palette)}
    </div>
  </details>`;
}

function renderBasis({ result }: PortalEntry): Html {
  const { plan, portal, file } = result;
  const codes = [whereOf(portal), file, plan ? targetOf(plan) : ""].filter(Boolean);
  return html`<p class="basis">${codes.map((each) => html`<code>${sentence(each)}</code> `)}</p>`;
}

/** What stops an apply comes before what it would change. */
function renderInside(entry: PortalEntry, palette: Palette): Html {
  const { notes, changes, tracked, callouts, steps, isDrift } = entry;
  const pictures = picturesOf(sidesOf(entry), captionsOf(entry), palette);
  const next = steps.length > 0 ? renderSteps(steps) : undefined;
  return html`${notes.map((note) => renderNote(note, LONGEST_SENTENCE))}
  ${callouts.map(renderCallout)} ${isDrift ? undefined : next} ${renderChanges(changes, pictures)}
  ${tracked ? html`<p class="quiet">${tracked}</p>` : undefined} ${isDrift ? next : undefined}`;
}

function renderSteps(steps: readonly Step[]): Html {
  return html`<div class="callout">
    <h4>Next</h4>
    ${steps.map(({ text, command }) => renderHelp(`${text}:\n${command}`))}
  </div>`;
}

/** What is wrong, and what to do. */
export function renderCallout({ kind, title, items, code, help }: Callout): Html {
  const end = code === undefined ? "" : ` [${code}]`;
  return html`<div class="callout ${kind}">
    <h4>${title}</h4>
    <ul class="items">
      ${items.map(
        ({ name, text }) =>
          html`<li>
            ${name === undefined ? undefined : html`<code>${renderText(name)}</code> `}
            <span>${sentence(`${text}${end}`)}</span>
          </li>`,
      )}
    </ul>
    ${help ? renderHelp(help) : undefined}
  </div>`;
}

/** A sentence, and the lines below it, which are for copying. */
export function renderHelp(help: string): Html {
  const [first = "", ...more] = shortened(help, LONGEST_SENTENCE).split("\n");
  const indent = Math.min(...more.map((line) => line.search(/\S|$/)));
  const copied = more.map((line) => line.slice(indent)).join("\n");
  return html`<p class="help">${renderText(first)}</p>
    ${copied ? html`<p class="copy"><code>${renderText(copied)}</code></p>` : undefined}`;
}

function sentence(text: string): Html {
  return renderText(shortened(text, LONGEST_SENTENCE));
}
