// Renders the page of one portal: status, next step, differences with pictures, windows, settings and history.
import { html, renderFacts, renderText, type Html, type Part } from "../../../lib/html.js";
import type { View } from "../../../lib/html-document.js";
import type { JsonObject } from "../../../lib/json.js";
import { groupBy } from "../../../lib/lists.js";
import { counted, shortened } from "../../../lib/text.js";
import { VIEWERS, type Viewer } from "../../../preview/home.js";
import { DRIFT_SIDES } from "../../../report/drift-report.js";
import { openPalette, type Palette } from "../../../report/html-pictures.js";
import type { State } from "../../../state/state.js";
import type { Snapshot } from "../../snapshot.js";
import type { ChangeJson } from "../../events/change-json.js";
import { settingsNow } from "../settings-now.js";
import { driftChange, namesOf, pendingChange, renderChangeList } from "./change-list.js";
import { renderSteps } from "./commands.js";
import { fileHref, renderCommit, renderFile, type Repository } from "./forge.js";
import { renderComparison, renderHistory, type Comparison } from "./history-view.js";
import { layout, type Around } from "./layout.js";
import { nextSteps } from "./next-step.js";
import { renderSettings } from "./settings-list.js";
import { renderStatus, summaryOf, type Status } from "./status.js";
import { renderWindows } from "./window-list.js";
import { renderTime } from "./time.js";

const LONGEST_NAME = 200;
const LONGEST_SENTENCE = 600;

/** A file's newest commit, and its path in the repository. */
export interface FileSource {
  readonly path?: string | undefined;
  readonly commit?: string | undefined;
  readonly author?: string | undefined;
  readonly subject?: string | undefined;
  readonly timeMs?: number | undefined;
  /** The file, or one that it takes values from, has uncommitted changes. */
  readonly isDirty?: boolean | undefined;
}

export interface PortalPage extends Around {
  readonly snapshot: Snapshot;
  /** Absent if nothing was applied, or if it cannot be read. */
  readonly state?: State | undefined;
  /** Why the state cannot be read. */
  readonly stateFailure?:
    | { readonly code: string; readonly message: string; readonly help?: string | undefined }
    | undefined;
  readonly source?: FileSource | undefined;
  /** The addresses of the home pages for a viewer, now and with the pending changes. */
  readonly homes?: Homes | undefined;
  readonly compare?: Comparison | undefined;
  /** Forms of the actions that the user may take. */
  readonly actions?: Html | undefined;
  /** The result of the user's last action. */
  readonly result?: Html | undefined;
  readonly nowMs: number;
}

export interface Homes {
  readonly viewer: Viewer;
  readonly now: string;
  readonly after?: string | undefined;
}

export function portalPage(page: PortalPage): View {
  const { snapshot, state, stateFailure, repository, compare, actions } = page;
  const { key, file } = snapshot;
  const name = shortened(snapshot.name, LONGEST_NAME);
  const palette = openPalette();
  const now = settingsNow(state, snapshot.drift);
  const whole = now?.isWhole ? now.settings : undefined;
  const history = { state: state ?? { history: [] }, file, repository, palette };
  const main = html`<div class="head part" id="head">${renderHead(page)}</div>
    ${page.result} ${part("next", "Next step", renderNext(snapshot))}
    <div id="actions" class="part" aria-label="Actions" ${actions ? undefined : html`hidden`}>
      ${actions && html`<div class="actions">${actions}</div>`}
    </div>
    ${part("drift", "Drift", renderDrift(page, palette))}
    ${part("pending", "Pending changes", renderPending(page, whole, palette))}
    ${part("windows", "Windows", renderWindows(snapshot.windows, page.nowMs))}
    ${part("homes", "Home page as visitors see it", page.homes && renderHomes(page.homes))}
    ${part("settings", "Settings", now && renderSettings(now, snapshot.drift))}
    ${part("comparison", "Compare applies", renderComparison(history, compare))}
    ${part("history", "History", stateFailure ? renderFailure(stateFailure) : renderHistory(history))}`;
  return layout({
    title: name,
    nav: "/",
    main,
    style: palette.style(),
    portal: key,
    around: page,
  });
}

/** Rendered even if empty, so that the script can fill it. */
function part(id: string, title: string, content: Html | undefined): Html {
  return html`<section
    id="${id}"
    class="part"
    aria-label="${title}"
    ${content ? undefined : html`hidden`}
  >
    ${
      content &&
      html`<h2 id="${id}-title">${title}</h2>
        ${content}`
    }
  </section>`;
}

function renderHead(page: PortalPage): Html {
  const { snapshot, repository, source } = page;
  const { name, status, url, id, file, pool, failure } = snapshot;
  const { checkedMs, answeredMs, nextMs, lastApply, commit } = snapshot;
  const near = (ms: number | undefined) => (ms === undefined ? undefined : renderTime(ms, "near"));
  const fileCommit = source?.commit ?? commit;
  const href =
    source?.path !== undefined && fileCommit !== undefined
      ? fileHref(repository, fileCommit, source.path)
      : undefined;
  const facts = [
    [
      "Portal",
      url === "" ? undefined : html`<code>${renderText(shortened(url, LONGEST_NAME))}</code>`,
    ],
    [
      "Id",
      id === "self" ? undefined : html`<code>${renderText(shortened(id, LONGEST_NAME))}</code>`,
    ],
    [
      "File",
      html`${renderFile(file, href)}${source?.isDirty ? " with uncommitted changes" : undefined}`,
    ],
    [
      "Last apply",
      lastApply === undefined
        ? "none"
        : html`<a href="#apply-${lastApply}">${lastApply}</a
            >${commit && html` at ${renderCommit(commit, repository)}`}`,
    ],
    ["Checked", near(checkedMs) ?? "not yet"],
    ["Last answer", status === "unreachable" ? near(answeredMs) : undefined],
    ["Next check", near(nextMs)],
    ["Pool", pool && renderText(pool)],
  ] satisfies [string, Part][];
  return html`<h1><bdi>${renderText(shortened(name, LONGEST_NAME))}</bdi></h1>
    <p class="verdict">
      ${renderStatus(status)} ${renderText(shortened(headlineOf(snapshot), LONGEST_SENTENCE))}
      ${failure && html`<span class="quiet">Since ${renderTime(failure.sinceMs)}</span>`}
    </p>
    ${renderFacts(facts)}`;
}

/** Without the message of a failure, which the next step contains. */
function headlineOf(snapshot: Snapshot): string {
  const { failure, status } = snapshot;
  if (!failure) return summaryOf(snapshot);
  return HEADLINES[status] ?? failure.message;
}

const HEADLINES: Partial<Record<Status, string>> = {
  invalid: "The file has errors.",
  unreachable: "The portal cannot be checked.",
  held: "Lintel applies nothing until the hold ends.",
  blocked: "An apply is blocked.",
};

function renderNext(snapshot: Snapshot): Html | undefined {
  const {
    failure,
    guards = [],
    blockers = guards.map((guard) => ({ guard, reason: "" })),
  } = snapshot;
  // The guards below give the same reason.
  const isSaid = failure?.code === "guarded" && blockers.length > 0;
  const isHeldToo = snapshot.isHeld === true && snapshot.status !== "held";
  const steps = nextSteps(snapshot, [...new Set(blockers.map(({ guard }) => guard))]);
  if (!failure && blockers.length === 0 && steps === "") return undefined;
  const kind =
    snapshot.status === "invalid" || snapshot.status === "unreachable" ? "failed" : "held";
  return html`<div class="callout ${kind}">
    ${failure && !isSaid ? renderFailed(failure) : undefined}
    ${isHeldToo ? html`<p>The portal is also held: Lintel applies nothing until the hold ends.</p>` : undefined}
    ${failure && !isSaid ? renderSteps(steps) : undefined}
    ${blockers.length > 0 ? renderBlockers(blockers) : undefined}
    ${failure && !isSaid ? undefined : renderSteps(steps)}
  </div>`;
}

function renderFailed({ code, message, errors }: NonNullable<Snapshot["failure"]>): Html {
  if (!errors) {
    return html`<p>
      ${renderText(shortened(message, LONGEST_SENTENCE))} <code class="quiet">[${code}]</code>
    </p>`;
  }
  return html`<ul>
    ${errors.map((each) => html`<li>${renderText(shortened(each, LONGEST_SENTENCE))}</li>`)}
  </ul>`;
}

function renderBlockers(blockers: NonNullable<Snapshot["blockers"]>): Html {
  return html`<p>${blockers.length === 1 ? "A guard blocks" : "Guards block"} the apply:</p>
    <ul class="guards">
      ${blockers.map(
        ({ guard, reason }) =>
          html`<li class="is-closed">
            <code>${renderText(guard)}</code>
            <span>${renderText(shortened(reason, LONGEST_SENTENCE))}</span>
          </li>`,
      )}
    </ul>`;
}

function renderDrift({ snapshot, state }: PortalPage, palette: Palette): Html | undefined {
  const { drift } = snapshot;
  if (drift.length === 0) return undefined;
  const applied = settingsNow(state, []);
  return html`<div class="panel">
    <p class="quiet">${DRIFT_SIDES}</p>
    <h3 class="unseen">Settings</h3>
    ${renderChangeList({
      changes: drift.map(driftChange),
      before: applied?.isWhole ? applied.settings : undefined,
      palette,
      isDrift: true,
    })}
  </div>`;
}

/** The changes of the plan in its order, below their causes. */
function renderPending(
  { snapshot, source, repository }: PortalPage,
  before: JsonObject | undefined,
  palette: Palette,
): Html | undefined {
  const { waiting } = snapshot;
  if (waiting.length === 0) return undefined;
  const reasons = groupBy(waiting, ({ cause, window }) => JSON.stringify([cause, window]));
  return html`<div class="panel">
    ${[...reasons.values()].map(
      (held) =>
        html`<p class="why">
          ${counted(held.length, "change")}: ${held[0] && renderReason(held[0], source, repository)}
          ${reasons.size > 1 ? html`<span class="quiet">(${renderText(namesOf(held))})</span>` : undefined}
        </p>`,
    )}
    <h3 class="unseen">Settings</h3>
    ${renderChangeList({ changes: waiting.map(pendingChange), before, palette })}
  </div>`;
}

function renderReason(
  { cause, window }: ChangeJson,
  source: FileSource | undefined,
  repository: Repository | undefined,
): Html {
  if (window !== null) {
    const { name, is, since } = window as Readonly<Record<"name" | "is" | "since", string>>;
    const verb = is === "open" ? "opened" : "closed";
    return html`the window “${renderText(shortened(name, LONGEST_NAME))}” ${verb}
    ${renderTime(Date.parse(since))}`;
  }
  if (cause === "drift") return html`restores what was changed on the portal`;
  if (cause === "rollback") return html`a rollback`;
  const { commit, author, subject, timeMs, isDirty } = source ?? {};
  if (isDirty) return html`the file has uncommitted changes`;
  if (commit === undefined) return html`the file sets another value`;
  return html`the file, last changed in ${renderCommit(commit, repository)}
  ${author && html`by ${renderText(shortened(author, LONGEST_NAME))}`}
  ${timeMs === undefined ? undefined : renderTime(timeMs, "near")}
  ${subject && html`<span class="quiet">“${renderText(shortened(subject, LONGEST_NAME))}”</span>`}`;
}

function renderHomes({ viewer, now, after }: Homes): Html {
  const frame = (title: string, address: string) =>
    html`<figure>
      <figcaption>${title}</figcaption>
      <iframe class="home" title="Home page for: ${viewer}. ${title}" src="${address}"></iframe>
    </figure>`;
  return html`<nav class="choice" aria-label="Visitor">
      ${VIEWERS.map(
        (each) =>
          html`<a
            class="button"
            href="?viewer=${each}#homes"
            ${each === viewer ? html`aria-current="true"` : undefined}
            >${each}</a
          >`,
      )}
    </nav>
    <div class="homes">
      ${frame("Now", now)} ${after === undefined ? undefined : frame("After an apply", after)}
    </div>`;
}

function renderFailure({
  code,
  message,
  help = "",
}: NonNullable<PortalPage["stateFailure"]>): Html {
  return html`<div class="callout failed">
    <p>
      The state cannot be read: ${renderText(shortened(message, LONGEST_SENTENCE))}
      <code class="quiet">[${code}]</code>
    </p>
    ${renderSteps(help)}
  </div>`;
}
