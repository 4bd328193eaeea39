// Renders the document around a report: title, verdict, where it was made, what is wrong in files, and the report's body.
import script from "../../generated/report/report-script.js";
import reportStyle from "../../generated/report/report-style.js";
import { severitiesIn, type Diagnostic } from "../diagnostic.js";
import type { Outcome } from "../outcome.js";
import { safeHref, html, renderFacts, type Html, renderText } from "../lib/html.js";
import { toFile } from "../lib/html-document.js";
import { renderProblems } from "../lib/html-problems.js";
import { groupBy } from "../lib/lists.js";
import { counted, oneLine, shortened, showTime, UTC } from "../lib/text.js";
import { renderMore } from "./html-changes.js";
import { renderCallout } from "./html-portal.js";
import { failureCallout } from "./portal-entry.js";

/** Where a page comes from; handed in, so that the same run makes the same page. */
export interface Made {
  readonly toolVersion: string;
  /** As ISO 8601, in UTC. */
  readonly at: string;
  /** The repository, or the folder where there is none: its short name, and where it is. */
  readonly origin?: { readonly name: string; readonly place?: string };
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
  diff: "Comparison",
  rollback: "Rollback",
  migrate: "Migration",
};

const LONGEST_NAME = 200;

interface Parts {
  readonly body: Html | undefined;
  /** The rules of this page alone. */
  readonly style: string;
}

/** The verdict sums the report up in a sentence or two. */
export function toDocument(
  outcome: Outcome,
  made: Made,
  verdict: string,
  { body, style }: Parts,
): string {
  const { command, diagnostics, failure, files = [] } = outcome;
  const title = TITLES[command] ?? command;
  const name = oneLine(shortened(made.origin?.name ?? "", LONGEST_NAME));
  return toFile({
    title: `${[title, name].filter(Boolean).join(" · ")}: ${verdict} – Lintel`,
    style: `${reportStyle}${style}`,
    script,
    body: html`<div class="report">
      <header class="head">
        <p class="brand"><span aria-hidden="true" class="contours"></span>Lintel</p>
        <h1>${title}${name ? html` <span class="of">${name}</span>` : undefined}</h1>
        <p class="verdict">${verdict}</p>
        ${renderMade(made)}
      </header>
      <main>
        ${
          failure &&
          html`<section aria-label="Failure">
            <h2>The run failed</h2>
            <h3 class="unseen">Why</h3>
            ${renderCallout(failureCallout(failure))}
          </section>`
        }
        ${renderFound(diagnostics, body === undefined)}
        ${command === "validate" ? renderFine(files, diagnostics) : undefined} ${body}
      </main>
    </div>`,
  });
}

function renderMade({ toolVersion, at, origin, commit, job }: Made): Html {
  const href = safeHref(job);
  const [from, by] = [commit, job].map((text) => text && renderText(shortened(text, LONGEST_NAME)));
  return renderFacts([
    ["Made", html`<time datetime="${at}">${showTime(at, UTC)}</time>`],
    ["Repository", origin?.place && renderText(shortened(origin.place, LONGEST_NAME))],
    ["Commit", from && html`<code>${from}</code>`],
    ["Job", by && href ? html`<a href="${href}" rel="noopener noreferrer">${by}</a>` : by],
    ["By", `Lintel ${toolVersion}`],
  ]);
}

/** A heading with the buttons that open and close all sections below it; once a page. */
export function renderFolds(title: string): Html {
  return html`<div class="bar">
    <h2>${title}</h2>
    <p id="folds" class="folds" hidden>
      <button type="button" data-open="true">Open all</button>
      <button type="button" data-open="false">Close all</button>
    </p>
  </div>`;
}

/** More are counted. */
const MOST_PROBLEMS = 300;
const MOST_FILES = 1_000;

/** Of more files the problems are folded, so that the page begins with the files' names. */
const MOST_OPEN = 5;
const LONGEST_FILE = 200;

const LOOKS = { error: "failed", warning: "drift", notice: "" } as const;

/** By file, those with errors first. */
function renderFound(diagnostics: readonly Diagnostic[], isAll: boolean): Html | undefined {
  if (diagnostics.length === 0) return undefined;
  const errors = new Set(
    diagnostics.flatMap(({ severity, file }) => (severity === "error" ? [file] : [])),
  );
  const sorted = diagnostics.toSorted(
    (one, other) => Number(errors.has(other.file)) - Number(errors.has(one.file)),
  );
  const files = groupBy(sorted.slice(0, MOST_PROBLEMS), ({ file }) => file);
  const open = files.size <= MOST_OPEN ? html` open` : undefined;
  const sections = [...files].map(
    ([file, held], at) =>
      html`<details class="portal" id="f${at + 1}" ${open}>
        <summary>
          <h3><code>${nameOf(file)}</code></h3>
          ${severitiesIn(held).map(({ kind, count }) => html`<span class="pill ${LOOKS[kind]}">${counted(count, kind)}</span>`)}
        </summary>
        <div class="inside">${renderProblems(held)}</div>
      </details>`,
  );
  return html`<section class="details">
    ${isAll ? renderFolds("In the files") : html`<h2>In the files</h2>`} ${sections}
    ${renderMore(diagnostics.length - MOST_PROBLEMS, "problem")}
  </section>`;
}

/** Of the files that were checked. */
function renderFine(
  files: readonly string[],
  diagnostics: readonly Diagnostic[],
): Html | undefined {
  const wrong = new Set(diagnostics.map(({ file }) => file));
  const fine = files.filter((file) => !wrong.has(file));
  if (fine.length === 0) return undefined;
  return html`<section>
    <h2>Without problems of their own</h2>
    <ul class="files">
      ${fine.slice(0, MOST_FILES).map((file) => html`<li><code>${nameOf(file)}</code></li>`)}
    </ul>
    ${renderMore(fine.length - MOST_FILES, "file")}
  </section>`;
}

function nameOf(file: string): Html {
  return renderText(shortened(file, LONGEST_FILE));
}
