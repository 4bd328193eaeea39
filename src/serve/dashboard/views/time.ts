// Renders a moment in UTC; the dashboard's script converts it to the reader's clock.
import { html, type Html } from "../../../lib/html.js";
import { showTime, UTC } from "../../../lib/text.js";
import { isoTime } from "../../../schedule.js";

/** `near`: relative to now; `at`: day and time. */
export function renderTime(ms: number, how: "near" | "at" = "at"): Html {
  const moment = isoTime(ms);
  return html`<time datetime="${moment}" data-how="${how}">${showTime(moment, UTC)}</time>`;
}
