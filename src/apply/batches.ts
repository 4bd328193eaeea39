// Splits portals into the canaries and the rest, and decides what keeps the rest from being begun.
import { Failure } from "../failure.js";
import { counted } from "../lib/text.js";

export interface BatchOptions {
  /** So many go first; the others only where all of these show what was applied. */
  readonly canary?: number | undefined;
  /** Where a portal fails, the others go on, or none is begun any more. */
  readonly onError: "continue" | "stop";
}

/** A portal before anything is carried out. */
export interface BatchedPortal {
  readonly name: string;
  /** Nothing is to be done, so it cannot be a canary. */
  readonly isDone: boolean;
  readonly hasFailed: boolean;
  /** Whether it shows afterwards what it has taken. */
  readonly canProve: boolean;
}

const NO_PORTAL: BatchedPortal = { name: "", isDone: true, hasFailed: false, canProve: false };

export function openBatches(all: readonly BatchedPortal[], { canary, onError }: BatchOptions) {
  const places = [...all.keys()];
  const first = places.filter((at) => !all[at]?.isDone).slice(0, canary ?? 0);
  const failed = new Set(places.filter((at) => all[at]?.hasFailed));
  const names = (some: readonly number[]) => some.map(nameAt).join(", ");
  const nameAt = (at: number) => {
    const { name, hasFailed, canProve } = all[at] ?? NO_PORTAL;
    return `"${name}"${hasFailed || canProve ? "" : " (never read)"}`;
  };
  let why: Failure | undefined;
  const known = places.filter((at) => failed.has(at));
  if (onError === "stop" && known.length > 0) why = afterError(names(known.slice(0, 1)));
  return {
    /** By their places; the next is begun once all of the one before have ended. */
    batches: [first, places.filter((at) => !first.includes(at))],
    /** What keeps a portal from being begun now. */
    why: () => why,
    ended(at: number, isFine: boolean): void {
      if (isFine) return;
      failed.add(at);
      if (onError === "stop") why ??= afterError(names([at]));
    },
    /** The notice between the canaries and the rest; undefined where there is none. */
    next(): string | undefined {
      const left = all.filter(({ isDone, hasFailed }) => !isDone && !hasFailed).length;
      const following = left - first.filter((at) => !all[at]?.hasFailed).length;
      if (first.length === 0 || following === 0) return undefined;
      const unproven = first.filter((at) => failed.has(at) || !all[at]?.canProve);
      if (unproven.length === 0) {
        const who = first.length === 1 ? "portal shows" : `${counted(first.length, "portal")} show`;
        return `The first ${who} the change. Continuing with ${following} more.`;
      }
      why ??= notProven(names(unproven));
      return undefined;
    },
  };
}

function afterError(name: string): Failure {
  return new Failure(
    "not-begun",
    `Skipped: ${name} failed before.`,
    "Fix that portal, then run the same command again.",
  );
}

function notProven(names: string): Failure {
  return new Failure(
    "not-begun",
    `Skipped: the canary was not verified: ${names}.`,
    "Check the canary, then run the same command again.",
  );
}
