// A session and a portal → the advisory lock on its state: taken, seen, let go of, and ended for others.
import { Failure } from "../../failure.js";
import { pause } from "../../lib/retry.js";
import type { Io } from "../../io.js";
import type { Secret } from "../../secret.js";
import { unlessEcho, zoneOf } from "../../lib/text.js";
import { takeInTurn } from "../lock/in-turn.js";
import { parseHolder } from "../lock/liveness.js";
import { describe, lockLost } from "../refusal.js";
import { UNKNOWN, type Holder, type OwnState } from "../store.js";
import type { Connection } from "./connection.js";
import { foreignLock, mayNotEnd, quoted } from "./refusal.js";
import type { Session } from "./session.js";
import { unlessMissing } from "./tables.js";

/** Of the lock with the key $1, as the server shows it in two halves. */
const IS_LOCK = `l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
  AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND l.classid::bigint = (($1::bigint >> 32) & 4294967295)
  AND l.objid::bigint = ($1::bigint & 4294967295)`;

/** True of the session that asks, while it holds the lock. */
export const IS_OURS = `EXISTS (SELECT 1 FROM pg_locks l WHERE ${IS_LOCK} AND l.pid = pg_backend_pid())`;

export async function isHeldBy(connection: Connection, { key }: Lock): Promise<boolean> {
  const [answer] = await connection.ask<{ ours: boolean }>(`SELECT ${IS_OURS} AS ours`, [key]);
  return answer?.ours === true;
}

export interface Lock {
  readonly key: string;
  readonly schema: string;
  readonly portal: string;
  /** What the server must not repeat of the way to it. */
  readonly secrets: () => readonly Secret[];
}

export interface Current {
  readonly pid: number;
  /** The session's own name for itself. */
  readonly program: string;
  /** Undefined for a session that is no run of Lintel, or has only just taken the lock. */
  readonly holder: Holder | undefined;
}

/** Who holds the lock as the server knows it: a row that somebody left behind holds nothing. */
export async function currentLock(
  connection: Connection,
  { key, schema, portal, secrets }: Lock,
): Promise<Current | undefined> {
  const [found] = await connection.ask<{ pid: number; program: string | null }>(
    `SELECT l.pid, a.application_name AS program
     FROM pg_locks l LEFT JOIN pg_stat_activity a USING (pid) WHERE ${IS_LOCK}`,
    [key],
  );
  if (!found) return undefined;
  const [row] = await unlessMissing(() =>
    connection.ask<{ holder: string }>(
      `SELECT holder FROM ${quoted(schema)}.holder WHERE portal = $1 AND pid = $2`,
      [portal, found.pid],
    ),
  );
  const holder = row && parseHolder(row.holder, secrets());
  return { pid: found.pid, program: unlessEcho(found.program ?? "", secrets()), holder };
}

interface Taking extends Pick<OwnState, "file" | "notice"> {
  readonly io: Io;
  readonly subject: string;
  readonly timeoutMs: number;
}

const DELAYS = { firstDelayMs: 20, longestDelayMs: 500 };
/** So often a holder is looked for who has the lock and has not said who they are yet. */
const LOOKS = 20;

/** Returns once this session alone has it; fails with state-locked once the time is over. */
export function takeLock(
  session: Session,
  lock: Lock,
  holder: Holder,
  taking: Taking,
): Promise<void> {
  const { io, subject } = taking;
  return takeInTurn({ ...taking, ...DELAYS }, async () => {
    if (session.isOver()) throw lockLost(subject);
    if (await tryLock(session, lock, holder, taking)) return "taken";
    const found = await whoHolds(session, lock, io);
    if (!found) return "again";
    const { pid, program } = found;
    return found.holder
      ? { holder: found.holder }
      : { holder: nameless(program), refusal: foreignLock(subject, pid, program) };
  });
}

/** Undefined once it is free. */
async function whoHolds(connection: Connection, lock: Lock, io: Io): Promise<Current | undefined> {
  let found = await currentLock(connection, lock);
  for (let look = 0; found && !found.holder && look < LOOKS; look++) {
    await pause(DELAYS.firstDelayMs, io);
    found = await currentLock(connection, lock);
  }
  return found;
}

/** What holds the lock and says nothing of itself. */
export function nameless(program: string): Holder {
  return { ...parseHolder(""), run: program || UNKNOWN };
}

async function tryLock(
  session: Session,
  { key, schema, portal, secrets }: Lock,
  holder: Holder,
  { io, subject, notice }: Taking,
): Promise<boolean> {
  // Another state of the same run: the server would let this session in again.
  if (session.held.has(key)) return false;
  session.held.set(key, holder);
  try {
    const [taken] = await session.ask<{ got: boolean }>(
      "SELECT pg_try_advisory_lock($1::bigint) AS got",
      [key],
    );
    if (!taken?.got) {
      session.held.delete(key);
      return false;
    }
    // A statement of its own: it sees what was written before the lock was taken, and that the lock is this session's.
    const [mine] = await session.ask<{ before: string | null }>(
      `INSERT INTO ${quoted(schema)}.holder AS h (portal, pid, holder)
       SELECT $2, pg_backend_pid(), $3 WHERE ${IS_OURS}
       ON CONFLICT (portal) DO UPDATE SET pid = excluded.pid, holder = excluded.holder
       RETURNING (SELECT holder FROM ${quoted(schema)}.holder WHERE portal = $2) AS before`,
      [key, portal, JSON.stringify(holder)],
    );
    if (!mine) throw lockLost(subject);
    if (mine.before) {
      const who = describe(parseHolder(mine.before, secrets()), zoneOf(io));
      notice?.(`Took over the lock of ${who}: its session has ended.`);
    }
    session.beat();
    return true;
  } catch (error) {
    await letGo(session, key);
    throw error;
  }
}

/** Fails with state-lock-lost where the server says that this session did not hold it. */
export async function releaseLock(session: Session, lock: Lock, subject: string): Promise<void> {
  // Its death has freed it, or will.
  if (session.isOver()) return;
  // First the row, so that the next one does not take it for that of somebody who died.
  const { schema, portal } = lock;
  const cleared = session
    .ask(`DELETE FROM ${quoted(schema)}.holder WHERE portal = $1 AND pid = pg_backend_pid()`, [
      portal,
    ])
    .catch(() => undefined);
  await cleared;
  if (!(await letGo(session, lock.key)) && !session.isOver()) throw lockLost(subject);
}

async function letGo(session: Session, key: string): Promise<boolean> {
  const [answer] = await session
    .ask<{ released: boolean }>("SELECT pg_advisory_unlock($1::bigint) AS released", [key])
    .catch(() => []);
  session.held.delete(key);
  if (session.held.size === 0) session.rest();
  return answer?.released === true;
}

/** Ends the session that holds it; returns the holder, undefined where nobody did. */
export async function endLock(
  connection: Connection,
  lock: Lock,
  { io, subject }: Pick<Taking, "io" | "subject">,
): Promise<Holder | undefined> {
  const found = await whoHolds(connection, lock, io);
  if (!found) return undefined;
  if (!found.holder) throw foreignLock(subject, found.pid, found.program);
  await endSession(connection, lock, found.pid, subject);
  if (!(await isFreeOf(connection, lock, found.pid, io))) {
    throw new Failure(
      "state-not-writable",
      `Session ${found.pid}, which holds the lock on the state of "${subject}", was told to end and has not.`,
      `Look at what it does:\n  SELECT * FROM pg_stat_activity WHERE pid = ${found.pid};`,
    );
  }
  return found.holder;
}

/** Only as long as it holds the lock: its number may be another one's by now. */
async function endSession(
  connection: Connection,
  { key }: Lock,
  pid: number,
  subject: string,
): Promise<void> {
  try {
    await connection.ask(
      `SELECT pg_terminate_backend(l.pid) FROM pg_locks l WHERE ${IS_LOCK} AND l.pid = $2`,
      [key, pid],
    );
  } catch (error) {
    throw (error as { code?: unknown }).code === "42501" ? mayNotEnd(subject, pid) : error;
  }
}

const ENDING_MS = 10_000;

/** Waits until a session holds the lock no more; false where it goes on. */
async function isFreeOf(
  connection: Connection,
  { key }: Lock,
  pid: number,
  io: Io,
): Promise<boolean> {
  const startedMs = io.machine.elapsedMs();
  for (
    let delayMs = DELAYS.firstDelayMs;
    ;
    delayMs = Math.min(delayMs * 2, DELAYS.longestDelayMs)
  ) {
    const still = await connection.ask(`SELECT 1 FROM pg_locks l WHERE ${IS_LOCK} AND l.pid = $2`, [
      key,
      pid,
    ]);
    if (still.length === 0) return true;
    if (io.machine.elapsedMs() - startedMs > ENDING_MS) return false;
    await pause(delayMs, io);
  }
}

/**
 * After a session was lost in the middle of a statement: ends what may still be at work on it, by the lock that it
 * keeps to its end. False where it goes on.
 */
export async function isEnded(
  connection: Connection,
  lock: Lock,
  pid: number,
  { io, subject }: Pick<Taking, "io" | "subject">,
): Promise<boolean> {
  await endSession(connection, lock, pid, subject);
  return isFreeOf(connection, lock, pid, io);
}
