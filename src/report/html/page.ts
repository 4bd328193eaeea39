// A run's outcome, when and from what the page was made, and what there is to tell → the whole document.
import script from "../../../generated/pages/report-script.js";
import reportStyle from "../../../generated/pages/report-style.js";
import type { Outcome } from "../../outcome.js";
import { safeHref } from "../../pages/address.js";
import { html, type Html } from "../../pages/html.js";
import { toFile } from "../../pages/page.js";
import { renderText } from "../../pages/text.js";
import { oneLine, shortened, showTime, UTC } from "../../lib/text.js";
import { calloutOf } from "../model/portal.js";
import { aroundWords, reviewSentence } from "../model/verdict.js";
import { COLUMNS_STYLE } from "./matrix.js";
import { renderCallout } from "./portal.js";
import { renderFine, renderFound } from "./problems.js";

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
  rollback: "Rollback",
  migrate: "Migration",
};

const LONGEST_NAME = 200;

interface Parts {
  readonly figures?: Html | undefined;
  readonly body: Html | undefined;
  /** The rules of this page alone. */
  readonly style: string;
  /** What of the verdict is to be copied. */
  readonly words?: string;
}

/** The verdict is what a reader takes home, in a sentence or two. */
export function toDocument(
  outcome: Outcome,
  made: Made,
  verdict: string,
  { figures, body, style, words = "" }: Parts,
): string {
  const { command, diagnostics, failure, review, files = [] } = outcome;
  const title = TITLES[command] ?? command;
  const name = oneLine(shortened(made.origin?.name ?? "", LONGEST_NAME));
  return toFile({
    title: `${[title, name].filter(Boolean).join(" · ")}: ${verdict} – Lintel`,
    style: `${reportStyle}${COLUMNS_STYLE}${style}`,
    script,
    body: html`<div class="report">
      <header class="head">
        <p class="brand"><span aria-hidden="true" class="contours"></span>Lintel</p>
        <h1>${title}${name ? html` <span class="of">${name}</span>` : undefined}</h1>
        <p class="verdict">${renderVerdict(verdict, words)}</p>
        ${review?.comparison ? html`<p>${reviewSentence(review)}</p>` : undefined}
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
        ${renderFound(diagnostics, body === undefined)}
        ${command === "validate" ? renderFine(files, diagnostics) : undefined} ${body}
      </main>
    </div>`,
  });
}

/** No word to copy is broken at its dashes. */
function renderVerdict(verdict: string, words: string): Html {
  const [before, copied, after] = aroundWords(verdict, words);
  const parts = copied
    .split(/ (?=--)/)
    .map((word, at) => html`${at > 0 ? " " : ""}<span>${word}</span>`);
  return html`${before}${copied ? html`<code>${parts}</code>` : undefined}${after}`;
}

function renderMade({ toolVersion, at, origin, commit, job }: Made): Html {
  const href = safeHref(job);
  const [from, by] = [commit, job].map((text) => text && renderText(shortened(text, LONGEST_NAME)));
  const facts = [
    ["Made", html`<time datetime="${at}">${showTime(at, UTC)}</time>`],
    ["Repository", origin?.place && renderText(shortened(origin.place, LONGEST_NAME))],
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
