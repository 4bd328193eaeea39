// What is told of one portal, or once of several that are alike → its section of a page, which opens: changes, pictures, guards, request, failure.
import { html, type Html } from "../../pages/html.js";
import { renderText } from "../../pages/text.js";
import { closedGuards } from "../../plan/result.js";
import { counted, shortened } from "../../lib/text.js";
import type { Body } from "../model/alike.js";
import { lastAppliesText, stepsAfterDrift } from "../model/drift.js";
import { openingOf, openingWords, reportGuard, type GuardReport } from "../model/guard.js";
import type { Line } from "../model/line.js";
import { DRIFT_SIDES, type Callout } from "../model/portal.js";
import { filesOf, requestsDiffer, titleOfShared, type Section } from "../model/section.js";
import { renderChanges, renderNote } from "./change.js";
import type { PageLimits } from "./budget.js";
import { picturesOf, type Palette } from "./picture.js";

const LONGEST_NAME = 100;
const LONGEST_SENTENCE = 1_000;

/** More than these are counted; the table names all. */
const MOST_NAMED = 200;

const MOST_PARAMETERS = 4;

/** More files than these make no command that anybody wants to copy. */
export const MOST_FILES = 50;

export interface Drawing {
  readonly limits: PageLimits;
  readonly palette: Palette;
  /** Not folded, as where it is the only one. */
  readonly isOpen: boolean;
}

/** Its own, and where to read what others have, too. */
export function renderOwn(
  line: Line,
  body: Body,
  { portals }: Section,
  { id, alike }: { readonly id: string; readonly alike: readonly Html[] },
  drawing: Drawing,
): Html {
  const { result, isDrift, states, status, counts, where, basis } = line;
  const closed = isDrift ? 0 : closedGuards(result).length;
  const [from = "", compared = ""] = basis;
  const summary = html`<h3>
      <bdi>${renderText(shortened(result.portal.name, LONGEST_NAME))}</bdi>
    </h3>
    <span class="pill ${states[0]}">${status}</span>
    ${renderClosed(closed)}
    <span class="counts">${counts}</span>`;
  return renderSection(
    { id, of: rangesOf(portals), summary },
    html`${renderBasis([where, from], compared)} ${renderInside([line], body, drawing)}
    ${alike.length > 0 ? html`<p class="others">Like others: ${alike}</p>` : undefined}`,
    drawing,
  );
}

/** What several have in common. */
export function renderShared(
  lines: readonly Line[],
  section: Section,
  body: Body,
  id: string,
  drawing: Drawing,
): Html {
  const differ = requestsDiffer(lines, body);
  const named = lines.slice(0, MOST_NAMED);
  const left = lines.length - named.length;
  const [first] = lines;
  const isDone = lines.every((line) => line.isDone);
  const shut = body.guards.filter(({ isOpen }) => !isOpen && !isDone);
  const closed = new Set(shut.map(({ name }) => name)).size;
  const isSame = first && lines.every(({ status }) => status === first.status);
  const summary = html`<h3>${titleOfShared(section, body)}</h3>
    ${isSame ? html`<span class="pill ${first.states[0]}">${first.status}</span>` : undefined}
    ${renderClosed(closed)}
    <span class="counts">${renderText(parametersIn(body))}</span>`;
  return renderSection(
    { id, of: rangesOf(section.portals), summary },
    html`<p class="names">
        ${named.map(
          ({ result }, at) =>
            html`${at > 0 ? ", " : ""}<bdi
                >${renderText(shortened(result.portal.name, LONGEST_NAME))}</bdi
              >`,
        )}${left > 0 ? ` and ${counted(left, "more portal")}, which the table names` : ""}
      </p>
      ${section.basis ? renderBasis([], section.basis) : undefined}
      ${renderInside(lines, body, drawing)}
      ${differ ? html`<p class="quiet">${differ}</p>` : undefined}`,
    drawing,
  );
}

function renderClosed(guards: number): Html | undefined {
  if (guards === 0) return undefined;
  return html`<span class="pill guarded">${counted(guards, "closed guard")}</span>`;
}

/** Of what changes, so that a fold says what is in it. */
function parametersIn({ changes }: Body): string {
  const all = [...new Set(changes.map(({ parameter }) => parameter))];
  const named = all.slice(0, MOST_PARAMETERS).map((name) => shortened(name, LONGEST_NAME));
  const left = all.length - named.length;
  return [...named, ...(left > 0 ? [`${left} more`] : [])].join(", ");
}

/** `of` says of which portals it tells. */
function renderSection(
  { id, of, summary }: { readonly id: string; readonly of: string; readonly summary: Html },
  inside: Html,
  { isOpen }: Drawing,
): Html {
  return html`<details
    class="portal"
    id="${id}"
    data-of="${of}"
    ${isOpen ? html` open` : undefined}
  >
    <summary>${summary}</summary>
    <div class="inside">${inside}</div>
  </details>`;
}

/** "0-4 7 9-30" */
export function rangesOf(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const each of numbers) {
    const last = ranges.at(-1);
    if (last && last[1] === each - 1) last[1] = each;
    else ranges.push([each, each]);
  }
  return ranges.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(" ");
}

function renderInside(lines: readonly Line[], body: Body, { limits, palette }: Drawing): Html {
  const { notes, changes, callouts } = body;
  const isDrift = lines.some((line) => line.isDrift);
  const pictures = picturesOf(limits.isPictured ? body.pictures : [], isDrift, palette);
  const sides = isDrift && changes.length > 0 ? `From ${DRIFT_SIDES}.` : "";
  const last = isDrift ? lastAppliesText(lines.map((line) => line.last)) : "";
  const said = [last && `Last apply: ${last}.`, sides].filter(Boolean);
  return html`${said.map((each) => html`<p class="quiet">${renderText(each)}</p>`)}
  ${notes.map((note) => renderNote(note, LONGEST_SENTENCE))} ${callouts.map(renderCallout)}
  ${renderChanges(changes, pictures, limits)} ${renderGuards(lines, body)}
  ${renderRequest(body, limits)} ${isDrift ? renderNext(lines, body) : undefined}`;
}

/** Which portal it is, and what was compared with what. */
function renderBasis(codes: readonly string[], said: string): Html {
  return html`<p class="basis">
    ${codes.filter(Boolean).map((each) => html`<code>${sentence(each)}</code> `)}${said ? html`<span>${sentence(said)}</span>` : undefined}
  </p>`;
}

/** Where a hold stands in the way, that says what to do. */
function renderNext(lines: readonly Line[], { changes }: Body): Html | undefined {
  const held = lines.map(({ result }) => result).filter(({ hold }) => !hold);
  if (changes.length === 0 || held.length === 0) return undefined;
  const files = {
    quoted: filesOf(held, MOST_FILES),
    portals: held.length,
    words: openingWords(held.flatMap(({ plan }) => plan?.guards ?? [])),
  };
  return html`<div class="callout">
    <h4>Next</h4>
    ${stepsAfterDrift(changes, files).map(({ text, command }) => renderHelp(`${text}\n${command}`))}
  </div>`;
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

function renderGuards(lines: readonly Line[], { guards }: Body): Html | undefined {
  if (guards.length === 0) return undefined;
  const isShut = guards.some(({ isOpen }) => !isOpen) && !lines.every(({ isDone }) => isDone);
  const [only, ...others] = lines.map(({ result }) => result.file);
  const files = only !== undefined && others.length === 0 ? only : "their files";
  const held = lines.map(({ result }) => result);
  const { keeping, help } = openingOf(guards, files, filesOf(held, MOST_FILES));
  return html`<div class="callout ${isShut ? "guarded" : "open"}">
    <h4>${isShut ? "Blocked by guards" : "Guards, all allowed"}</h4>
    <ul class="guards">
      ${guards.map((guard) => renderGuard(reportGuard(guard)))}
    </ul>
    ${isShut && keeping ? renderHelp(`${keeping.text}\n${keeping.pull}`) : undefined}
    ${isShut ? renderHelp(help) : undefined}
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
function renderRequest({ request }: Body, limits: PageLimits): Html | undefined {
  if (request?.text === undefined) return undefined;
  const { left, text } = request;
  const names = request.names.map(
    (name) => html`<code>${renderText(shortened(name, LONGEST_NAME))}</code> `,
  );
  const more = left > 0 ? html`<span class="quiet">and ${left} more</span>` : undefined;
  if (text.length > limits.request) {
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
