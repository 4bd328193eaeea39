// A schedule at a moment, and the changes of a plan → what is said of it: which windows are open, what comes next, what they change.
import { scheduleText, type ChangeWindow, type Schedule } from "../schedule.js";
import { counted, showTime, UTC } from "../lib/text.js";
import type { Change } from "./diff.js";
import { note, type Note } from "./note.js";

const inUtc = (moment: string) => showTime(moment, UTC);

export function scheduleNotes(schedule: Schedule | undefined, changes: readonly Change[]): Note[] {
  const causes = new Map<string, { readonly window: ChangeWindow; count: number }>();
  for (const { cause, window } of changes) {
    if (cause !== "schedule" || !window) continue;
    const key = `${window.is} ${window.name}`;
    causes.set(key, { window, count: (causes.get(key)?.count ?? 0) + 1 });
  }
  const told = [...causes.values()].map(({ window: { name, is, since }, count }) => {
    const what = is === "open" ? "opened" : "closed";
    return `The window "${name}" ${what} at ${inUtc(since)}: ${counted(count, "change")}.`;
  });
  // A window may close in a file that has none any more.
  const now = schedule ? [scheduleText(schedule, inUtc)] : [];
  return [...told, ...now].map((message) => note("schedule", message));
}
