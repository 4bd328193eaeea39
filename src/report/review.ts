// Computes a short digest of what plans change, so that a plan after a merge can be compared with the reviewed one.
import { digest } from "../lib/digest.js";
import type { Review } from "../outcome.js";
import type { Plan } from "../plan/plan.js";
import type { Styles } from "./styles.js";
import { sentenceLines } from "./text-layout.js";
import { reviewSentence } from "./verdict.js";

/** What is kept of one portal's plan. Nothing of what it was made on: without credentials, less of that is seen. */
export interface Reviewable {
  /** Null where nothing changes: then it does not matter whether others were there to be looked at. */
  readonly changes: string | null;
  readonly wanted: string;
}

const DIGITS = 12;

export function reviewableOf({ binding, changes }: Plan): Reviewable {
  const { url, id } = binding.portal;
  const shown = changes.map(({ path, action, before, after }) => ({ path, action, before, after }));
  return {
    changes: shown.length > 0 ? digest({ url, id, changes: shown }) : null,
    wanted: digest({ url, id, desired: binding.desired }),
  };
}

/**
 * The first half of the digest is of the changes; the second is of the desired state, and shows why the first differs.
 * The reviewed digest may be any text, because the author of a pull request could have written it. Undefined where
 * nothing changes.
 */
export function reviewOf(
  portals: readonly Reviewable[],
  reviewed: string | undefined,
): Review | undefined {
  const short = (digests: readonly string[]) => digest(digests.toSorted()).slice(0, DIGITS);
  const changes = portals.flatMap((each) => each.changes ?? []);
  if (changes.length === 0) return undefined;
  const halves = [short(changes), short(portals.map(({ wanted }) => wanted))] as const;
  const claimed = reviewed?.trim().split("-");
  const [isSame, isWanted] = halves.map((half, at) => half === claimed?.[at]);
  const comparison = isSame ? "same" : isWanted ? "wanted" : "other";
  return { digest: halves.join("-"), comparison: claimed ? comparison : null };
}

export function reviewText(review: Review, styles: Styles): string {
  const style = review.comparison === "same" ? styles.green : styles.yellow;
  const lines = sentenceLines(reviewSentence(review), style, "", { width: styles.messageWidth });
  return ["", ...lines, ""].join("\n");
}

export function reviewJson(review: Review | undefined) {
  const { digest = null, comparison = null } = review ?? {};
  return { changesDigest: digest, reviewed: comparison && comparison === "same" };
}
