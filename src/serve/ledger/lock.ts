// A folder of a run that does not end → its alone, until it ends; another run is refused, and one that was killed is not waited for.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { Failure } from "../../failure.js";
import { systemUser, type Io } from "../../io.js";
import { openFileLock } from "./folder-lock.js";
import { describe, holderOn, LEASE_MS } from "./holder.js";
import { zoneOf } from "../../lib/text.js";

export interface Taken {
  /** Fails where somebody else has it by now. */
  assertHeld(): void;
  release(): Promise<void>;
}

export async function takeFolder(
  io: Io,
  folder: string,
  notice: (sentence: string) => void,
): Promise<Taken> {
  const holder = holderOn(io.machine, {
    id: randomUUID(),
    who: systemUser(io) ?? "somebody",
    run: "lintel serve",
    since: new Date(io.now()).toISOString(),
  });
  const lock = openFileLock({
    io,
    above: folder,
    folder: join(folder, "run.lock"),
    subject: folder,
    notice,
  });
  const inUse = (cause: unknown) => {
    if (!(cause instanceof Failure) || !cause.code.startsWith("state-lock")) return cause;
    const found = lock.current();
    const who = found && !found.isReleased ? describe(found.holder, zoneOf(io)) : "somebody else";
    return new Failure(
      "data-in-use",
      `The folder "${folder}" is used by ${who}.`,
      "Each run needs a folder of its own:\n  lintel serve --data DIR",
      { cause },
    );
  };
  const before = lock.current()?.holder;
  // Whether a process of this machine runs is certain at once; of others, only their silence tells.
  const isHere =
    before?.bootId === io.machine.bootId && before?.pidNamespace === io.machine.pidNamespace;
  await lock.take(holder, isHere ? 0 : LEASE_MS * 1.5).catch((error: unknown) => {
    throw inUse(error);
  });
  return {
    assertHeld() {
      try {
        lock.assertHeld();
      } catch (error) {
        throw inUse(error);
      }
    },
    release: () => lock.release(holder),
  };
}
