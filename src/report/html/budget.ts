// Portals and the room for them in bytes → the details of each, told in as many words as there is room for.
import { toText, trusted, type Html } from "../../pages/html.js";
import type { Limits } from "../model/difference.js";

export interface PageLimits extends Limits {
  /** The longest request that is shown whole, in characters. */
  readonly request: number;
  readonly isPictured: boolean;
}

/** From whole to hardly more than the names. */
const LEVELS: readonly PageLimits[] = [
  { text: 20_000, value: 2_000, entries: 200, changes: 500, request: 60_000, isPictured: true },
  { text: 2_000, value: 400, entries: 40, changes: 200, request: 6_000, isPictured: true },
  { text: 400, value: 160, entries: 8, changes: 40, request: 0, isPictured: false },
  { text: 120, value: 60, entries: 3, changes: 8, request: 0, isPictured: false },
];

/** Of more portals than this nobody reads a text of pages, and trying it takes time and memory. */
const FEW = 20;

/**
 * Small ones are told whole and leave their room to large ones; of these each gets the same.
 * Undefined for what has no room even in the fewest words.
 */
export function withinRoom<Item>(
  items: readonly Item[],
  room: number,
  render: (item: Item, limits: PageLimits) => Html,
): Map<Item, Html> {
  const levels = items.length > FEW ? LEVELS.slice(1) : LEVELS;
  const told = (item: Item, level: number) => {
    const limits = levels[level];
    if (!limits) return undefined;
    const text = toText(render(item, limits));
    return { text, bytes: Buffer.byteLength(text) };
  };
  const fitted = new Map<Item, Html>();
  let [left, waiting] = [room, items.length];
  const whole = items
    .map((item) => ({ item, first: told(item, 0) }))
    .toSorted((one, other) => (one.first?.bytes ?? 0) - (other.first?.bytes ?? 0));
  for (const { item, first } of whole) {
    const share = left / waiting--;
    let [fitting, level] = [first, 0];
    while (fitting && fitting.bytes > share) fitting = told(item, ++level);
    if (!fitting) continue;
    fitted.set(item, trusted(fitting.text));
    left -= fitting.bytes;
  }
  return fitted;
}
