// An HTTP address → a store at a server of Terraform states, for the state of one portal.
import { CallFailure } from "../../http/http.js";
import type { Answer } from "../../request.js";
import { printState } from "../format.js";
import * as refusal from "../refusal.js";
import { NOT_KNOWN, type Backend, type OwnState, type Place, type Store } from "../store.js";
import type { State } from "../state.js";
import { assertNext } from "../succession.js";
import { unwrap, wrap } from "./envelope.js";
import { MOST_TRIES, openHttpLock } from "./lock.js";
import { openProtocol } from "./protocol.js";
import { refused, writtenOrNot } from "./refusal.js";
import { serverOf } from "./server.js";

export const httpBackend: Backend = {
  exclusion: "lock",
  deadLock: "ended-by-hand",
  // The connections are those of the run's door, so that states at one server share them.
  open: (place) => ({ storeOf: (own) => openHttpStore(place, own), close: async () => {} }),
};

function openHttpStore(where: Place, own: OwnState): Store {
  const { isUnlocked } = where;
  const { portal, notice } = own;
  const server = serverOf(where, portal.key);
  const { place } = server;
  const protocol = openProtocol(server, where.http);
  const lock = openHttpLock(server, protocol, { ...own, io: where.io });
  /** Who writes without a lock. */
  let alone: string | undefined;

  async function read(mustFinish = false): Promise<State | undefined> {
    const text = await protocol.read(mustFinish);
    return text === undefined ? undefined : unwrap(text, { place, portal });
  }

  /** Writes once for sure, under a lock that keeps everybody else from writing meanwhile. */
  async function put(state: State, expected: number, id: string | undefined): Promise<void> {
    const text = wrap(state);
    for (let times = 1; ; times++) {
      const ended = await outcomeOf(() => protocol.write(text, id));
      if (ended === "written") return;
      // A server may answer with an error after it has written, and an answer may be lost on the way.
      const now = await read(true).catch((error: unknown) => {
        throw error instanceof CallFailure ? writtenOrNot(place, ended) : error;
      });
      if (now && printState(now) === printState(state)) return;
      const found = now?.serial ?? 0;
      if (found !== expected) throw refusal.conflict(place, expected, found);
      if (id !== undefined) await lock.assertHeld();
      const isFinal = !(ended instanceof CallFailure) && ended.status < 500;
      if (isFinal) throw refused(server, "write", ended);
      // It may still be on its way; written again it is the same.
      if (times === MOST_TRIES) throw writtenOrNot(place, ended);
    }
  }

  return {
    place,
    read: () => read(),
    exclusion: async () => httpBackend.exclusion,
    holder: async () => (where.http.mayChange && !isUnlocked ? lock.current() : NOT_KNOWN),

    async write(state, expected) {
      const id = alone === undefined ? lock.id() : undefined;
      // The other servers look at the lock themselves, with the write.
      if (id !== undefined && server.dialect === "terraform") await lock.assertHeld();
      assertNext(state, { place, portal, stored: await read(true), expected });
      await put(state, expected, id);
    },

    async lock(holder, { timeoutMs = 0 } = {}) {
      if (!isUnlocked) return lock.take(holder, timeoutMs);
      notice?.(`Nobody is kept from writing "${place}" at the same time, because of --no-lock.`);
      alone = holder.id;
    },
    assertLeased() {
      if (alone === undefined) lock.assertLeased();
    },
    async unlock(holder) {
      if (alone !== holder.id) return lock.release(holder);
      alone = undefined;
    },
    forceUnlock: (by) => lock.force(by),
  };
}

/** An answer that is no success, or why there was none; fails where nothing was sent. */
async function outcomeOf(write: () => Promise<Answer>): Promise<"written" | Answer | CallFailure> {
  try {
    const answer = await write();
    return [200, 201, 204].includes(answer.status) ? "written" : answer;
  } catch (error) {
    if (error instanceof CallFailure && error.sent) return error;
    throw error;
  }
}
