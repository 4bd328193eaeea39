// Renders the forms of an operator's actions, and the page to confirm the end of a hold.
import type { Unasked } from "../../../apply/reconcile.js";
import { html, renderFacts, renderText, type Html } from "../../../lib/html.js";
import type { View } from "../../../lib/html-document.js";
import { listed } from "../../../lib/text.js";
import { openPalette } from "../../../report/html-pictures.js";
import type { Hold } from "../../../state/state.js";
import type { Snapshot } from "../../snapshot.js";
import type { ChangeJson } from "../../events/change-json.js";
import type { ActionName, ActionResult, PlanAfterUnhold } from "../source.js";
import { pendingChange, renderChangeList } from "./change-list.js";
import { layout, type Around } from "./layout.js";
import { portalAddress } from "./portal-link.js";
import { renderTime } from "./time.js";

export const HOLD_HOURS = [1, 4, 24, 7 * 24] as const;
const HOUR_LABELS = ["1 hour", "4 hours", "1 day", "1 week"] as const;

/** Offers an apply only if nothing is known to block it. */
export function renderActionForms(seen: Snapshot, allowed: readonly ActionName[]): Html {
  const { key, isHeld = false } = seen;
  const address = portalAddress(key);
  const mayHold = allowed.includes("hold");
  return html`${
    allowed.includes("apply") && isApplicable(seen)
      ? html`<form method="post" action="${address}/apply">
          <input type="hidden" name="plan" value="${seen.planDigest}" />
          <button id="apply" class="primary">Apply</button>
        </form>`
      : undefined
  }
  ${
    allowed.includes("refresh")
      ? html`<form method="post" action="${address}/refresh">
          <button id="refresh">Refresh</button>
        </form>`
      : undefined
  }
  ${
    mayHold && isHeld
      ? html`<a id="unhold" class="button" href="${address}/unhold">Unhold…</a>`
      : undefined
  }
  ${mayHold && !isHeld ? renderHoldForm(address) : undefined}`;
}

function isApplicable({ planDigest, failure, guards, waiting }: Snapshot): boolean {
  const isFree = failure === undefined && guards === undefined;
  return planDigest !== undefined && waiting.length > 0 && isFree;
}

function renderHoldForm(address: string): Html {
  return html`<details id="hold" class="hold">
    <summary class="button">Hold…</summary>
    <form method="post" class="fields">${renderHoldFields(`${address}/hold`)}</form>
  </details>`;
}

function renderHoldFields(address: string): Html {
  return html`<div>
      <label for="reason">Reason</label>
      <input id="reason" name="reason" required maxlength="500" autocomplete="off" />
    </div>
    <div>
      <label for="hours">Duration</label>
      <select id="hours" name="hours">
        <option value="">Until someone unholds it</option>
        ${HOLD_HOURS.map((hours, at) => html`<option value="${hours}">${HOUR_LABELS[at]}</option>`)}
      </select>
    </div>
    <button formaction="${address}">Hold</button>`;
}

/** What a user may do with several listed portals. */
export interface Selection {
  readonly allowed: readonly ActionName[];
  readonly mayAct: (seen: Snapshot) => boolean;
}

/** The checkboxes of the rows belong to this form. Its first button is the one for the reason, so Enter presses it. */
export function renderSelectionForm({ allowed }: Selection, to: string): Html {
  return html`<form id="selected" method="post" action="/actions/refresh" class="actions">
    <input type="hidden" name="to" value="${to}" />
    <label class="check"><input type="checkbox" id="select-all" /> Select all on this page</label>
    ${
      allowed.includes("hold")
        ? html`<details id="hold" class="hold">
            <summary class="button">Hold…</summary>
            <div class="fields">${renderHoldFields("/actions/hold")}</div>
          </details>`
        : undefined
    }
    ${allowed.includes("refresh") ? html`<button id="refresh" formnovalidate>Refresh</button>` : undefined}
  </form>`;
}

export function renderCheckbox({ key, name }: Snapshot): Html {
  return html`<input
    type="checkbox"
    form="selected"
    id="select-${key}"
    name="portal"
    value="${key}"
    aria-label="Select ${name}"
  />`;
}

export function renderResult({ message, help, isDone }: ActionResult): Html {
  return html`<p id="result" class="callout ${isDone ? "done" : "failed"}" role="status">
    ${renderText(message)} ${help?.split("\n").map((line) => html`<br />${renderText(line)}`)}
  </p>`;
}

export interface UnholdPage {
  readonly seen: Snapshot;
  /** Absent if it ended meanwhile, or if the state cannot be read. */
  readonly hold: Hold | undefined;
  readonly plan: PlanAfterUnhold | ActionResult;
  /** What this process applies automatically. */
  readonly automatic: readonly Unasked[];
  readonly around: Around;
}

/** The hold ends only with the digest of the plan on this page. */
export function unholdPage({ seen, hold, plan, automatic, around }: UnholdPage): View {
  const palette = openPalette();
  const address = portalAddress(seen.key);
  const content =
    "digest" in plan
      ? html`<div class="callout held">${renderConsequence(plan, automatic)}</div>
          ${
            plan.changes.length > 0
              ? html`<section class="panel" aria-label="Changes">
                  <h2>Pending changes</h2>
                  <h3 class="unseen">Settings</h3>
                  ${renderChangeList({ changes: plan.changes.map(pendingChange), palette })}
                </section>`
              : undefined
          }
          <form method="post" action="${address}/unhold" class="actions">
            <input type="hidden" name="plan" value="${plan.digest}" />
            <button class="primary">Unhold</button>
            <a class="button" href="${address}">Cancel</a>
          </form>`
      : html`${renderResult(plan)}
          <p><a href="${address}">Back to the portal</a></p>`;
  return layout({
    title: `Unhold ${seen.name}`,
    nav: "/",
    style: palette.style(),
    portal: seen.key,
    around,
    main: html`<div class="head">
        <h1>Unhold <bdi>${renderText(seen.name)}</bdi></h1>
        ${hold && renderHold(hold)}
      </div>
      ${content}`,
  });
}

function renderHold({ by, why, since, until, wants }: Hold): Html {
  return renderFacts([
    ["Held by", html`<bdi>${renderText(by.actor)}</bdi>${wants && ", with a rollback"}`],
    ["Since", renderTime(Date.parse(since))],
    ["Ends", until === undefined ? "when someone unholds it" : renderTime(Date.parse(until))],
    ["Reason", renderText(why)],
  ]);
}

/** By cause of the change: the option that applies it automatically. */
const PERMITTED_BY: Partial<Record<ChangeJson["cause"], Unasked>> = {
  file: "files",
  schedule: "schedule",
  drift: "drift",
};

function renderConsequence(
  { changes, guards }: PlanAfterUnhold,
  automatic: readonly Unasked[],
): Html {
  const own = changes.filter(({ cause }) => automatic.some((each) => each === PERMITTED_BY[cause]));
  const sentence =
    changes.length === 0
      ? "No changes are pending: unholding applies nothing."
      : own.length === 0
        ? "Unholding applies nothing. The changes below then wait for an apply."
        : own.length === changes.length
          ? "Unholding applies the changes below at once."
          : `Unholding applies at once what "--apply" permits (${listed(automatic)}). The other changes wait for an apply.`;
  return html`<p>${sentence}</p>
    ${guards.length > 0 ? html`<p>An apply of all changes is blocked: ${listed(guards)}.</p>` : undefined}`;
}
