// Runs an action of lintel state for each portal.
import type { Options, ParsedArguments } from "../command.js";
import type { WAITING, YES } from "../options.js";
import { eachPortal } from "../../apply/each-portal.js";
import { nothingApplied } from "../../apply/preconditions.js";
import { changeState, type Changed } from "../../apply/hold-portal.js";
import { resolvePortal } from "../../apply/portal-context.js";
import { readStateLine } from "../../document/check/state-line.js";
import { withState } from "../../document/read/desired.js";
import type { Io } from "../../io.js";
import { addressesAmong } from "./operands.js";
import type { Member, Resolve, PortalContext } from "../../apply/portal-context.js";
import type { Run } from "../../cli/open-run.js";
import type { Author, State } from "../../state/state.js";
import type { Note } from "../../state/steps.js";
import type { Part } from "../../cli/portal-parts.js";

export type Members = readonly Member<Part>[];

/** What a command that reads or changes states is asked to do, and the portals of its files as it reaches them. */
export interface Asked<T extends Options = typeof WAITING & typeof YES> {
  readonly run: Run;
  readonly call: ParsedArguments<T>;
  readonly resolve: Resolve<PortalContext>;
  /** Whether the call names the place. */
  readonly isNamed?: boolean;
}

/** The place that a person names after the files instead of the one that they say. */
export function placeNamed(
  words: readonly string[],
  io: Io,
): Pick<Asked, "resolve" | "isNamed"> & { readonly files: readonly string[] } {
  const { files, addresses } = addressesAmong(words);
  const [address] = addresses;
  if (address === undefined) return { files, resolve: resolvePortal };
  const node = readStateLine(address, io);
  return {
    files,
    isNamed: true,
    resolve: (desired, run) => resolvePortal(withState(desired, node), run),
  };
}

export function each<T>(
  { run, resolve }: Pick<Asked, "run" | "resolve">,
  work: (portal: PortalContext) => Promise<T>,
): Promise<Member<T>[]> {
  return eachPortal(run, run.files, work, resolve);
}

/** Takes one step of a state; nothing is written where the step changes nothing. Where there is none, `begin` gives it or fails. */
export function change(
  portal: PortalContext,
  { run, call }: Pick<Asked<typeof WAITING>, "run" | "call">,
  step: (state: State, note: Note & { readonly by: Author }) => State,
  begin?: () => State,
): Promise<Changed> {
  return changeState(run, portal, { waitMs: 1000 * call.options.wait, step, begin });
}

export async function stateOf(portal: PortalContext): Promise<State> {
  const { state } = await portal.store.read();
  if (!state) throw nothingApplied(portal.desired.file);
  return state;
}
