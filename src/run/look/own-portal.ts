// What a portal calls itself × what its state and others say of it → nothing, or the refusal: no portal has two states, and no state two portals.
import { Failure } from "../../failure.js";
import type { OwnPortal } from "../../portal/view.js";
import type { Live } from "../../plan/inputs.js";
import type { PortalIdentity } from "../../state/key.js";
import { ownKeyOf } from "../../state/others.js";
import type { State } from "../../state/state.js";
import { NOT_KNOWN, type StateReader } from "../../state/store.js";
import { showForeign } from "../../lib/text.js";

/** Undefined where it was not read by somebody signed in. */
export function ownIn(live: Live): OwnPortal | undefined {
  return live.kind === "read" ? live.own : undefined;
}

interface Known {
  readonly file: string;
  readonly identity: PortalIdentity;
  readonly store: StateReader;
}

/**
 * Whoever signs in decides which portal `self` is, and another one may have moved to the address. Others that have a
 * state at the same place are asked once, before this state says for the first time what its portal calls itself.
 */
export async function assertOwnPortal(
  own: OwnPortal | undefined,
  state: State | undefined,
  known: Known,
): Promise<void> {
  if (!own) return;
  const before = state?.portal.own;
  if (before && before.id !== own.id) throw becameAnother(before, own, known);
  if (before) return;
  const { identity, store } = known;
  const alike = await store.others(ownKeyOf(own, identity.url));
  const twin = alike === NOT_KNOWN ? undefined : alike.find(({ key }) => key !== identity.key);
  if (twin) throw hasAnother(twin, own, known);
}

function show(text: string): string {
  return showForeign(text, [], 200);
}

/** "0123456789ABCDEF" at "gis.example.com/portal" */
export function ownName({ id, hostname }: OwnPortal): string {
  return hostname === undefined ? `"${show(id)}"` : `"${show(id)}" at "${show(hostname)}"`;
}

function becameAnother(before: OwnPortal, own: OwnPortal, { store }: Known): Failure {
  return new Failure(
    "state-of-another-portal",
    `The state "${store.place}" is that of the portal which calls itself ${ownName(before)}, and the one that answers calls itself ${ownName(own)}.`,
    "Sign in as an account of the portal that is meant, and check portal.url. If another portal is meant now, give it a place of its own, and keep this one:\n  state: file:DIR",
  );
}

function hasAnother(twin: PortalIdentity, own: OwnPortal, { identity, file }: Known): Failure {
  const [one, other] = [identity, twin].map(({ url, id }) => `"${show(url)}" (${show(id)})`);
  return new Failure(
    "same-portal-twice",
    `${one} is the portal that has a state already as ${other}: both call themselves ${ownName(own)}.`,
    `One portal has one state. Write in "${file}" the address and the id under which it is known:\n  url: ${show(twin.url)}\n  id: ${show(twin.id)}`,
  );
}
