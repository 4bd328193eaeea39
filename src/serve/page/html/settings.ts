// The settings of a portal now → its home as visitors meet it, those that are managed with their values, and the others.
import { html, type Html } from "../../../lib/html.js";
import { VIEWERS } from "../../../preview/home.js";
import { digest } from "../../../lib/digest.js";
import { shownPath, shownValue } from "../../../report/difference.js";
import { formatPath, leavesOf, type Leaf } from "../../../settings.js";
import { counted } from "../../../lib/text.js";
import type { Seen } from "../board.js";
import type { SettingsNow } from "../settings.js";
import { addressOf } from "./row.js";

const LONGEST_VALUE = 300;
const MOST = 500;

export function homeAddress(key: string, viewer: string): string {
  return `${addressOf(key)}/home/${viewer}`;
}

export function renderSettings({ key, drift }: Seen, now: SettingsNow): Html {
  const { settings, isWhole } = now;
  const managed = new Set(now.managed.map(formatPath));
  const drifted = new Set(drift.map(({ path }) => path));
  const leaves = leavesOf(settings);
  const own = leaves.filter(({ path }) => managed.has(formatPath(path)));
  const others = leaves.filter(({ path }) => !managed.has(formatPath(path)));
  // A picture that is still the same is not asked for again.
  const stamp = digest(settings).slice(0, 12);
  return html`<div class="pane">
      <fieldset id="viewers" class="choice" hidden>
        <legend>Visitor</legend>
        <div class="segments">
          ${VIEWERS.map(
            (viewer, at) =>
              html`<label
                ><input
                  type="radio"
                  name="viewer"
                  value="${viewer}"
                  data-address="${homeAddress(key, viewer)}?as=${stamp}"
                  ${at === 0 ? html`checked` : undefined}
                /><span>${viewer}</span></label
              >`,
          )}
        </div>
      </fieldset>
      <div class="glass">
        <iframe
          id="home"
          title="The portal’s home, for: anonymous"
          src="${homeAddress(key, VIEWERS[0])}?as=${stamp}"
        ></iframe>
      </div>
    </div>
    <h3>${counted(own.length, "managed setting")}</h3>
    ${renderLeaves(own, drifted)}
    ${
      others.length > 0
        ? html`<details class="portal" id="unmanaged">
            <summary>
              <h3>${counted(others.length, "other setting")}</h3>
              <span class="counts"
                >not managed; as the last apply saw ${others.length === 1 ? "it" : "them"}</span
              >
            </summary>
            <div class="inside">${renderLeaves(others, drifted)}</div>
          </details>`
        : undefined
    }
    ${isWhole ? undefined : html`<p class="quiet">What is not managed is not known here.</p>`}`;
}

function renderLeaves(leaves: readonly Leaf[], drifted: ReadonlySet<string>): Html {
  const left = leaves.length - MOST;
  return html`<dl class="leaves">
      ${leaves.slice(0, MOST).map(
        ({ path, value }) =>
          html`<div>
            <dt><code>${shownPath(path)}</code></dt>
            <dd>
              <code>${shownValue(value, LONGEST_VALUE)}</code
              >${drifted.has(formatPath(path)) ? html` <span class="pill is-drifted">drifted</span>` : undefined}
            </dd>
          </div>`,
      )}
    </dl>
    ${left > 0 ? html`<p class="quiet">and ${counted(left, "more setting")}</p>` : undefined}`;
}
