// A state as the first format has it → the same as it is held today: every change with its cause, the history as a chain.
import type { Json } from "../../lib/json.js";
import { append } from "../chain.js";
import * as shape from "../shape.js";
import type { Held } from "../shape.js";
import type { SettledChange, State } from "../state.js";

// Written out rather than taken from today's: what the first format was does not change with the next one.

const author = shape.object({
  actor: shape.text,
  account: shape.optional(shape.text),
  host: shape.text,
  commit: shape.optional(shape.text),
  job: shape.optional(shape.text),
});

const pendingLeaf = shape.object({ path: shape.path, sent: shape.anything });

const ACTIONS = ["set", "default", "release", "adopt"] as const;

const settledChange = shape.object({
  path: shape.path,
  action: shape.oneOf(ACTIONS),
  before: shape.optional(shape.anything),
  after: shape.anything,
});

const KINDS = ["apply", "rollback"] as const;

const settled = {
  kind: shape.oneOf(KINDS),
  time: shape.time,
  by: author,
  planDigest: shape.name,
  guards: shape.list(shape.object({ guard: shape.name, reason: shape.text })),
  changes: shape.list(settledChange),
  alsoSent: shape.optional(shape.list(pendingLeaf)),
};

const journal = shape.object({
  ...settled,
  settings: shape.mapping,
  timeoutMs: shape.count,
  before: shape.optional(shape.mapping),
  leaves: shape.list(pendingLeaf),
});

const wantedLeaf = shape.object({ path: shape.path, value: shape.anything });

const hold = shape.object({
  since: shape.time,
  by: author,
  why: shape.text,
  wants: shape.list(wantedLeaf),
});

const entry = shape.object({
  serial: shape.serial,
  outcome: shape.optional(shape.oneOf(["unknown"])),
  ...settled,
  live: shape.optional(
    shape.object({ before: shape.optional(shape.mapping), after: shape.optional(shape.mapping) }),
  ),
});

const STATE = shape.object({
  lineage: shape.name,
  serial: shape.serial,
  portal: shape.object({ url: shape.name, id: shape.text, key: shape.name }),
  leaves: shape.list(
    shape.object({ path: shape.path, sent: shape.anything, shown: shape.anything }),
  ),
  alsoSent: shape.optional(shape.list(pendingLeaf)),
  journal: shape.optional(journal),
  hold: shape.optional(hold),
  history: shape.list(entry),
});

/** The digest of such a state is that of the first value; throws a TypeError that names what is wrong. */
export function readFormat1(held: Json): { readonly digested: Json; readonly state: State } {
  const digested = STATE(held);
  const { history, journal: open, ...rest } = digested;
  const chain = append(
    { history: [] },
    ...history.map(({ changes, ...entry }) => ({ ...entry, changes: changes.map(causeOf(entry)) })),
  );
  const journal = open && { ...open, changes: open.changes.map(causeOf(open)) };
  const state: State = { ...rest, ...chain, ...(journal && { journal }) };
  return { digested, state };
}

/** There were no other causes then. */
function causeOf({ kind }: { readonly kind: (typeof KINDS)[number] }) {
  const cause = kind === "apply" ? "file" : "rollback";
  return ({ path, action, ...values }: Held<typeof settledChange>): SettledChange => ({
    path,
    action,
    cause,
    ...values,
  });
}
