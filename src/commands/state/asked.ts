// What an action of lintel state is asked to do → its work done for each portal, or one step of each state.
import type { Option, ParsedArguments } from "../command.js";
import type { FLEET, WAITING, YES } from "../options.js";
import { eachReached } from "../../apply/each-portal.js";
import { nothingApplied } from "../../apply/preconditions.js";
import { storeOf } from "../../apply/portal-context.js";
import type { Member, Reach, PortalContext, RunContext } from "../../apply/portal-context.js";
import { readSettled } from "../../apply/wait.js";
import { authorOf } from "../../state/author/author.js";
import { StateConflict } from "../../state/state-store.js";
import type { Author, State } from "../../state/state.js";
import type { Note } from "../../state/steps.js";
import { waitingOf } from "../call/plan-options.js";
import type { Part } from "../result/members.js";

export type Members = readonly Member<Part>[];

export type StateCall = ParsedArguments<
  typeof WAITING & typeof FLEET & typeof YES & { readonly why: Text; readonly until: Text }
>;
type Text = Option & { readonly value: string };

/** What an action is asked to do, and the portals of its files as it reaches them. */
export interface Asked {
  readonly tools: RunContext;
  readonly call: StateCall;
  readonly files: readonly string[];
  readonly reach: Reach<PortalContext>;
  /** The words after the files. */
  readonly paths: readonly string[];
}

export function each<T>(
  { files, tools, call, reach }: Asked,
  work: (portal: PortalContext) => Promise<T>,
): Promise<Member<T>[]> {
  return eachReached(files, tools, { concurrency: call.options.concurrency, reach }, work);
}

/** Takes one step of a state; nothing is written where the step changes nothing. Where there is none, `begin` gives it or fails. */
export async function change(
  portal: PortalContext,
  { tools, call }: Asked,
  step: (state: State, note: Note & { readonly by: Author }) => State,
  begin: () => State = () => {
    throw nothingApplied(portal.desired.file);
  },
): Promise<{ readonly before: State; readonly after: State }> {
  const by = await authorOf(tools.io, portal.desired.paths);
  const store = storeOf(portal, tools);
  const waiting = { ...waitingOf(call), needsOutcome: false };
  for (;;) {
    // A run at work settles its own journal.
    const { state, version } = await readSettled(store, portal, tools, waiting);
    const before = state ?? begin();
    const after = step(before, { time: new Date(tools.io.now()).toISOString(), by });
    if (after === before) return { before, after };
    try {
      await store.write(after, version);
      return { before, after };
    } catch (error) {
      if (!(error instanceof StateConflict)) throw error;
    }
  }
}

export async function stateOf(portal: PortalContext): Promise<State> {
  const { state } = await portal.store.read();
  if (!state) throw nothingApplied(portal.desired.file);
  return state;
}
