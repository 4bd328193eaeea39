// The portals of a run that are under way → when those which are about to write have asked, or have kept the others waiting long enough.
import type { Io } from "../../io.js";

export interface Gathering {
  /** Somebody who is going to write, or has just written and may again. */
  readonly join: (name: string) => void;
  readonly leave: (name: string) => void;
  /** Somebody has asked to write. */
  readonly tell: () => void;
  /** Resolves once all who are about to write are among those who have asked. */
  readonly complete: (hasAsked: (name: string) => boolean) => Promise<void>;
}

/** Whoever has given no sign for so long waits for a slow portal, and is not waited for. */
const PATIENCE_MS = 20_000;
/** Pushes are limited to some a minute, and a portal that was written to is not left without its entry for long. */
const LONGEST_MS = 10_000;

export function openGathering(io: Io): Gathering {
  const signs = new Map<string, number>();
  let wake = new AbortController();
  const tell = () => wake.abort();
  return {
    join(name) {
      signs.set(name, io.machine.elapsedMs());
      tell();
    },
    leave(name) {
      signs.delete(name);
      tell();
    },
    tell,
    async complete(hasAsked) {
      const endMs = io.machine.elapsedMs() + LONGEST_MS;
      for (;;) {
        wake = new AbortController();
        const others = [...signs].flatMap(([name, ms]) => (hasAsked(name) ? [] : [ms]));
        const leftMs = Math.min(endMs, Math.max(...others) + PATIENCE_MS) - io.machine.elapsedMs();
        // Of nobody the latest sign is before all time.
        if (leftMs <= 0) return;
        // Ends early with the next sign.
        await io.sleep(Math.ceil(leftMs), wake.signal).catch(() => {});
      }
    },
  };
}
