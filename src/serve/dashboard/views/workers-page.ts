// Renders the workers of a queue: what each is and does, where workers of one pool differ, and jobs that were given up.
import { html, renderText, type Html } from "../../../lib/html.js";
import type { View } from "../../../lib/html-document.js";
import { counted, shortened } from "../../../lib/text.js";
import { renderCommand } from "./commands.js";
import { renderCommit, type Repository } from "./forge.js";
import { layout } from "./layout.js";
import { renderPortalLink, type NamedPortal } from "./portal-link.js";
import { renderTable } from "./table.js";
import { renderTime } from "./time.js";

const LONGEST = 300;
const MOST_JOBS = 200;

export interface WorkersPage {
  /** Absent where no queue is used, and `serve` does the work. */
  readonly workers?: readonly WorkerRow[] | undefined;
  /** Where workers of one pool differ. */
  readonly warnings: readonly string[];
  /** Jobs that failed too often, and are not tried again. */
  readonly deadJobs: readonly DeadJob[];
  /** No new job is started. */
  readonly isDraining: boolean;
  readonly repository?: Repository | undefined;
  readonly stamp: string;
  readonly user?: string | undefined;
}

export interface WorkerRow {
  readonly role: "serve" | "worker";
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly pools: readonly string[];
  /** What it may apply: "schedule", "drift", "files". */
  readonly mayApply: readonly string[];
  /** Of its clone. */
  readonly commit?: string | undefined;
  readonly seenMs: number;
  readonly jobs: readonly { readonly portal: string; readonly sinceMs: number }[];
  /** Why it takes no job. */
  readonly why?: string | undefined;
}

export interface DeadJob {
  readonly portal: NamedPortal;
  readonly why: string;
  readonly sinceMs: number;
}

export function workersPage(page: WorkersPage): View {
  const { workers, warnings, deadJobs, isDraining, stamp, user } = page;
  const main = html`<h1>Workers</h1>
    <div class="part" id="warnings" aria-label="Warnings">
      ${
        isDraining
          ? html`<div class="callout held">
              <p>The queue is drained: no new job starts. Start jobs again:</p>
              ${renderCommand("lintel queue resume")}
            </div>`
          : undefined
      }
      ${warnings.map(
        (each) =>
          html`<p class="callout held"><b>Warning.</b> ${renderText(shortened(each, LONGEST))}</p>`,
      )}
    </div>
    <section class="part" id="workers" aria-label="Workers">
      ${
        workers === undefined
          ? html`<p class="nothing">No queue is used: this process checks all portals itself.</p>`
          : workers.length === 0
            ? html`<p class="callout failed">No worker is running, so that no portal is checked.</p>
                ${renderCommand("lintel worker")}`
            : renderWorkers(workers, page.repository)
      }
    </section>
    <section class="part" id="dead-jobs" aria-label="Failed jobs">
      ${deadJobs.length > 0 ? renderDeadJobs(deadJobs) : undefined}
    </section>`;
  return layout({ title: "Workers", nav: "/workers", main, data: { stamp }, user });
}

function renderWorkers(workers: readonly WorkerRow[], repository: Repository | undefined): Html {
  const columns = ["Process", "Pools", "Version", "May apply", "Commit", "Seen", "Now"];
  const rows = workers.map((worker) => {
    const { role, host, pid, pools, version, mayApply, commit, seenMs } = worker;
    return [
      html`<bdi>${renderText(shortened(host, LONGEST))}</bdi>
        <span class="quiet small">${role}, process ${pid}</span>`,
      pools.length > 0 ? renderText(pools.join(", ")) : html`<span class="quiet">none</span>`,
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

function renderWork({ role, why, jobs }: WorkerRow): Html {
  const [first, ...more] = jobs;
  if (why !== undefined) {
    return html`<span class="pill is-problem">takes no jobs</span>
      ${renderText(shortened(why, LONGEST))}`;
  }
  if (!first)
    return html`<span class="quiet">${role === "serve" ? "publishes" : "waits for jobs"}</span>`;
  return html`${renderText(shortened(first.portal, LONGEST))}, since
  ${renderTime(first.sinceMs, "near")}${more.length > 0 ? `, and ${counted(more.length, "more portal")}` : ""}`;
}

function renderDeadJobs(jobs: readonly DeadJob[]): Html {
  const left = jobs.length - MOST_JOBS;
  const rows = jobs
    .slice(0, MOST_JOBS)
    .map(({ portal, why, sinceMs }) => [
      renderPortalLink(portal),
      renderTime(sinceMs, "near"),
      renderText(shortened(why, LONGEST)),
    ]);
  return html`<h2>${counted(jobs.length, "job")} failed and not tried again</h2>
    ${renderTable("Failed jobs", ["Portal", "Failed", "Why"], rows)}
    ${left > 0 ? html`<p class="quiet">and ${counted(left, "more job")}</p>` : undefined}
    <p>Try them again:</p>
    ${renderCommand("lintel queue retry")}`;
}
