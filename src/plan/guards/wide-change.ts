// Guard: most applied settings would change at once, such as with the file of another portal.
import { keyOf } from "../../catalog/spelling.js";
import type { GuardRule } from "./all.js";

const FEWEST_APPLIED = 8;

export const wideChange: GuardRule = {
  stops: `more than half of at least ${FEWEST_APPLIED} applied settings that would change`,
  help: "Check that the file is for this portal.",
  find({ inputs: { last }, sent }) {
    if ((last?.leaves.length ?? 0) < FEWEST_APPLIED) return [];
    const applied = new Set(last?.leaves.map(({ path }) => keyOf(path)));
    const changing = sent.filter(
      ({ change, isAtBoundary }) => !isAtBoundary && applied.has(keyOf(change.path)),
    ).length;
    if (applied.size < FEWEST_APPLIED || changing * 2 <= applied.size) return [];
    const message = `${changing} of the ${applied.size} settings that were applied before would change.`;
    return [{ path: null, message }];
  },
};
