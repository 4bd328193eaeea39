// Describes the schedule of a plan: open windows, the next boundary, and how many changes they cause.
import { scheduleText, type ChangeWindow } from "../schedule.js";
import { counted } from "../lib/text.js";
import { clockOf } from "../moment.js";
import type { Change } from "./diff.js";
import type { Inputs } from "./inputs.js";
import { note, type Note } from "./note.js";

export function scheduleNotes(
  { schedule, timeZone }: Pick<Inputs, "schedule" | "timeZone">,
  changes: readonly Change[],
): Note[] {
  const time = clockOf(timeZone);
  const causes = new Map<string, { readonly window: ChangeWindow; count: number }>();
  for (const { cause, window } of changes) {
    if (cause !== "schedule" || !window) continue;
    const key = `${window.is} ${window.name}`;
    causes.set(key, { window, count: (causes.get(key)?.count ?? 0) + 1 });
  }
  const caused = [...causes.values()].map(({ window: { name, is, since }, count }) => {
    const what = is === "open" ? "opened" : "closed";
    return `The window "${name}" ${what} at ${time(since)}: ${counted(count, "change")}.`;
  });
  // A window can close although the file no longer contains one.
  const now = schedule ? [scheduleText(schedule)] : [];
  return [...caused, ...now].map((message) => note("schedule", message));
}
