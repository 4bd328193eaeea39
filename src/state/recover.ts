// Settles an open journal by what the portal shows now.
import type { Io, Machine } from "../io.js";
import { isEqual, type Json, type JsonObject } from "../lib/json.js";
import { isSent, type AppliedLeaf, type Path } from "../settings.js";
import type { Journal, SettledChange, State } from "./state.js";
import { settle } from "./steps.js";

/** A portal can continue with a request after its caller gave up. */
export const MARGIN_MS = 10_000;
/** The longest time between the write of the journal and the send, including the write itself. */
export const BEGIN_MS = 20_000;

export interface Running {
  readonly host: string;
  readonly pid: number;
  /** Absent if the system has none. */
  readonly bootId?: string | undefined;
  readonly pidNamespace?: string | undefined;
  readonly startTime?: string | undefined;
}

/** Whether the process is certainly dead, so that waiting for it is pointless. */
export function isGone(running: Running, machine: Machine): boolean {
  return isHere(running, machine) && !machine.isRunning(running.pid, running.startTime);
}

/** Whether this process can see that process number. */
function isHere(running: Running, { host, bootId, pidNamespace }: Machine): boolean {
  if (running.bootId !== bootId || running.pidNamespace !== pidNamespace) return false;
  // Systems without either have no containers that share a host name.
  return bootId !== undefined || running.host === host;
}

/** The process as a journal records it. */
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

/** Whether the process that opened it ran on this machine and is dead. */
export function isAbandoned({ by, process }: Journal, { machine }: Pick<Io, "machine">): boolean {
  return process !== undefined && isGone({ host: by.host, ...process }, machine);
}

/** Whether an earlier run of this process opened it, as in a long-running program. */
export function isOwn({ by, process }: Journal, { machine }: Pick<Io, "machine">): boolean {
  return by.host === machine.host && isEqual(process ?? null, processOf(machine));
}

/** How long the update of an open journal may still arrive, for a run that sees the journal for the first time. */
export function unknownForMs(journal: Journal, io: Pick<Io, "machine">): number {
  // A dead process cannot begin to send.
  return journal.timeoutMs + MARGIN_MS - (isAbandoned(journal, io) ? BEGIN_MS : 0);
}

/** Clocks of machines may differ by this much. */
const CLOCKS_MS = 600_000;

/** The same for reports, by this machine's clock. A run that sends never relies on another clock. */
export function reportedUnknownMs(journal: Journal, io: Pick<Io, "now" | "machine">): number {
  const waitMs = unknownForMs(journal, io);
  return io.now() - Date.parse(journal.time) > waitMs + CLOCKS_MS ? 0 : waitMs;
}

/** Whether the portal shows the whole update, so that none of it can still arrive. */
export function hasAllArrived({ changes }: Journal, { at, isWhole }: View): boolean {
  return changes
    .filter(isSent)
    .every(
      ({ path, action, after }) =>
        isEqual(at(path), after) || (isWhole && action === "default" && at(path) === null),
    );
}

/** What the portal shows of an update. Unknown while it may still arrive, or settings may be hidden. */
export type Arrival = "all" | "part" | "none" | "unknown";

export function arrivalOf(journal: Journal, view: View, mayArrive: boolean): Arrival {
  if (hasAllArrived(journal, view)) return "all";
  if (mayArrive || !view.isWhole) return "unknown";
  const isAnyThere = journal.changes.some((each) => isSent(each) && hasArrived(each, view));
  return isAnyThere ? "part" : "none";
}

export interface View {
  /** Null if the portal shows no value. */
  readonly at: (path: Path) => Json;
  /** If false, missing values may be hidden. */
  readonly isWhole: boolean;
}

export interface Shown extends View {
  /** The same for every spelling of a path. */
  readonly keyOf: (path: Path) => string;
  /** All parameters of the reference. */
  readonly settings: JsonObject;
}

/**
 * Undefined if the portal shows nothing of the update, or may hide it: then the update counts as never sent. A leaf
 * that does not show it keeps its known value, so that it is sent again.
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

/** A portal may rewrite a value, so every value but the old one counts as arrived. */
function hasArrived({ path, before, after }: SettledChange, shown: View): boolean {
  const now = shown.at(path);
  return isEqual(now, after) || (before !== undefined && !isEqual(now, before));
}
