// A moment → an element that tells it in UTC, and that the page's script tells by the reader's clock.
import { html, type Html } from "../../../lib/html.js";
import { isoTime } from "../../../schedule.js";
import { showTime, UTC } from "../../../lib/text.js";

/** `near`: how long ago, or in how long; `at`: day and time. */
export function renderTime(ms: number, how: "near" | "at" = "at"): Html {
  const moment = isoTime(ms);
  return html`<time datetime="${moment}" data-how="${how}">${showTime(moment, UTC)}</time>`;
}
