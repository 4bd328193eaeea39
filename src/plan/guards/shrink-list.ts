// Guard: a list loses most of its entries.
import { canonicalText, isJsonList, type Json } from "../../lib/json.js";
import { formatPath } from "../../settings.js";
import type { GuardRule } from "./all.js";

const FEWEST_LOST = 3;

export const shrinkList: GuardRule = {
  stops: `a list that would lose more than half of its entries, and at least ${FEWEST_LOST}`,
  isOpenAtBoundary: true,
  help: "Check that the file holds the whole list. To copy the entries of the portal:\n  lintel pull FILE --path PATH",
  find: ({ sent }) =>
    sent.flatMap(({ change: { path, after }, couldBe }) =>
      couldBe
        .filter(isJsonList)
        .map((before) => ({ before, lost: lostFrom(before, isJsonList(after) ? after : []) }))
        .filter(({ before, lost }) => lost >= FEWEST_LOST && lost * 2 > before.length)
        .slice(0, 1)
        .map(({ before, lost }) => ({
          path,
          message: `"${formatPath(path)}" would lose ${lost} of its ${before.length} entries.`,
        })),
    ),
};

/** How many entries the new list lacks, in any order. */
function lostFrom(before: readonly Json[], after: readonly Json[]): number {
  const left = new Map<string, number>();
  for (const text of after.map(canonicalText)) left.set(text, (left.get(text) ?? 0) + 1);
  return before.map(canonicalText).filter((text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  }).length;
}
