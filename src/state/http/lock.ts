// A server of states → the lock of one of them, as Terraform takes it too. It outlives its holder: nobody but a person ends it for another.
import { randomUUID } from "node:crypto";
import { CallFailure } from "../../http/http.js";
import { shellWord } from "../../lib/text.js";
import { takeInTurn } from "../lock/in-turn.js";
import { lockLost } from "../refusal.js";
import type { Io } from "../../io.js";
import { MOST_TRIES } from "../write-once.js";
import { UNKNOWN, type Holder, type OwnState, type Place } from "../store.js";
import { parseLockInfo, printLockInfo } from "./lock-info.js";
import type { Protocol } from "./protocol.js";
import { notLockable, stillLocked } from "./refusal.js";
import type { Server } from "./server.js";

/** A server is asked less often than a folder. */
const DELAYS = { firstDelayMs: 250, longestDelayMs: 2_000 };
const SOMEBODY: Holder = {
  id: "",
  who: UNKNOWN,
  host: UNKNOWN,
  run: UNKNOWN,
  since: UNKNOWN,
  pid: 0,
};

interface Own {
  readonly holder: Holder;
  readonly info: string;
  isLost: boolean;
}

export function openHttpLock(
  server: Server,
  protocol: Protocol,
  { io, portal, file, notice }: OwnState & Pick<Place, "io">,
) {
  const subject = portal.key;
  const { place } = server;
  const { probe, ask, isOver, end } = openQuestions(protocol, server, io);
  // These two compare ids with each write and unlock, and are known to lock.
  let isProven = server.dialect !== "terraform";
  let own: Own | undefined;

  return {
    async take(holder: Holder, timeoutMs: number): Promise<void> {
      const info = printLockInfo(holder);
      const turn = { io, subject, file, notice, timeoutMs, ...DELAYS };
      let isTaken = false;
      try {
        await takeInTurn(turn, async () => {
          const found = await ask(info);
          // A lock with our own id is one whose answer was lost.
          isTaken = found === "taken" || found.id === holder.id;
          return isTaken ? "taken" : { holder: found as Holder };
        });
        if (!isProven && (await probe()) === "taken") throw notLockable(place);
        isProven = true;
      } catch (error) {
        const isOpen = isTaken || isInDoubt(error);
        if (isOpen && !(await isOver(holder, info, isTaken ? undefined : error))) {
          const end = `lintel state unlock ${shellWord(file)}`;
          notice?.(`This run may have locked "${place}" and cannot unlock it. To do so:\n  ${end}`);
        }
        throw error;
      }
      own = { holder, info, isLost: false };
    },

    /** For the writes under it; fails with state-lock-lost where it is not held, as far as is known. */
    id(): string {
      if (!own || own.isLost) throw lockLost(subject);
      return own.holder.id;
    },

    /** Fails with state-lock-lost where somebody has ended it. */
    async assertHeld(): Promise<void> {
      if (!own || own.isLost) throw lockLost(subject);
      const found = await probe();
      if (found !== "taken" && mayBe(own.holder, found)) return;
      own.isLost = true;
      throw lockLost(subject);
    },

    async release(holder: Holder): Promise<void> {
      if (own?.holder.id !== holder.id) throw lockLost(subject);
      const { info, isLost } = own;
      own = undefined;
      if (isLost) return;
      await end(holder, info).catch((error: unknown) => {
        throw stillLocked(place, file, error);
      });
    },

    /** Undefined where nobody holds it. */
    async current(): Promise<Holder | undefined> {
      const found = await probe();
      return found === "taken" ? undefined : found;
    },

    force: (by: Holder) => force(by, protocol, server, () => stillLocked(place, file)),
  };
}

/** Whether a LOCK that failed may have been carried out. */
function isInDoubt(error: unknown): boolean {
  return (error instanceof CallFailure && error.sent) || isLate(error);
}

/** It came back, as an error: perhaps too late, from whatever stands in front. */
function isLate(error: unknown): boolean {
  if (!(error instanceof CallFailure)) return false;
  return error.code === "state-not-writable" || error.code === "too-many-requests";
}

/** Some servers tell no id, and then a lock may be anybody's. */
function mayBe({ id }: Holder, found: Holder): boolean {
  return found.id === id || found === SOMEBODY;
}

/** What a server tells of a lock, which it does only to those who try to take it. */
function openQuestions(protocol: Protocol, server: Server, io: Io) {
  async function ask(info: string): Promise<"taken" | Holder> {
    const answer = await protocol.lock(info);
    return answer === "taken" ? answer : (parseLockInfo(answer.held, server) ?? SOMEBODY);
  }

  /** With an id that nobody has; a lock that it gets is let go of at once. */
  async function probe(): Promise<"taken" | Holder> {
    const holder = { ...SOMEBODY, id: randomUUID(), who: "lintel", host: io.machine.host };
    const run = "a look at who holds the lock";
    const info = printLockInfo({ ...holder, run, since: new Date(io.now()).toISOString() });
    const found = await ask(info);
    if (found === "taken") await protocol.unlock(info);
    return found;
  }

  /** Ends a lock of our own. */
  async function end(holder: Holder, info: string): Promise<void> {
    for (let times = 1; ; times++) {
      try {
        // A server that compares no ids would end the lock of whoever came next. And where an answer was lost, this
        // tells whether there is still anything to end.
        const found = server.dialect === "terraform" || times > 1 ? await ask(info) : holder;
        if (found === "taken" || mayBe(holder, found)) await protocol.unlock(info);
        return;
      } catch (error) {
        if (times === MOST_TRIES || !(error instanceof CallFailure)) throw error;
      }
    }
  }

  /** Ends a lock that may be there; false where it may stay. */
  async function isOver({ id }: Holder, info: string, why?: unknown): Promise<boolean> {
    try {
      // As above: it may be that of another. Who gives no answer at all is not asked for ever.
      const mustAsk = server.dialect === "terraform" && isLate(why);
      const found = mustAsk ? await ask(info) : "taken";
      if (found !== "taken" && found.id !== id) return found !== SOMEBODY;
      await protocol.unlock(info);
      return true;
    } catch {
      return false;
    }
  }

  return { ask, probe, isOver, end };
}

/** Ends whatever lock is found. What the server told of it is handed back as it is, since some compare all of it. */
async function force(
  by: Holder,
  protocol: Protocol,
  server: Server,
  failed: () => Error,
): Promise<Holder | undefined> {
  const info = printLockInfo(by);
  for (let times = 1; times <= MOST_TRIES; times++) {
    const answer = await protocol.lock(info);
    const found = answer === "taken" ? by : (parseLockInfo(answer.held, server) ?? SOMEBODY);
    if (answer === "taken" || found.id === by.id) {
      await protocol.unlock(info);
      return undefined;
    }
    // Where the server tells no id, nothing at all means any lock, as from Terraform.
    const told = found === SOMEBODY ? undefined : answer.held;
    if (await protocol.unlock(told)) return found;
    if (server.dialect === "terraform" && told && (await protocol.unlock(undefined))) return found;
  }
  throw failed();
}
