// What is wrong with a state or its place → the Failure that says so, and what to do about it.
import { Failure } from "../failure.js";
import { showForeign, shellWord } from "../lib/text.js";
import { isWrong, type Wrong } from "../state-address/kind.js";
import { exampleFor } from "../state-address/kinds.js";
import type { PortalIdentity } from "./key.js";
import type { Place } from "./state-store.js";
import type { Side } from "./text/unmerged.js";

/** What an address leads to; fails with bad-state-address where it leads nowhere. */
export function fitOf<T extends object>(
  found: T | Wrong,
  { address, written }: Pick<Place, "address" | "written">,
): T {
  if (!isWrong(found)) return found;
  throw badAddress(found, { address, written });
}

/** What references stand for is shown nowhere, and what is wrong with an address may repeat it. */
export function badAddress(
  { why, help }: Wrong,
  { address, written }: Pick<Place, "address" | "written">,
): Failure {
  const code = "bad-state-address";
  if (written === undefined) return new Failure(code, `The address of the state ${why}.`, help);
  const names = [...new Set(written.match(/\$\{[^}]*\}/g))].join(", ");
  return new Failure(
    code,
    `The address of the state is none that can be used, once ${names} is replaced.`,
    `Look at what stands in its place. The whole must come to an address such as:\n  ${exampleFor(address)}`,
  );
}

/** The place holds something that Lintel did not write. */
export function notOurs(place: string, what: string, cause?: unknown): Failure {
  return new Failure(
    "state-not-ours",
    `What stands at "${place}" is no state of Lintel: ${what}.`,
    "Nothing was changed there. Name a place of its own for each portal's state, or look at what stands there and take it away.",
    { cause },
  );
}

/** Where the text of a state was found, and how people get back what stood there before. */
export interface Origin {
  readonly place: string;
  /** Sentences, with commands on lines of their own. */
  readonly recovery?: string;
  /** Where git keeps both sides of a conflict: the command that takes one. */
  readonly take?: (side: Side["name"]) => string;
}

const FROM_VERSIONS = "Take it from the versions that are kept there, or from a backup.";

export function damaged(
  { place, recovery = FROM_VERSIONS }: Origin,
  why: string,
  cause?: unknown,
): Failure {
  return new Failure(
    "state-damaged",
    `The state "${place}" is damaged: ${showForeign(why, [])}.`,
    `The history stands in it, so restore the last one that is whole. ${recovery}`,
    { cause },
  );
}

/** Two people applied, and git could not make one state of two. */
export function unmerged(
  { place, recovery = FROM_VERSIONS, take }: Origin,
  sides: readonly [Side, Side],
): Failure {
  const [last, other] = sides.toSorted(laterFirst) as [Side, Side];
  const isTold = last.serial !== undefined || last.time !== undefined;
  const which = isTold ? `, ${tell(last)};` : ", which cannot be read in them;";
  const choice = take
    ? `Both are whole in git. Keep the one that was applied last${which} what the other one did shows as drift then:\n  ${take(last.name)}\n  lintel plan\nThe other one:\n  ${take(other.name)}\nWhere the markers were committed already, put back the last one that is whole. ${recovery}`
    : `Put back the one that was applied last${which} what the other one did shows as drift then. ${recovery}`;
  return new Failure(
    "state-unmerged",
    `The state "${place}" was left by git with conflict markers, because two people applied: ${sides.map(tell).join(", ")}.`,
    choice,
  );
}

function tell({ serial, actor }: Side): string {
  const by = actor === undefined ? undefined : `by ${showForeign(actor, [], 200)}`;
  if (serial === undefined) return by ? `one ${by}` : "one that tells neither serial nor author";
  return `serial ${serial} ${by ?? "by somebody whom it does not name"}`;
}

/** By the time of its last entry, else by its serial. */
function laterFirst(one: Side, other: Side): number {
  const [time = "", otherTime = ""] = [one.time, other.time];
  if (time !== otherTime) return time < otherTime ? 1 : -1;
  return (other.serial ?? 0) - (one.serial ?? 0);
}

export function newer(place: string, format: number): Failure {
  return new Failure(
    "state-newer",
    `The state "${place}" was written by a newer Lintel (format ${format}).`,
    "Use that version, or a later one.",
  );
}

export function anotherPortal(place: string, found: PortalIdentity, own: PortalIdentity): Failure {
  const show = ({ url, id }: PortalIdentity) => `${showForeign(url, [])} (${showForeign(id, [])})`;
  return new Failure(
    "state-not-ours",
    `The state "${place}" is that of another portal: "${show(found)}" instead of "${show(own)}".`,
    "Each portal has a state of its own. Put this one back where it was, or name another place:\n  state: file:DIR",
  );
}

/** Of a state that is whole, and yet not to be gone on with. */
interface Doubted {
  readonly place: string;
  /** The desired-state file. */
  readonly file: string;
  /** How people look at older versions of it, and get one back. */
  readonly recovery: string;
}

/** `why` goes on from the name of the state. */
export function notTrusted({ place, file, recovery }: Doubted, why: string): Failure {
  return new Failure(
    "state-not-trusted",
    `The state "${place}" ${why}, and LINTEL_STATE_KEY asks for one that is signed with it.`,
    `Somebody without the key may have changed it. Look at what it holds; where all of it is right:\n  lintel state sign ${shellWord(file)}\nOtherwise restore the last one that is right. ${recovery}`,
  );
}

/** `isEmpty`: the variable is there and holds nothing. */
export function signed(place: string, file: string, isEmpty: boolean): Failure {
  const why = isEmpty
    ? "LINTEL_STATE_KEY is empty here, as a pipeline leaves a secret that it does not have: set it there."
    : "Run it where LINTEL_STATE_KEY is set, such as in the pipeline.";
  return new Failure(
    "state-not-trusted",
    `The state "${place}" is signed, and without the key it would be signed no longer: nothing is written.`,
    `${why} To look at it without:\n  lintel status ${shellWord(file)}`,
  );
}

export function badKey(message: string): Failure {
  return new Failure(
    "bad-variable",
    message,
    "Make one, and keep it where the pipeline keeps its secrets:\n  openssl rand -hex 32",
  );
}

/** `what` goes on from the name of the state. */
export function rewound({ place, file, recovery }: Doubted, what: string, serial: number): Failure {
  return new Failure(
    "state-rewound",
    `The state "${place}" ${what}; the last one seen here has serial ${serial}.`,
    `An older state hides what was applied since. Restore the newest. ${recovery}\nIf you restored the older one on purpose:\n  lintel state accept ${shellWord(file)}`,
  );
}
