// Shares results that a run needs once, such as the newest state of a branch, among the checks of one minute.
import type { Io } from "../io.js";
import { MINUTE_MS } from "../moment.js";
import type { RunContext } from "../apply/run-context.js";

export interface RunSession {
  /** As of a moment. */
  readonly contextAt: (atMs: number) => RunContext;
  close(): Promise<void>;
}

export type RunSessions = ReturnType<typeof openRunSessions>;

/** Starts a new session each minute, and for another folder. */
export function openRunSessions(io: Pick<Io, "now">, open: (folder: string) => RunSession) {
  let current:
    | {
        readonly session: RunSession;
        readonly folder: string;
        readonly begunMs: number;
        users: number;
      }
    | undefined;
  let isRenewed = false;
  return {
    /** Closes a session after its last check, once another session has started. */
    async within<T>(
      work: (contextAt: RunSession["contextAt"]) => Promise<T>,
      folder = "",
    ): Promise<T> {
      const nowMs = io.now();
      // The clock may have been set back since.
      const isOver = !current || Math.abs(nowMs - current.begunMs) >= MINUTE_MS;
      if (isOver || isRenewed || current?.folder !== folder) {
        isRenewed = false;
        const before = current;
        current = { session: open(folder), folder, begunMs: nowMs, users: 0 };
        if (before?.users === 0) await before.session.close();
      }
      const own = current;
      own.users++;
      try {
        return await work(own.session.contextAt);
      } finally {
        own.users--;
        if (own.users === 0 && own !== current) await own.session.close();
      }
    },
    /** Discards what was read so far, such as the commit of the files. */
    renew(): void {
      isRenewed = true;
    },
    async close(): Promise<void> {
      await current?.session.close();
    },
  };
}
