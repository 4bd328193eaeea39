// What is remembered of a portal, key by key: what was applied last, what is about to be sent, who holds it back, and its history.
import { isEqual } from "../lib/json.js";
import { CAUSES, formatPath } from "../settings.js";
import * as shape from "./shape.js";
import type { Held } from "./shape.js";

/** On whose behalf something was done, and from where. */
const author = shape.object({
  actor: shape.text,
  /** The portal's account, where there was a sign-in. */
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
 * Digests of all that the file gave a leaf that windows have to do with, now and later, when somebody applied it: what a
 * window brings by the clock alone must be among them. Absent where none has.
 */
const given = shape.optional(shape.list(shape.timedDigest));

export const ACTIONS = ["set", "default", "release", "adopt"] as const;

const settledChange = shape.object({
  path: shape.path,
  action: shape.oneOf(ACTIONS),
  cause: shape.oneOf(CAUSES),
  /** The window of the schedule that it comes from, and since when that is open or over. */
  window: shape.optional(
    shape.object({ name: shape.name, is: shape.oneOf(["open", "over"]), since: shape.time }),
  ),
  /** Null where nothing stood; absent where nobody knows. */
  before: shape.optional(shape.anything),
  /** What was asked for. */
  after: shape.anything,
  /**
   * What the portal showed instead, once it had said that it took the update; null for nothing. Absent where it showed
   * what was asked for, and where nobody could look.
   */
  shown: shape.optional(shape.anything),
});
export type SettledChange = Held<typeof settledChange>;

export const KINDS = ["apply", "rollback"] as const;

/** How a guard was opened, and what the history says of it. */
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
  /** The setting that it is about; absent where it is about the update as a whole, and before format 4. */
  path: shape.optional(shape.path),
  how: shape.oneOf(GUARD_WAYS),
  /** That of the file, or what the window did. */
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
  /** The same for all portals that were applied to in one run. */
  run: shape.optional(shape.name),
  planDigest: shape.name,
  guards: shape.list(openedGuard),
  changes: shape.list(settledChange),
  /** As it was sent, or is going to be, though nobody manages it any more. */
  alsoSent: shape.optional(shape.list(pendingLeaf)),
};

/** Written immediately before a request is sent; whoever finds it open can tell what became of that, and write the history. */
const journal = shape.object({
  ...settled,
  /** Everything that the request says, parameter by parameter. */
  settings: shape.mapping,
  /** How long after this was written its sender may be waiting for the answer: until it must have begun, and as long as its call may take. */
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
  /** All parameters of the reference as the portal showed them before; absent where it could not be read. */
  before: shape.optional(shape.mapping),
  /** Every leaf that is managed once this is settled. */
  leaves: shape.list(shape.object({ path: shape.path, sent: shape.anything, given })),
});
export type Journal = Held<typeof journal>;

/** An apply or rollback as the history tells it, without what was to be sent. */
export function entryOf(journal: Journal) {
  const { settings: _sent, leaves: _wanted, timeoutMs: _waited, ...told } = journal;
  const { process: _sender, before: _stood, ...entry } = told;
  return entry;
}
export type OpenEntry = ReturnType<typeof entryOf>;

const wantedLeaf = shape.object({ path: shape.path, value: shape.anything });
export type WantedLeaf = Held<typeof wantedLeaf>;

const hold = shape.object({
  since: shape.time,
  by: author,
  why: shape.text,
  /** When it ends; absent where a person ends it, or a file that agrees with a rollback. */
  until: shape.optional(shape.time),
  /** The values of a rollback: an apply of a file that sets them ends the hold, once its end has passed. */
  wants: shape.optional(shape.list(wantedLeaf)),
});
export type Hold = Held<typeof hold>;

interface Holding {
  readonly hold?: Hold | undefined;
}

export type RollbackHold = Hold & Required<Pick<Hold, "wants">>;

/** Blocks each apply of a file that sets other values. */
export function rollbackHoldOf({ hold }: Holding): RollbackHold | undefined {
  return hold?.wants && { ...hold, wants: hold.wants };
}

/** Without an end that has passed. */
export function holdOf({ hold }: Holding, nowMs: number): Hold | undefined {
  if (hold?.until === undefined || Date.parse(hold.until) > nowMs) return hold;
  const { until: _passed, ...rest } = hold;
  return hold.wants && rest;
}

/** Whether it is a person's, which blocks every apply and rollback. */
export function isManual({ until, wants }: Hold): boolean {
  return until !== undefined || wants === undefined;
}

export function manualHoldOf(state: Holding, nowMs: number): Hold | undefined {
  const hold = holdOf(state, nowMs);
  return hold && isManual(hold) ? hold : undefined;
}

const moved = shape.object({
  /** The address that a file says from then on, with its references as they are written. */
  to: shape.name,
  /** Which folder that is, where it is one: another clone has another one by the same address. */
  folder: shape.optional(shape.object({ host: shape.text, path: shape.name })),
  /** A digest of the address with its references replaced, where it holds any. */
  place: shape.optional(shape.hexDigest),
  time: shape.time,
  by: author,
});
export type Moved = Held<typeof moved>;

/** What a person did to the state alone; a hold's begin and end stand here also where a rollback or an apply caused them. */
export const NOTES = ["hold", "unhold", "release", "move", "sign", "accept"] as const;

/** A settled apply or rollback; one of unknown outcome, after which something else was sent; or what was noted. */
export const ENTRY = shape.object({
  /** Counts applies and rollbacks: 1, 2, 3. Absent for what was noted. */
  number: shape.optional(shape.serial),
  /** Absent for what the portal is known to have taken. */
  outcome: shape.optional(shape.oneOf(["unknown"])),
  ...settled,
  kind: shape.oneOf([...KINDS, ...NOTES]),
  /** Absent for what was noted, which has no plan and neither guards nor changes. */
  planDigest: shape.optional(shape.name),
  /** Of what was noted. */
  why: shape.optional(shape.text),
  /** Of a hold by hand: when it ends. */
  until: shape.optional(shape.time),
  /** What was released. */
  paths: shape.optional(shape.list(shape.path)),
  /** All parameters of the reference as the portal showed them, where it could be read; only the newest entries keep them. */
  live: shape.optional(
    shape.object({ before: shape.optional(shape.mapping), after: shape.optional(shape.mapping) }),
  ),
});
export type Entry = Held<typeof ENTRY>;

/** Whether the portal took what was asked for, as far as anybody could see; what it made of it counts as that. */
export function isTaken({ before, shown }: SettledChange): boolean {
  return shown === undefined || before === undefined || !isEqual(shown, before);
}

/** An apply or a rollback. */
export type Applied = Entry & { readonly number: number };

/** The oldest first. */
export function appliesOf({ history }: Pick<State, "history">): readonly Applied[] {
  return history.filter((each): each is Applied => each.number !== undefined);
}

export function isNote({ kind }: Pick<Entry, "kind">): boolean {
  return kind !== "apply" && kind !== "rollback";
}

/** Whether a file asked for it; otherwise time alone did, or what somebody changed by hand. */
export function isByFile({ kind, changes }: Pick<Entry, "kind" | "changes">): boolean {
  return kind === "apply" && changes.some(({ cause }) => cause === "file");
}

/** The host is told by some portals alone. */
const ownPortal = shape.object({ id: shape.name, hostname: shape.optional(shape.name) });
export type OwnPortal = Held<typeof ownPortal>;

export const PORTAL = shape.object({
  url: shape.name,
  id: shape.text,
  key: shape.name,
  /** What the portal calls itself; absent until it was read. */
  own: shape.optional(ownPortal),
});

/** The order of the keys is the one in which a state is written, and of which its digest is made. */
export const STATE = shape.object({
  /** By whoever had the key when it was written: over the digest of all the rest, of which it is no part. */
  signature: shape.optional(shape.object({ over: shape.hexDigest, hmac: shape.hexDigest })),
  /** Given once and kept for life, so that a state that was begun anew is not taken for the one before. */
  lineage: shape.name,
  /** Goes up by one with every write, so that two writers cannot both win; 0 before the first, which is not written. */
  serial: shape.serial,
  portal: PORTAL,
  /** The leaves that are managed. */
  leaves: shape.list(
    shape.object({ path: shape.path, sent: shape.anything, shown: shape.anything, given }),
  ),
  /** Of a portal that is never read: leaves that are managed no longer, and go on being sent beside those that are. */
  alsoSent: shape.optional(shape.list(pendingLeaf)),
  /** Present while it is not known whether a request reached the portal. */
  journal: shape.optional(journal),
  /** A rollback's or a person's; one that is over stays until the next apply. */
  hold: shape.optional(hold),
  /** Present where it was moved away from: what stands here is what was taken along, and nobody goes on with it. */
  moved: shape.optional(moved),
  /** How many older entries were dropped. */
  earlier: shape.optional(shape.object({ entries: shape.count })),
  /** Every settled apply and what was noted, the oldest first. */
  history: shape.list(ENTRY),
});
export type State = Held<typeof STATE>;
