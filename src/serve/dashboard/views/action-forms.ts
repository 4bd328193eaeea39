// The forms with which an operator acts on a portal, and the page that shows what follows the end of a hold.
import { html, renderText, type Html } from "../../../lib/html.js";
import type { View } from "../../../lib/html-document.js";
import { openPalette } from "../../../report/html-pictures.js";
import type { Snapshot } from "../../snapshot.js";
import type { ActionResult, PlanAfterUnhold } from "../board.js";
import { pendingChange, renderChangeList } from "./change-list.js";
import { layout } from "./layout.js";
import { portalAddress } from "./list-page.js";

export interface ActionForms {
  readonly seen: Snapshot;
  /** Whether `--apply` permits anything. */
  readonly mayApply: boolean;
  /** Of the last action of this user on this portal. */
  readonly result?: ActionResult | undefined;
}

export const HOLD_HOURS = [1, 4, 24, 7 * 24] as const;
const HOUR_LABELS = ["1 hour", "4 hours", "1 day", "1 week"] as const;

export function renderActionForms({ seen, mayApply, result }: ActionForms): Html {
  const { key, status, planDigest, drift, waiting } = seen;
  const address = portalAddress(key);
  const isToApply = planDigest !== undefined && drift.length + waiting.length > 0;
  return html`${result && renderResult(result)}
    <form method="post" action="${address}/refresh"><button id="refresh">Refresh</button></form>
    ${
      isToApply && mayApply && status !== "held"
        ? html`<form method="post" action="${address}/apply">
            <input type="hidden" name="plan" value="${planDigest}" />
            <button id="apply" class="primary">Apply what is shown</button>
          </form>`
        : undefined
    }
    ${
      status === "held"
        ? html`<a id="unhold" class="button" href="${address}/unhold">End the hold…</a>`
        : undefined
    }
    <details id="hold" class="hold">
      <summary class="button">Hold…</summary>
      <form method="post" action="${address}/hold">
        <div>
          <label for="reason">Reason</label>
          <input id="reason" name="reason" required maxlength="500" autocomplete="off" />
        </div>
        <div>
          <label for="hours">Until</label>
          <select id="hours" name="hours">
            <option value="">ended by hand</option>
            ${HOLD_HOURS.map((hours, at) => html`<option value="${hours}">in ${HOUR_LABELS[at]}</option>`)}
          </select>
        </div>
        <button>Hold</button>
      </form>
    </details>`;
}

function renderResult({ message, help, isDone }: ActionResult): Html {
  return html`<p id="result" class="callout ${isDone ? "done" : "failed"}" role="status">
    ${renderText(message)} ${help && renderText(help)}
  </p>`;
}

export interface UnholdPage {
  readonly seen: Snapshot;
  readonly plan: PlanAfterUnhold | ActionResult;
  readonly stamp: string;
  readonly user?: string | undefined;
}

/** The hold ends only with the digest of the plan that this page shows. */
export function unholdPage({ seen, plan, stamp, user }: UnholdPage): View {
  const palette = openPalette();
  const address = portalAddress(seen.key);
  const content =
    "digest" in plan
      ? html`${
            plan.changes.length === 0
              ? html`<p>Nothing would be applied after it.</p>`
              : html`<h2>An apply after it would change</h2>
                  <div class="panel">
                    <h3 class="unseen">Settings</h3>
                    ${renderChangeList({ changes: plan.changes.map(pendingChange), palette })}
                  </div>`
          }
          <form method="post" action="${address}/unhold" class="actions">
            <input type="hidden" name="plan" value="${plan.digest}" />
            <button class="primary">End the hold</button>
            <a class="button" href="${address}">Cancel</a>
          </form>`
      : html`${renderResult(plan)}
          <p><a href="${address}">Back to the portal</a></p>`;
  return layout({
    title: `End the hold of ${seen.name}`,
    nav: "/",
    user,
    style: palette.style(),
    data: { stamp, portal: seen.key },
    main: html`<div class="head">
        <h1>End the hold of <bdi>${renderText(seen.name)}</bdi></h1>
      </div>
      ${content}`,
  });
}
