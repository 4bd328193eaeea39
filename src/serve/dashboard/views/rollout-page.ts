// Renders the rollout of a commit: which portals have it, and why the others do not.
import { html, renderText, type Html } from "../../../lib/html.js";
import type { View } from "../../../lib/html-document.js";
import { counted, grouped, shortened } from "../../../lib/text.js";
import { renderCommit } from "./forge.js";
import { layout, type Around } from "./layout.js";
import { renderPortalLink, renderPortalLinks, type NamedPortal } from "./portal-link.js";
import { LABELS, renderStatus, STATUSES, type Status } from "./status.js";
import { renderTable } from "./table.js";
import { renderTime } from "./time.js";
import { renderShares } from "./status-bar.js";

const MOST_ROWS = 500;
const LONGEST = 300;

export interface RolloutPage extends Around {
  /** The selected commit; absent if no portal was applied from a commit. */
  readonly commit?: RolloutCommit | undefined;
  readonly portals: readonly RolloutPortal[];
  /** The newest commits, newest first, with the number of portals that have each. */
  readonly choices: readonly RolloutCommit[];
}

export interface RolloutCommit {
  readonly commit: string;
  readonly subject?: string | undefined;
  readonly author?: string | undefined;
  readonly timeMs?: number | undefined;
  /** The number of portals that have it. */
  readonly portals?: number | undefined;
}

export interface RolloutPortal extends NamedPortal {
  readonly status: Status;
  /** The commit of its last apply. */
  readonly commit?: string | undefined;
  /** Whether it has the selected commit. */
  readonly isReached: boolean;
  /** Why it does not have it, in one sentence. */
  readonly why?: string | undefined;
}

export function rolloutPage(page: RolloutPage): View {
  const { commit, choices } = page;
  const main = html`<h1>Rollout</h1>
    <section class="part" id="progress" aria-label="Progress">
      ${
        commit
          ? renderProgress(page, commit)
          : html`<p class="quiet">No portal was applied from a commit yet.</p>`
      }
    </section>
    <section class="part" id="left" aria-label="Portals without the commit">
      ${commit && renderLeft(page)}
    </section>
    <section aria-label="Other commits" class="part" id="choices">
      <h2>Commits</h2>
      <ul class="choices">
        ${choices.map((each) => html`<li>${renderChoice(each, commit?.commit)}</li>`)}
      </ul>
    </section>`;
  const title = commit ? `Rollout of ${commit.commit.slice(0, 7)}` : "Rollout";
  return layout({ title, nav: "/rollout", main, around: page });
}

function renderProgress({ portals, repository }: RolloutPage, commit: RolloutCommit): Html {
  const reached = portals.filter(({ isReached }) => isReached).length;
  const verb = reached === 1 ? "has" : "have";
  const sentence = `${grouped(reached)} of ${counted(portals.length, "portal")} ${verb}`;
  const counts = STATUSES.map((status) => ({
    kind: `is-${status}`,
    label: LABELS[status],
    status,
    count: portals.filter((each) => !each.isReached && each.status === status).length,
  })).filter(({ count }) => count > 0);
  const bar = [{ kind: "is-reached", count: reached }, ...counts];
  return html`<div class="panel">
    <p class="big">${sentence} ${renderCommit(commit.commit, repository)}</p>
    ${renderOrigin(commit)}
    ${portals.length > 0 ? renderShares(bar, `${sentence} the commit`) : undefined}
    <ul class="legend-list">
      ${counts.map(({ status, count }) => html`<li>${renderStatus(status)} ${grouped(count)}</li>`)}
    </ul>
  </div>`;
}

function renderOrigin({ subject, author, timeMs }: RolloutCommit): Html | undefined {
  if (subject === undefined && author === undefined && timeMs === undefined) return undefined;
  return html`<p>
    ${subject && html`<b>${renderText(shortened(subject, LONGEST))}</b>`}
    <span class="quiet"
      >${author && html`by ${renderText(shortened(author, LONGEST))}`}
      ${timeMs === undefined ? undefined : renderTime(timeMs, "near")}</span
    >
  </p>`;
}

function renderLeft({ portals, repository }: RolloutPage): Html | undefined {
  const rank = ({ status }: RolloutPortal) => STATUSES.indexOf(status);
  const left = portals
    .filter(({ isReached }) => !isReached)
    .toSorted((one, other) => rank(one) - rank(other));
  const reached = portals.filter(({ isReached }) => isReached);
  const more = left.length - MOST_ROWS;
  const rows = left
    .slice(0, MOST_ROWS)
    .map((each) => [
      renderPortalLink(each),
      renderStatus(each.status),
      each.commit && renderCommit(each.commit, repository),
      renderText(shortened(each.why ?? "", LONGEST)),
    ]);
  return html`${
    left.length > 0
      ? html`<h2>${counted(left.length, "portal")} without this commit</h2>
          ${renderTable("Portals without the commit", ["Portal", "Status", "Last commit", "Why"], rows)}`
      : undefined
  }
  ${more > 0 ? html`<p class="quiet">and ${counted(more, "more portal")}</p>` : undefined}
  ${
    reached.length > 0
      ? html`<h2>Portals with this commit</h2>
          <div>${renderPortalLinks(reached, "reached")}</div>`
      : undefined
  }`;
}

function renderChoice(
  { commit, subject, portals }: RolloutCommit,
  current: string | undefined,
): Html {
  return html`<a
    href="/rollout?commit=${commit}"
    ${commit === current ? html`aria-current="true"` : undefined}
    ><span
      ><code>${commit.slice(0, 12)}</code
      >${portals === undefined ? undefined : html` ${counted(portals, "portal")}`}</span
    >
    ${subject && html`<span class="quiet small">${renderText(shortened(subject, 80))}</span>`}</a
  >`;
}
