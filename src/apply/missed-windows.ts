// Finds windows that opened or closed late, and windows that were never applied.
import type { Snapshot } from "./snapshot.js";
import type { PortalContext } from "./portal-context.js";
import type { RunContext } from "./run-context.js";
import type { Io } from "../io.js";
import { isEqual } from "../lib/json.js";
import { DAY_MS, MINUTE_MS } from "../moment.js";
import { digestOfGiven } from "../plan/cause.js";
import type { Plan } from "../plan/plan.js";
import { keyOf } from "../catalog/spelling.js";
import type { Given, WindowTime } from "../schedule.js";
import type { DesiredLeaf } from "../settings.js";
import { appliesOf } from "../state/state.js";
import { counted, showTime, someOf, zoneOf } from "../lib/text.js";

/** Sentences without an end, each with the names of its portals. */
export type Remarks = Map<string, string[]>;

export function remark(remarks: Remarks, sentences: readonly string[], name: string): void {
  for (const each of sentences) remarks.set(each, [...(remarks.get(each) ?? []), `"${name}"`]);
}

export function printRemarks(remarks: Remarks, { notice }: Pick<RunContext, "notice">): void {
  for (const [text, names] of remarks) notice(`${text} on ${someOf(names, "portal")}.`);
}

/** Texts for a plan that was applied, such as 'The window "night" opened 7 minutes late'. */
export function lateTexts({ changes }: Pick<Plan, "changes">, nowMs: number): string[] {
  const texts = changes.flatMap(({ cause, window }) => {
    const lateMs = nowMs - Date.parse(window?.since ?? "");
    if (cause !== "schedule" || !window || lateMs < MINUTE_MS) return [];
    const what = window.is === "open" ? "opened" : "closed";
    return `The window "${window.name}" ${what} ${spanText(lateMs)} late`;
  });
  return [...new Set(texts)];
}

function spanText(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 120) return counted(minutes, "minute");
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? counted(hours, "hour") : counted(Math.floor(hours / 24), "day");
}

/** A missed window is reported until the next apply, but no longer than this. */
const REPORTED_FOR_MS = 7 * DAY_MS;

type Looked = Pick<PortalContext, "leaves" | "schedule"> & Pick<Snapshot, "state">;

/** Windows that an earlier apply recorded, that are over, and that no apply opened. */
export function missedTexts(
  { leaves, schedule, state }: Looked,
  io: Pick<Io, "env" | "zone" | "now">,
): string[] {
  if (!schedule || !state) return [];
  const zone = zoneOf(io);
  const applies = appliesOf(state);
  const newestMs = Date.parse(applies.at(-1)?.time ?? "");
  const isReported = ({ until }: WindowTime) => {
    const untilMs = Date.parse(until);
    return untilMs > newestMs && io.now() - untilMs < REPORTED_FOR_MS;
  };
  const given = new Map(state.leaves.map((leaf) => [keyOf(leaf.path), leaf.given ?? []]));
  const missed = new Map<string, WindowTime>();
  const seen = new Set<string>();
  for (const leaf of leaves) {
    const key = keyOf(leaf.path);
    const known = given.get(key) ?? [];
    for (const each of leaf.gives ?? []) {
      const { window } = each;
      if (!window?.isOver || !isReported(window) || !known.includes(digestOfGiven(each))) continue;
      if (wasToShow(leaf, each)) missed.set(window.name, window);
      const wasOpened = applies.some(({ changes }) =>
        changes.some(
          (change) =>
            change.window?.name === window.name &&
            change.window.is === "open" &&
            change.window.since === window.from,
        ),
      );
      if (wasOpened) seen.add(window.name);
    }
  }
  return [...missed.values()]
    .filter(({ name }) => !seen.has(name))
    .map(
      ({ name, from, until }) =>
        `Nothing was applied from ${showTime(from, zone)} to ${showTime(until, zone)}, so the window "${name}" was never applied`,
    );
}

/** The names of windows that the last apply did not record: nothing opens them before an apply of the file. */
export function unappliedWindows({ leaves, state }: Pick<Looked, "leaves" | "state">): string[] {
  const given = new Map(state?.leaves.map((leaf) => [keyOf(leaf.path), leaf.given]));
  const names = leaves.flatMap(({ path, gives = [] }) =>
    gives.flatMap((each) =>
      given.get(keyOf(path))?.includes(digestOfGiven(each)) ? [] : (each.window?.name ?? []),
    ),
  );
  return [...new Set(names)];
}

/** Whether the window would have changed anything. */
function wasToShow({ gives = [] }: DesiredLeaf, { window, value }: Given): boolean {
  const others = gives.filter(
    (each) =>
      !each.window ||
      (window && each.window.from < window.until && window.from < each.window.until),
  );
  return others.every((each) => each.window?.name === window?.name || !isEqual(each.value, value));
}
