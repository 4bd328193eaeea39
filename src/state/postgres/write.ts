// A session that holds a portal's lock and a state → the state in the portal's row, or the old one still whole.
import { digest } from "../../lib/digest.js";
import { printJson } from "../../lib/json.js";
import type { Io } from "../../io.js";
import { parseState, printState, type Expected } from "../format.js";
import * as refusal from "../refusal.js";
import { ENTRY, type Entry, type State } from "../state.js";
import { assertNext } from "../succession.js";
import { IS_OURS, isEnded, isHeldBy, type Lock } from "./lock.js";
import { atDoor, maybeWritten, notWritten, quoted, type Told } from "./refusal.js";
import { readRow, type StoredRow } from "./schema.js";
import type { Session, Sessions } from "./session.js";

interface Writing {
  readonly io: Io;
  readonly session: Session;
  readonly sessions: Sessions;
  readonly lock: Lock;
  /** What must stand there, and where that is. */
  readonly expected: Expected;
  readonly told: Told;
}

/** Its columns are what a write is compared with, so that they must say what the document says. */
export function understand(row: StoredRow, expected: Expected): State {
  const state = parseState(row.document, expected);
  if (row.lineage === state.lineage && row.serial === String(state.serial)) return state;
  throw refusal.damaged(expected, "the columns of its row do not say what the document says");
}

export async function writeState(state: State, over: number, writing: Writing): Promise<void> {
  const { session, lock, expected, told } = writing;
  const { place, portal } = expected;
  await atDoor("state-not-writable", told, async () => {
    const row = await readHeld(writing);
    const stored = row && understand(row, expected);
    assertNext(state, { place, portal, stored, expected: over });
    const document = asciiText(printState(state));
    try {
      if (await put(session, lock, document, { state, stored, row })) return;
    } catch (error) {
      if (!session.isOver()) throw error;
      return assertArrived(document, writing);
    }
    // The lock is not this session's any more; or somebody wrote without one.
    if (!(await isHeldBy(session, lock))) throw refusal.lockLost(portal.key);
    const now = await readHeld(writing);
    throw refusal.conflict(place, over, now ? understand(now, expected).serial : 0);
  });
}

/** A session that ended has lost the lock, whatever it was asked last. */
async function readHeld({ session, lock, told }: Writing): Promise<StoredRow | undefined> {
  try {
    return await readRow(session, lock.schema, lock.portal, told);
  } catch (error) {
    throw session.isOver() ? refusal.lockLost(lock.portal) : error;
  }
}

/** After the connection was cut in the middle of a write: whether it arrived, as soon as nothing of it can be on its way. */
async function assertArrived(document: string, writing: Writing): Promise<void> {
  const { io, session, sessions, lock, told } = writing;
  let found: StoredRow | undefined;
  try {
    const connection = await sessions.open();
    const isOver = await isEnded(connection, lock, session.pid, { io, subject: lock.portal });
    if (!isOver) throw maybeWritten(told);
    found = await readRow(connection, lock.schema, lock.portal, told);
  } catch (error) {
    throw maybeWritten(told, error);
  }
  if (found?.document !== document) throw notWritten(told);
}

interface Putting {
  readonly state: State;
  readonly stored: State | undefined;
  readonly row: StoredRow | undefined;
}

/**
 * One statement: the row is as it was read, and the lock is this session's, or nothing is written. What the state's
 * history tells anew is kept in a table of its own, for ever and with all its values.
 */
async function put(
  session: Session,
  { key, schema, portal }: Lock,
  document: string,
  { state, stored, row }: Putting,
): Promise<boolean> {
  const tables = quoted(schema);
  const written = row
    ? `UPDATE ${tables}.state SET serial = $4, document = $5, written_at = now()
       WHERE portal = $2 AND lineage = $3 AND serial = $9 AND xmin::text = $10 AND ${IS_OURS}`
    : `INSERT INTO ${tables}.state (portal, lineage, serial, document, written_at)
       SELECT $2, $3, $4, $5, now() WHERE ${IS_OURS}
       ON CONFLICT (portal) DO NOTHING`;
  const entries = entriesAfter(stored, state);
  const [answer] = await session.ask<{ count: number }>(
    `WITH written AS (${written} RETURNING 1),
     told AS (
       INSERT INTO ${tables}.history (portal, lineage, serial, digest, entry)
       SELECT $2, $3, given.serial, given.digest, given.entry::json
       FROM written, unnest($6::bigint[], $7::text[], $8::text[]) AS given (serial, digest, entry)
       ON CONFLICT DO NOTHING
     )
     SELECT count(*)::int AS count FROM written`,
    [
      key,
      portal,
      state.lineage,
      state.serial,
      document,
      entries.map(() => state.serial),
      entries.map(digestOfEntry),
      entries.map((entry) => asciiText(printJson(entry))),
      ...(row ? [row.serial, row.mark] : []),
    ],
  );
  return answer?.count === 1;
}

/** What the history of `state` tells beyond that of `stored`; all of it, where that is another one. */
function entriesAfter(stored: State | undefined, { history }: State): readonly Entry[] {
  const newest = stored?.history.at(-1);
  const known = newest && digestOfEntry(newest);
  const last = history.findLastIndex((entry) => digestOfEntry(entry) === known);
  return history.slice(last + 1);
}

/** Without the live values, which older entries lose. */
function digestOfEntry({ live: _values, ...entry }: Entry): string {
  return digest(ENTRY(entry));
}

/** Fit for a database of any encoding, and whole where a text is cut in the middle of a character. */
export function asciiText(json: string): string {
  const code = (letter: string) => letter.charCodeAt(0).toString(16).padStart(4, "0");
  return json.replace(/[\u007f-\uffff]/g, (letter) => `\\u${code(letter)}`);
}
