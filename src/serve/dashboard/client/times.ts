// Shows the times of a page by the reader's clock, or as time spans that stay up to date.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A page may hold thousands of times: after this many it pauses. */
const AT_ONCE = 300;

/** Called again for new elements. */
export function tellTimes(within: ParentNode = document): void {
  tellFrom([...within.querySelectorAll<HTMLTimeElement>("time[data-how]")], 0);
}

function tellFrom(all: readonly HTMLTimeElement[], from: number): void {
  const nowMs = Date.now();
  const until = from + AT_ONCE;
  for (const each of all.slice(from, until)) {
    const ms = Date.parse(each.dateTime);
    const text = each.dataset["how"] === "near" ? nearText(ms - nowMs) : localText(ms);
    if (each.textContent !== text) each.textContent = text;
  }
  if (until < all.length) setTimeout(() => tellFrom(all, until));
}

// "3 min ago" is vague, so the title has the exact time.
document.addEventListener("pointerover", ({ target }) => {
  const time = (target as Element).closest<HTMLTimeElement>("time[data-how]");
  if (time) time.title = localText(Date.parse(time.dateTime));
});

/** "2026-06-15 14:00 +02:00" */
function localText(ms: number): string {
  const minutes = -new Date(ms).getTimezoneOffset();
  const local = new Date(ms + minutes * MINUTE_MS).toISOString();
  return `${local.slice(0, 10)} ${local.slice(11, 16)} ${zoneText(minutes)}`;
}

function zoneText(minutes: number): string {
  if (minutes === 0) return "UTC";
  const parts = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return (minutes < 0 ? "-" : "+") + parts.map((each) => String(each).padStart(2, "0")).join(":");
}

/** "3 min ago", "in 2 h" */
function nearText(ms: number): string {
  const far = Math.abs(ms);
  if (far < MINUTE_MS) return ms < 0 ? "just now" : "in a moment";
  const span =
    far < HOUR_MS
      ? `${Math.floor(far / MINUTE_MS)} min`
      : far < 2 * DAY_MS
        ? `${Math.floor(far / HOUR_MS)} h`
        : `${Math.floor(far / DAY_MS)} days`;
  return ms < 0 ? `${span} ago` : `in ${span}`;
}
