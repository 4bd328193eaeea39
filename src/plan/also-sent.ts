// A portal that is never read: leaves that went from the file → those that go on being sent, because a request replaces what it names.
import { isWithin, type Path } from "../settings.js";
import type { Inputs } from "./inputs.js";
import { inKeyOrder, keyOf } from "./spelling.js";
import type { PlannedLeaf } from "./request.js";

/**
 * As they were sent last. Of a parameter of which the file sets nothing any more there are none: requests leave it out,
 * and whoever sets something of it again is told that nobody has seen the rest.
 */
export function alsoSent(inputs: Inputs): PlannedLeaf[] {
  const { desired, last, live } = inputs;
  if (live.kind === "read" || live.why !== "never" || !last) return [];
  const wanted = new Set(desired.map(({ path }) => keyOf(path)));
  const gone = [...last.leaves, ...(last.alsoSent ?? [])].filter(
    ({ path }) =>
      isTouched(path, inputs) &&
      !wanted.has(keyOf(path)) &&
      // What the file sets in its place, or below it, replaces it.
      !desired.some((leaf) => isWithin(leaf.path, path) || isWithin(path, leaf.path)),
  );
  return inKeyOrder(gone).map(({ path, sent }) => ({ path, value: sent }));
}

/** Whether the file sets anything of the parameter that a path belongs to. */
export function isTouched([parameter]: Path, { desired }: Pick<Inputs, "desired">): boolean {
  return desired.some(({ path }) => path[0] === parameter);
}
