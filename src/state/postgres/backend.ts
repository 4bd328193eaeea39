// A database → a store of states in its tables: one row a portal, compared and set under an advisory lock of the same session.
import { openOthers, type Others } from "../others.js";
import * as refusal from "../refusal.js";
import type { Backend, Holder, OwnState, Place, Store, StoresAt } from "../store.js";
import { databaseAt, type Database } from "../../state-address/database.js";
import type { Connecting } from "./connection.js";
import { secretsFor, userFor } from "./credentials.js";
import { entriesBefore } from "./history.js";
import { currentLock, endLock, nameless, releaseLock, takeLock, type Lock } from "./lock.js";
import { atDoor, originOf, type Told } from "./refusal.js";
import { beginningsIn, readRow } from "./schema.js";
import { openSessions, type Session, type Sessions } from "./session.js";
import { advisoryKey } from "./tables.js";
import { understand, writeState } from "./write.js";

export const postgresBackend = postgresBackendOn(openSessions);

/** `sessionsAt` may give the same ones again to whoever comes later: it sees to their end. */
export function postgresBackendOn(sessionsAt: typeof openSessions): Backend {
  return {
    exclusion: "lock",
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
  const others = openOthers({
    beginnings: async function* () {
      yield* beginningsIn(await sessions.open(), schema);
    },
    whole: async (key) => (await readRow(await sessions.open(), schema, key, told))?.document,
  });
  return {
    storeOf: (own) => openStore({ ...own, database, connecting, told, sessions, others }),
    close: () => sessions.close(),
  };
}

interface StoreOptions extends OwnState {
  readonly database: Database;
  readonly connecting: Connecting;
  readonly told: Told;
  readonly sessions: Sessions;
  readonly others: Others;
}

function openStore({
  database,
  connecting,
  told,
  sessions,
  others,
  portal,
  file,
  notice,
}: StoreOptions): Store {
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
    exclusion: async () => "lock",
    back: async () => expected.back,
    others: (ownKey) => reading(() => others(ownKey)),
    async *earlier(state) {
      const entries = entriesBefore(await reading(() => sessions.open()), lock, state);
      for (;;) {
        const { value, done } = await reading(() => entries.next());
        if (done) return;
        yield value;
      }
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
    assertLeased() {
      if (!assertHeld().isAlive()) throw refusal.lockLost(subject);
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
