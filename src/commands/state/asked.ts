// What an action of lintel state is asked to do → its work done for each portal, or one step of each state.
import type { Option, ParsedArguments } from "../command.js";
import type { FLEET, LOCKING, YES } from "../options.js";
import { eachReached } from "../../run/fleet.js";
import { nothingApplied } from "../../run/preconditions.js";
import {
  lockingOf,
  type Member,
  type Reach,
  type ReachablePortal,
  type Tools,
} from "../../run/reachable.js";
import { authorOf } from "../../state/author/author.js";
import { changeState } from "../../state/lock/with-lock.js";
import type { Author, State } from "../../state/state.js";
import type { Note } from "../../state/steps.js";
import { lockTimeoutMs } from "../call/plan-options.js";
import type { Part } from "../result/members.js";

export type Members = readonly Member<Part>[];

export type StateCall = ParsedArguments<
  typeof LOCKING & typeof FLEET & typeof YES & { readonly why: Text; readonly until: Text }
>;
type Text = Option & { readonly value: string };

/** What an action is asked to do, and the portals of its files as it reaches them. */
export interface Asked {
  readonly tools: Tools;
  readonly call: StateCall;
  readonly files: readonly string[];
  readonly reach: Reach<ReachablePortal>;
  /** The words after the files. */
  readonly paths: readonly string[];
}

export function each<T>(
  { files, tools, call, reach }: Asked,
  work: (portal: ReachablePortal) => Promise<T>,
): Promise<Member<T>[]> {
  return eachReached(files, tools, { concurrency: call.options.concurrency, reach }, work);
}

export async function lockingFor(portal: ReachablePortal, tools: Tools) {
  return lockingOf(portal, tools, await authorOf(tools.io, portal.desired.paths));
}

export async function change(
  portal: ReachablePortal,
  { tools, call }: Asked,
  step: (state: State, note: Note & { readonly by: Author }) => State,
  begin: () => State = () => {
    throw nothingApplied(portal.desired.file);
  },
) {
  const by = await authorOf(tools.io, portal.desired.paths);
  const locking = lockingOf(portal, tools, by);
  return changeState({ ...locking, lockTimeoutMs: lockTimeoutMs(call) }, begin, (state) =>
    step(state, { time: new Date(tools.io.now()).toISOString(), by }),
  );
}

export async function stateOf(portal: ReachablePortal): Promise<State> {
  const state = await portal.store.read();
  if (!state) throw nothingApplied(portal.desired.file);
  return state;
}
