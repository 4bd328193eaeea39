// Holds a portal by hand and ends its hold, and takes other steps of a state, each with its author.
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
  /** The state to begin with where there is none; absent where the step needs one. */
  readonly begin?: (() => State) | undefined;
}

/** Takes one step of a state; nothing is written where the step changes nothing. */
export async function changeState(
  run: RunContext,
  portal: PortalContext,
  { waitMs, step, begin }: Step,
): Promise<Changed> {
  const by = await authorIn(run, portal);
  const store = storeOf(portal, run);
  const waiting = { waitMs, needsOutcome: false };
  for (;;) {
    // A run at work settles its own journal.
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

/** As git or the pipeline says, unless the run acts for a user that it names. */
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
  /** Whether another hold is left as it is. */
  readonly mustBeFree?: boolean;
}

/** Also where nothing was ever applied: then the hold begins the state, and holds the first apply. */
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

/** The two states are the same where nothing holds the portal. */
export function unholdPortal(
  run: RunContext,
  portal: PortalContext,
  { waitMs }: Pick<HoldOptions, "waitMs">,
): Promise<Changed> {
  // A portal that was never applied to is not on hold.
  const begin = () => emptyState(randomUUID(), portal.identity);
  return changeState(run, portal, { waitMs, step: withoutHold, begin });
}

/** Shown on one line, wherever the hold is. */
const LONGEST_REASON = 500;

export function assertUsableReason(why: string, io: Pick<Io, "env">): void {
  if (why.length > LONGEST_REASON) {
    throw wrongUsage(
      `The reason is longer than ${LONGEST_REASON} characters.`,
      "Shorten it, and say where more is to be read.",
    );
  }
  assertHoldsNoSecret(why, io);
}

/** Everybody who sees the state reads the reason, and its history keeps it. */
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
    `The reason repeats what ${found} holds, or a part of it.`,
    "It would stand in the state, for all who read it. Say it without the secret.",
  );
}
