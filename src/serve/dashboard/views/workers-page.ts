// Renders the workers of a queue: their facts, differences within a pool, and failed jobs.
import { html, renderText, type Html } from "../../../lib/html.js";
import type { View } from "../../../lib/html-document.js";
import { counted, shortened, someOf } from "../../../lib/text.js";
import type { Process } from "../../queue/processes.js";
import type { QueueStatus } from "../../queue/status.js";
import { renderCommand } from "./commands.js";
import { renderCommit, type Repository } from "./forge.js";
import { layout, type Around } from "./layout.js";
import { renderTable } from "./table.js";
import { renderTime } from "./time.js";

const LONGEST = 300;
const MOST_DEAD = 200;

export type Workers = Pick<QueueStatus, "processes" | "warnings" | "dead" | "draining">;

export interface WorkersPage extends Around {
  /** Absent if `serve` checks all portals itself. */
  readonly queue?: Workers | undefined;
}

export function workersPage(page: WorkersPage): View {
  const { queue, repository } = page;
  const { processes = [], warnings = [], dead = [], draining = false } = queue ?? {};
  const workers = processes.filter(({ role }) => role === "worker");
  const isLeft = queue !== undefined && workers.length === 0;
  const main = html`<h1>Workers</h1>
    <section class="part" id="warnings" aria-label="Warnings">
      ${draining ? renderDrained() : undefined}
      ${isLeft ? html`<p class="callout failed">No worker is running. No portal is checked.</p>` : undefined}
      ${warnings.length > 0 ? renderWarnings(warnings) : undefined}
    </section>
    <section class="part" id="workers" aria-label="Workers">
      ${
        queue
          ? workers.length > 0
            ? renderWorkers(workers, repository)
            : undefined
          : html`<p class="nothing">No queue is used: this process checks all portals itself.</p>`
      }
    </section>
    <section class="part" id="dead-jobs" aria-label="Portals whose checks fail">
      ${dead.length > 0 ? renderDead(dead) : undefined}
    </section>`;
  return layout({ title: "Workers", nav: "/workers", main, around: page });
}

function renderDrained(): Html {
  return html`<div class="callout held">
    <p>The queue is drained: no new job starts. To start jobs again:</p>
    ${renderCommand("lintel queue resume")}
  </div>`;
}

function renderWarnings(warnings: readonly string[]): Html {
  return html`<div class="callout held">
    <h2 class="small">${counted(warnings.length, "warning")}</h2>
    <ul>
      ${warnings.map((each) => html`<li>${renderText(shortened(each, LONGEST))}</li>`)}
    </ul>
  </div>`;
}

function renderWorkers(workers: Workers["processes"], repository: Repository | undefined): Html {
  const columns = ["Worker", "Pools", "Version", "May apply", "Commit", "Last seen", "Now"];
  const rows = workers.map((worker) => {
    const { host, pid, pools = [], version, apply = [], commit, seen } = worker;
    return [
      html`<bdi>${renderText(shortened(host, LONGEST))}</bdi>
        <span class="quiet small">process ${pid}</span>`,
      renderText(pools.join(", ")),
      renderText(version),
      apply.length > 0 ? renderText(apply.join(", ")) : html`<span class="quiet">nothing</span>`,
      commit ? renderCommit(commit, repository) : undefined,
      renderTime(Date.parse(seen), "near"),
      renderWork(worker),
    ];
  });
  return renderTable("Workers", columns, rows);
}

function renderWork({ stuck, doing = [] }: Process): Html {
  if (stuck !== null) {
    return html`<span class="pill is-problem">takes no jobs</span>
      ${renderText(shortened(stuck, LONGEST))}`;
  }
  if (doing.length === 0) return html`<span class="quiet">waits for jobs</span>`;
  return html`checks ${renderText(shortened(someOf(doing, "portal", 3), LONGEST))}`;
}

/** Portals whose checks failed three times in a row. They are retried each minute. */
function renderDead(dead: Workers["dead"]): Html {
  const left = dead.length - MOST_DEAD;
  const rows = dead
    .slice(0, MOST_DEAD)
    .map(({ portal, since }) => [
      html`<a href="/?${new URLSearchParams({ q: portal }).toString()}"
        >${renderText(shortened(portal, 100))}</a
      >`,
      renderTime(Date.parse(since), "near"),
    ]);
  return html`<h2>The checks of ${counted(dead.length, "portal")} keep failing</h2>
    <p>Workers try again each minute. Their logs show the errors.</p>
    ${renderTable("Portals whose checks fail", ["Portal", "Since"], rows)}
    ${left > 0 ? html`<p class="quiet">and ${counted(left, "more portal")}</p>` : undefined}`;
}
