// Failures for states and their places that cannot be used, each with a way out.
import { Failure } from "../failure.js";
import { showForeign, shellWord } from "../lib/text.js";
import { isWrong, type Wrong } from "../state-address/kind.js";
import { exampleFor } from "../state-address/kinds.js";
import type { PortalIdentity } from "./key.js";
import type { Place } from "./state-store.js";
import type { Side } from "./unmerged.js";

/** Resolves an address; fails with bad-state-address if it is wrong. */
export function fitOf<T extends object>(
  found: T | Wrong,
  { address, written }: Pick<Place, "address" | "written">,
): T {
  if (!isWrong(found)) return found;
  throw badAddress(found, { address, written });
}

/** The values of references are never shown, and an error about the address could repeat them. */
export function badAddress(
  { why, help }: Wrong,
  { address, written }: Pick<Place, "address" | "written">,
): Failure {
  const code = "bad-state-address";
  if (written === undefined) return new Failure(code, `The address of the state ${why}.`, help);
  const names = [...new Set(written.match(/\$\{[^}]*\}/g))].join(", ");
  return new Failure(
    code,
    `With ${names} replaced, the address of the state is not valid.`,
    `Check its value. The result must be an address such as:\n  ${exampleFor(address)}`,
  );
}

/** For content that Lintel did not write. */
export function notOurs(place: string, what: string, cause?: unknown): Failure {
  return new Failure(
    "state-not-ours",
    `"${place}" contains something else than a state of Lintel: ${what}.`,
    "Nothing was changed there. Name another place for the state, or check that content and remove it.",
    { cause },
  );
}

/** The place of a state's text, and how to restore an earlier one. */
export interface Origin {
  readonly place: string;
  /** Sentences, with commands on lines of their own. */
  readonly recovery?: string;
  /** The command that takes one side of a git conflict. */
  readonly take?: (side: Side["name"]) => string;
}

const FROM_VERSIONS = "Restore an older version there, or a backup.";

export function damaged(
  { place, recovery = FROM_VERSIONS }: Origin,
  why: string,
  cause?: unknown,
): Failure {
  return new Failure(
    "state-damaged",
    `The state "${place}" is damaged: ${showForeign(why, [])}.`,
    `It contains the history, so restore the last complete one. ${recovery}`,
    { cause },
  );
}

/** Two people applied, and git could not merge the states. */
export function unmerged(
  { place, recovery = FROM_VERSIONS, take }: Origin,
  sides: readonly [Side, Side],
): Failure {
  const [last, other] = sides.toSorted(laterFirst) as [Side, Side];
  const isKnown = last.serial !== undefined || last.time !== undefined;
  const which = isKnown ? `, ${describe(last)};` : ", whose time is unknown;";
  const choice = take
    ? `Git has both. Keep the one that was applied last${which} the changes of the other one then show as drift:\n  ${take(last.name)}\n  lintel plan\nThe other one:\n  ${take(other.name)}\nIf the markers were committed, restore the last complete state. ${recovery}`
    : `Restore the one that was applied last${which} the changes of the other one then show as drift. ${recovery}`;
  return new Failure(
    "state-unmerged",
    `The state "${place}" contains git's conflict markers, because two people applied: ${sides.map(describe).join(", ")}.`,
    choice,
  );
}

function describe({ serial, actor }: Side): string {
  const by = actor === undefined ? undefined : `by ${showForeign(actor, [], 200)}`;
  if (serial === undefined) return by ? `one ${by}` : "one without serial and author";
  return `serial ${serial} ${by ?? "by an unknown author"}`;
}

/** Compares the times of the last entries, else the serials. */
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
    `The state "${place}" belongs to another portal: "${show(found)}" instead of "${show(own)}".`,
    "Each portal has its own state. Move this one back, or name another place:\n  state: file:DIR",
  );
}

/** A state that is complete but must not be used. */
interface Doubted {
  readonly place: string;
  readonly file: string;
  /** How to view older versions and restore one. */
  readonly recovery: string;
}

/** `why` continues after the name of the state. */
export function notTrusted({ place, file, recovery }: Doubted, why: string): Failure {
  return new Failure(
    "state-not-trusted",
    `The state "${place}" ${why}, but LINTEL_STATE_KEY requires a valid signature.`,
    `It may have been changed without the key. Review it. If it is right:\n  lintel state sign ${shellWord(file)}\nOtherwise restore the last right one. ${recovery}`,
  );
}

/** `isEmpty`: the variable is set but empty. */
export function signed(place: string, file: string, isEmpty: boolean): Failure {
  const why = isEmpty
    ? "LINTEL_STATE_KEY is empty, as a pipeline sets a missing secret: set it there."
    : "Run it where LINTEL_STATE_KEY is set, such as in the pipeline.";
  return new Failure(
    "state-not-trusted",
    `The state "${place}" is signed, and a write without the key would remove the signature. Nothing is written.`,
    `${why} To read it without the key:\n  lintel status ${shellWord(file)}`,
  );
}

export function badKey(message: string): Failure {
  return new Failure(
    "bad-variable",
    message,
    "Create one, and store it with the secrets of the pipeline:\n  openssl rand -hex 32",
  );
}

export const GONE = "is gone";

/** `what` continues after the name of the state. */
export function rewound({ place, file, recovery }: Doubted, what: string, serial: number): Failure {
  const isGone = what === GONE;
  const why = isGone
    ? "Without it, Lintel cannot tell what was changed by hand."
    : "An older state hides later applies.";
  const otherwise = isGone
    ? "If it is lost, see what a new one forgets (lintel help recover), and begin it:"
    : "If you restored the older one on purpose:";
  return new Failure(
    "state-rewound",
    `The state "${place}" ${what}; the last one seen here has serial ${serial}.`,
    `${why} Restore the newest one. ${recovery}\n${otherwise}\n  lintel state accept ${shellWord(file)}`,
  );
}
