// A process of a queue → a number of its own, and an advisory lock that others see for as long as it lives.
import type { Link } from "./link.js";
import type { Io } from "../../io.js";
import type { Connection } from "../../state/postgres-connection.js";
import type { Sessions } from "./session.js";

export interface Presence {
  readonly number: number;
  /** Called before anything is claimed: after its session was lost, it takes the lock again, and says so to others. */
  assure(): Promise<void>;
  /** On which its locks are; another one after that was lost. */
  session(): Promise<Connection>;
  /** For those who look at the queue. */
  note(facts: Pick<Facts, "withheld">): Promise<void>;
  end(): Promise<void>;
}

export interface Facts {
  readonly role: "serve" | "worker";
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly pools?: readonly string[];
  /** What it may carry out. */
  readonly apply?: readonly string[];
  /** Of a serve: why it publishes nothing newer than what it has published, or found published. */
  readonly withheld?: string | undefined;
}

export interface Present {
  readonly io: Io;
  readonly link: Link;
  readonly sessions: Sessions;
  /** For those who look at the queue. */
  readonly facts: Facts;
  readonly run: string;
  readonly who: string;
}

const AGAIN_MS = 200;
const NEVER = new AbortController().signal;

export async function openPresence(present: Present): Promise<Presence> {
  const { io, link, sessions, facts } = present;
  const [queue] = await link.ask<{ locks: number; number: number }>(
    "SELECT locks, nextval(pg_get_serial_sequence('process', 'number'))::integer AS number FROM queue",
  );
  if (!queue) throw new TypeError("a queue has one row");
  const { locks, number } = queue;
  // The server cuts it at 63 bytes.
  const program = `lintel ${present.who}@${io.machine.host} ${present.run}`;
  const shown = program.replace(/[^ -~]/g, "?").slice(0, 63);
  let on: Connection | undefined;
  let noted = JSON.stringify(facts);

  const session = () => link.beside(() => sessions.pinned(shown));

  async function taken(own: Connection, what: number): Promise<boolean> {
    const [answer] = await own.ask<{ got: boolean }>("SELECT pg_try_advisory_lock($1, $2) AS got", [
      locks,
      what,
    ]);
    return answer?.got === true;
  }

  return {
    number,
    session,
    async assure() {
      let own = await session();
      if (own === on) return;
      // Before others are told of it, because they take whoever holds no lock for dead. After a cut the server may not
      // have noticed yet that the session before has ended.
      while (!(await taken(own, number).catch(() => false))) {
        await io.sleep(AGAIN_MS, NEVER);
        own = await session();
      }
      await link.ask(
        `INSERT INTO process (number, facts) OVERRIDING SYSTEM VALUE VALUES ($1, $2)
         ON CONFLICT (number) DO NOTHING`,
        [number, noted],
      );
      on = own;
    },
    async note(more) {
      const text = JSON.stringify({ ...facts, ...more });
      if (text === noted) return;
      noted = text;
      await link.ask("UPDATE process SET facts = $2 WHERE number = $1", [number, text]);
    },
    async end() {
      await link.ask("DELETE FROM process WHERE number = $1", [number]);
      await sessions.close();
    },
  };
}
