// Renders the workers of a queue: what each of them is, where workers of one pool differ, and jobs that failed.
import { html, renderText, type Html } from "../../../lib/html.js";
import type { View } from "../../../lib/html-document.js";
import { counted, shortened, someOf } from "../../../lib/text.js";
import { renderCommand } from "./commands.js";
import { renderCommit, type Repository } from "./forge.js";
import { layout, type Around } from "./layout.js";
import { renderTable } from "./table.js";
import { renderTime } from "./time.js";

const LONGEST = 300;
const MOST_JOBS = 200;

export interface Workers {
  readonly workers: readonly WorkerRow[];
  /** Where workers of one pool differ. */
  readonly warnings: readonly string[];
  /** Jobs that failed too often, and are not tried again; portals by name. */
  readonly deadJobs: readonly {
    readonly portal: string;
    readonly why?: string | undefined;
    readonly sinceMs: number;
  }[];
  /** No new job is started. */
  readonly isDraining: boolean;
}

export interface WorkerRow {
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly pools: readonly string[];
  /** What it may apply: "schedule", "drift", "files". */
  readonly mayApply: readonly string[];
  /** Of its clone. */
  readonly commit?: string | undefined;
  readonly seenMs: number;
  /** The names of the portals that it checks now. */
  readonly doing?: readonly string[] | undefined;
  /** Why it takes no job. */
  readonly idleReason?: string | undefined;
}

export interface WorkersPage extends Around {
  /** Absent where `serve` checks all portals itself. */
  readonly queue?: Workers | undefined;
}

export function workersPage(page: WorkersPage): View {
  const { queue, repository } = page;
  const { workers = [], warnings = [], deadJobs = [], isDraining = false } = queue ?? {};
  const isLeft = queue !== undefined && workers.length === 0;
  const main = html`<h1>Workers</h1>
    <section class="part" id="warnings" aria-label="Warnings">
      ${isDraining ? renderDrained() : undefined}
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
    <section class="part" id="dead-jobs" aria-label="Failed jobs">
      ${deadJobs.length > 0 ? renderDeadJobs(deadJobs) : undefined}
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

function renderWorkers(workers: Workers["workers"], repository: Repository | undefined): Html {
  const columns = ["Worker", "Pools", "Version", "May apply", "Commit", "Last seen", "Now"];
  const rows = workers.map((worker) => {
    const { host, pid, pools, version, mayApply, commit, seenMs } = worker;
    return [
      html`<bdi>${renderText(shortened(host, LONGEST))}</bdi>
        <span class="quiet small">process ${pid}</span>`,
      renderText(pools.join(", ")),
      renderText(version),
      mayApply.length > 0
        ? renderText(mayApply.join(", "))
        : html`<span class="quiet">nothing</span>`,
      commit && renderCommit(commit, repository),
      renderTime(seenMs, "near"),
      renderWork(worker),
    ];
  });
  return renderTable("Workers", columns, rows);
}

function renderWork({ idleReason, doing = [] }: WorkerRow): Html {
  if (idleReason !== undefined) {
    return html`<span class="pill is-problem">takes no jobs</span>
      ${renderText(shortened(idleReason, LONGEST))}`;
  }
  if (doing.length === 0) return html`<span class="quiet">waits for jobs</span>`;
  return html`checks ${renderText(shortened(someOf(doing, "portal", 3), LONGEST))}`;
}

function renderDeadJobs(jobs: Workers["deadJobs"]): Html {
  const left = jobs.length - MOST_JOBS;
  const rows = jobs
    .slice(0, MOST_JOBS)
    .map(({ portal, why, sinceMs }) => [
      html`<a href="/?${new URLSearchParams({ q: portal }).toString()}"
        >${renderText(shortened(portal, 100))}</a
      >`,
      renderTime(sinceMs, "near"),
      renderText(shortened(why ?? "", LONGEST)),
    ]);
  return html`<h2>${counted(jobs.length, "failed job")}, not retried</h2>
    ${renderTable("Failed jobs", ["Portal", "Failed", "Why"], rows)}
    ${left > 0 ? html`<p class="quiet">and ${counted(left, "more job")}</p>` : undefined}
    <p>To retry:</p>
    ${renderCommand("lintel queue retry")}`;
}
