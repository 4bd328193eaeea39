// What stands between a portal's settings and those who read them: shows what an update replaced until its time is over.
import type { JsonObject } from "../../lib/json.js";
import type { Memory } from "../memory.js";
import type { Switches } from "../options.js";

interface Replaced {
  readonly untilMs: number;
  readonly settings: JsonObject;
}

export function createCache({ now, staleMs }: Pick<Switches, "now" | "staleMs">, memory: Memory) {
  // The oldest first, by portal.
  const replaced = new Map<string, readonly Replaced[]>();
  const stored = (portal: string) => memory.read().portals[portal] ?? {};
  const current = (portal: string) =>
    (replaced.get(portal) ?? []).filter(({ untilMs }) => untilMs > now());
  return {
    /** What the settings resource shows. */
    shown: (portal: string): JsonObject => current(portal)[0]?.settings ?? stored(portal),
    update(portal: string, settings: JsonObject): void {
      const before = { untilMs: now() + staleMs, settings: stored(portal) };
      memory.change({ portals: { ...memory.read().portals, [portal]: settings } });
      replaced.set(portal, staleMs > 0 ? [...current(portal), before] : []);
    },
  };
}
