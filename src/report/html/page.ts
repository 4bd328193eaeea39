// A run's outcome, when and from what the page was made, and what there is to tell → the whole document.
import script from "../../../generated/pages/report-script.js";
import reportStyle from "../../../generated/pages/report-style.js";
import type { Diagnostic } from "../../diagnostic.js";
import type { Outcome } from "../../outcome.js";
import { safeHref } from "../../pages/address.js";
import { html, type Html } from "../../pages/html.js";
import { toFile } from "../../pages/page.js";
import { renderProblems } from "../../pages/problems.js";
import { renderText } from "../../pages/text.js";
import { shortened, showTime, UTC } from "../../text.js";
import { calloutOf } from "../model/portal.js";
import { COLUMNS_STYLE } from "./matrix.js";
import { renderMore } from "./change.js";
import { renderCallout } from "./portal.js";

/** Where a page comes from; handed in, so that the same run makes the same page. */
export interface Made {
  readonly toolVersion: string;
  /** As ISO 8601, in UTC. */
  readonly at: string;
  readonly commit?: string;
  /** The address of the pipeline's job. */
  readonly job?: string;
}

const TITLES: Readonly<Record<string, string>> = {
  validate: "Check of the files",
  plan: "Plan",
  show: "Saved plan",
  apply: "Apply",
  drift: "Drift",
  rollback: "Rollback",
  migrate: "Migration",
};

/** More are counted; each is a paragraph. */
const MOST_PROBLEMS = 300;
const MOST_FILES = 1_000;
const LONGEST_NAME = 200;

/** The verdict is what a reader takes home, in a sentence or two; the style holds the rules of this page alone. */
export function toDocument(
  outcome: Outcome,
  made: Made,
  verdict: string,
  { figures, body, style }: { figures?: Html | undefined; body: Html | undefined; style: string },
): string {
  const { command, diagnostics, failure, files = [] } = outcome;
  const title = TITLES[command] ?? command;
  return toFile({
    title: `${title}: ${verdict} – Lintel`,
    style: `${reportStyle}${COLUMNS_STYLE}${style}`,
    script,
    body: html`<div class="report">
      <header class="head">
        <p class="brand"><span aria-hidden="true" class="contours"></span>Lintel</p>
        <h1>${title}</h1>
        <p class="verdict">${verdict}</p>
        ${renderMade(made)}
      </header>
      <main>
        ${figures}
        ${
          failure &&
          html`<section aria-label="Failure">
            <h2>The run failed</h2>
            <h3 class="unseen">Why</h3>
            ${renderCallout(calloutOf(failure))}
          </section>`
        }
        ${diagnostics.length > 0 ? renderDiagnostics(diagnostics) : undefined}
        ${command === "validate" && files.length > 0 ? renderFiles(files, diagnostics) : undefined}
        ${body}
      </main>
    </div>`,
  });
}

/** A heading above several portals or the like, with what opens and closes all of them; once a page. */
export function renderFolds(title: string): Html {
  return html`<div class="bar">
    <h2>${title}</h2>
    <p id="folds" class="folds" hidden>
      <button type="button" data-open="true">Open all</button>
      <button type="button" data-open="false">Close all</button>
    </p>
  </div>`;
}

function renderMade({ toolVersion, at, commit, job }: Made): Html {
  const href = safeHref(job);
  const [from, by] = [commit, job].map((text) => text && renderText(shortened(text, LONGEST_NAME)));
  const facts = [
    ["Made", html`<time datetime="${at}">${showTime(at, UTC)}</time>`],
    ["Commit", from && html`<code>${from}</code>`],
    ["Job", by && href ? html`<a href="${href}" rel="noopener noreferrer">${by}</a>` : by],
    ["By", `Lintel ${toolVersion}`],
  ] as const;
  return html`<dl class="made">
    ${facts.map(
      ([name, fact]) =>
        fact &&
        html`<div>
          <dt>${name}</dt>
          <dd>${fact}</dd>
        </div>`,
    )}
  </dl>`;
}

function renderDiagnostics(diagnostics: readonly Diagnostic[]): Html {
  const left = diagnostics.length - MOST_PROBLEMS;
  return html`<section>
    <h2>In the files</h2>
    ${renderProblems(diagnostics.slice(0, MOST_PROBLEMS))} ${renderMore(left, "problem")}
  </section>`;
}

/** Also those in which nothing is wrong. */
function renderFiles(files: readonly string[], diagnostics: readonly Diagnostic[]): Html {
  const left = files.length - MOST_FILES;
  const wrong = new Set(diagnostics.map(({ file }) => file));
  return html`<section>
    <h2>Files looked at</h2>
    <ul class="files">
      ${files.slice(0, MOST_FILES).map((file) => {
        const name = html`<code>${renderText(shortened(file, LONGEST_NAME))}</code>`;
        return wrong.has(file)
          ? html`<li class="wrong">${name}</li>`
          : html`<li class="right">${name} <span class="quiet">no problems</span></li>`;
      })}
    </ul>
    ${renderMore(left, "file")}
  </section>`;
}
