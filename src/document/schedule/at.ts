// Computes the settings of a file at a moment, the windows that set them, and the next boundary.
import {
  isoTime,
  type Boundary,
  type Given,
  type Schedule,
  type WindowTime,
} from "../../schedule.js";
import { keyOf } from "../../catalog/spelling.js";
import type { DesiredLeaf } from "../../settings.js";
import { desiredLeaves } from "../read/leaves.js";
import { childOf, textOf, type Node } from "../read/tree.js";
import { isOpenAt, windowsAround, windowsAt, windowsFrom, type Window } from "./windows.js";

export interface DesiredAt {
  readonly leaves: readonly DesiredLeaf[];
  /** Absent if the file has none. */
  readonly schedule?: Schedule;
}

/** If windows agree on a leaf, the first one in the file sets it. */
export function desiredAt(root: Node, ms: number): DesiredAt {
  const leaves = desiredLeaves(root);
  if (!childOf(root, "schedule")) return { leaves };
  const windows = windowsAt(root, ms);
  const timeZone = textOf(childOf(root, "timeZone"));
  const given = new Map<string, { window: Window; leaf: DesiredLeaf }[]>();
  for (const window of windows) {
    for (const leaf of window.leaves) {
      const key = keyOf(leaf.path);
      given.set(key, [...(given.get(key) ?? []), { window, leaf }]);
    }
  }
  return {
    leaves: leaves.map((own) => {
      const others = given.get(keyOf(own.path));
      if (!others) return own;
      const open = others.find(({ window }) => isOpenAt(window, ms));
      const gives = [
        givenBy(null, own),
        ...others.map(({ window, leaf }) => ({
          ...givenBy(
            {
              ...timeOf(window),
              isOver: window.untilMs <= ms,
              ...(window.every !== undefined && { every: window.every }),
            },
            leaf,
          ),
          content: window.content,
        })),
      ];
      return open ? { ...open.leaf, window: open.window.name, gives } : { ...own, gives };
    }),
    schedule: {
      open: windows.filter((each) => isOpenAt(each, ms)).map(timeOf),
      next: nextOf(windowsAround(root, ms), ms),
      ...(timeZone !== undefined && { timeZone }),
    },
  };
}

function givenBy(window: Given["window"], { action, value, place }: DesiredLeaf): Given {
  return { window, action, value, place };
}

export function timeOf({ name, fromMs, untilMs }: Window): WindowTime {
  return { name, from: isoTime(fromMs), until: isoTime(untilMs) };
}

/** The first boundary after a moment. */
function nextOf(windows: readonly Window[], ms: number): Boundary | null {
  const times = windows.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]);
  const time = Math.min(...times.filter((each) => each > ms));
  if (!Number.isFinite(time)) return null;
  const named = (key: "fromMs" | "untilMs") =>
    windows.filter((each) => each[key] === time).map(({ name }) => name);
  return { time: isoTime(time), opens: named("fromMs"), closes: named("untilMs") };
}

/** Every moment at which a window opens or closes, in order; for recurring windows, for 13 months from a moment. */
export function boundariesOf(root: Node, startMs: number): number[] {
  const times = windowsFrom(root, startMs).flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]);
  return [...new Set(times)].toSorted((one, other) => one - other);
}
