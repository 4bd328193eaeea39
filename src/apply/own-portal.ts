// Compares what a portal calls itself with its state: no portal has two states, and no state two portals.
import { Failure } from "../failure.js";
import type { OwnPortal } from "../portal/view.js";
import type { Live } from "../plan/inputs.js";
import type { State } from "../state/state.js";
import type { StateReader } from "../state/state-store.js";
import { showForeign } from "../lib/text.js";

/** Undefined where it was not read with a sign-in. */
export function ownIn(live: Live): OwnPortal | undefined {
  return live.kind === "read" ? live.own : undefined;
}

/** Whoever signs in decides which portal `self` is, and another one may have moved to the address. */
export function assertOwnPortal(
  own: OwnPortal | undefined,
  state: State | undefined,
  { place }: Pick<StateReader, "place">,
): void {
  const before = state?.portal.own;
  if (own && before && before.id !== own.id) throw becameAnother(before, own, place);
}

/** Every portal that an organisation runs itself has this id. */
const COMMON_ID = "0123456789ABCDEF";

/**
 * The same for every address by which one portal is called. An organisation of the hosted service has an id that no
 * other has; elsewhere it takes the host that the portal calls its own, or the address by which it is called.
 */
export function ownKeyOf({ id, hostname }: OwnPortal, url: string): string {
  const isUnique = /^[A-Za-z0-9]{16}$/.test(id) && id !== COMMON_ID;
  return isUnique ? id : `${id} ${hostname ?? url}`;
}

function show(text: string): string {
  return showForeign(text, [], 200);
}

/** "0123456789ABCDEF" at "gis.example.com/portal" */
export function ownName({ id, hostname }: OwnPortal): string {
  return hostname === undefined ? `"${show(id)}"` : `"${show(id)}" at "${show(hostname)}"`;
}

function becameAnother(before: OwnPortal, own: OwnPortal, place: string): Failure {
  return new Failure(
    "state-not-ours",
    `The state "${place}" is that of the portal which calls itself ${ownName(before)}, and the one that answers calls itself ${ownName(own)}.`,
    "Sign in as an account of the portal that is meant, and check portal.url. If another portal is meant now, give it a place of its own, and keep this one:\n  state: file:DIR",
  );
}
