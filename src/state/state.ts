// What is remembered of a portal, key by key: what was applied last, what is about to be sent, who holds it back, and its history.
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

const pendingLeaf = shape.object({ path: shape.path, sent: shape.anything });

export const ACTIONS = ["set", "default", "release", "adopt"] as const;

const settledChange = shape.object({
  path: shape.path,
  action: shape.oneOf(ACTIONS),
  /** Null where nothing stood; absent where nobody knows. */
  before: shape.optional(shape.anything),
  after: shape.anything,
});
export type SettledChange = Held<typeof settledChange>;

export const KINDS = ["apply", "rollback"] as const;

const settled = {
  kind: shape.oneOf(KINDS),
  time: shape.time,
  by: author,
  planDigest: shape.name,
  guards: shape.list(shape.object({ guard: shape.name, reason: shape.text })),
  changes: shape.list(settledChange),
  /** As it was sent, or is going to be, though nobody manages it any more. */
  alsoSent: shape.optional(shape.list(pendingLeaf)),
};

/** Written immediately before a request is sent; whoever finds it open can tell what became of that, and write the history. */
const journal = shape.object({
  ...settled,
  /** Everything that the request says, parameter by parameter. */
  settings: shape.mapping,
  /** How long its call may take: no longer is its sender waiting for the answer. */
  timeoutMs: shape.count,
  /** All parameters of the reference as the portal showed them before; absent where it could not be read. */
  before: shape.optional(shape.mapping),
  /** Every leaf that is managed once this is settled. */
  leaves: shape.list(pendingLeaf),
});
export type Journal = Held<typeof journal>;

const wantedLeaf = shape.object({ path: shape.path, value: shape.anything });
export type WantedLeaf = Held<typeof wantedLeaf>;

/** Applies refuse until the file wants these values too, or a person ends it. */
const hold = shape.object({
  since: shape.time,
  by: author,
  why: shape.text,
  wants: shape.list(wantedLeaf),
});
export type Hold = Held<typeof hold>;

/** A settled apply or rollback; or one of unknown outcome, after which something else was sent. */
const entry = shape.object({
  /** The serial of the write that settled it, or that went over it. */
  serial: shape.count,
  /** Absent for what the portal is known to have taken. */
  outcome: shape.optional(shape.oneOf(["unknown"])),
  ...settled,
  /** All parameters of the reference as the portal showed them, where it could be read; only the newest entries keep them. */
  live: shape.optional(
    shape.object({ before: shape.optional(shape.mapping), after: shape.optional(shape.mapping) }),
  ),
});
export type Entry = Held<typeof entry>;

/** The order of the keys is the one in which a state is written, and of which its digest is made. */
export const STATE = shape.object({
  /** Given once and kept for life, so that a state that was begun anew is not taken for the one before. */
  lineage: shape.name,
  /** Goes up by one with every write, so that two writers cannot both win; 0 before the first, which is not written. */
  serial: shape.count,
  portal: shape.object({ url: shape.name, id: shape.text, key: shape.name }),
  /** The leaves that are managed. */
  leaves: shape.list(
    shape.object({ path: shape.path, sent: shape.anything, shown: shape.anything }),
  ),
  /** Of a portal that is never read: leaves that are managed no longer, and go on being sent beside those that are. */
  alsoSent: shape.optional(shape.list(pendingLeaf)),
  /** Present while it is not known whether a request reached the portal. */
  journal: shape.optional(journal),
  /** Present while applies are held back. */
  hold: shape.optional(hold),
  /** Every settled apply, the oldest first. */
  history: shape.list(entry),
});
export type State = Held<typeof STATE>;
