// What computing a value costs → whether that is still to be done; a small script can ask for more than any memory holds.
import type { Node } from "acorn";
import type { Value } from "./value.js";
import { why, type Stage } from "./world.js";

/** In items of lists; a portal's own file needs a few hundred. */
const MOST = 2_000_000;
/** Characters that cost as much as one item of a list. */
const CHARACTERS = 20;

/** False from the call on that goes beyond it; nothing of the file is relied on then. */
export function spend(cost: number, node: Node, stage: Stage): boolean {
  const { world } = stage;
  world.spent = (world.spent ?? 0) + cost;
  if (world.spent <= MOST) return true;
  world.hidden ??= why(stage, node, "limit");
  return false;
}

export function costOf(value: Value | undefined): number {
  if (value?.kind === "list") return value.items.length;
  if (value?.kind === "open-text") return value.text.length / CHARACTERS;
  if (value?.kind !== "plain" || typeof value.value !== "string") return 0;
  return value.value.length / CHARACTERS;
}
