// Lists the current settings of a portal: managed ones, and others as last read.
import { html, type Html } from "../../../lib/html.js";
import { counted } from "../../../lib/text.js";
import { shownPath, shownValue } from "../../../report/difference.js";
import { formatPath, leavesOf, type Leaf } from "../../../settings.js";
import type { Snapshot } from "../../snapshot.js";
import type { SettingsNow } from "../settings-now.js";

const LONGEST_VALUE = 300;
const MOST = 500;

export function renderSettings(
  { settings, isWhole, managed }: SettingsNow,
  drift: Snapshot["drift"],
): Html {
  const names = new Set(managed.map(formatPath));
  const drifted = new Set(drift.map(({ path }) => path));
  const leaves = leavesOf(settings);
  const own = leaves.filter(({ path }) => names.has(formatPath(path)));
  const others = leaves.filter(({ path }) => !names.has(formatPath(path)));
  return html`${renderList("managed", counted(own.length, "managed setting"), own, drifted)}
  ${others.length > 0 ? renderList("unmanaged", counted(others.length, "unmanaged setting"), others, drifted) : undefined}
  ${isWhole ? undefined : html`<p class="quiet">Unmanaged settings are unknown: the portal was never read.</p>`}`;
}

function renderList(
  id: string,
  title: string,
  leaves: readonly Leaf[],
  drifted: ReadonlySet<string>,
): Html {
  const left = leaves.length - MOST;
  return html`<details class="portal" id="${id}">
    <summary><h3>${title}</h3></summary>
    <div class="inside">
      <dl class="leaves">
        ${leaves.slice(0, MOST).map(
          ({ path, value }) =>
            html`<div>
              <dt><code>${shownPath(path)}</code></dt>
              <dd>
                <code>${shownValue(value, LONGEST_VALUE)}</code>
                ${drifted.has(formatPath(path)) ? html`<span class="pill is-drifted">drifted</span>` : undefined}
              </dd>
            </div>`,
        )}
      </dl>
      ${left > 0 ? html`<p class="quiet">and ${counted(left, "more setting")}</p>` : undefined}
    </div>
  </details>`;
}
