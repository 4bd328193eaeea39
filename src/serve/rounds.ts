// What a run that ends asks once, such as the newest state of a branch → asked anew each minute, and shared by the looks of that minute.
import type { Io } from "../io.js";
import { MINUTE_MS } from "../moment.js";
import type { RunContext } from "../apply/run-context.js";

export interface Round {
  /** As of a moment. */
  readonly contextAt: (atMs: number) => RunContext;
  close(): Promise<void>;
}

export type Rounds = ReturnType<typeof openRounds>;

/** Another round begins each minute, and where the work is in another folder. */
export function openRounds(io: Pick<Io, "now">, open: (folder: string) => Round) {
  let current:
    | { readonly round: Round; readonly folder: string; readonly begunMs: number; users: number }
    | undefined;
  let isRenewed = false;
  return {
    /** A round is closed when its last look has ended, and another one has begun. */
    async within<T>(work: (tools: Round["contextAt"]) => Promise<T>, folder = ""): Promise<T> {
      const nowMs = io.now();
      // The clock may have been put back since.
      const isOver = !current || Math.abs(nowMs - current.begunMs) >= MINUTE_MS;
      if (isOver || isRenewed || current?.folder !== folder) {
        isRenewed = false;
        const before = current;
        current = { round: open(folder), folder, begunMs: nowMs, users: 0 };
        if (before?.users === 0) await before.round.close();
      }
      const own = current;
      own.users++;
      try {
        return await work(own.round.contextAt);
      } finally {
        own.users--;
        if (own.users === 0 && own !== current) await own.round.close();
      }
    },
    /** What was read so far, such as the commit of the files, may have changed. */
    renew(): void {
      isRenewed = true;
    },
    async close(): Promise<void> {
      await current?.round.close();
    },
  };
}
