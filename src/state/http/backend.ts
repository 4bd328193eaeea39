// An HTTP address → a store at a server of Terraform states, for the state of one portal.
import { Failure } from "../../failure.js";
import { NOT_KNOWN, type Backend, type LockingStore, type OwnState, type Place } from "../store.js";
import type { State } from "../state.js";
import { assertNext } from "../succession.js";
import { unwrap, wrap } from "./envelope.js";
import { writeOnce } from "../write-once.js";
import { openHttpLock } from "./lock.js";
import { openProtocol } from "./protocol.js";
import { originOf, refused } from "./refusal.js";
import { serverOf } from "./server.js";

export const httpBackend: Backend = {
  deadLock: "ended-by-hand",
  // The connections are those of the run's HTTP client, so that states at one server share them.
  open: (place) => ({ storeOf: (own) => openHttpStore(place, own), close: async () => {} }),
};

function openHttpStore(where: Place, own: OwnState): LockingStore {
  const { portal } = own;
  const server = serverOf(where, portal.key);
  const { place } = server;
  const protocol = openProtocol(server, where.http);
  const lock = openHttpLock(server, protocol, { ...own, io: where.io });
  /** Who writes without a lock, because the server has none. */
  let alone: string | undefined;

  async function read(mustFinish = false): Promise<State | undefined> {
    const text = await protocol.read(mustFinish);
    return text === undefined ? undefined : unwrap(text, { ...originOf(server), portal });
  }

  return {
    place,
    read: () => read(),
    holder: async () => (where.http.mayChange ? lock.current() : NOT_KNOWN),

    async write(state, expected) {
      const id = alone === undefined ? lock.id() : undefined;
      // The other servers look at the lock themselves, with the write.
      if (id !== undefined && server.dialect === "terraform") await lock.assertHeld();
      assertNext(state, { place, portal, stored: await read(true), expected });
      const enveloped = wrap(state);
      await writeOnce(state, {
        place,
        file: own.file,
        expected,
        async send() {
          const answer = await protocol.write(enveloped, id);
          return [200, 201, 204].includes(answer.status) ? "written" : answer;
        },
        look: () => read(true),
        refusalOf: (answer) => (answer.status < 500 ? refused(server, "write", answer) : undefined),
        assertHeld: async () => (id === undefined ? undefined : lock.assertHeld()),
      });
    },

    async lock(holder, { timeoutMs = 0 } = {}) {
      try {
        await lock.take(holder, timeoutMs);
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== "state-not-lockable") throw error;
        alone = holder.id;
      }
    },
    async unlock(holder) {
      if (alone !== holder.id) return lock.release(holder);
      alone = undefined;
    },
    forceUnlock: (by) => lock.force(by),
  };
}
