// Places and ends holds by hand, and changes states in other ways, each change with its author.
import { randomUUID } from "node:crypto";
import { nothingApplied } from "./preconditions.js";
import { storeOf, type PortalContext } from "./portal-context.js";
import type { RunContext } from "./run-context.js";
import { readSettled } from "./wait.js";
import { KEYS } from "../document/read/references.js";
import { Failure, wrongUsage } from "../failure.js";
import type { Io } from "../io.js";
import { secret } from "../secret.js";
import { SIGN_IN_METHODS, type SignInField } from "../sign-in.js";
import { authorOf } from "../state/author/author.js";
import { notKept } from "../state/open.js";
import { sentence } from "../lib/text.js";
import {
  manualHoldOf,
  rollbackHoldOf,
  type Author,
  type Hold,
  type State,
} from "../state/state.js";
import { StateConflict } from "../state/state-store.js";
import { emptyState, withHold, withoutHold, type Note } from "../state/steps.js";

export interface Changed {
  readonly before: State;
  readonly after: State;
}

export interface Step {
  readonly waitMs: number;
  readonly step: (state: State, note: Note & { readonly by: Author }) => State;
  /** The first state, if there is none; absent if the change requires a state. */
  readonly begin?: (() => State) | undefined;
}

/** Changes a state. Writes nothing if the change has no effect. */
export async function changeState(
  run: RunContext,
  portal: PortalContext,
  { waitMs, step, begin }: Step,
): Promise<Changed> {
  const by = await authorIn(run, portal);
  const store = storeOf(portal, run);
  const waiting = { waitMs, needsOutcome: false };
  for (;;) {
    // A running process settles its own journal.
    const { state, version } = await readSettled(store, portal, run, waiting);
    const before = state ?? begin?.();
    if (!before) throw nothingApplied(portal.desired.file);
    const after = step(before, { time: new Date(run.io.now()).toISOString(), by });
    if (after === before) return { before, after };
    try {
      await store.write(after, version);
      return { before, after };
    } catch (error) {
      if (!(error instanceof StateConflict)) throw error;
    }
  }
}

/** The author from git or the pipeline, unless the run acts for another user. */
export async function authorIn(
  { io, actor }: Pick<RunContext, "io" | "actor">,
  { desired }: Pick<PortalContext, "desired">,
  account?: string | Promise<string | undefined>,
): Promise<Author> {
  const by = await authorOf(io, desired.paths, account);
  return actor === undefined ? by : { ...by, actor };
}

export interface HoldOptions {
  readonly why: string;
  readonly until?: string | undefined;
  readonly waitMs: number;
  /** Fails if there is another hold already. */
  readonly mustBeFree?: boolean;
}

/** Works before the first apply too: the hold creates the state, and blocks that apply. */
export async function holdPortal(
  run: RunContext,
  portal: PortalContext,
  { why, until, waitMs, mustBeFree = false }: HoldOptions,
): Promise<Changed> {
  const lost = notKept(portal.desired.state, run.io.env);
  if (lost) throw lost;
  const since = new Date(run.io.now()).toISOString();
  return changeState(run, portal, {
    waitMs,
    step: (state, { by }) => {
      const held = manualHoldOf(state, run.io.now()) ?? rollbackHoldOf(state);
      if (mustBeFree && held) throw alreadyHeld(held);
      return withHold(state, { since, by, why, ...(until !== undefined && { until }) });
    },
    begin: () => emptyState(randomUUID(), portal.identity),
  });
}

function alreadyHeld({ by, why }: Pick<Hold, "by" | "why">): Failure {
  return new Failure(
    "held",
    `The portal is already on hold by ${by.actor}: ${sentence(why)}`,
    "End that hold first.",
  );
}

/** Returns the same state twice if there is no hold. */
export function unholdPortal(
  run: RunContext,
  portal: PortalContext,
  { waitMs }: Pick<HoldOptions, "waitMs">,
): Promise<Changed> {
  // A portal without any apply has no hold.
  const begin = () => emptyState(randomUUID(), portal.identity);
  return changeState(run, portal, { waitMs, step: withoutHold, begin });
}

/** A hold is shown on one line. */
const LONGEST_REASON = 500;

export function assertUsableReason(why: string, io: Pick<Io, "env">): void {
  if (why.length > LONGEST_REASON) {
    throw wrongUsage(
      `The reason is longer than ${LONGEST_REASON} characters.`,
      "Shorten it, and link to the details.",
    );
  }
  assertHoldsNoSecret(why, io);
}

/** The reason is visible to every reader of the state, and stays in its history. */
function assertHoldsNoSecret(why: string, { env }: Pick<Io, "env">): void {
  const fields = Object.values(SIGN_IN_METHODS).flatMap((each): SignInField[] =>
    Object.values(each),
  );
  const variables = fields.flatMap(({ isSecret, variable }) =>
    isSecret && variable ? [variable] : [],
  );
  const found = [...variables, ...KEYS].find((name) => secret(env[name]?.trim() ?? "").isIn(why));
  if (found === undefined) return;
  throw wrongUsage(
    `The reason contains the value of ${found}, or a part of it.`,
    "Every reader of the state would see it. Write the reason without the secret.",
  );
}
