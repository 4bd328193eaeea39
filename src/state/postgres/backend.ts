// A database → a store of states in its tables: one row a portal, compared and set under an advisory lock of the same session.
import * as refusal from "../refusal.js";
import type { Backend, Holder, LockingStore, OwnState, Place, StoresAt } from "../store.js";
import { databaseAt, type Database } from "../../state-address/database.js";
import type { Connecting } from "./connection.js";
import { secretsFor, userFor } from "./credentials.js";
import { currentLock, endLock, nameless, releaseLock, takeLock, type Lock } from "./lock.js";
import { atDoor, originOf, type Told } from "./refusal.js";
import { readRow } from "./schema.js";
import { openSessions, type Session, type Sessions } from "./session.js";
import { advisoryKey } from "./tables.js";
import { understand, writeState } from "./write.js";

export const postgresBackend = postgresBackendOn(openSessions);

/** `sessionsAt` may give the same ones again to whoever comes later: it sees to their end. */
export function postgresBackendOn(sessionsAt: typeof openSessions): Backend {
  return {
    deadLock: "ends-by-itself",
    open: (place) => openAt(place, sessionsAt),
  };
}

function openAt(
  { io, ca, assertAllowed, address, written }: Place,
  sessionsAt: typeof openSessions,
): StoresAt {
  const database = refusal.fitOf(databaseAt(address, written), { address, written });
  const { name, schema } = database;
  const names = written ? null : { user: userFor(database, io) ?? "ROLE", database: name, schema };
  const secrets = () => secretsFor(database, io);
  const told: Told = { shown: written ?? address, names, secrets };
  const connecting = { io, ca, assertAllowed };
  const sessions = sessionsAt(database, connecting, told);
  return {
    storeOf: (own) => openStore({ ...own, database, connecting, told, sessions }),
    close: () => sessions.close(),
  };
}

interface StoreOptions extends OwnState {
  readonly database: Database;
  readonly connecting: Connecting;
  readonly told: Told;
  readonly sessions: Sessions;
}

function openStore({
  database,
  connecting,
  told,
  sessions,
  portal,
  file,
  notice,
}: StoreOptions): LockingStore {
  const { io } = connecting;
  const { schema } = database;
  const place = `${told.shown} (${portal.key})`;
  const subject = portal.key;
  const expected = { ...originOf(place, told, portal.key), portal };
  const { secrets } = told;
  const lock: Lock = { key: advisoryKey(schema, portal.key), schema, portal: portal.key, secrets };
  let own: { readonly session: Session; readonly holder: Holder } | undefined;

  const reading = <T>(action: () => Promise<T>) => atDoor("state-not-readable", told, action);
  const writing = <T>(action: () => Promise<T>) => atDoor("state-not-writable", told, action);

  function assertHeld(): Session {
    const isHeld = own && !own.session.isOver();
    if (!own || !isHeld || own.session.held.get(lock.key)?.id !== own.holder.id) {
      throw refusal.lockLost(subject);
    }
    return own.session;
  }

  return {
    place,
    async read() {
      const row = await reading(async () =>
        readRow(await sessions.open(), schema, portal.key, told),
      );
      return row && understand(row, expected);
    },
    holder: () =>
      reading(async () => {
        const found = await currentLock(await sessions.open(), lock);
        return found && (found.holder ?? nameless(found.program));
      }),

    async write(state, over) {
      const session = assertHeld();
      await writeState(state, over, { io, session, sessions, lock, expected, told });
    },

    async lock(holder, { timeoutMs = 0 } = {}) {
      await writing(async () => {
        const session = await sessions.pinned(holder);
        await takeLock(session, lock, holder, { io, subject, file, notice, timeoutMs });
        own = { session, holder };
      });
    },
    async unlock(holder) {
      if (own?.holder.id !== holder.id) throw refusal.lockLost(subject);
      const { session } = own;
      own = undefined;
      await writing(() => releaseLock(session, lock, subject));
    },
    forceUnlock: () => writing(async () => endLock(await sessions.open(), lock, { io, subject })),
  };
}
