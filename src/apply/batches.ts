// Splits portals into canaries and the rest, and decides why the rest may not start.
import { EXIT, Failure, FAILURES, type Exit } from "../failure.js";
import { counted } from "../lib/text.js";

export interface BatchOptions {
  /** Number or names of the portals that go first. The rest start only if all of them show the change. */
  readonly canary?: number | ((name: string) => boolean) | undefined;
  /** Continue even if a portal did not take an update, or its outcome is unknown. */
  readonly keepGoing: boolean;
}

/** Failures that say nothing about the next portal: stale, locked, or blocked by a guard or a hold. */
const OF_ONE_ALONE: readonly Exit[] = [EXIT.stale, EXIT.locked, EXIT.stopped];

export interface BatchedPortal {
  readonly name: string;
  /** Nothing to do, so it cannot be a canary. */
  readonly isDone: boolean;
  /** On hold, so it cannot be a canary. */
  readonly isSkipped: boolean;
  readonly hasFailed: boolean;
  /** Whether the portal shows afterwards what it has taken. */
  readonly canVerify: boolean;
}

const NO_PORTAL: BatchedPortal = {
  name: "",
  isDone: true,
  isSkipped: false,
  hasFailed: false,
  canVerify: false,
};

export function openBatches(
  all: readonly BatchedPortal[],
  { canary = 0, keepGoing }: BatchOptions,
) {
  const places = [...all.keys()];
  const open = places.filter((at) => !all[at]?.isDone);
  const named =
    typeof canary === "number" ? [] : places.filter((at) => canary(all[at]?.name ?? ""));
  const skipped = named.filter((at) => all[at]?.isSkipped);
  const first =
    typeof canary === "number" ? open.slice(0, canary) : open.filter((at) => named.includes(at));
  const failed = new Set(places.filter((at) => all[at]?.hasFailed));
  const names = (some: readonly number[]) => some.map(nameAt).join(", ");
  const nameAt = (at: number) => {
    const { name, hasFailed, canVerify } = all[at] ?? NO_PORTAL;
    return `"${name}"${hasFailed || canVerify ? "" : " (never read)"}`;
  };
  let why: Failure | undefined;
  return {
    /** Indexes of portals. The second batch starts when the first has ended. */
    batches: [first, places.filter((at) => !first.includes(at))],
    /** Why a portal may not start now. */
    why: () => why,
    ended(at: number, failure: Pick<Failure, "code"> | null): void {
      if (!failure || failure.code === "not-begun") return;
      const isKnown = failed.has(at);
      failed.add(at);
      if (isKnown || keepGoing || OF_ONE_ALONE.includes(FAILURES[failure.code][0])) return;
      why ??= afterError(names([at]));
    },
    /** The notice between the canaries and the rest, if there is one. */
    next(): string | undefined {
      const left = all.filter(({ isDone, hasFailed }) => !isDone && !hasFailed).length;
      const following = left - first.filter((at) => !all[at]?.hasFailed).length;
      if (first.length + skipped.length === 0 || following === 0) return undefined;
      const ran = first.filter((at) => failed.has(at) || !all[at]?.canVerify);
      const unverified = [...skipped, ...ran];
      if (unverified.length === 0) {
        const who = first.length === 1 ? "portal shows" : `${counted(first.length, "portal")} show`;
        return `The first ${who} the change. Continuing with ${following} more.`;
      }
      why = notVerified(names(unverified));
      return undefined;
    },
  };
}

function afterError(name: string): Failure {
  return new Failure(
    "not-begun",
    `Skipped: the update of ${name} failed.`,
    "Fix that portal, then run the same command again. To continue after failures, add:\n  --keep-going",
  );
}

function notVerified(names: string): Failure {
  return new Failure(
    "not-begun",
    `Skipped: the canary was not verified: ${names}.`,
    "Check the canary, then run the same command again.",
  );
}
