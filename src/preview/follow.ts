// Paths → a call whenever what stands there has changed and come to rest; also for what is not there yet.
import { marksOf } from "../lib/files.js";

const EVERY_MS = 100;

// Looking again and again, because the notices of file systems fail on network drives, in containers and for files
// that an editor replaces; a thousand looks take a few milliseconds.
export function follow(
  signal: AbortSignal,
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
  onChange: (changed: ReadonlySet<string>) => Promise<void>,
) {
  const known = new Map<string, string>();
  const restless = new Map<string, string>();
  return {
    /** Begins with what stands there now; false for a path that is followed already. */
    add(path: string): boolean {
      if (known.has(path)) return false;
      known.set(path, marksOf(path));
      return true;
    },
    async run(): Promise<void> {
      while (!signal.aborted) {
        await sleep(EVERY_MS, signal);
        const rested = new Set<string>();
        for (const [path, before] of known) {
          const now = marksOf(path);
          if (now === before) restless.delete(path);
          // Twice the same: whoever writes has come to an end.
          else if (restless.get(path) === now) rested.add(path);
          else restless.set(path, now);
        }
        for (const path of rested) known.set(path, restless.get(path) ?? "");
        if (rested.size > 0) await onChange(rested);
      }
    },
  };
}
