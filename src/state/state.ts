// The content of a state, key by key: the last apply, the open journal, the hold, and the history.
import { isEqual } from "../lib/json.js";
import { CAUSES, formatPath } from "../settings.js";
import * as shape from "./shape.js";
import type { Held } from "./shape.js";

/** The person and the place of a change. */
const author = shape.object({
  actor: shape.text,
  /** The portal's account, if there was a sign-in. */
  account: shape.optional(shape.text),
  host: shape.text,
  commit: shape.optional(shape.text),
  job: shape.optional(shape.text),
});
export type Author = Held<typeof author>;

export function authorText({ actor, account }: Author): string {
  return account === undefined ? actor : `${actor} as ${account}`;
}

const pendingLeaf = shape.object({ path: shape.path, sent: shape.anything });

/**
 * Digests of all values that the applied file had for a leaf with windows, now and later. A window opens without an
 * apply only if its value is among them. Absent for a leaf without windows.
 */
const given = shape.optional(shape.list(shape.timedDigest));

export const ACTIONS = ["set", "default", "release", "adopt"] as const;

const settledChange = shape.object({
  path: shape.path,
  action: shape.oneOf(ACTIONS),
  cause: shape.oneOf(CAUSES),
  /** The window of the change, and since when it is open or over. */
  window: shape.optional(
    shape.object({ name: shape.name, is: shape.oneOf(["open", "over"]), since: shape.time }),
  ),
  /** Null for no value; absent if unknown. */
  before: shape.optional(shape.anything),
  after: shape.anything,
  /**
   * What the portal showed instead, after it accepted the update; null for no value. Absent if it showed the requested
   * value, or was not read.
   */
  shown: shape.optional(shape.anything),
});
export type SettledChange = Held<typeof settledChange>;

export const KINDS = ["apply", "rollback"] as const;

/** How a guard was allowed, and the text in the history. */
const WAYS = {
  "--allow": "by --allow",
  file: "by the file",
  prompt: "at the prompt",
  "drift: restore": 'by "drift: restore"',
  window: "by a window",
} as const;
export const GUARD_WAYS = Object.keys(WAYS) as (keyof typeof WAYS)[];

const openedGuard = shape.object({
  guard: shape.name,
  /** The setting of the finding; absent for the update as a whole. */
  path: shape.optional(shape.path),
  how: shape.oneOf(GUARD_WAYS),
  /** The reason in the file, or what the window did. */
  reason: shape.optional(shape.text),
});
export type OpenedGuard = Held<typeof openedGuard>;

export function openedText({ guard, path, how, reason }: OpenedGuard): string {
  const about = path ? `, for ${formatPath(path)}` : "";
  return `${guard} allowed ${WAYS[how]}${about}${reason === undefined ? "" : `: ${reason}`}`;
}

const settled = {
  kind: shape.oneOf(KINDS),
  time: shape.time,
  by: author,
  /** The same for all portals of one run. */
  run: shape.optional(shape.name),
  planDigest: shape.name,
  guards: shape.list(openedGuard),
  changes: shape.list(settledChange),
  /** Values that are sent although the leaf is no longer managed. */
  alsoSent: shape.optional(shape.list(pendingLeaf)),
};

/** Written right before a request. Contains everything to find the outcome and write the history. */
const journal = shape.object({
  ...settled,
  /** The whole request, parameter by parameter. */
  settings: shape.mapping,
  /** How long after this write the sender may wait for an answer: the time to begin and the timeout of the call. */
  timeoutMs: shape.count,
  /** The process that sends it, on the author's host. */
  process: shape.optional(
    shape.object({
      pid: shape.count,
      bootId: shape.optional(shape.text),
      pidNamespace: shape.optional(shape.text),
      startTime: shape.optional(shape.text),
    }),
  ),
  /** All parameters of the reference before the update; absent if the portal could not be read. */
  before: shape.optional(shape.mapping),
  /** Every leaf that is managed after this apply. */
  leaves: shape.list(shape.object({ path: shape.path, sent: shape.anything, given })),
});
export type Journal = Held<typeof journal>;

/** The entry of the history for an apply or rollback, without the request. */
export function entryOf(journal: Journal) {
  const { settings: _sent, leaves: _wanted, timeoutMs: _waited, ...rest } = journal;
  const { process: _sender, before: _stood, ...entry } = rest;
  return entry;
}
export type OpenEntry = ReturnType<typeof entryOf>;

const wantedLeaf = shape.object({ path: shape.path, value: shape.anything });
export type WantedLeaf = Held<typeof wantedLeaf>;

const hold = shape.object({
  since: shape.time,
  by: author,
  why: shape.text,
  /** When it ends; absent if a person ends it, or a file that agrees with a rollback. */
  until: shape.optional(shape.time),
  /** The values of a rollback. An apply of a file with these values ends the hold, after its end if it has one. */
  wants: shape.optional(shape.list(wantedLeaf)),
});
export type Hold = Held<typeof hold>;

interface Holding {
  readonly hold?: Hold | undefined;
}

export type RollbackHold = Hold & Required<Pick<Hold, "wants">>;

/** The hold that blocks applies of a file with other values. */
export function rollbackHoldOf({ hold }: Holding): RollbackHold | undefined {
  return hold?.wants && { ...hold, wants: hold.wants };
}

/** The hold, unless its end has passed. */
export function holdOf({ hold }: Holding, nowMs: number): Hold | undefined {
  if (hold?.until === undefined || Date.parse(hold.until) > nowMs) return hold;
  const { until: _passed, ...rest } = hold;
  return hold.wants && rest;
}

/** Whether a person placed it. A manual hold blocks every apply and rollback. */
function isManual({ until, wants }: Hold): boolean {
  return until !== undefined || wants === undefined;
}

export function manualHoldOf(state: Holding, nowMs: number): Hold | undefined {
  const hold = holdOf(state, nowMs);
  return hold && isManual(hold) ? hold : undefined;
}

const moved = shape.object({
  /** The new address in the file, with its references as written. */
  to: shape.name,
  /** The folder behind that address, because each clone has its own. */
  folder: shape.optional(shape.object({ host: shape.text, path: shape.name })),
  /** A digest of the address with its references replaced, if it has any. */
  place: shape.optional(shape.hexDigest),
  time: shape.time,
  by: author,
});
export type Moved = Held<typeof moved>;

/** Changes of the state alone. A hold's begin and end are recorded even if a rollback or an apply caused them. */
export const NOTES = ["hold", "unhold", "release", "move", "sign", "accept"] as const;

/** A settled apply or rollback, one of unknown outcome that another update followed, or a note. */
export const ENTRY = shape.object({
  /** Counts applies and rollbacks: 1, 2, 3. Absent for a note. */
  number: shape.optional(shape.serial),
  /** Absent if the portal certainly took the update. */
  outcome: shape.optional(shape.oneOf(["unknown"])),
  ...settled,
  kind: shape.oneOf([...KINDS, ...NOTES]),
  /** Absent for a note, which has no plan, guards or changes. */
  planDigest: shape.optional(shape.name),
  why: shape.optional(shape.text),
  /** For a manual hold: when it ends. */
  until: shape.optional(shape.time),
  paths: shape.optional(shape.list(shape.path)),
  /**
   * All parameters of the reference as the portal showed them, if it could be read. Only the newest entries keep them.
   */
  live: shape.optional(
    shape.object({ before: shape.optional(shape.mapping), after: shape.optional(shape.mapping) }),
  ),
});
export type Entry = Held<typeof ENTRY>;

/** Whether the portal took the update, as far as known. A rewritten value counts. */
export function isTaken({ before, shown }: SettledChange): boolean {
  return shown === undefined || before === undefined || !isEqual(shown, before);
}

export type Applied = Entry & { readonly number: number };

/** Oldest first. */
export function appliesOf({ history }: Pick<State, "history">): readonly Applied[] {
  return history.filter((each): each is Applied => each.number !== undefined);
}

export function isNote({ kind }: Pick<Entry, "kind">): boolean {
  return kind !== "apply" && kind !== "rollback";
}

/** Whether the cause was a file, not the schedule or drift alone. */
export function isByFile({ kind, changes }: Pick<Entry, "kind" | "changes">): boolean {
  return kind === "apply" && changes.some(({ cause }) => cause === "file");
}

/** Only some portals show a host. */
const ownPortal = shape.object({ id: shape.name, hostname: shape.optional(shape.name) });
export type OwnPortal = Held<typeof ownPortal>;

export const PORTAL = shape.object({
  url: shape.name,
  id: shape.text,
  key: shape.name,
  /** The portal's own identity; absent until it was read. */
  own: shape.optional(ownPortal),
});

/** The order of the keys is the order in the text and in the digest. */
export const STATE = shape.object({
  /** Signs the digest of everything else. */
  signature: shape.optional(shape.object({ over: shape.hexDigest, hmac: shape.hexDigest })),
  /** Set once. Distinguishes a new state from the one before it. */
  lineage: shape.name,
  /** Increases with every write, so that two writers cannot both succeed. 0 before the first write. */
  serial: shape.serial,
  portal: PORTAL,
  leaves: shape.list(
    shape.object({ path: shape.path, sent: shape.anything, shown: shape.anything, given }),
  ),
  /** For a portal that is never read: leaves that are no longer managed, but still sent. */
  alsoSent: shape.optional(shape.list(pendingLeaf)),
  /** Present while the outcome of a request is unknown. */
  journal: shape.optional(journal),
  /** A manual hold or one of a rollback. An expired one remains until the next apply. */
  hold: shape.optional(hold),
  /** Present if the state was moved away. The rest is its content at that time. */
  moved: shape.optional(moved),
  /** The number of older entries that were dropped. */
  earlier: shape.optional(shape.object({ entries: shape.count })),
  /** Every settled apply and note, oldest first. */
  history: shape.list(ENTRY),
});
export type State = Held<typeof STATE>;
