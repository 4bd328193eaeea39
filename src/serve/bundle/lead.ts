// The session that holds all locks of a process → whether this process is the one that publishes, until the session or the process ends.
import { advisoryKey } from "../queue/make-tables.js";
import type { Connection } from "../../state/postgres-connection.js";

export interface Lead {
  isHeld(): boolean;
  /** Whether it is held now. */
  take(): Promise<boolean>;
  /** For another one, who may know what is newer. */
  release(): Promise<void>;
}

type Pinned = Pick<Connection, "ask" | "isOver">;

/** `pinned` is a session that no pooler hands to others; another one after that was lost. */
export function openLead(schema: string, pinned: () => Promise<Pinned>): Lead {
  const key = advisoryKey(schema, "publish");
  let session: Pinned | undefined;
  const isHeld = () => session !== undefined && !session.isOver();
  return {
    isHeld,
    async take() {
      // The server would let the session in once more, and count.
      if (isHeld()) return true;
      session = undefined;
      const asked = await pinned();
      const [answer] = await asked.ask<{ got: boolean }>(
        "SELECT pg_try_advisory_lock($1::bigint) AS got",
        [key],
      );
      if (answer?.got) session = asked;
      return isHeld();
    },
    async release() {
      const held = session;
      session = undefined;
      // The end of the session frees it as well.
      if (held && !held.isOver()) await held.ask("SELECT pg_advisory_unlock($1::bigint)", [key]);
    },
  };
}
