// Rule: a window that closed long ago can be removed.
import { DAY_MS } from "../../../moment.js";
import { windowsAround } from "../../schedule/windows.js";
import type { Rule } from "./rule.js";

const DAYS = 30;

export const windowOver = {
  code: "window-over",
  severity: "warning",
  meaning: `a window of the schedule that closed more than ${DAYS} days ago`,
  find: ({ root, today }) => {
    const longAgoMs = Date.parse(today ?? "") - DAYS * DAY_MS;
    const windows = windowsAround(root, Date.parse(today ?? ""));
    const coming = new Set(
      windows.filter((each) => !(each.untilMs < longAgoMs)).map(({ name }) => name),
    );
    return windows
      .filter(({ name }) => !coming.has(name))
      .map(({ name, entry }) => ({
        path: ["schedule", name],
        at: entry.key,
        message: `The window "${name}" closed more than ${DAYS} days ago.`,
        help: "It has no effect. Remove it, or write other times.",
      }));
  },
} as const satisfies Rule;
