// Compares a portal's own identity with its state: no portal has two states, and no state two portals.
import { Failure } from "../failure.js";
import type { OwnPortal } from "../portal/view.js";
import type { Live } from "../plan/inputs.js";
import type { State } from "../state/state.js";
import type { StateReader } from "../state/state-store.js";
import { showForeign } from "../lib/text.js";

/** Undefined if the portal was not read with a sign-in. */
export function ownIn(live: Live): OwnPortal | undefined {
  return live.kind === "read" ? live.own : undefined;
}

/** The account decides which portal `self` is, and another portal may have moved to the address. */
export function assertOwnPortal(
  own: OwnPortal | undefined,
  state: State | undefined,
  { place }: Pick<StateReader, "place">,
): void {
  const before = state?.portal.own;
  if (own && before && before.id !== own.id) throw becameAnother(before, own, place);
}

/** The id of every self-hosted portal. */
const COMMON_ID = "0123456789ABCDEF";

/**
 * One key for all addresses of a portal. A hosted organisation has a unique id. Elsewhere the key contains the host
 * that the portal names, or else the address.
 */
export function ownKeyOf({ id, hostname }: OwnPortal, url: string): string {
  const isUnique = /^[A-Za-z0-9]{16}$/.test(id) && id !== COMMON_ID;
  return isUnique ? id : `${id} ${hostname ?? url}`;
}

function show(text: string): string {
  return showForeign(text, [], 200);
}

/** Such as "0123456789ABCDEF" at "gis.example.com/portal". */
export function ownName({ id, hostname }: OwnPortal): string {
  return hostname === undefined ? `"${show(id)}"` : `"${show(id)}" at "${show(hostname)}"`;
}

function becameAnother(before: OwnPortal, own: OwnPortal, place: string): Failure {
  return new Failure(
    "state-not-ours",
    `The state "${place}" belongs to the portal ${ownName(before)}, but ${ownName(own)} answers.`,
    "Check portal.url and the account. If the file is now for another portal, give it a place of its own, and keep this one:\n  state: file:DIR",
  );
}
