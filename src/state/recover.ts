// An open journal × what the portal shows now → the state in which it is settled, as far as it arrived.
import type { Io, Machine } from "../io.js";
import { isEqual, type Json, type JsonObject } from "../lib/json.js";
import { isSent, type AppliedLeaf, type Path } from "../settings.js";
import type { Journal, SettledChange, State } from "./state.js";
import { settle } from "./steps.js";

/** A portal goes on for a while with what its caller has given up. */
export const MARGIN_MS = 10_000;
/** How long after its journal is written an update may begin, which includes the time that the write takes. */
export const BEGIN_MS = 20_000;

/** What tells a process from all others. */
export interface Running {
  readonly host: string;
  readonly pid: number;
  /** Absent where the system knows no such thing. */
  readonly bootId?: string | undefined;
  readonly pidNamespace?: string | undefined;
  readonly startTime?: string | undefined;
}

/** Whether it is certain that it runs no more, so that nobody has to wait for it. */
export function isGone(running: Running, machine: Machine): boolean {
  return isHere(running, machine) && !machine.isRunning(running.pid, running.startTime);
}

/** Whether its process number means a process that this one can see. */
function isHere(running: Running, { host, bootId, pidNamespace }: Machine): boolean {
  if (running.bootId !== bootId || running.pidNamespace !== pidNamespace) return false;
  // Where the system knows neither, there are no containers that share a name.
  return bootId !== undefined || running.host === host;
}

/** What a journal says of whoever opens it. */
export function processOf({
  pid,
  bootId,
  pidNamespace,
  startTime,
}: Omit<Running, "host">): NonNullable<Journal["process"]> {
  return {
    pid,
    ...(bootId !== undefined && { bootId }),
    ...(pidNamespace !== undefined && { pidNamespace }),
    ...(startTime !== undefined && { startTime }),
  };
}

/** Whether the process that opened it ran on this machine and is gone. */
export function isAbandoned({ by, process }: Journal, { machine }: Pick<Io, "machine">): boolean {
  return process !== undefined && isGone({ host: by.host, ...process }, machine);
}

/** Whether an earlier run of this very process opened it, as in a program that goes on. */
export function isOwn({ by, process }: Journal, { machine }: Pick<Io, "machine">): boolean {
  return by.host === machine.host && isEqual(process ?? null, processOf(machine));
}

/** How long the update of an open journal may still be on its way, for a run that sees the journal for the first time now. */
export function unknownForMs(journal: Journal, io: Pick<Io, "machine">): number {
  // A process that is gone begins nothing any more.
  return journal.timeoutMs + MARGIN_MS - (isAbandoned(journal, io) ? BEGIN_MS : 0);
}

/** More than two clocks differ. */
const CLOCKS_MS = 600_000;

/** The same for reports, by this machine's own clock: a run that sends never counts on the time that another clock wrote. */
export function reportedUnknownMs(journal: Journal, io: Pick<Io, "now" | "machine">): number {
  const waitMs = unknownForMs(journal, io);
  return io.now() - Date.parse(journal.time) > waitMs + CLOCKS_MS ? 0 : waitMs;
}

/** Whether the portal shows all that was sent, so that nothing of it is on its way any more. */
export function hasAllArrived({ changes }: Journal, { at, isWhole }: View): boolean {
  return changes
    .filter(isSent)
    .every(
      ({ path, action, after }) =>
        isEqual(at(path), after) || (isWhole && action === "default" && at(path) === null),
    );
}

/** What the portal shows of an update; unknown while it may still arrive, and where settings may be hidden. */
export type Arrival = "all" | "part" | "none" | "unknown";

export function arrivalOf(journal: Journal, view: View, mayArrive: boolean): Arrival {
  if (hasAllArrived(journal, view)) return "all";
  if (mayArrive || !view.isWhole) return "unknown";
  const isAnyThere = journal.changes.some((each) => isSent(each) && hasArrived(each, view));
  return isAnyThere ? "part" : "none";
}

export interface View {
  /** Null where the portal shows nothing. */
  readonly at: (path: Path) => Json;
  /** Otherwise what it does not show may be hidden. */
  readonly isWhole: boolean;
}

export interface Shown extends View {
  /** The same for every spelling of a path. */
  readonly keyOf: (path: Path) => string;
  /** All parameters of the reference. */
  readonly settings: JsonObject;
}

/**
 * Undefined where nothing of it shows, so that it is as if it had never been sent, and where that may be hidden. A leaf
 * of which nothing shows is left as it was known before: what was never taken must be sent again.
 */
export function recover(state: State, shown: Shown): State | undefined {
  const { journal } = state;
  if (!journal || !(shown.isWhole || hasAllArrived(journal, shown))) return undefined;
  const missing = journal.changes.filter((change) => isSent(change) && !hasArrived(change, shown));
  const arrived = journal.changes.filter((change) => !missing.includes(change));
  if (!arrived.some(isSent)) return undefined;
  const { kind, time, by, run, planDigest, guards, before } = journal;
  const live = { ...(before && { before }), ...(shown.isWhole && { after: shown.settings }) };
  const { keyOf } = shown;
  const isOne = (changes: readonly SettledChange[], path: Path) =>
    changes.some((change) => keyOf(change.path) === keyOf(path));
  const leaves = journal.leaves.flatMap(({ path, sent, given }): AppliedLeaf[] => {
    const approved = given && { given };
    const before = state.leaves.find((leaf) => keyOf(leaf.path) === keyOf(path));
    if (isOne(missing, path)) return before ? [before] : [];
    if (before && !isOne(arrived, path)) return [{ ...before, ...approved }];
    return [{ path, sent, shown: shown.at(path), ...approved }];
  });
  const changes = journal.changes.map((change) =>
    missing.includes(change) ? { ...change, shown: shown.at(change.path) } : change,
  );
  const settled = { kind, time, by, ...(run !== undefined && { run }), planDigest, guards };
  return settle(state, { ...settled, changes, live, leaves });
}

/** A portal may rewrite what it takes, so that anything but what stood there before counts. */
function hasArrived({ path, before, after }: SettledChange, shown: View): boolean {
  const now = shown.at(path);
  return isEqual(now, after) || (before !== undefined && !isEqual(now, before));
}
